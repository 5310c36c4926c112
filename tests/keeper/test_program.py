"""The keeper as a process of its own: its place, its size, and when it ends."""

import asyncio
import os
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

import idea.keeper.program
from idea.adapters.keeper.keeper_program import end_keeper, look, start_keeper
from idea.adapters.keeper.socket_keeper import SocketKeeper
from idea.domain.errors import Closed, EngineFailed, Lost, Refused
from idea.domain.sessions import Exit, OutputStream, SpawnSpec, TerminalSize
from tests.keeper.reading import exit_of, read_all, read_until
from tests.keeper.running import PROGRAM_S, Place, attached, gone, resident_kb, seen_of
from tests.patience import PATIENCE_S

SpecOf = Callable[..., SpawnSpec]
FILE = Path(idea.keeper.program.__file__).with_name("__main__.py")


# --- its place --------------------------------------------------------------------------------------------------


async def test_its_files_are_private_and_go_with_it(place: Place) -> None:
    pid = await place.start()

    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in place.socket.parent.iterdir()}
    assert await end_keeper(place.socket, grace_s=1) == ()

    assert modes == {"k.keeper": 0o600, "k.keeper.lock": 0o600}
    assert await gone(pid)
    assert list(place.socket.parent.iterdir()) == []
    assert await look(place.socket) is None
    assert await end_keeper(place.socket, grace_s=1) is None


async def test_it_leaves_whoever_started_it(place: Place) -> None:
    pid = await place.start()

    fields = seen_of(pid, "stat").rpartition(")")[2].split()
    parent, session, tty = int(fields[1]), int(fields[3]), int(fields[4])
    standard = {os.readlink(f"/proc/{pid}/fd/{number}") for number in (0, 1, 2)}

    assert parent != os.getpid()
    assert session not in (os.getsid(0), 0)
    assert tty == 0
    assert standard == {"/dev/null"}
    assert os.readlink(f"/proc/{pid}/cwd") == "/"


async def test_starting_it_again_changes_nothing_also_at_the_same_moment(place: Place) -> None:
    async with asyncio.timeout(2 * PROGRAM_S), asyncio.TaskGroup() as tasks:
        for _ in range(3):
            tasks.create_task(start_keeper(place.socket, state=place.state))
    pid = await place.pid()

    await start_keeper(place.socket, state=place.state)

    assert await place.pid() == pid
    second = await asyncio.to_thread(run_by_hand, place)
    assert second.returncode == idea.keeper.program.EXIT_ANOTHER


def run_by_hand(place: Place, *arguments: str) -> "subprocess.CompletedProcess[bytes]":
    arguments = arguments or ("--socket", str(place.socket), "--state", str(place.state))
    command = [sys.executable, "-I", "-S", str(FILE), *arguments]
    return subprocess.run(command, capture_output=True, timeout=PROGRAM_S, check=False, env={})


async def test_wrong_arguments_are_told(place: Place) -> None:
    for arguments in (["--socket"], ["--socket", "k", "--state", "/"], ["--what", "x"], ["--socket", "/k"]):
        done = await asyncio.to_thread(run_by_hand, place, *arguments)
        assert done.returncode == idea.keeper.program.EXIT_USAGE
        assert b"usage" in done.stderr


async def test_a_socket_of_one_that_was_killed_is_replaced(place: Place) -> None:
    pid = await place.start()
    os.kill(pid, signal.SIGKILL)
    assert await gone(pid)
    assert place.socket.exists()
    assert await look(place.socket) is None

    assert await place.start() != pid


async def test_a_socket_that_vanishes_comes_back(place: Place, spec_of: SpecOf) -> None:
    arguments = ("--socket", str(place.socket), "--state", str(place.state), "--guard-s", "0.1", "--detach")
    await asyncio.to_thread(run_by_hand, place, *arguments)
    pid = await place.pid()
    async with attached(place) as keeper:
        process = await keeper.spawn(spec_of("/bin/cat"))
        shutil.rmtree(place.socket.parent)
        place.socket.parent.mkdir(mode=0o700)

        # Who is attached goes on, and whoever comes finds it again.
        await process.write(b"here\n")
        assert await read_until(process, OutputStream.STDOUT, b"here\n") == b"here\n"
        async with asyncio.timeout(PATIENCE_S):
            while await look(place.socket) is None:
                pass
        assert await place.pid() == pid


@pytest.mark.parametrize("kind", ["file", "open folder", "no folder"])
async def test_where_it_may_not_listen_it_says_why_and_touches_nothing(place: Place, kind: str) -> None:
    match kind:
        case "file":
            place.socket.write_text("mine")
        case "open folder":
            place.socket.parent.chmod(0o755)
        case _:
            place.socket.parent.rmdir()

    # What is no socket cannot be looked at either.
    with pytest.raises((Refused, Lost)):
        await start_keeper(place.socket, state=place.state)
    done = await asyncio.to_thread(run_by_hand, place)

    assert done.returncode == idea.keeper.program.EXIT_UNUSABLE
    assert done.stderr
    if kind == "file":
        assert place.socket.read_text() == "mine"


# --- its end ----------------------------------------------------------------------------------------------------


@asynccontextmanager
async def hasty(place: Place) -> AsyncIterator[tuple[int, int]]:
    """A keeper that ends as soon as it may, and a child of its own, beside its agents, for whose sake it may not yet.

    Else it could have ended before we get to attach. Both their pids.
    """
    keeper = [sys.executable, "-I", "-S", str(FILE), "--socket", str(place.socket), "--state", str(place.state)]
    command = ["/bin/sh", "-c", '/bin/sleep 600 & exec "$@"', "sh", *keeper, "--idle-s", "0.2"]
    process = await asyncio.create_subprocess_exec(*command, env={})
    try:
        async with asyncio.timeout(PROGRAM_S):
            # What was not told to leave us says nothing when it listens.
            while await look(place.socket) is None:
                pass
        (child,) = map(int, seen_of(process.pid, f"task/{process.pid}/children").split())
        yield process.pid, child
    finally:
        await place.end()
        async with asyncio.timeout(PATIENCE_S):
            await process.wait()


async def test_it_ends_when_nothing_runs_and_nobody_is_attached(place: Place, spec_of: SpecOf) -> None:
    spec = spec_of("/bin/cat")
    async with hasty(place) as (pid, child):
        async with attached(place) as keeper:
            await keeper.spawn(spec)
        os.kill(child, signal.SIGKILL)
        # An agent that lives keeps it alive, and so does a client.
        assert not await gone(pid, timeout_s=0.6)
        async with attached(place) as keeper:
            process = await keeper.attach(spec.spawn_id)
            assert process is not None
            await process.stop(grace_s=1)
            await keeper.forget(spec.spawn_id)
            assert not await gone(pid, timeout_s=0.6)

        assert await gone(pid)
    assert list(place.socket.parent.iterdir()) == []


async def test_it_waits_longer_for_what_nobody_has_taken_over(place: Place, spec_of: SpecOf) -> None:
    spec = spec_of("/bin/sh", "-c", "echo last words; exit 4")
    async with hasty(place) as (pid, child):
        async with attached(place) as keeper:
            await exit_of(await keeper.spawn(spec))
        os.kill(child, signal.SIGKILL)
        assert not await gone(pid, timeout_s=1.0)

        async with attached(place) as keeper:
            process = await keeper.attach(spec.spawn_id)
            assert process is not None
            assert await read_all(process, OutputStream.STDOUT) == b"last words\n"
            assert await exit_of(process) == Exit(4, None)
            await keeper.forget(spec.spawn_id)

        assert await gone(pid)


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT, signal.SIGPIPE, signal.SIGQUIT])
async def test_no_stray_signal_costs_an_agent(place: Place, spec_of: SpecOf, number: signal.Signals) -> None:
    pid = await place.start()
    async with attached(place) as keeper:
        process = await keeper.spawn(spec_of("/bin/cat"))
        os.kill(pid, number)
        await process.write(b"fine\n")

        assert await read_until(process, OutputStream.STDOUT, b"fine\n") == b"fine\n"


async def test_sigterm_stops_the_agents_properly_and_how_they_end_is_not_their_own_doing(
    place: Place, spec_of: SpecOf, tmp_path: Path
) -> None:
    left = tmp_path / "left"
    pid = await place.start()
    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
        keeper, ready = SocketKeeper(place.socket), asyncio.Event()
        running = tasks.create_task(keeper.run(ready=ready))
        await ready.wait()
        polite = await keeper.spawn(
            spec_of("/bin/sh", "-c", f"trap 'echo >{left}; exit 0' TERM; echo ready; while :; do sleep 1; done")
        )
        await read_until(polite, OutputStream.STDOUT, b"ready")
        os.kill(pid, signal.SIGTERM)
        await running

    assert left.exists()
    with pytest.raises(Lost):
        await polite.wait()
    assert await gone(pid)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's death")
async def test_its_agents_die_with_it_and_the_client_learns(place: Place, spec_of: SpecOf) -> None:
    pid = await place.start()
    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
        keeper, ready = SocketKeeper(place.socket), asyncio.Event()
        running = tasks.create_task(keeper.run(ready=ready))
        await ready.wait()
        agents = [await keeper.spawn(spec_of("/bin/sleep", "60", terminal=size)) for size in (None, TerminalSize())]
        waiting = [tasks.create_task(loses(agent.wait())) for agent in agents]
        os.kill(pid, signal.SIGKILL)
        await running

        assert [await task for task in waiting] == [True, True]
        assert keeper.is_lost
        with pytest.raises((Lost, Closed)):
            await keeper.spawn(spec_of("/bin/true"))
        assert [await gone(agent.pid) for agent in agents] == [True, True]


async def loses(wait: object) -> bool:
    try:
        await wait  # type: ignore[misc]
    except Lost:
        return True
    return False


async def test_an_upgrade_under_its_feet_is_not_noticed(place: Place, short_folder: Path, spec_of: SpecOf) -> None:
    """All that it ever needs of its own files was read at its start."""
    source = Path(idea.keeper.program.__file__).parents[1]
    copy = short_folder / "src" / "idea"
    shutil.copytree(source / "keeper", copy / "keeper")
    shutil.copy(source / "__init__.py", copy)
    file = str(copy / "keeper" / "__main__.py")
    arguments = ["--socket", str(place.socket), "--state", str(place.state), "--detach"]
    await asyncio.to_thread(
        subprocess.run, [sys.executable, "-I", "-S", file, *arguments], check=True, timeout=PROGRAM_S
    )
    shutil.rmtree(copy)

    async with attached(place) as keeper:
        with pytest.raises(EngineFailed):
            await keeper.spawn(spec_of("/nowhere"))
        process = await keeper.spawn(spec_of("/bin/cat", terminal=TerminalSize()))
        await process.checkpoint(0, bytes(100_000))
        await keeper.lock(short_folder / "lock", "Ada")
        await process.interrupt()
        assert await exit_of(process) == Exit(None, 2)
        assert (await process.stop(grace_s=1)).survivors == ()


async def test_it_is_small_and_knows_nothing_else_of_idea(place: Place) -> None:
    pid = await place.start()

    assert resident_kb(pid) < 20_000
    assert "site-packages" not in seen_of(pid, "maps")
