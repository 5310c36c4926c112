"""When a terminal's state is kept: seldom in a flood, soon after it, never in the middle of something."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import cast

import pytest

from idea.application.ports import AgentProcess
from idea.application.terminals.terminal_checkpoints import (
    CHECKPOINT_BYTES,
    FORCED_BYTES,
    QUIET_S,
    REST_S,
    URGENT_BYTES,
    Render,
    TerminalCheckpoints,
)
from idea.domain.errors import Lost
from tests.application.conftest import LoopTime
from tests.patience import PATIENCE_S


class Terminal:
    """Its state is the number of times it was asked for; `process` is what the keeper has of it."""

    def __init__(self) -> None:
        self.is_inside = False
        self.is_broken = False
        self.was_forced = False
        self.kept: asyncio.Queue[tuple[int, bytes]] = asyncio.Queue()
        self.may_keep = asyncio.Event()
        self.may_keep.set()
        self.under_way = 0
        self.most_under_way = 0
        self.refusals = 0
        self._asked = 0

    def freeze(self, *, is_forced: bool) -> Render | None:
        if self.is_inside and not is_forced:
            return None
        self._asked += 1
        self.was_forced = is_forced
        state = str(self._asked).encode()
        return self._break if self.is_broken else lambda: state

    async def checkpoint(self, offset: int, data: bytes) -> None:
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        await self.may_keep.wait()
        self.under_way -= 1
        if self.refusals:
            self.refusals -= 1
            raise Lost("The keeper")
        self.kept.put_nowait((offset, data))

    def _break(self) -> bytes:
        self.is_broken = False
        raise ValueError("an emulator's own trouble")


@asynccontextmanager
async def keeping(terminal: Terminal) -> AsyncIterator[TerminalCheckpoints]:
    checkpoints = TerminalCheckpoints(terminal.freeze)
    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
        running = tasks.create_task(checkpoints.run(cast("AgentProcess", terminal)))
        yield checkpoints
        running.cancel()


async def test_much_output_is_kept_at_once_and_then_not_for_a_while(loop_time: LoopTime) -> None:
    terminal = Terminal()
    async with keeping(terminal) as checkpoints:
        checkpoints.parsed(CHECKPOINT_BYTES)
        assert await terminal.kept.get() == (CHECKPOINT_BYTES, b"1")

        checkpoints.parsed(2 * CHECKPOINT_BYTES)
        await asyncio.to_thread(int)
        checkpoints.parsed(3 * CHECKPOINT_BYTES)
        assert terminal.kept.empty()
        loop_time.move(REST_S)

        assert await terminal.kept.get() == (3 * CHECKPOINT_BYTES, b"2")


async def test_little_output_is_kept_when_it_has_paused(loop_time: LoopTime) -> None:
    terminal = Terminal()
    async with keeping(terminal) as checkpoints:
        checkpoints.parsed(10)
        checkpoints.parsed(20)
        loop_time.move(QUIET_S)

        assert await terminal.kept.get() == (20, b"1")


async def test_a_flood_is_kept_before_the_program_has_to_wait() -> None:
    terminal = Terminal()
    async with keeping(terminal) as checkpoints:
        for offset in range(URGENT_BYTES, 4 * URGENT_BYTES, URGENT_BYTES):
            checkpoints.parsed(offset)
            kept, _ = await terminal.kept.get()
            assert kept == offset


async def test_one_is_under_way_at_a_time() -> None:
    terminal = Terminal()
    terminal.may_keep.clear()
    async with keeping(terminal) as checkpoints:
        checkpoints.parsed(URGENT_BYTES)
        while not terminal.under_way:
            await asyncio.to_thread(int)
        checkpoints.parsed(2 * URGENT_BYTES)
        checkpoints.resized()
        terminal.may_keep.set()

        assert (await terminal.kept.get())[0] == URGENT_BYTES
        assert (await terminal.kept.get())[0] == 2 * URGENT_BYTES

    assert terminal.most_under_way == 1


async def test_inside_a_sequence_its_end_is_waited_for() -> None:
    terminal = Terminal()
    terminal.is_inside = True
    async with keeping(terminal) as checkpoints:
        checkpoints.parsed(CHECKPOINT_BYTES)
        await asyncio.to_thread(int)
        assert terminal.kept.empty()

        terminal.is_inside = False
        checkpoints.parsed(CHECKPOINT_BYTES + 1)

        assert await terminal.kept.get() == (CHECKPOINT_BYTES + 1, b"1")
    assert not terminal.was_forced


async def test_a_sequence_without_end_does_not_stop_the_program_for_ever() -> None:
    terminal = Terminal()
    terminal.is_inside = True
    async with keeping(terminal) as checkpoints:
        checkpoints.parsed(CHECKPOINT_BYTES)
        checkpoints.parsed(FORCED_BYTES)

        assert await terminal.kept.get() == (FORCED_BYTES, b"1")
    assert terminal.was_forced


async def test_another_size_is_kept_without_any_output() -> None:
    terminal = Terminal()
    async with keeping(terminal) as checkpoints:
        checkpoints.begin_at(100)
        checkpoints.resized()

        assert await terminal.kept.get() == (100, b"1")


def refuse(terminal: Terminal) -> None:
    terminal.refusals = 1


def break_down(terminal: Terminal) -> None:
    terminal.is_broken = True


@pytest.mark.slow
@pytest.mark.parametrize("trouble", [refuse, break_down])
async def test_what_could_not_be_kept_is_kept_later(trouble: Callable[[Terminal], None]) -> None:
    terminal = Terminal()
    trouble(terminal)
    async with keeping(terminal) as checkpoints:
        checkpoints.parsed(CHECKPOINT_BYTES)

        assert await terminal.kept.get() == (CHECKPOINT_BYTES, b"2")
