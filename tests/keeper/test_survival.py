"""Whatever is killed, filled up or left behind: no byte is lost, and nothing stays that should be gone."""

import asyncio
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from idea.adapters.keeper.keeper_program import look
from idea.adapters.keeper.socket_keeper import SocketKeeper
from idea.application.ports import AgentProcess
from idea.domain.errors import EngineFailed
from idea.domain.sessions import Exit, OutputStream, SpawnSpec, TerminalSize
from tests.keeper import numbered
from tests.keeper.reading import exit_of, is_alive, read_all, read_until
from tests.keeper.running import Place, attached, gone, resident_kb
from tests.patience import PATIENCE_S

SpecOf = Callable[..., SpawnSpec]
MIB = 1024 * 1024
IS_SOAK = bool(os.environ.get("IDEA_SOAK"))
"""The full count, which takes minutes."""
LIVES = 1000 if IS_SOAK else 60
FAILURES = 500 if IS_SOAK else 40
KILLS = 20 if IS_SOAK else 5
LONG_S = 500.0 if IS_SOAK else 50.0
"""A life costs two interpreters' start, some 30 ms alone and ten times that beside other tests."""


def descriptors_of(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


def children_of(pid: int) -> str:
    """Living or dead and not buried."""
    return Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")


# --- no byte is lost --------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("terminal", [None, TerminalSize()], ids=["pipes", "terminal"])
async def test_a_client_that_is_killed_in_a_flood_loses_no_byte(
    place: Place, spec_of: SpecOf, tmp_path: Path, terminal: TerminalSize | None
) -> None:
    count = 2_000_000
    stream = OutputStream.STDOUT if terminal is None else OutputStream.TERMINAL
    if terminal is not None:
        count //= 4
    spec = spec_of(python=numbered.NUMBERS.format(count=count), terminal=terminal)
    await place.start()
    async with attached(place) as keeper:
        await keeper.spawn(spec)
    kept = tmp_path / "kept"

    # The last one has something left to read.
    step = 8 * count // (KILLS + 2)
    for kill in range(1, KILLS + 1):
        client = start_client(place, spec, stream, kept, dies_at=kill * step)
        assert await asyncio.to_thread(client.wait, 50) == -signal.SIGKILL
    last = start_client(place, spec, stream, kept)
    assert await asyncio.to_thread(last.wait, 50) == 0

    end = b"\n" if terminal is None else b"\r\n"
    assert kept.read_bytes() == b"".join(b"%07d%s" % (number, end) for number in range(count))
    report = await look(place.socket)
    assert report is not None
    assert list(report.children) == []


def start_client(
    place: Place, spec: SpawnSpec, stream: OutputStream, kept: Path, *, dies_at: int | None = None
) -> "subprocess.Popen[bytes]":
    limit = numbered.NEVER if dies_at is None else str(dies_at)
    arguments = [str(place.socket), spec.spawn_id, stream.value, str(kept), limit]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen([sys.executable, numbered.__file__, *arguments], env=environment)


@pytest.mark.slow
async def test_at_the_bound_the_program_waits_and_goes_on_later(place: Place, spec_of: SpecOf) -> None:
    total = 80 * MIB
    spec = spec_of("/bin/sh", "-c", f"head -c {total} /dev/zero; exit 3")
    pid = await place.start()
    async with attached(place) as keeper:
        await keeper.spawn(spec)
    async with asyncio.timeout(30):
        # Each look is an exchange with the keeper, which tells nobody who is not attached.
        while (end := await end_of(place, spec)) < 64 * MIB:
            pass
    assert end < 65 * MIB
    assert list(place.state.iterdir()) == []
    assert resident_kb(pid) < 25_000

    async with attached(place) as keeper:
        process = await keeper.attach(spec.spawn_id)
        assert process is not None
        size = await count_all(process)

        assert size == total
        assert await exit_of(process) == Exit(3, None)
    assert resident_kb(pid) < 25_000


async def count_all(process: AgentProcess) -> int:
    size = 0
    async with asyncio.timeout(30):
        async for chunk in process.output(OutputStream.STDOUT):
            assert chunk.offset == size
            size += len(chunk.data)
            await process.consumed(OutputStream.STDOUT, size)
            await process.acknowledge(OutputStream.STDOUT, size)
    return size


async def end_of(place: Place, spec: SpawnSpec) -> int:
    report = await look(place.socket)
    assert report is not None
    (child,) = (child for child in report.children if child.spawn_id == spec.spawn_id)
    return child.streams[OutputStream.STDOUT].end


@pytest.mark.slow
async def test_on_a_full_disk_the_program_waits_and_nothing_is_lost(place: Place, spec_of: SpecOf) -> None:
    count = 1_000_000
    spec = spec_of(python=numbered.NUMBERS.format(count=count))
    pid = await place.start()
    # No file of the keeper may become longer: a disk that fills up.
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (3 * MIB, 3 * MIB))
    async with attached(place) as keeper:
        process = await keeper.spawn(spec)
        cat = await keeper.spawn(spec_of("/bin/cat"))
        async with asyncio.timeout(PATIENCE_S):
            while await end_of(place, spec) < 3 * MIB:
                pass
        # The others go on meanwhile.
        for _ in range(100):
            await cat.write(b"word\n")
            await read_until(cat, OutputStream.STDOUT, b"word\n")
        assert await end_of(place, spec) < 6 * MIB

        said = await read_all(process, OutputStream.STDOUT, timeout_s=20)

        assert said == b"".join(b"%07d\n" % number for number in range(count))
        assert await exit_of(process) == Exit(0, None)


# --- nothing stays ----------------------------------------------------------------------------------------------


async def one_life(keeper: SocketKeeper, spec: SpawnSpec) -> None:
    process = await keeper.spawn(spec)
    report = await process.stop(grace_s=2)
    assert report.survivors == ()
    assert report.exit is not None
    await keeper.forget(spec.spawn_id)


@pytest.mark.slow
@pytest.mark.timeout(LONG_S + 60)
async def test_many_lives_and_failed_births_leave_no_trace(place: Place, spec_of: SpecOf) -> None:
    pid = await place.start()
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (256, 256))
    async with attached(place, timeout_s=LONG_S) as keeper:
        await one_life(keeper, spec_of("/bin/sleep", "60"))
        before = descriptors_of(pid)

        async with asyncio.TaskGroup() as tasks:
            for _ in range(4):
                tasks.create_task(live_again(keeper, spec_of, LIVES // 4))
        for number in range(FAILURES):
            terminal = TerminalSize() if number % 2 else None
            bad = spec_of("/nowhere/claude", terminal=terminal)
            with pytest.raises(EngineFailed):
                await keeper.spawn(bad if number % 3 else replace(bad, argv=("/bin/true",), cwd="/nowhere"))

        # The first life may not have let go of all of its own yet.
        assert descriptors_of(pid) <= before
        assert await keeper.children() == []
    assert children_of(pid) == ""
    assert resident_kb(pid) < 25_000
    assert list(place.state.iterdir()) == []


async def live_again(keeper: SocketKeeper, spec_of: SpecOf, times: int) -> None:
    for number in range(times):
        terminal = TerminalSize() if number % 2 else None
        await one_life(keeper, spec_of("/bin/sleep", "60", terminal=terminal))


@pytest.mark.slow
async def test_without_descriptors_a_spawn_fails_and_the_rest_goes_on(place: Place, spec_of: SpecOf) -> None:
    pid = await place.start()
    async with attached(place) as keeper:
        echo = await keeper.spawn(spec_of("/bin/cat"))
        limit = descriptors_of(pid) + 16
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (limit, limit))
        lives: list[AgentProcess] = []
        with pytest.raises(EngineFailed):
            await live_up_to(keeper, spec_of, lives)
        await echo.write(b"here\n")
        assert await read_until(echo, OutputStream.STDOUT, b"here\n") == b"here\n"

        for life in lives:
            assert (await life.stop(grace_s=1)).survivors == ()

        assert lives
        assert (await (await keeper.spawn(spec_of("/bin/sleep", "60"))).stop(grace_s=1)).survivors == ()


async def live_up_to(keeper: SocketKeeper, spec_of: SpecOf, lives: list[AgentProcess]) -> None:
    while len(lives) < 20:
        lives.append(await keeper.spawn(spec_of("/bin/sleep", "60")))


async def test_a_grandchild_that_left_and_holds_the_pipe_delays_no_stop(place: Place, spec_of: SpecOf) -> None:
    await place.start()
    async with attached(place) as keeper:
        script = "setsid sh -c 'trap \"\" TERM HUP; echo $$; exec sleep 60' & wait"
        process = await keeper.spawn(spec_of("/bin/sh", "-c", script))
        grandchild = int(await read_until(process, OutputStream.STDOUT, b"\n"))

        async with asyncio.timeout(PATIENCE_S):
            report = await process.stop(grace_s=1)
            await read_all(process, OutputStream.STDOUT)

        assert report.survivors == ()
        assert not is_alive(grandchild)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux gives orphans to the keeper")
async def test_orphans_come_to_the_keeper_and_go_with_it(place: Place, spec_of: SpecOf) -> None:
    """One without a mark, without its session and without its parent: nobody knows whose it was, but it is not lost."""
    pid = await place.start()
    async with attached(place) as keeper:
        script = "setsid env -i /bin/sh -c '(echo $$; exec sleep 60) & exit' & exit 0"
        process = await keeper.spawn(spec_of("/bin/sh", "-c", script))
        await exit_of(process)
        await read_all(process, OutputStream.STDOUT)
        brief = await keeper.spawn(spec_of("/bin/sh", "-c", "setsid sh -c 'sleep 0.1' & exit 0"))
        await exit_of(brief)
        orphans = children_of(pid).split()

    assert orphans
    await place.end()
    assert not any(is_alive(int(orphan)) for orphan in orphans)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells when a process began")
async def test_who_takes_the_lock_of_a_killed_keeper_ends_what_survived_it(
    place: Place, spec_of: SpecOf, short_folder: Path
) -> None:
    lock = short_folder / "ada"
    pid = await place.start()
    async with asyncio.timeout(30), asyncio.TaskGroup() as tasks:
        keeper, ready = SocketKeeper(place.socket), asyncio.Event()
        tasks.create_task(keeper.run(ready=ready))
        await ready.wait()
        await keeper.lock(lock, "Ada")
        spec = spec_of("/bin/sh", "-c", "setsid sleep 60 & echo $!; wait")
        marked = replace(spec, lock=str(lock), env={**spec.env, "IDEA_SPAWN_ID": spec.spawn_id})
        agent = await keeper.spawn(marked)
        survivor = int(await read_until(agent, OutputStream.STDOUT, b"\n"))
        bystander = await keeper.spawn(spec_of("/bin/sh", "-c", "setsid sleep 60 & echo $!; wait"))
        innocent = int(await read_until(bystander, OutputStream.STDOUT, b"\n"))
        os.kill(pid, signal.SIGKILL)
    assert await gone(agent.pid)
    assert is_alive(survivor)

    await place.start()
    async with attached(place) as keeper:
        await keeper.lock(lock, "Ada")

        assert not is_alive(survivor)
        assert is_alive(innocent)
    os.kill(innocent, signal.SIGKILL)
