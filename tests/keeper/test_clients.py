"""Who may speak to a keeper, and what a stranger, a latecomer or a client that reads nothing changes for the others."""

import asyncio
import os
import signal
import socket
import stat
import struct
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from idea.adapters.keeper.keeper_program import end_keeper, look
from idea.adapters.keeper.socket_keeper import SocketKeeper
from idea.domain.errors import Closed, Lost
from idea.domain.sessions import Exit, OutputStream, SpawnSpec
from idea.keeper.frames import encode
from idea.keeper.protocol import (
    Attach,
    Attached,
    Close,
    Failed,
    Hello,
    KeeperClosed,
    Look,
    Output,
    Read,
    Reason,
    Spawn,
    Spawned,
)
from idea.keeper.reports import Stream
from tests.keeper.raw import connected
from tests.keeper.reading import exit_of, is_alive, read_all, read_until
from tests.keeper.running import Place, attached, gone, resident_kb
from tests.patience import PATIENCE_S

SpecOf = Callable[..., SpawnSpec]


async def test_a_later_client_fences_the_one_before(place: Place, spec_of: SpecOf) -> None:
    await place.start()
    spec = spec_of("/bin/cat")
    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
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


async def test_who_attaches_finds_what_was_being_started_for_the_client_before(place: Place) -> None:
    """Else it would start the same agent a second time. The keeper stands still until both have spoken."""
    pid = await place.start()
    async with connected(place.socket) as old:
        await old.attach()
        os.kill(pid, signal.SIGSTOP)
        try:
            old.say(Spawn(1, "agent", ("/bin/sleep", "60"), "/", (), None))
            await old.writer.drain()
            async with connected(place.socket) as new:
                new.say(Attach())
                await new.writer.drain()
                os.kill(pid, signal.SIGCONT)
                assert isinstance(await new.hear(), Hello)
                assert isinstance(await new.hear(), Attached)
                new.say(Look(2))
                seen = await new.hear()
        finally:
            os.kill(pid, signal.SIGCONT)

    assert isinstance(seen, Hello)
    assert [child.spawn_id for child in seen.children] == ["agent"]


# A keeper that stands still is waited for, longer than any launch takes.
@pytest.mark.slow
@pytest.mark.soak
async def test_what_is_started_too_late_for_whoever_asked_for_it_is_ended(place: Place, spec_of: SpecOf) -> None:
    spec = spec_of("/bin/sleep", "60")
    pid = await place.start()
    async with attached(place) as keeper:
        os.kill(pid, signal.SIGSTOP)
        try:
            with pytest.raises(Lost):
                await keeper.spawn(spec)
        finally:
            os.kill(pid, signal.SIGCONT)
        if (process := await keeper.attach(spec.spawn_id)) is not None:
            await exit_of(process)

        assert [child for child in await keeper.children() if child.exit is None] == []


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
    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
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
        async with asyncio.timeout(PATIENCE_S):
            seen = await look(place.socket)
        assert seen is not None
        assert resident_kb(pid) < 60_000
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


@pytest.mark.slow
async def test_a_client_that_asks_without_end_and_reads_nothing_is_closed(place: Place, spec_of: SpecOf) -> None:
    pid = await place.start()
    async with attached(place) as keeper:
        # Answers are long, so that few questions are needed.
        await keeper.spawn(replace(spec_of("/bin/sleep", "60"), note="n" * 2000))

    async with asyncio.timeout(PATIENCE_S):
        await asyncio.to_thread(ask_until_closed, place.socket)
    log = place.state / "keeper.log"
    assert "reads nothing" in log.read_text(encoding="utf-8")
    assert stat.S_IMODE(log.stat().st_mode) == 0o600

    async with attached(place) as keeper:
        process = await keeper.spawn(spec_of("/bin/echo", "here"))
        assert await read_all(process, OutputStream.STDOUT) == b"here\n"
    assert resident_kb(pid) < 60_000


def ask_until_closed(path: Path) -> None:
    questions = b"".join(encode(Look(1))) * 1000
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(15)
        client.connect(os.fspath(path))
        client.sendall(b"".join(encode(Attach())))
        # A timeout is another error: that would be a keeper that neither reads nor closes.
        with suppress(BrokenPipeError, ConnectionResetError):
            while True:
                client.sendall(questions)
