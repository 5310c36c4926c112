"""A keeper that is killed, also while it is renewed: users wait for the next one."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from idea.adapters.keeper.renewed import RenewedKeeper
from idea.domain.errors import IdeaError, Lost
from idea.domain.sessions import SpawnSpec
from idea.keeper.frames import encode
from idea.keeper.protocol import PROTOCOL, Hello
from tests.keeper.running import Place, gone

SpecOf = Callable[..., SpawnSpec]
NO_PID = 2**30
"""Above every pid that the kernel gives."""

# Several keepers start one after the other, on a machine that may be busy.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]


@asynccontextmanager
async def renewed(place: Place, losses: "asyncio.Queue[IdeaError | None]") -> AsyncIterator[RenewedKeeper]:
    keeper = RenewedKeeper(place.socket, state=place.state, on_lost=losses.put_nowait)
    ready = asyncio.Event()
    async with asyncio.timeout(55), asyncio.TaskGroup() as tasks:
        tasks.create_task(keeper.run(ready=ready), name="keeper")
        await ready.wait()
        yield keeper
        await keeper.stop_all(grace_s=0.5)


async def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    assert await gone(pid)


@asynccontextmanager
async def dying_keeper(place: Place) -> AsyncIterator[None]:
    """What listens in the keeper's place greets as a keeper does, and is gone when it is told to attach."""

    async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.writelines(encode(Hello(0, "dying", PROTOCOL, "1", NO_PID, 0, False, ())))
        await reader.read(1)
        writer.close()

    place.socket.unlink()
    server = await asyncio.start_unix_server(greet, place.socket)
    yield
    server.close()
    await server.wait_closed()
    place.socket.unlink(missing_ok=True)


async def test_with_a_killed_keeper_the_lock_that_a_start_relied_on_is_gone(
    place: Place, spec_of: SpecOf, tmp_path: Path
) -> None:
    losses: asyncio.Queue[IdeaError | None] = asyncio.Queue()
    lock = tmp_path / "lock"
    async with renewed(place, losses) as keeper:
        await keeper.lock(lock, "Ada")
        await kill(await place.pid())
        assert await losses.get() is None

        with pytest.raises(Lost):
            await keeper.spawn(replace(spec_of("/bin/sleep", "60"), lock=str(lock)))

        await keeper.lock(lock, "Ada")
        process = await keeper.spawn(replace(spec_of("/bin/sleep", "60"), lock=str(lock)))
        assert process.pid > 0


async def test_one_that_is_killed_again_and_again_is_renewed_and_can_be_used(
    place: Place, spec_of: SpecOf, tmp_path: Path
) -> None:
    losses: asyncio.Queue[IdeaError | None] = asyncio.Queue()
    lock = tmp_path / "lock"
    async with renewed(place, losses) as keeper:
        identities = {keeper.identity}
        for _ in range(2):
            await kill(await place.pid())
            assert await losses.get() is None
            # Waits for the next one.
            assert await keeper.children() == []
            identities.add(keeper.identity)
        await keeper.lock(lock, "Ada")
        process = await keeper.spawn(replace(spec_of("/bin/sleep", "60"), lock=str(lock)))

        assert len(identities) == 3
        assert process.pid > 0


async def test_one_that_dies_while_it_is_attached_is_told_and_the_next_use_gets_another(place: Place) -> None:
    losses: asyncio.Queue[IdeaError | None] = asyncio.Queue()
    async with renewed(place, losses) as keeper:
        pid = await place.pid()
        async with dying_keeper(place):
            await kill(pid)
            told = [await losses.get(), await losses.get()]
            with pytest.raises(Lost):
                await keeper.children()

        assert told[0] is None
        assert isinstance(told[1], Lost)
        assert await keeper.children() == []
