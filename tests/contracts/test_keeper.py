"""What the use cases may rely on, whether the keeper runs inside the server or on its own."""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from idea.adapters.keeper.linked import LinkedKeeper
from idea.application.ports import AgentProcess, Keeper
from idea.domain.errors import EngineFailed, Lost, Refused
from idea.domain.sessions import (
    Exit,
    KeptChild,
    KeptStream,
    OutputChunk,
    OutputStream,
    Restored,
    SpawnSpec,
    TerminalSize,
)
from tests.keeper.reading import exit_of, read_all, read_until
from tests.keeper.running import in_process
from tests.patience import PATIENCE_S

SpecOf = Callable[..., SpawnSpec]
MIB = 1024 * 1024


async def child_of(keeper: Keeper, spawn_id: str) -> KeptChild:
    (found,) = [child for child in await keeper.children() if child.spawn_id == spawn_id]
    return found


async def stream_of(process: AgentProcess, stream: OutputStream) -> AsyncIterator[OutputChunk | Restored]:
    """A reading that is bounded in time and consumes nothing."""
    async with asyncio.timeout(PATIENCE_S):
        async for piece in process.output(stream):
            yield piece


async def test_it_says_what_it_has(keeper: LinkedKeeper, spec_of: SpecOf) -> None:
    lives = replace(spec_of("/bin/cat", terminal=TerminalSize(90, 30)), note='{"agent": "été"}')
    ended = spec_of("/bin/sh", "-c", "echo out; exit 3")
    living = await keeper.spawn(lives)
    await living.resize(TerminalSize(100, 40))
    process = await keeper.spawn(ended)
    await read_until(process, OutputStream.STDOUT, b"out\n")
    await process.acknowledge(OutputStream.STDOUT, 2)
    await exit_of(process)
    await read_all(process, OutputStream.STDERR)

    first, second = await keeper.children()

    nothing = KeptStream(0, 0, is_ended=False)
    streams = {OutputStream.TERMINAL: nothing}
    assert first == KeptChild(lives.spawn_id, living.pid, lives.note, None, TerminalSize(100, 40), 0, streams)
    assert (second.spawn_id, second.exit, second.terminal) == (ended.spawn_id, Exit(3, None), None)
    assert second.streams[OutputStream.STDOUT] == KeptStream(2, 4, is_ended=True)


async def test_a_process_is_attached_to_by_its_spawn(keeper: LinkedKeeper, spec_of: SpecOf) -> None:
    spec = spec_of("/bin/sh", "-c", "read word; echo $word; exit 5")
    first = await keeper.spawn(spec)

    again = await keeper.attach(spec.spawn_id)

    assert again is not None
    assert again.pid == first.pid
    await again.write(b"hello\n")
    assert await read_all(again, OutputStream.STDOUT) == b"hello\n"
    assert await exit_of(again) == await exit_of(first) == Exit(5, None)
    late = await keeper.attach(spec.spawn_id)
    assert late is not None
    assert await exit_of(late) == Exit(5, None)
    assert await keeper.attach("nobody") is None


async def test_what_is_forgotten_is_gone_and_what_lives_goes_at_its_end(keeper: LinkedKeeper, spec_of: SpecOf) -> None:
    ended, lives = spec_of("/bin/true"), spec_of("/bin/cat")
    await exit_of(await keeper.spawn(ended))
    living = await keeper.spawn(lives)
    done = await keeper.attach(ended.spawn_id)
    assert done is not None
    await read_all(done, OutputStream.STDOUT)
    await read_all(done, OutputStream.STDERR)

    await keeper.forget(ended.spawn_id)
    await keeper.forget(ended.spawn_id)
    assert [child.spawn_id for child in await keeper.children()] == [lives.spawn_id]
    await keeper.forget(lives.spawn_id)
    assert [child.spawn_id for child in await keeper.children()] == [lives.spawn_id]
    await living.write(b"still here\n")
    assert await read_until(living, OutputStream.STDOUT, b"here\n") == b"still here\n"
    await living.close_input()

    assert await exit_of(living) == Exit(0, None)
    assert await keeper.children() == []


async def test_a_repeated_write_is_written_once(keeper: LinkedKeeper, spec_of: SpecOf) -> None:
    process = await keeper.spawn(spec_of("/bin/cat"))
    # Of several pieces on its way to the process.
    long = b"a" * 100_000 + b"b" * 50_000

    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
        tasks.create_task(process.write(long, write_id="one"))
        tasks.create_task(process.write(long, write_id="one"))
        echoed = await tasks.create_task(read_until(process, OutputStream.STDOUT, b"b" * 50_000))
    await process.write(long, write_id="one")
    await process.write(b"two", write_id="two")
    await process.write(b"two")
    await process.close_input()

    assert await exit_of(process) == Exit(0, None)
    assert echoed == long
    assert await read_all(process, OutputStream.STDOUT) == long + b"twotwo"
    # Known still when nothing can be written any more.
    await process.write(b"two", write_id="two")
    with pytest.raises(Lost):
        await process.write(b"three", write_id="three")


async def test_what_is_answered_is_kept_with_the_write(keeper: LinkedKeeper, spec_of: SpecOf) -> None:
    spec = spec_of("/bin/cat", terminal=TerminalSize())
    process = await keeper.spawn(spec)

    await process.write(b"\x1b[?62c", write_id="answer", answered=40)
    assert (await child_of(keeper, spec.spawn_id)).answered == 40
    await process.write(b"x", write_id="key")
    await process.write(b"", write_id="silence", answered=50)
    await process.write(b"\x1b[?62c", write_id="late", answered=30)

    assert (await child_of(keeper, spec.spawn_id)).answered == 50


async def test_a_reader_gets_a_window_and_paces_the_process(keeper: LinkedKeeper, spec_of: SpecOf) -> None:
    spec = spec_of("/bin/sh", "-c", "head -c 4 /dev/zero; read go; head -c 7999996 /dev/zero")
    process = await keeper.spawn(spec)
    reading = process.output(OutputStream.STDOUT)
    async with asyncio.timeout(PATIENCE_S):
        end = len((await anext(reading)).data)
        # Only now, or it would go on without a reader.
        await process.write(b"go\n")
        while end < MIB:
            end += len((await anext(reading)).data)

    # The whole life of another process is time enough for bytes that should not come.
    await read_all(await keeper.spawn(spec_of("/bin/echo")), OutputStream.STDOUT)
    paused = (await child_of(keeper, spec.spawn_id)).streams[OutputStream.STDOUT].end
    await process.consumed(OutputStream.STDOUT, end)
    async with asyncio.timeout(PATIENCE_S):
        async for chunk in reading:
            end = chunk.offset + len(chunk.data)
            await process.consumed(OutputStream.STDOUT, end)

    # Beyond the window comes at most the rest of one turn.
    assert paused <= MIB + 65536
    assert end == 8_000_000
    # Consumed is not acknowledged: it is all there for whoever comes next.
    assert await read_all(process, OutputStream.STDOUT) == bytes(8_000_000)


async def test_without_a_reader_the_process_goes_on(keeper: LinkedKeeper, spec_of: SpecOf) -> None:
    process = await keeper.spawn(spec_of("/bin/sh", "-c", "head -c 8000000 /dev/zero"))

    assert await exit_of(process) == Exit(0, None)

    assert await read_all(process, OutputStream.STDOUT) == bytes(8_000_000)


@pytest.mark.parametrize("size", [0, 10, 3_000_000], ids=["empty", "short", "long"])
async def test_a_checkpoint_stands_for_what_came_before_it(keeper: LinkedKeeper, spec_of: SpecOf, size: int) -> None:
    screen = (b"screen" * (size // 6 + 1))[:size]
    process = await keeper.spawn(
        spec_of("/bin/sh", "-c", "stty -echo; printf 'old|'; read a; printf 'new'", terminal=TerminalSize())
    )
    await read_until(process, OutputStream.TERMINAL, b"old|")

    async with asyncio.timeout(PATIENCE_S):
        await process.checkpoint(3, b"not the last one")
        await process.checkpoint(4, screen)
        # What lies between this and the last one is there no more.
        with pytest.raises(Lost):
            await process.checkpoint(3, b"an earlier one")
    await process.write(b"\n")
    await exit_of(process)

    assert [piece async for piece in stream_of(process, OutputStream.TERMINAL)] == [
        Restored(4, screen),
        OutputChunk(4, b"new"),
    ]
    # Who has come further needs no checkpoint.
    async with asyncio.timeout(PATIENCE_S):
        assert [piece async for piece in process.output(OutputStream.TERMINAL, offset=5)] == [OutputChunk(5, b"ew")]


async def test_a_process_with_pipes_has_no_checkpoint(keeper: LinkedKeeper, spec_of: SpecOf) -> None:
    process = await keeper.spawn(spec_of("/bin/cat"))

    with pytest.raises(Lost):
        await process.checkpoint(0, b"screen")


async def test_a_lock_is_held_until_it_is_given_back(keeper: LinkedKeeper, spec_of: SpecOf, tmp_path: Path) -> None:
    lock = tmp_path / "ada"
    with pytest.raises(EngineFailed):
        await keeper.spawn(replace(spec_of("/bin/cat"), lock=str(lock)))

    await keeper.lock(lock, "Ada")
    await keeper.lock(lock, "Ada")
    async with in_process() as other:
        with pytest.raises(Refused) as refused:
            await other.lock(lock, "Ada")
        assert refused.value.about == {"agent": "Ada", "pid": json.loads(lock.read_text())["keeper"]}
        await keeper.unlock(lock)
        await keeper.unlock(lock)
        await other.lock(lock, "Ada")
        with pytest.raises(Refused):
            await keeper.lock(lock, "Ada")


@pytest.mark.parametrize("kind", ["fifo", "link", "folder", "nowhere"])
async def test_what_is_no_lock_is_refused(keeper: LinkedKeeper, tmp_path: Path, kind: str) -> None:
    lock = tmp_path / "ada"
    match kind:
        case "fifo":
            os.mkfifo(lock)
        case "link":
            lock.symlink_to(tmp_path / "elsewhere")
        case "folder":
            lock.mkdir()
        case _:
            lock = tmp_path / "nowhere" / "ada"

    with pytest.raises(Refused):
        await keeper.lock(lock, "Ada")
    assert not (tmp_path / "elsewhere").exists()
