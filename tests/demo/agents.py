"""Demo agents as processes of their own, driven like a real CLI."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from threading import Thread

import idea.demo
from tests.patience import PATIENCE_S

AGENT = str(Path(idea.demo.__file__).parent / "agent.py")
COMMAND = [sys.executable, "-I", "-S", AGENT]

Line = dict[str, object]


def environment(**more: str) -> dict[str, str]:
    return {"PATH": "/usr/bin:/bin", "IDEA_DEMO_PACE": "0.02", **more}


class ChatAgent:
    """One agent with the chat face."""

    def __init__(self, *arguments: str, env: dict[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, "--face", "chat", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=env or environment(),
        )
        self.garbage: list[bytes] = []
        self._lines: Queue[Line | None] = Queue()
        self._reader = Thread(target=self._read)
        self._reader.start()

    def send(self, **message: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def prompt(self, text: str) -> None:
        self.send(type="prompt", text=text)

    def next(self) -> Line:
        line = self._lines.get(timeout=PATIENCE_S)
        assert line is not None, f"the agent ended: {self.stderr()}"
        return line

    def until(self, *kinds: str) -> list[Line]:
        """The lines up to and with the first of one of `kinds`."""
        lines = [self.next()]
        while lines[-1]["type"] not in kinds:
            lines.append(self.next())
        return lines

    def turn(self, text: str) -> list[Line]:
        self.prompt(text)
        return self.until("result", "error")

    def wait(self) -> int:
        return self.process.wait(PATIENCE_S)

    def rest(self) -> list[Line]:
        """What it still said until its end."""
        return list(iter(lambda: self._lines.get(timeout=PATIENCE_S), None))

    def end_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def stderr(self) -> str:
        """All of it; only once the process ends."""
        assert self.process.stderr is not None
        return self.process.stderr.read().decode()

    def close(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE_S)
        self._reader.join(PATIENCE_S)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            try:
                pipe.close()
            except BrokenPipeError:
                continue

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            try:
                self._lines.put(json.loads(line))
            except ValueError:
                self.garbage.append(line)
        self._lines.put(None)


@contextmanager
def chat_agent(*arguments: str, env: dict[str, str] | None = None) -> Iterator[ChatAgent]:
    agent = ChatAgent(*arguments, env=env)
    try:
        yield agent
    finally:
        agent.close()


def write_script(folder: Path, *rules: object) -> str:
    path = folder / "script.json"
    path.write_text(json.dumps({"rules": rules}))
    return str(path)


def declare(folder: Path) -> tuple[str, Path]:
    """A declaration of the tiny server, and the file where it logs what it reads."""
    log = folder / "mcp.log"
    server = Path(__file__).parent / "mcp_server.py"
    entry = {"command": sys.executable, "args": ["-I", "-S", str(server), str(log)], "env": {}}
    path = folder / "mcp.json"
    path.write_text(json.dumps({"mcpServers": {"idea": entry}}))
    return str(path), log
