"""Makes the marked outputs anew: `python -m tests.profiles.record_terminals [NAME…]`. Needs the real CLIs."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from scripts.engine_clis import find
from tests.demo.agents import COMMAND, environment, write_script
from tests.model_server.server import ModelServer
from tests.profiles.terminals import Mark, MarkedOutput
from tests.screen.record import Recorder

KEY: Final = "key-of-nobody"
STATUS_ANSWER: Final = b"\x1b]7501;?\x1b\\"
DOWN, ESCAPE = "\x1b[B", "\x1b"


class MarkingRecorder(Recorder):
    """In a terminal that knows of program status, or in one that does not."""

    def __init__(self, *argv: str, env: Mapping[str, str], cwd: Path, knows_status: bool) -> None:
        self._knows_status = knows_status
        self.marks: list[Mark] = []
        super().__init__(*argv, env=env, cwd=cwd)

    def answer(self, answers: bytes) -> bytes:
        return answers if self._knows_status else answers.replace(STATUS_ANSWER, b"")

    def mark(self, situation: str, shown: str, *, is_still: bool = True) -> None:
        """When this is shown and, if so, drawn whole."""
        self.shows(shown)
        if is_still:
            self.settle()
        self.marks.append(Mark(len(self.output), situation))

    def tap(self, keys: str) -> None:
        """Without a wait for what it causes."""
        os.write(self._master, keys.encode())

    def submit(self, text: str) -> None:
        self.press(text, "\r")


def claude(recorder: MarkingRecorder) -> None:
    recorder.mark("trust", "Enter to confirm")
    recorder.press(DOWN, "\r")
    recorder.mark("idle", "? for shortcuts")
    recorder.submit("[[drone]]")
    recorder.mark("working", "This answer takes its time", is_still=False)
    recorder.press(ESCAPE)
    recorder.mark("idle", "Interrupted")
    recorder.submit("[[run touch it]]")
    recorder.mark("permission", "Esc to cancel")
    recorder.press("\r")
    recorder.mark("idle", "Ran: ")


def claude_key(recorder: MarkingRecorder) -> None:
    recorder.mark("trust", "Enter to confirm")
    recorder.press(DOWN, "\r")
    recorder.mark("setup", "API key?")


def claude_limit(recorder: MarkingRecorder) -> None:
    recorder.mark("trust", "Enter to confirm")
    recorder.press(DOWN, "\r")
    recorder.mark("idle", "? for shortcuts")
    recorder.submit("[[limit]]")
    recorder.mark("limited", "limit resets")


def codex(recorder: MarkingRecorder) -> None:
    recorder.mark("trust", "Trust this folder?")
    recorder.press("\r")
    recorder.mark("idle", "Ask Codex to do anything")
    recorder.submit("[[drone]]")
    recorder.mark("working", "This answer takes its time", is_still=False)
    recorder.press(ESCAPE)
    recorder.mark("idle", "Conversation interrupted")


def demo(recorder: MarkingRecorder) -> None:
    recorder.mark("idle", "ready")
    # What spins is never still.
    recorder.tap("ask\r")
    recorder.mark("permission", "waits for you", is_still=False)
    recorder.tap("y")
    recorder.mark("working", "thinking", is_still=False)
    recorder.tap("\x03")
    recorder.mark("idle", "Ada · ready")


Drive = Callable[[MarkingRecorder], None]
CASES: Final[Mapping[str, tuple[Drive, bool]]] = {
    "claude-status": (claude, True),
    "claude-plain": (claude, False),
    "claude-key": (claude_key, False),
    "claude-limit": (claude_limit, False),
    "codex-status": (codex, True),
    "demo-status": (demo, True),
    "demo-plain": (demo, False),
}
RULES: Final = {
    "match": "",
    "steps": [
        {"permission": {"tool": "Bash", "title": "Run it", "detail": "touch it", "allowed": [], "denied": []}},
        {"say": "thinking"},
        {"hang": {}},
    ],
}


def furnish(home: Path, name: str, url: str) -> None:
    home.mkdir(parents=True)
    approved = [] if name == "claude-key" else [KEY]
    seen = {"hasCompletedOnboarding": True, "theme": "dark", "customApiKeyResponses": {"approved": approved}}
    (home / ".claude.json").write_text(json.dumps(seen), encoding="utf-8")
    (home / ".codex").mkdir()
    provider = f'name = "Gateway"\nbase_url = "{url}/v1"\nenv_key = "OPENAI_API_KEY"\nwire_api = "responses"\n'
    config = f'model = "scripted-model"\nmodel_provider = "gateway"\n[model_providers.gateway]\n{provider}'
    (home / ".codex" / "config.toml").write_text(config, encoding="utf-8")


def command(name: str, root: Path) -> Sequence[str]:
    match name.partition("-")[0]:
        case "claude":
            return (str(find("claude")), "-n", "Ada", "--permission-mode", "manual")
        case "codex":
            return (str(find("codex")), "--no-daemon")
        case _:
            return (*COMMAND, "--face", "tui", "--name", "Ada", "--script", write_script(root, RULES))


def record(name: str, root: Path, url: str) -> MarkedOutput:
    drive, knows_status = CASES[name]
    furnish(root / "home", name, url)
    (root / "project").mkdir()
    subprocess.run(["git", "init", "-q"], cwd=root / "project", check=True)
    (root / "project" / ".codex").mkdir()
    (root / "project" / ".codex" / "config.toml").write_text("", encoding="utf-8")
    sign_in = {"CLAUDE_CODE_OAUTH_TOKEN": KEY} if name == "claude-limit" else {"ANTHROPIC_API_KEY": KEY}
    env = environment(
        HOME=str(root / "home"),
        TERM="xterm-256color",
        LANG="C.UTF-8",
        ANTHROPIC_BASE_URL=url,
        OPENAI_API_KEY=KEY,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
        DISABLE_AUTOUPDATER="1",
        **sign_in,
    )
    argv = command(name, root)
    recorder = MarkingRecorder(*argv, env=env, cwd=root / "project", knows_status=knows_status)
    try:
        drive(recorder)
    finally:
        recorder.end()
    return MarkedOutput(name, version(argv), recorder.marks, recorder.output)


def version(argv: Sequence[str]) -> str:
    if argv[0] == sys.executable:
        return "our own"
    return subprocess.run([argv[0], "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]


def main(names: Sequence[str]) -> int:
    with ModelServer() as model:
        for name in names or CASES:
            with tempfile.TemporaryDirectory(dir="/tmp", prefix="r") as folder:
                output = record(name, Path(folder), model.url)
            output.save()
            sys.stderr.write(f"{name}: {len(output.output)} bytes, {output.program}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
