"""Bytes in and out of real processes: all of them, in order, bounded, and an end that nobody can delay."""

import asyncio
import hashlib
import sys
from collections.abc import Callable

import pytest

from idea.adapters.keeper.linked import LinkedKeeper
from idea.application.ports import AgentProcess
from idea.domain.errors import Lost
from idea.domain.sessions import Exit, OutputStream, SpawnSpec, TerminalSize
from tests.keeper.reading import exit_of, read_all, read_until
from tests.patience import PATIENCE_S

SpecOf = Callable[..., SpawnSpec]
MIB = 1024 * 1024


async def test_a_mebibyte_on_stderr_first_does_not_block_stdout(keeper: LinkedKeeper, spec_of: SpecOf) -> None:
    process = await keeper.spawn(spec_of("/bin/sh", "-c", "head -c 1000000 /dev/zero >&2; echo out"))

    assert await read_all(process, OutputStream.STDOUT) == b"out\n"
    assert len(await read_all(process, OutputStream.STDERR)) == 1_000_000


@pytest.mark.parametrize("terminal", [None, TerminalSize()], ids=["pipes", "terminal"])
async def test_everything_written_before_the_exit_arrives(
    keeper: LinkedKeeper, spec_of: SpecOf, terminal: TerminalSize | None
) -> None:
    stream = OutputStream.STDOUT if terminal is None else OutputStream.TERMINAL
    text = "a" * 4095 + "€"

    for _ in range(10):
        source = f"import sys; sys.stdout.buffer.write({text!r}.encode() * 256)"
        process = await keeper.spawn(spec_of(python=source, terminal=terminal))
        assert await read_all(process, stream) == (text * 256).encode()
        assert await exit_of(process) == Exit(code=0, signal=None)


async def test_a_late_reader_gets_the_rest_from_its_offset(keeper: LinkedKeeper, spec_of: SpecOf) -> None:
    process = await keeper.spawn(spec_of("/bin/echo", "0123456789"))
    await exit_of(process)
    assert await read_until(process, OutputStream.STDOUT, b"\n") == b"0123456789\n"

    await process.acknowledge(OutputStream.STDOUT, 4)
    async with asyncio.timeout(PATIENCE_S):
        late = [(chunk.offset, chunk.data) async for chunk in process.output(OutputStream.STDOUT, offset=7)]
        early = [(chunk.offset, chunk.data) async for chunk in process.output(OutputStream.STDOUT)]

    assert late == [(7, b"789\n")]
    assert early == [(4, b"456789\n")]


async def test_a_write_waits_for_the_process_and_keeps_its_order(keeper: LinkedKeeper, spec_of: SpecOf) -> None:
    process = await keeper.spawn(spec_of("/bin/cat"))
    sent = [bytes([letter]) * 300_000 for letter in b"abc"]

    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
        for piece in sent:
            tasks.create_task(process.write(piece))
        echoed = await tasks.create_task(read_until(process, OutputStream.STDOUT, b"c" * 300_000))

    await process.close_input()
    await process.close_input()
    assert echoed == b"".join(sent)
    assert await exit_of(process) == Exit(code=0, signal=None)


async def test_a_write_to_a_deaf_process_ends_with_it(keeper: LinkedKeeper, spec_of: SpecOf) -> None:
    process = await keeper.spawn(spec_of("/bin/sleep", "60"))

    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
        writing = tasks.create_task(lost_while_writing(process, b"x" * 1_000_000))
        await process.stop(grace_s=2)
        assert await writing

    assert await lost_while_writing(process, b"late")


async def lost_while_writing(process: AgentProcess, data: bytes) -> bool:
    try:
        await process.write(data)
    except Lost:
        return True
    return False


async def test_a_cancelled_write_does_not_mix_with_the_next(keeper: LinkedKeeper, spec_of: SpecOf) -> None:
    process = await keeper.spawn(slow_cat(spec_of))
    await read_until(process, OutputStream.STDERR, b"ready")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await process.write(b"a" * 200_000)

    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
        tasks.create_task(process.write(b"b" * 200_000))
        await process.interrupt()
        echoed = await tasks.create_task(read_until(process, OutputStream.STDOUT, b"b" * 200_000))

    assert echoed.strip(b"a") == b"b" * 200_000


def slow_cat(spec_of: SpecOf) -> SpawnSpec:
    """Reads only once it was interrupted."""
    return spec_of(
        python="import signal, os; signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}); "
        "os.write(2, b'ready'); signal.sigwait({signal.SIGINT}); os.execv('/bin/cat', ['cat'])"
    )


async def test_the_exit_is_known_though_a_grandchild_holds_the_pipes(keeper: LinkedKeeper, spec_of: SpecOf) -> None:
    process = await keeper.spawn(spec_of("/bin/sh", "-c", "setsid sleep 60 & echo last; exit 3"))

    async with asyncio.timeout(PATIENCE_S):
        assert await exit_of(process) == Exit(code=3, signal=None)
        assert await read_all(process, OutputStream.STDOUT) == b"last\n"
    report = await process.stop(grace_s=1)

    assert report.exit == Exit(code=3, signal=None)
    assert report.survivors == ()


async def test_a_flood_does_not_starve_another_agent(keeper: LinkedKeeper, spec_of: SpecOf) -> None:
    flood = await keeper.spawn(spec_of("/usr/bin/yes"))
    echo = await keeper.spawn(spec_of("/bin/cat"))

    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
        flooding = tasks.create_task(read_all(flood, OutputStream.STDOUT))
        for number in range(20):
            word = f"<{number}>".encode()
            await echo.write(word)
            await read_until(echo, OutputStream.STDOUT, word)
        assert not flooding.done()
        await flood.stop(grace_s=1)
        assert len(await flooding) > 65536


async def test_a_flood_goes_on_and_loses_nothing_while_somebody_types(keeper: LinkedKeeper, spec_of: SpecOf) -> None:
    source = "import sys; sys.stdout.buffer.write(b''.join(b'%07d' % number for number in range(1_000_000)))"
    flood = await keeper.spawn(spec_of(python=source, terminal=TerminalSize()))
    shell = await keeper.spawn(spec_of("/bin/cat", terminal=TerminalSize()))

    async with asyncio.TaskGroup() as tasks:
        whole = tasks.create_task(read_all(flood, OutputStream.TERMINAL, timeout_s=30), name="flood")
        for number in range(20):
            await shell.write(b"%d;" % number)
            await read_until(shell, OutputStream.TERMINAL, b"%d;" % number)
        await shell.stop(grace_s=0.0)

    # Of a machine that reads it little by little: a second, and more beside other work.
    assert whole.result() == b"".join(b"%07d" % number for number in range(1_000_000))


async def test_a_terminal_carries_bytes_untouched(keeper: LinkedKeeper, spec_of: SpecOf) -> None:
    blob = bytes(range(256)) * 400
    source = (
        "import sys, tty, hashlib; tty.setraw(0); sys.stdout.write('ready'); sys.stdout.flush(); "
        f"print(hashlib.sha256(sys.stdin.buffer.read({len(blob)})).hexdigest())"
    )
    process = await keeper.spawn(spec_of(sys.executable, "-c", source, terminal=TerminalSize()))
    await read_until(process, OutputStream.TERMINAL, b"ready")

    async with asyncio.timeout(PATIENCE_S):
        await process.write(blob)

    assert hashlib.sha256(blob).hexdigest().encode() in await read_all(process, OutputStream.TERMINAL)


async def test_a_resize_reaches_the_program(keeper: LinkedKeeper, spec_of: SpecOf) -> None:
    source = (
        "import os, signal; signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGWINCH}); print('ready', flush=True); "
        "signal.sigwait({signal.SIGWINCH}); print(tuple(os.get_terminal_size(0)))"
    )
    process = await keeper.spawn(spec_of(python=source, terminal=TerminalSize(80, 24)))
    await read_until(process, OutputStream.TERMINAL, b"ready")

    await process.resize(TerminalSize(200, 50))

    assert b"(200, 50)" in await read_all(process, OutputStream.TERMINAL)
