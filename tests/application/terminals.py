"""A terminal session with a real program, and who views it."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path

from idea.adapters.keeper.in_process import InProcessKeeper
from idea.adapters.screen.ghostty import GhosttyScreens
from idea.application.terminals.terminal_activity import TerminalWatcher
from idea.application.terminals.terminal_client import (
    Ended,
    InputRefused,
    Output,
    Paint,
    Reset,
    TerminalClient,
    TerminalValue,
)
from idea.application.terminals.terminal_order import TerminalOrder
from idea.application.terminals.terminal_session import TerminalSession
from idea.domain.sessions import Exit, SpawnSpec, TerminalSize
from tests.patience import PATIENCE_S

SIZE = TerminalSize(80, 24)
Start = Callable[..., AbstractAsyncContextManager[TerminalSession]]


def spec_of(folder: Path, *argv: str) -> SpawnSpec:
    return SpawnSpec("terminal", argv, str(folder), {"PATH": "/usr/bin:/bin", "PS1": "$ "}, SIZE)


def python(source: str) -> tuple[str, ...]:
    return (sys.executable, "-I", "-S", "-c", source)


def starting_in(folder: Path) -> Start:
    """Programs that are started in this folder."""

    @asynccontextmanager
    async def running(
        *argv: str,
        watcher: TerminalWatcher | None = None,
        keeper_type: type[InProcessKeeper] = InProcessKeeper,
        order: TerminalOrder | None = None,
    ) -> AsyncIterator[TerminalSession]:
        keeper, kept, ready = keeper_type(), asyncio.Event(), asyncio.Event()
        async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
            tasks.create_task(keeper.run(ready=kept))
            await kept.wait()
            session = TerminalSession(
                name="program",
                start=partial(keeper.spawn, spec_of(folder, *argv)),
                size=SIZE,
                screens=GhosttyScreens(),
                order=order or TerminalOrder(),
                watcher=watcher,
            )
            living = tasks.create_task(session.run(ready=ready))
            await ready.wait()
            yield session
            await session.stop()
            await living
            await keeper.aclose()

    return running


class Viewer:
    """A browser: shows what it gets on a screen of its own, and acknowledges it if it is a good one."""

    def __init__(self, client: TerminalClient, *, is_good: bool = True) -> None:
        self.client = client
        self.is_good = is_good
        self.screen = GhosttyScreens().create(SIZE)
        self.size = SIZE
        self.got: list[TerminalValue] = []
        self.taken = bytearray()
        """Live output since the last reset."""
        self.total_bytes = 0
        self._values = aiter(client)

    async def see(self, condition: Callable[[], bool]) -> None:
        """Take values until the condition holds."""
        async with asyncio.timeout(PATIENCE_S):
            while not condition():
                self.show(await anext(self._values))

    async def see_text(self, text: str) -> None:
        await self.see(lambda: text in self.screen.text())

    async def see_end(self) -> Exit | None:
        await self.see(lambda: any(isinstance(value, Ended) for value in self.got))
        ended = self.got[-1]
        assert isinstance(ended, Ended)
        return ended.exit

    def show(self, value: TerminalValue) -> None:
        self.got.append(value)
        match value:
            case Reset(cols, rows):
                self.size = TerminalSize(cols, rows)
                self.screen = GhosttyScreens().create(self.size)
                self.total_bytes = 0
                self.taken.clear()
            case Paint(data) | Output(data):
                answers = self.screen.feed(data)
                if isinstance(value, Paint):
                    assert answers == b""
                else:
                    self.taken += data
                self.total_bytes += len(data)
                if self.is_good:
                    self.client.acknowledge(self.total_bytes)
            case InputRefused() | Ended():
                pass

    def resets(self) -> int:
        return sum(isinstance(value, Reset) for value in self.got)
