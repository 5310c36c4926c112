"""A real door with a scripted team behind it, and real bridges in front of it."""

import asyncio
import json
import os
import secrets
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar, cast

from idea.application.commands import AgentStatus, AgentView, AskAgent, Command, ListAgents
from idea.domain.agents import Agent
from idea.domain.delegation import Delegation, Requester
from idea.domain.errors import NotFound
from idea.domain.ids import AgentId, AgentSlug, DelegationId, ProjectId, TurnId
from idea.domain.readiness import BeliefSource, Readiness, ReadinessReason, ReadinessState
from idea.domain.sessions import SessionRole
from idea.domain.terminal_signs import RanHook
from idea.doors.mcp import endpoint
from idea.doors.mcp.command import bridge_command
from idea.doors.mcp.launch_secrets import LaunchSecrets
from idea.doors.mcp.server import McpDoor
from idea.doors.mcp.visits import RETURN_S

R = TypeVar("R")

PROJECT = ProjectId("0192f0c1-0000-7000-8000-00000000000a")
MAIN = AgentId("0192f0c1-0000-7000-8000-000000000001")
QA = AgentId("0192f0c1-0000-7000-8000-000000000002")
NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
PATIENCE_S = 20.0
"""A process start and the SDK's import, on a machine that is busy with other tests."""

Message = dict[str, Any]


@contextmanager
def short_runtime() -> Iterator[Path]:
    """A runtime folder of a test's own. Below `tmp_path` the test's name would make the paths of sockets too long."""
    with TemporaryDirectory(prefix="idea-") as folder:
        yield endpoint.runtime_dir({"XDG_RUNTIME_DIR": folder})


def agent_view(agent: AgentId, slug: str, name: str) -> AgentView:
    return AgentView(
        agent=Agent(id=agent, slug=AgentSlug(slug), name=name, profile="demo"),
        readiness=Readiness(ReadinessState.IDLE, ReadinessReason.READY, BeliefSource.ENGINE, NOON),
        session=None,
        conversation=None,
        queue=0,
        busy_for=None,
    )


class ScriptedTeam:
    """Dispatch as the application keeps its promises: `IdeaError`s, cancelling takes a command back, and a call that
    was answered is answered again from the record.

    What a message says is what happens: `hang` waits for ever, `late` until `release`, an exception of `raises` is
    raised, what is in `replies` is replied, anything else comes back itself.
    """

    def __init__(self) -> None:
        self.asked: list[tuple[Requester, AskAgent]] = []
        self.answered: dict[str | None, Delegation] = {}
        """By call."""
        self.raises: dict[str, Exception] = {}
        self.replies: dict[str, str] = {}
        self.release = asyncio.Event()
        self.hanging = asyncio.Event()
        self.may_go_on = asyncio.Event()
        """Until then what hangs does."""
        self.cancelled = asyncio.Event()
        self.tidied = asyncio.Event()
        """Set when a cancelled ask could still await something, as the real one does to record its end."""

    async def __call__(self, requester: Requester, command: Command[R]) -> R:
        views = (agent_view(MAIN, "main", "Main"), agent_view(QA, "qa", "QA"))
        answer: object
        if isinstance(command, AgentStatus):
            answer = self._find(views, command.agent)
        elif isinstance(command, AskAgent):
            answer = await self._ask(requester, command, self._find(views, command.agent))
        else:
            assert isinstance(command, ListAgents)
            answer = views
        return cast(R, answer)

    def _find(self, views: Sequence[AgentView], name: str) -> AgentView:
        for view in views:
            if name in (view.agent.id, view.agent.slug, view.agent.name):
                return view
        raise NotFound("agent", name, choices=[view.agent.slug for view in views])

    async def _ask(self, requester: Requester, ask: AskAgent, target: AgentView) -> Delegation:
        if ask.call in self.answered:
            return self.answered[ask.call]
        self.asked.append((requester, ask))
        if ask.message in self.raises:
            raise self.raises[ask.message]
        if ask.message == "late":
            await self.release.wait()
        if ask.message == "hang":
            self.hanging.set()
            try:
                await self.may_go_on.wait()
            except asyncio.CancelledError:
                self.cancelled.set()
                for _ in range(3):
                    await asyncio.to_thread(lambda: None)
                self.tidied.set()
                raise
        delegation = Delegation(
            id=DelegationId("0192f0c1-0000-7000-8000-0000000000d1"),
            number=1,
            requester=requester,
            requester_name="Main",
            target=target.agent.id,
            target_name=target.agent.name,
            message=ask.message,
            depth=1,
            asked_at=NOON,
        )
        answered = delegation.answer(self.replies.get(ask.message, ask.message), at=NOON)
        self.answered[ask.call] = answered
        return answered


class BridgeProcess:
    """A bridge as a CLI spawns it, spoken to in raw lines."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self.process = process
        self.stdin = process.stdin
        self.stdout = process.stdout
        self.stderr = process.stderr

    async def send(self, *messages: Message) -> None:
        for message in messages:
            self.stdin.write(json.dumps(message).encode() + b"\n")
        await self.stdin.drain()

    async def receive(self) -> Message:
        async with asyncio.timeout(PATIENCE_S):
            line = await self.stdout.readline()
        assert line.endswith(b"\n"), line
        message: Message = json.loads(line)
        return message

    async def call(self, request_id: object, method: str, **params: object) -> Message:
        await self.send(request(request_id, method, **params))
        return await self.receive()

    async def shake_hands(self) -> Message:
        answer = await self.call(
            "init",
            "initialize",
            protocolVersion="2025-11-25",
            capabilities={},
            clientInfo={"name": "test", "version": "1"},
        )
        await self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer

    async def ask(self, request_id: object, message: str, **meta: object) -> None:
        arguments = {"agent": "qa", "message": message}
        await self.send(request(request_id, "tools/call", name="idea_ask_agent", arguments=arguments, _meta=meta))

    async def end(self) -> tuple[int, str]:
        """Exit code and stderr, without an end of input."""
        async with asyncio.timeout(PATIENCE_S):
            told = await self.stderr.read()
            return await self.process.wait(), told.decode()

    async def finish(self) -> tuple[int, list[Message]]:
        """End the input; exit code and what still came."""
        self.stdin.close()
        async with asyncio.timeout(PATIENCE_S):
            rest = await self.stdout.read()
            return await self.process.wait(), [json.loads(line) for line in rest.splitlines()]


def request(request_id: object, method: str, **params: object) -> Message:
    return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}


class House:
    def __init__(self, runtime: Path, *, return_s: float = RETURN_S) -> None:
        self.runtime = runtime
        self.endpoint = endpoint.endpoint_path(runtime, PROJECT)
        """Where bridges connect."""
        self.door_endpoint = self.endpoint
        """Where the door listens: elsewhere if a test stands in between."""
        self.return_s = return_s
        self.team = ScriptedTeam()
        self.secrets = LaunchSecrets(runtime, runtime / "lasting", PROJECT)
        self.turns: dict[AgentId, TurnId] = {MAIN: TurnId("turn-1")}
        self.side_turns: dict[AgentId, TurnId] = {}
        self.waits: dict[str, str] = {}
        """By an agent's name: whom a person is to answer before it goes on, and what."""
        self.hooks: list[tuple[AgentId, RanHook]] = []
        """What hooks told, in order."""
        self.arrivals: list[tuple[AgentId, str, frozenset[str]]] = []
        """Bridges that came, and the calls they make again."""
        self._hook_came = asyncio.Event()
        self._door: asyncio.Task[None] | None = None
        self._opened: McpDoor | None = None

    def launch(self, agent: AgentId, role: SessionRole = SessionRole.MAIN) -> None:
        self.secrets.write(agent, role, secrets.token_urlsafe(32))

    def retire(self, agent: AgentId) -> None:
        self.secrets.remove(agent, SessionRole.MAIN)

    def _find_turn(self, agent: AgentId, role: SessionRole) -> TurnId | None:
        return (self.turns if role is SessionRole.MAIN else self.side_turns).get(agent)

    async def close(self, *, is_leaving: bool = False) -> None:
        """As closing the project does, or as a server that ends without its agents."""
        assert self._door is not None
        assert self._opened is not None
        if is_leaving:
            self._opened.leave()
        self._door.cancel()
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.wait([self._door])

    @asynccontextmanager
    async def open(self) -> AsyncIterator["House"]:
        door = self._opened = McpDoor(
            project=PROJECT,
            endpoint=self.door_endpoint,
            dispatch=self.team,
            secrets=self.secrets,
            current_turn=self._find_turn,
            find_wait=lambda name: self.waits.get(name, ""),
            on_hook=self._on_hook,
            on_arrival=lambda agent, bridge, calls: self.arrivals.append((agent, bridge, frozenset(calls))),
            progress_every_s=0.05,
            return_s=self.return_s,
        )
        ready = asyncio.Event()
        async with asyncio.TaskGroup() as tasks:
            self._door = tasks.create_task(door.run(ready=ready))
            async with asyncio.timeout(PATIENCE_S):
                await ready.wait()
            try:
                yield self
            finally:
                self._door.cancel()

    def _on_hook(self, agent: AgentId, ran: RanHook) -> None:
        self.hooks.append((agent, ran))
        self._hook_came.set()

    async def heard(self, count: int) -> list[tuple[AgentId, RanHook]]:
        """So many hooks, and no more so far. The program that told them waits only a moment for being heard."""
        async with asyncio.timeout(PATIENCE_S):
            while len(self.hooks) < count:
                self._hook_came.clear()
                await self._hook_came.wait()
        return self.hooks

    def command(self, agent: AgentId = MAIN, role: SessionRole = SessionRole.MAIN) -> tuple[str, ...]:
        return bridge_command(self.endpoint, PROJECT, agent, role)

    @asynccontextmanager
    async def bridge(
        self,
        agent: AgentId = MAIN,
        *,
        role: SessionRole = SessionRole.MAIN,
        change: Callable[[list[str]], list[str]] = lambda argv: argv,
        **env: str,
    ) -> AsyncIterator[BridgeProcess]:
        process = await asyncio.create_subprocess_exec(
            *change(list(self.command(agent, role))),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={"PATH": os.defpath, **env},
            limit=1 << 26,
        )
        spoken = BridgeProcess(process)
        try:
            yield spoken
        finally:
            if process.returncode is None:
                process.kill()
            spoken.stdin.close()
            await process.wait()
