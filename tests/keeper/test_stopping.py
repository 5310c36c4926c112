"""Stop means the whole tree, verified, within its time, and again and again without a trace."""

import asyncio
import os
import sys
from collections.abc import Callable
from dataclasses import replace

import pytest

from idea.adapters.keeper.in_process import InProcessKeeper
from idea.adapters.keeper.linked import LinkedKeeper
from idea.domain.errors import Closed
from idea.domain.sessions import Exit, OutputStream, SpawnSpec, StopReport, TerminalSize
from tests.isolation import children
from tests.keeper.reading import exit_of, is_alive, open_descriptors, read_all, read_until
from tests.keeper.running import gone, in_process
from tests.patience import PATIENCE_S

SpecOf = Callable[..., SpawnSpec]

POLITE_S = 60
"""More than who hears SIGTERM ever needs, however little it gets of the processor."""
FAMILY = "setsid sleep 60 & echo $!; sleep 60 & echo $!; echo ready; "
"""A shell with a child in a session of its own and one in its group; it prints their pids."""


async def family(keeper: LinkedKeeper, spec: SpawnSpec, *, grace_s: float) -> tuple[list[int], StopReport]:
    process = await keeper.spawn(spec)
    said = await read_until(process, OutputStream.STDOUT, b"ready\n")
    pids = [process.pid, *map(int, said.split()[:-1])]
    assert all(map(is_alive, pids))
    async with asyncio.timeout(PATIENCE_S):
        return pids, await process.stop(grace_s=grace_s)


async def test_a_stop_ends_the_group_and_who_left_it(keeper: LinkedKeeper, spec_of: SpecOf) -> None:
    pids, report = await family(keeper, spec_of("/bin/sh", "-c", FAMILY + "wait"), grace_s=POLITE_S)

    assert report == StopReport(Exit(code=None, signal=15))
    assert not any(map(is_alive, pids))


async def test_who_ignores_sigterm_is_killed_after_the_grace(keeper: LinkedKeeper, spec_of: SpecOf) -> None:
    deaf = spec_of("/bin/sh", "-c", "trap '' TERM; " + FAMILY + "cat; wait; wait")
    pids, report = await family(keeper, deaf, grace_s=0.5)

    assert report == StopReport(Exit(code=None, signal=9))
    assert not any(map(is_alive, pids))


async def test_a_graceful_end_is_waited_for(keeper: LinkedKeeper, spec_of: SpecOf) -> None:
    process = await keeper.spawn(spec_of("/bin/sh", "-c", "trap 'echo bye; exit 7' TERM; sleep 60 & echo ready; wait"))
    await read_until(process, OutputStream.STDOUT, b"ready")

    report = await process.stop(grace_s=POLITE_S)

    assert report == StopReport(Exit(code=7, signal=None))
    assert await read_all(process, OutputStream.STDOUT) == b"ready\nbye\n"


async def test_what_outlived_its_leader_is_stopped_too(keeper: LinkedKeeper, spec_of: SpecOf) -> None:
    spec = spec_of("/bin/sh", "-c", FAMILY + "exit 0")
    # Only this tells where an orphan with a session of its own came from.
    process = await keeper.spawn(replace(spec, env={**spec.env, "IDEA_SPAWN_ID": spec.spawn_id}))
    said = await read_all(process, OutputStream.STDOUT)
    assert await exit_of(process) == Exit(code=0, signal=None)
    assert any(map(is_alive, map(int, said.split()[:-1])))

    report = await process.stop(grace_s=POLITE_S)

    assert report == StopReport(Exit(code=0, signal=None))
    assert not any(map(is_alive, map(int, said.split()[:-1])))


async def test_an_interactive_shell_ends_by_hanging_up(keeper: LinkedKeeper, spec_of: SpecOf) -> None:
    process = await keeper.spawn(spec_of("/bin/bash", "--norc", "-i", terminal=TerminalSize(), env={"PS1": "ready> "}))
    await read_until(process, OutputStream.TERMINAL, b"ready> ")

    async with asyncio.timeout(PATIENCE_S):
        report = await process.stop(grace_s=POLITE_S)

    assert report.survivors == ()
    assert report.exit is not None


async def test_a_program_with_a_strange_name_is_found(keeper: LinkedKeeper, spec_of: SpecOf) -> None:
    name = b") R 1 1 \xff("
    source = f"import os; os.write(1, b'%d ready\\n' % os.getpid()); os.execv('/bin/sleep', [{name!r}, b'60'])"
    shell = f'setsid "{sys.executable}" -I -S -c "$0" & wait'

    process = await keeper.spawn(spec_of("/bin/sh", "-c", shell, source))
    pid = int((await read_until(process, OutputStream.STDOUT, b"ready")).split()[0])
    report = await process.stop(grace_s=1)

    assert report.survivors == ()
    assert not is_alive(pid)


async def test_a_stop_is_idempotent_also_while_it_runs(keeper: LinkedKeeper, spec_of: SpecOf) -> None:
    process = await keeper.spawn(spec_of("/bin/sleep", "60"))

    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
        stops = [tasks.create_task(process.stop(grace_s=POLITE_S)) for _ in range(3)]

    assert {stop.result() for stop in stops} == {StopReport(Exit(code=None, signal=15))}
    assert await process.stop(grace_s=POLITE_S) == StopReport(Exit(code=None, signal=15))


async def test_a_later_stop_may_be_shorter_than_the_first(keeper: LinkedKeeper, spec_of: SpecOf) -> None:
    process = await keeper.spawn(spec_of("/bin/sh", "-c", "trap '' TERM; echo ready; sleep 60"))
    await read_until(process, OutputStream.STDOUT, b"ready")

    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
        patient = tasks.create_task(process.stop(grace_s=POLITE_S))
        hasty = tasks.create_task(process.stop(grace_s=0))

    assert patient.result() == hasty.result() == StopReport(Exit(code=None, signal=9))


async def test_an_interrupt_reaches_the_job_in_front(keeper: LinkedKeeper, spec_of: SpecOf) -> None:
    process = await keeper.spawn(
        spec_of("/bin/bash", "--norc", "-i", terminal=TerminalSize(), env={"PS1": "$ ", "PATH": "/usr/bin:/bin"})
    )
    await process.write(b"sh -c \"echo start''ed; exec sleep 60\"\n")
    await read_until(process, OutputStream.TERMINAL, b"started")

    async with asyncio.timeout(PATIENCE_S):
        await process.interrupt()
        await process.write(b"exit 4\n")

        assert await exit_of(process) == Exit(code=4, signal=None)


async def live_and_die(keeper: LinkedKeeper, spec_of: SpecOf, *, times: int) -> None:
    for number in range(times):
        terminal = TerminalSize() if number % 2 else None
        process = await keeper.spawn(spec_of("/bin/sleep", "60", terminal=terminal))
        assert (await process.stop(grace_s=2)).survivors == ()


@pytest.mark.slow
@pytest.mark.parametrize("times", [12, pytest.param(50, marks=pytest.mark.soak)])
async def test_many_lives_leave_no_trace(spec_of: SpecOf, times: int) -> None:
    # Launches of some 15 ms each on a quiet machine; four at a time, so that some stop while others start.
    async with asyncio.timeout(50), in_process() as keeper:
        before = open_descriptors(), children()
        async with asyncio.TaskGroup() as tasks:
            for _ in range(4):
                tasks.create_task(live_and_die(keeper, spec_of, times=times))

        assert (open_descriptors(), children()) == before


async def test_closing_ends_every_agent_and_refuses_more(spec_of: SpecOf) -> None:
    keeper, ready = InProcessKeeper(), asyncio.Event()
    before = open_descriptors()
    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
        running = tasks.create_task(keeper.run(ready=ready))
        await ready.wait()
        agents = [await keeper.spawn(spec_of("/bin/sleep", "60")) for _ in range(3)]
        await agents[0].stop(grace_s=2)
        await keeper.aclose()
        await keeper.aclose()
        await running

    assert not any(is_alive(agent.pid) for agent in agents)
    assert [await exit_of(agent) for agent in agents] == [Exit(code=None, signal=15)] * 3
    with pytest.raises(Closed):
        await keeper.spawn(spec_of("/bin/true"))
    assert open_descriptors() <= before


async def test_cancelling_the_keeper_ends_every_agent(spec_of: SpecOf) -> None:
    keeper, ready = InProcessKeeper(), asyncio.Event()
    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
        running = tasks.create_task(keeper.run(ready=ready))
        await ready.wait()
        agent = await keeper.spawn(spec_of("/bin/sleep", "60"))
        running.cancel()

    assert not is_alive(agent.pid)


DYING_SERVER = """
import asyncio, os, sys
from idea.adapters.keeper.in_process import InProcessKeeper
from idea.adapters.keeper.linked import LinkedKeeper
from idea.domain.sessions import SpawnSpec

async def main():
    keeper, ready = InProcessKeeper(), asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(keeper.run(ready=ready))
        await ready.wait()
        argv = ("/bin/sh", "-c", "trap '' TERM; while :; do sleep 1; done")
        agent = await keeper.spawn(SpawnSpec("a", argv, "/", {"PATH": "/usr/bin:/bin"}, None))
        os.write(1, str(agent.pid).encode())
        os.kill(os.getpid(), 9)

asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's death")
async def test_agents_die_with_a_server_that_is_killed(keeper: LinkedKeeper, spec_of: SpecOf) -> None:
    path = {"PYTHONPATH": os.pathsep.join(sys.path)}
    server = await keeper.spawn(spec_of(sys.executable, "-c", DYING_SERVER, env=path))

    pid = int(await read_all(server, OutputStream.STDOUT))

    assert await exit_of(server) == Exit(code=None, signal=9)
    assert await gone(pid)
