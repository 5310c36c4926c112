"""Keepers that run: the one inside this process, and the program that goes on when its client is gone."""

import asyncio
import os
import select
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from idea.adapters.keeper.in_process import InProcessKeeper
from idea.adapters.keeper.keeper_program import end_keeper, look, start_keeper
from idea.adapters.keeper.socket_keeper import SocketKeeper
from tests.patience import PATIENCE_S

PROGRAM_S = 15.0
"""Two interpreters start, the keeper's and the one that starts it, beside whatever else the machine does."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a keeper program lives."""

    socket: Path
    state: Path

    async def start(self) -> int:
        """Its pid."""
        async with asyncio.timeout(PROGRAM_S):
            await start_keeper(self.socket, state=self.state)
            return await self.pid()

    async def pid(self) -> int:
        report = await look(self.socket)
        assert report is not None
        return report.pid

    async def end(self) -> None:
        """And wait until it is gone, so that no later test sees it."""
        report = await look(self.socket)
        if report is not None:
            await end_keeper(self.socket, grace_s=0.5)
            await gone(report.pid)


def place_in(folder: Path) -> Place:
    """`folder` is short enough for a socket."""
    state = folder / "state"
    state.mkdir(mode=0o700)
    runtime = folder / "run"
    runtime.mkdir(mode=0o700)
    return Place(runtime / "k.keeper", state)


@asynccontextmanager
async def in_process() -> AsyncIterator[InProcessKeeper]:
    keeper, ready = InProcessKeeper(), asyncio.Event()
    async with asyncio.timeout(55), asyncio.TaskGroup() as tasks:
        tasks.create_task(keeper.run(ready=ready), name="keeper")
        await ready.wait()
        yield keeper
        await keeper.aclose()


@asynccontextmanager
async def attached(place: Place, *, timeout_s: float = 55) -> AsyncIterator[SocketKeeper]:
    """A server's client of the keeper that lives there; leaves it alive."""
    keeper, ready = SocketKeeper(place.socket), asyncio.Event()
    async with asyncio.timeout(timeout_s), asyncio.TaskGroup() as tasks:
        tasks.create_task(keeper.run(ready=ready), name="keeper")
        await ready.wait()
        yield keeper
        await keeper.aclose()


def wait_gone(pid: int, *, timeout_s: float = PATIENCE_S) -> bool:
    """Whether the process is gone within that time."""
    try:
        pidfd = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([pidfd], [], [], timeout_s)[0])
    finally:
        os.close(pidfd)


async def gone(pid: int, *, timeout_s: float = PATIENCE_S) -> bool:
    return await asyncio.to_thread(wait_gone, pid, timeout_s=timeout_s)


def seen_of(pid: int, name: str) -> str:
    """What the system says of a process."""
    return Path(f"/proc/{pid}/{name}").read_text(encoding="utf-8")


def resident_kb(pid: int) -> int:
    lines = seen_of(pid, "status").splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1])
