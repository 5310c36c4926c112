"""Runs a real CLI under its engine as the session runner does: profile, built environment, pipes, bounded waits."""

import asyncio
import json
import os
import signal
import sys
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final as Constant

from idea.adapters.engines.registry import EngineFactory
from idea.adapters.profiles import ProfileFiles
from idea.application.ports import Engine, EngineLifetime
from idea.domain.agents import PermissionMode
from idea.domain.ids import ConversationId, RequestId
from idea.domain.profiles import Profile, arguments
from idea.domain.replies import (
    TERMINAL,
    Announcement,
    Decision,
    EngineEvent,
    Final,
    ToolActivity,
    ToolPhase,
)
from idea.domain.sessions import Exit

WAIT_S: Constant = 30.0
"""A CLI needs half a second for a turn of these; on a busy machine several."""
LINE_BYTES: Constant = 32 * 1024 * 1024
TEAM_SERVER: Constant = Path(__file__).with_name("team_server.py")


@dataclass
class Desk:
    """One home, one project, one CLI."""

    profile: Profile
    executable: Path
    home: Path
    root: Path
    environment: Mapping[str, str]
    model: str | None = None
    context: str = ""
    mode: PermissionMode = PermissionMode.ASK
    recorded: list[dict[str, object] | str] = field(default_factory=list)
    """Output lines, and what was done in between, for a transcript."""

    def argv(self, conversation: ConversationId | None, *, resumes: bool) -> list[str]:
        server = {**self.profile.mcp_entry, "command": sys.executable, "args": [str(TEAM_SERVER)]}
        declaration = self.home / "mcp.json"
        declaration.write_text(json.dumps({"mcpServers": {"idea": server}}), encoding="utf-8")
        context_file = self.home / "context.md"
        context_file.write_text(self.context, encoding="utf-8")
        values = {
            "name": "Main",
            "conversation": conversation or "",
            "context": self.context,
            "context_file": str(context_file),
            "model": self.model or "",
            "mcp_config": str(declaration),
            "mcp_server": "idea",
            "mcp_command": sys.executable,
            "mcp_args_toml": json.dumps([str(TEAM_SERVER)]),
        }
        face = self.profile.structured
        assert face is not None
        more = arguments(face, mode=self.mode, mcp_args=self.profile.mcp_args, values=values, resumes=resumes)
        return [str(self.executable), *more]


class Session:
    """One engine and the process, or processes, under it."""

    def __init__(self, desk: Desk, *, conversation: ConversationId | None, resumes: bool) -> None:
        self.desk = desk
        self.conversation = conversation
        self._resumes = resumes
        self.engine: Engine = EngineFactory().create(desk.profile, conversation=conversation)
        self._process: asyncio.subprocess.Process | None = None
        self.new_id: Callable[[], str] = lambda: str(uuid.uuid4())
        """Of messages; one is taken for an interrupt, too, as the transcripts count them."""

    async def open(self) -> None:
        await self._spawn()
        await self._write(self.engine.opened())

    async def prompt(self, text: str) -> None:
        """Begin a turn."""
        self.desk.recorded.append({"idea": "prompt", "text": text})
        data = self.engine.prompt(text, self.new_id())
        if self.engine.lifetime is EngineLifetime.TURN:
            await self._spawn()
        await self._write(data)
        if self.engine.lifetime is EngineLifetime.TURN:
            self._alive.stdin.close()  # type: ignore[union-attr] # it has pipes

    async def until(self, *kinds: type[EngineEvent]) -> list[EngineEvent]:
        """Everything up to the first event of these kinds."""
        seen: list[EngineEvent] = []
        async with asyncio.timeout(WAIT_S):
            while not any(isinstance(event, kinds) for event in seen):
                line = await self._line()
                if line is None:
                    return seen + await self._ended()
                seen += self.engine.feed(line)
        return seen

    async def turn(self, text: str) -> list[EngineEvent]:
        await self.prompt(text)
        seen = await self.until(*TERMINAL)
        if self.engine.lifetime is EngineLifetime.TURN and self._process is not None:
            seen += await self.finish()
        return seen

    async def decide(self, request: RequestId, decision: Decision) -> None:
        self.desk.recorded.append({"idea": "answer", "request": request, "decision": decision.value})
        await self._write(self.engine.answer(request, decision))

    async def step(self) -> list[EngineEvent]:
        """One line of output."""
        async with asyncio.timeout(WAIT_S):
            line = await self._line()
        return [] if line is None else list(self.engine.feed(line))

    async def interrupt(self) -> None:
        self.desk.recorded.append({"idea": "interrupt"})
        self.new_id()
        data = self.engine.interrupt()
        if data is None:
            os.killpg(self._alive.pid, signal.SIGINT)
        else:
            await self._write(data)

    async def finish(self) -> list[EngineEvent]:
        """End of input, the rest of the output, the exit."""
        if self._process is None:
            return []
        async with asyncio.timeout(WAIT_S):
            self._alive.stdin.close()  # type: ignore[union-attr] # it has pipes
            seen: list[EngineEvent] = []
            while (line := await self._line()) is not None:
                seen += self.engine.feed(line)
            return seen + await self._ended()

    def resume(self, conversation: ConversationId) -> None:
        """What the next turn's process goes on with."""
        self.conversation, self._resumes = conversation, True

    async def kill(self) -> list[EngineEvent]:
        """Whatever state it is in."""
        if self._process is None:
            return []
        os.killpg(self._process.pid, signal.SIGKILL)
        return await self._ended()

    async def end(self) -> None:
        await self.kill()

    @property
    def _alive(self) -> asyncio.subprocess.Process:
        assert self._process is not None
        return self._process

    async def _spawn(self) -> None:
        argv = self.desk.argv(self.conversation, resumes=self._resumes)
        with (self.desk.home / "stderr.txt").open("wb") as errors:
            self._process = await asyncio.create_subprocess_exec(
                *argv,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=errors,
                env=dict(self.desk.environment),
                cwd=self.desk.root,
                limit=LINE_BYTES,
                start_new_session=True,
            )

    async def _write(self, data: bytes) -> None:
        stdin = self._alive.stdin
        assert stdin is not None
        stdin.write(data)
        await stdin.drain()

    async def _line(self) -> bytes | None:
        stdout = self._alive.stdout
        assert stdout is not None
        line = await stdout.readline()
        if not line:
            return None
        self.desk.recorded.append(line.decode())
        return line.rstrip(b"\n")

    async def _ended(self) -> list[EngineEvent]:
        process, self._process = self._alive, None
        async with asyncio.timeout(WAIT_S):
            code = await process.wait()
        process._transport.close()  # type: ignore[attr-defined] # else its warning about an open pipe is an error here
        tail = (self.desk.home / "stderr.txt").read_text(encoding="utf-8")[-4000:]
        exit_ = Exit(code if code >= 0 else None, -code if code < 0 else None)
        self.desk.recorded.append({"idea": "closed", "code": exit_.code, "signal": exit_.signal, "stderr": tail})
        return list(self.engine.closed(exit_, tail))


def only(events: Sequence[EngineEvent], *kinds: type[EngineEvent]) -> list[EngineEvent]:
    return [event for event in events if isinstance(event, kinds)]


def assert_only_the_conclusion_answers(said: Sequence[EngineEvent]) -> None:
    """Of `[[twice]]`: what came before the tools is announced, and each tool shows when it began and ended."""
    assert only(said, Announcement) == [
        Announcement("PREAMBLE: I will look who is there."),
        Announcement("MIDDLE: now I delegate."),
    ]
    tools = [event for event in said if isinstance(event, ToolActivity)]
    assert [(tool.summary, tool.phase) for tool in tools] == [
        ("idea_list_agents", ToolPhase.STARTED),
        ("idea_list_agents", ToolPhase.ENDED),
        ("idea_ask_agent → QA", ToolPhase.STARTED),
        ("idea_ask_agent → QA", ToolPhase.ENDED),
    ]
    assert tools[-1].detail == "QA says: done"
    assert only(said, *TERMINAL) == [Final("CONCLUSION: QA is done.")]


def claude_desk(executable: Path, folder: Path, url: str, *, is_subscriber: bool = False) -> Desk:
    """`is_subscriber`: signed in with a plan, not with an API key; only then does Claude report limits."""
    credential = {"CLAUDE_CODE_OAUTH_TOKEN": "fake"} if is_subscriber else {"ANTHROPIC_API_KEY": "fake"}
    quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "ANTHROPIC_BASE_URL": url}
    return _desk("claude", executable, folder, {**credential, **quiet})


def codex_desk(executable: Path, folder: Path, url: str) -> Desk:
    desk = _desk("codex", executable, folder, {"OPENAI_API_KEY": "fake"})
    (desk.home / ".codex").mkdir()
    config = f"""
model_provider = "scripted"
[model_providers.scripted]
name = "scripted"
base_url = "{url}/v1"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1
"""
    (desk.home / ".codex" / "config.toml").write_text(config, encoding="utf-8")
    # A model that Codex does not know: for its own newer ones it hides tools behind a search or a script.
    desk.model = "scripted-model"
    return desk


def _desk(profile: str, executable: Path, folder: Path, more: Mapping[str, str]) -> Desk:
    home, root = folder / "home", folder / "project"
    home.mkdir()
    root.mkdir()
    user = {"HOME": str(home), "PATH": os.defpath, "LANG": "C.UTF-8", "TMPDIR": str(folder), **more}
    catalog = ProfileFiles(user_dir=None, environment=user)
    found = catalog.get(profile)
    return Desk(found, executable, home, root, catalog.environment(found))
