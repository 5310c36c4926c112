"""The keeper as a process of its own: who may speak to it, one client at a time, and when it ends."""

import asyncio
import os
import shutil
import signal
import socket
import stat
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import idea.keeper.program
from idea.adapters.keeper.keeper_program import end_keeper, look, start_keeper
from idea.adapters.keeper.socket_keeper import SocketKeeper
from idea.domain.errors import Closed, EngineFailed, Lost, Refused
from idea.domain.sessions import Exit, OutputStream, SpawnSpec, TerminalSize
from idea.keeper.protocol import Close, Failed, Hello, KeeperClosed, Look, Output, Read, Reason, Spawn, Spawned, Stream
from tests.keeper.raw import connected
from tests.keeper.reading import exit_of, is_alive, read_all, read_until
from tests.keeper.running import PROGRAM_S, Place, attached, wait_gone

SpecOf = Callable[..., SpawnSpec]


async def gone(pid: int, *, timeout_s: float = 4) -> bool:
    return await asyncio.to_thread(wait_gone, pid, timeout_s=timeout_s)


def seen_of(pid: int, name: str) -> str:
    return Path(f"/proc/{pid}/{name}").read_text(encoding="utf-8")


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
    file = Path(idea.keeper.program.__file__).with_name("__main__.py")
    arguments = arguments or ("--socket", str(place.socket), "--state", str(place.state))
    command = [sys.executable, "-I", "-S", str(file), *arguments]
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


# --- its clients ------------------------------------------------------------------------------------------------


async def test_a_later_client_fences_the_one_before(place: Place, spec_of: SpecOf) -> None:
    await place.start()
    spec = spec_of("/bin/cat")
    async with asyncio.timeout(10), asyncio.TaskGroup() as tasks:
        first, ready = SocketKeeper(place.socket), asyncio.Event()
        running = tasks.create_task(first.run(ready=ready))
        await ready.wait()
        process = await first.spawn(spec)
        reading = tasks.create_task(read_all(process, OutputStream.STDOUT))
        async with attached(place) as second:
            await running
            with pytest.raises((Lost, Closed)):
                await process.write(b"from the past\n")
            with pytest.raises(Lost):
                await process.wait()
            assert await reading == b""
            assert first.is_lost
            assert (first.epoch, second.epoch) == (1, 2)

            again = await second.attach(spec.spawn_id)
            assert again is not None
            await again.write(b"from now\n")
            assert await read_until(again, OutputStream.STDOUT, b"now\n") == b"from now\n"
        assert not second.is_lost


async def test_what_a_fenced_client_had_sent_is_not_taken(place: Place) -> None:
    await place.start()
    async with connected(place.socket) as old, connected(place.socket) as new:
        assert await old.attach() == 1
        assert await new.attach() == 2
        old.say(Spawn(1, "late", ("/bin/true",), "/", (), None))
        assert await old.hear() is None

        new.say(Look(5))
        seen = await new.hear()

    assert isinstance(seen, Hello)
    assert (seen.request, seen.epoch, seen.children) == (5, 2, ())


async def test_who_is_not_attached_may_only_look_and_close(place: Place) -> None:
    pid = await place.start()
    async with connected(place.socket) as looker:
        greeting = await looker.hear()
        looker.say(Look(3))
        look = await looker.hear()
        looker.say(Spawn(1, "x", ("/bin/true",), "/", (), None))
        assert await looker.hear() is None
    async with connected(place.socket) as closer:
        assert isinstance(await closer.hear(), Hello)
        closer.say(Close(1))
        assert await closer.hear() == KeeperClosed(())

    assert isinstance(greeting, Hello)
    assert isinstance(look, Hello)
    assert (greeting.request, look.request, greeting.protocol, greeting.pid) == (0, 3, 1, pid)
    assert await gone(pid)


async def test_a_close_by_another_is_told_to_the_attached_one(place: Place, spec_of: SpecOf) -> None:
    await place.start()
    async with asyncio.timeout(10), asyncio.TaskGroup() as tasks:
        keeper, ready = SocketKeeper(place.socket), asyncio.Event()
        running = tasks.create_task(keeper.run(ready=ready))
        await ready.wait()
        process = await keeper.spawn(spec_of("/bin/sleep", "60"))

        assert await end_keeper(place.socket, grace_s=1) == ()
        await running

    assert not keeper.is_lost
    assert not is_alive(process.pid)
    assert await exit_of(process) == Exit(None, 15)


async def test_an_unknown_command_is_answered_and_the_connection_goes_on(place: Place) -> None:
    await place.start()
    async with connected(place.socket) as client:
        await client.attach()
        header = b'{"type":"Teleport","request":9}'
        client.send(struct.pack(">II", len(header), 0), header)
        client.say(Look(10))

        refused, seen = await client.hear(), await client.hear()

    assert refused == Failed(9, Reason.UNSUPPORTED, detail="Teleport")
    assert isinstance(seen, Hello)


async def test_garbage_ends_its_connection_only(place: Place, spec_of: SpecOf) -> None:
    await place.start()
    async with attached(place) as keeper:
        process = await keeper.spawn(spec_of("/bin/cat"))
        for garbage in (b"GET / HTTP/1.1\r\n\r\n", b"\xff" * 100, struct.pack(">II", 2, 0) + b"[]"):
            async with connected(place.socket) as stranger:
                assert isinstance(await stranger.hear(), Hello)
                stranger.send(garbage)
                assert await stranger.hear() is None
        await process.write(b"fine\n")

        assert await read_until(process, OutputStream.STDOUT, b"fine\n") == b"fine\n"


async def test_many_strangers_who_say_nothing_keep_nobody_out(place: Place, spec_of: SpecOf) -> None:
    await place.start()
    async with attached(place) as keeper:
        silent = [socket.socket(socket.AF_UNIX) for _ in range(40)]
        try:
            for stranger in silent:
                stranger.setblocking(False)
                # The queue may be full; that is what it is for.
                stranger.connect_ex(os.fspath(place.socket))
            process = await keeper.spawn(spec_of("/bin/echo", "here"))
            assert await read_all(process, OutputStream.STDOUT) == b"here\n"
        finally:
            for stranger in silent:
                stranger.close()


async def test_a_client_that_reads_nothing_delays_nobody(place: Place, spec_of: SpecOf) -> None:
    """Its replay waits in the keeper; the connection stays, and a look is answered meanwhile."""
    pid = await place.start()
    flood = ("/usr/bin/head", "-c", "3000000", "/dev/zero")
    async with connected(place.socket) as deaf:
        await deaf.attach()
        for number in range(10):
            deaf.say(Spawn(number, f"s{number}", flood, "/", (), None))
            while not isinstance(await deaf.hear(), Spawned):
                pass
        for number in range(10):
            deaf.say(Read(100 + number, f"s{number}", Stream.STDOUT, 0))
        async with asyncio.timeout(5):
            seen = await look(place.socket)
        assert seen is not None
        assert memory_kb(pid) < 60_000
        # All of it comes, one window each, once it reads.
        got = dict.fromkeys(range(100, 110), 0)
        while min(got.values()) < 1024 * 1024:
            event = await deaf.hear()
            if isinstance(event, Output):
                got[event.reader] += len(event.data)
    async with attached(place) as keeper:
        process = await keeper.attach("s3")
        assert process is not None
        assert await read_all(process, OutputStream.STDOUT) == bytes(3_000_000)


def memory_kb(pid: int) -> int:
    lines = seen_of(pid, "status").splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1])


# --- its end ----------------------------------------------------------------------------------------------------


async def test_it_ends_when_nothing_runs_and_nobody_is_attached(place: Place, spec_of: SpecOf) -> None:
    spec = spec_of("/bin/cat")
    pid = await place.start(idle_s=0.2)
    async with attached(place) as keeper:
        await keeper.spawn(spec)
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
    pid = await place.start(idle_s=0.2)
    async with attached(place) as keeper:
        await exit_of(await keeper.spawn(spec))
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


async def test_sigterm_stops_the_agents_properly(place: Place, spec_of: SpecOf) -> None:
    pid = await place.start()
    async with asyncio.timeout(10), asyncio.TaskGroup() as tasks:
        keeper, ready = SocketKeeper(place.socket), asyncio.Event()
        running = tasks.create_task(keeper.run(ready=ready))
        await ready.wait()
        polite = await keeper.spawn(
            spec_of("/bin/sh", "-c", "trap 'exit 7' TERM; echo ready; while :; do sleep 1; done")
        )
        await read_until(polite, OutputStream.STDOUT, b"ready")
        os.kill(pid, signal.SIGTERM)
        await running

    assert await exit_of(polite) == Exit(7, None)
    assert await gone(pid)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's death")
async def test_its_agents_die_with_it_and_the_client_learns(place: Place, spec_of: SpecOf) -> None:
    pid = await place.start()
    async with asyncio.timeout(10), asyncio.TaskGroup() as tasks:
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

    assert memory_kb(pid) < 20_000
    assert "site-packages" not in seen_of(pid, "maps")
