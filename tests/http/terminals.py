"""A real terminal session whose program and screen a test plays."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

from idea.application.terminals.terminal_order import TerminalOrder
from idea.application.terminals.terminal_session import TerminalSession
from idea.domain.errors import Lost
from idea.domain.sessions import Exit, KeptChild, OutputChunk, OutputStream, SpawnSpec, StopReport, TerminalSize
from tests.patience import PATIENCE_S


class FakeProgram:
    """Writes what `show` is given, and keeps what is typed. `is_deaf`: it never reads its input."""

    pid = 4711

    def __init__(self) -> None:
        self.typed: asyncio.Queue[bytes] = asyncio.Queue()
        self.sizes: asyncio.Queue[TerminalSize] = asyncio.Queue()
        self.is_deaf = False
        self._shown: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._exit: asyncio.Future[Exit] = asyncio.get_running_loop().create_future()

    def show(self, data: bytes) -> None:
        self._shown.put_nowait(data)

    def exit(self, code: int) -> None:
        if not self._exit.done():
            self._exit.set_result(Exit(code, None))
            self._shown.put_nowait(None)

    async def write(self, data: bytes, *, write_id: str | None = None, answered: int | None = None) -> None:
        if self._exit.done():
            raise Lost("the program")
        if self.is_deaf:
            await asyncio.Event().wait()
        self.typed.put_nowait(data)

    async def close_input(self) -> None:
        raise NotImplementedError

    async def resize(self, size: TerminalSize) -> None:
        self.sizes.put_nowait(size)

    async def interrupt(self) -> None:
        raise NotImplementedError

    async def stop(self, *, grace_s: float) -> StopReport:
        self.exit(0)
        return StopReport(await self._exit)

    async def output(self, stream: OutputStream, *, offset: int = 0) -> AsyncIterator[OutputChunk]:
        while (data := await self._shown.get()) is not None:
            yield OutputChunk(offset, data)
            offset += len(data)

    async def consumed(self, stream: OutputStream, offset: int) -> None:
        return

    async def acknowledge(self, stream: OutputStream, offset: int) -> None:
        return

    async def checkpoint(self, offset: int, data: bytes) -> None:
        return

    async def wait(self) -> Exit:
        return await asyncio.shield(self._exit)


class FakeScreen:
    """Paints everything that was ever shown."""

    def __init__(self) -> None:
        self._seen = b""

    def feed(self, data: bytes) -> bytes:
        self._seen += data
        return b""

    def resize(self, size: TerminalSize) -> None:
        return

    def snapshot(self) -> bytes:
        return b"<" + self._seen + b">"

    def freeze(self, *, is_whole: bool = True) -> Callable[[], bytes]:
        return partial(bytes, self.snapshot())

    def has_scrollback(self) -> bool:
        return False

    def checkpoint(self, *, is_forced: bool = False) -> None:
        return

    def text(self) -> str:
        return self._seen.decode()

    def takes_pastes(self) -> bool:
        raise NotImplementedError

    def cursor_row(self) -> int:
        return 0

    def title(self) -> str:
        return ""

    def program_status(self) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class _Machine:
    program: FakeProgram

    async def spawn(self, spec: SpawnSpec) -> FakeProgram:
        return self.program

    async def children(self) -> Sequence[KeptChild]:
        raise NotImplementedError

    async def attach(self, spawn_id: str) -> FakeProgram | None:
        raise NotImplementedError

    async def forget(self, spawn_id: str) -> None:
        raise NotImplementedError

    def create(self, size: TerminalSize) -> FakeScreen:
        return FakeScreen()

    def restore(self, data: bytes, size: TerminalSize) -> FakeScreen | None:
        raise NotImplementedError


@asynccontextmanager
async def terminal() -> AsyncIterator[tuple[TerminalSession, FakeProgram]]:
    """80 columns, 24 rows."""
    machine = _Machine(FakeProgram())
    spec = SpawnSpec("s1", ("/bin/program",), "/", {}, TerminalSize())
    session = TerminalSession(
        name="program", start=partial(machine.spawn, spec), size=TerminalSize(), screens=machine, order=TerminalOrder()
    )
    ready = asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(session.run(ready=ready))
        async with asyncio.timeout(PATIENCE_S):
            await ready.wait()
        try:
            yield session, machine.program
        finally:
            machine.program.exit(0)
