"""A keeper whose processes a test plays."""

import asyncio
from collections.abc import AsyncIterator, Sequence

from idea.domain.errors import EngineFailed, Lost, Refused
from idea.domain.ids import AgentId
from idea.domain.replies import (
    EngineEvent,
    EngineReady,
)
from idea.domain.sessions import (
    Exit,
    KeptChild,
    KeptStream,
    OutputChunk,
    OutputStream,
    SpawnSpec,
    StopReport,
    TerminalSize,
)
from tests.patience import PATIENCE_S


class FakeProcess:
    """A CLI whose every word a test puts into its mouth."""

    def __init__(self, spec: SpawnSpec, lexicon: list[EngineEvent], pid: int) -> None:
        self.spec = spec
        self.pid = pid
        self.prompts: asyncio.Queue[str] = asyncio.Queue()
        self.answers: asyncio.Queue[str] = asyncio.Queue()
        self.interrupts: asyncio.Queue[None] = asyncio.Queue()
        self._lexicon = lexicon
        self._said = b""
        self._changed = asyncio.Event()
        self.acknowledged_bytes = 0
        self._exit: asyncio.Future[Exit | None] = asyncio.get_running_loop().create_future()
        self.write_ids: set[str] = set()
        self.is_deaf = False
        """Does not leave when its input ends."""
        self.is_written_to = asyncio.Event()
        self.may_read = asyncio.Event()
        """Cleared: it does not read what is written to it."""
        self.may_read.set()
        self.tree_is_gone = asyncio.Event()
        """Cleared: a grandchild makes its stop take longer."""
        self.tree_is_gone.set()

    @property
    def has_ended(self) -> bool:
        return self._exit.done()

    def say(self, *events: EngineEvent) -> None:
        for event in events:
            self._lexicon.append(event)
            self._said += f"{len(self._lexicon) - 1}\n".encode()
        self._changed.set()

    def show(self, text: str) -> None:
        """On its terminal."""
        self._said += text.encode() + b"\n"
        self._changed.set()

    def exit(self, code: int | None = 0, signal: int | None = None) -> None:
        if not self._exit.done():
            self._exit.set_result(Exit(code, signal))
            self._changed.set()

    def lose(self) -> None:
        """Its keeper was killed, and it with that: nobody can say how it ended."""
        self._exit.set_result(None)
        self._changed.set()

    def report(self) -> KeptChild:
        stream = OutputStream.STDOUT if self.spec.terminal is None else OutputStream.TERMINAL
        kept = KeptStream(self.acknowledged_bytes, len(self._said), self.has_ended)
        exit_ = self._exit.result() if self.has_ended else None
        return KeptChild(self.spec.spawn_id, self.pid, self.spec.note, exit_, self.spec.terminal, 0, {stream: kept})

    async def write(self, data: bytes, *, write_id: str | None = None, answered: int | None = None) -> None:
        if write_id is not None:
            if write_id in self.write_ids:
                return
            self.write_ids.add(write_id)
        if self._exit.done():
            raise Lost("the process")
        self.is_written_to.set()
        await self.may_read.wait()
        for line in data.decode().splitlines():
            verb, _, rest = line.partition(" ")
            match verb:
                case "prompt":
                    self.prompts.put_nowait(rest)
                case "answer":
                    self.answers.put_nowait(rest)
                case "interrupt":
                    self.interrupts.put_nowait(None)
        # A keeper's answer takes more steps of the loop than the news of an end.
        for _ in range(3):
            await asyncio.sleep(0)

    async def close_input(self) -> None:
        if not self.is_deaf and not self.spec.env.get("IS_PER_TURN"):
            self.exit(0)

    async def resize(self, size: TerminalSize) -> None:
        raise NotImplementedError

    async def interrupt(self) -> None:
        self.interrupts.put_nowait(None)

    async def stop(self, *, grace_s: float) -> StopReport:
        self.exit(None, 15)
        await self.tree_is_gone.wait()
        return StopReport(await self._exit)

    async def output(self, stream: OutputStream, *, offset: int = 0) -> AsyncIterator[OutputChunk]:
        if stream is OutputStream.STDERR:
            return
        offset = max(offset, self.acknowledged_bytes)
        while True:
            self._changed.clear()
            if offset < len(self._said):
                line = self._said[offset:].split(b"\n")[0] + b"\n"
                yield OutputChunk(offset, line)
                offset += len(line)
            elif self._exit.done():
                return
            else:
                await self._changed.wait()

    async def consumed(self, stream: OutputStream, offset: int) -> None:
        return

    async def acknowledge(self, stream: OutputStream, offset: int) -> None:
        if stream is OutputStream.STDOUT:
            self.acknowledged_bytes = max(self.acknowledged_bytes, offset)

    async def checkpoint(self, offset: int, data: bytes) -> None:
        return

    async def wait(self) -> Exit:
        exit_ = await asyncio.shield(self._exit)
        if exit_ is None:
            raise Lost("The keeper")
        return exit_


class FakeKeeper:
    """Keeps what it spawned, by the agent's slug (the last argument of the command line)."""

    outlives_server = True

    def __init__(self) -> None:
        self.name = "keeper-1"
        self.lexicon: list[EngineEvent] = []
        self.is_ready_at_once = True
        self.may_spawn = asyncio.Event()
        """Cleared: starting a process takes its time."""
        self.may_spawn.set()
        self.refusal: EngineFailed | Lost | None = None
        """What a start raises: the program is gone, or cannot run."""
        self.silence: Lost | None = None
        """What looking for a process raises: it lives, and does not answer."""
        self.spawned: list[FakeProcess] = []
        self.forgotten: set[str] = set()
        self._arrived = asyncio.Condition()

    @property
    def identity(self) -> str:
        return self.name

    def has_ended(self, identity: str) -> bool:
        return identity != self.name

    async def attach(self, spawn_id: str) -> FakeProcess | None:
        if self.silence is not None:
            raise self.silence
        known = [process for process in self.spawned if process.spec.spawn_id == spawn_id]
        return known[0] if known and spawn_id not in self.forgotten else None

    async def forget(self, spawn_id: str) -> None:
        self.forgotten.add(spawn_id)

    async def spawn(self, spec: SpawnSpec) -> FakeProcess:
        process = FakeProcess(spec, self.lexicon, pid=1_000 + len(self.spawned))
        await self.may_spawn.wait()
        if self.refusal is not None:
            raise self.refusal
        async with self._arrived:
            self.spawned.append(process)
            self._arrived.notify_all()
        if self.is_ready_at_once and not spec.env.get("IS_PER_TURN"):
            process.say(EngineReady())
        return process

    async def children(self) -> Sequence[KeptChild]:
        return [process.report() for process in self.spawned if process.spec.spawn_id not in self.forgotten]

    async def process(self, slug: str, *, nth: int = 1) -> FakeProcess:
        """The nth process of this agent; waits until it is there."""

        def found() -> list[FakeProcess]:
            return [process for process in self.spawned if process.spec.argv[1] == slug]

        async with asyncio.timeout(PATIENCE_S), self._arrived:
            await self._arrived.wait_for(lambda: len(found()) >= nth)
        return found()[nth - 1]


class FakeLocks:
    """`held_elsewhere` are agents that another server runs."""

    def __init__(self) -> None:
        self.held: set[AgentId] = set()
        self.held_elsewhere: set[AgentId] = set()

    async def acquire(self, agent: AgentId, name: str) -> str:
        if agent in self.held_elsewhere:
            raise Refused(f"{name} runs in another server.")
        self.held.add(agent)
        return f"/locks/{agent}"

    async def release(self, agent: AgentId) -> None:
        self.held.discard(agent)
