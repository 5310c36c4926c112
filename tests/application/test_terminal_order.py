"""Beside floods nobody waits for more than one piece of them, and whoever typed for none."""

import asyncio
import threading
from collections.abc import Sequence

from idea.application.terminals.terminal_order import FREE_TURNS, SMALL_BYTES, TerminalOrder

LARGE = SMALL_BYTES + 1


class Floods:
    """Terminals that have pieces ready without end; notes whose piece is dealt with."""

    def __init__(self, order: TerminalOrder) -> None:
        self._order = order
        self.dealt: list[str] = []

    async def run(self, name: str) -> None:
        while True:
            await self._order.wait(name, LARGE)
            self.dealt.append(name)

    async def in_turns(self, turns: int) -> Sequence[str]:
        """What is dealt with while somebody else has so many turns of the loop."""
        before = len(self.dealt)
        for _ in range(turns):
            await asyncio.sleep(0)
        return self.dealt[before:]


async def test_floods_have_a_piece_each_in_their_order_and_others_have_turns_between_two_pieces() -> None:
    floods = Floods(TerminalOrder())
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        running = [tasks.create_task(floods.run(name)) for name in "abc"]
        dealt = await floods.in_turns(FREE_TURNS * 30)
        for task in running:
            task.cancel()

    assert "".join(dealt)[:9] == "abcabcabc"
    assert len(dealt) <= 30


async def test_none_is_dealt_with_until_the_echo_has_come() -> None:
    # Longer than this test may last, however slow the machine.
    order = TerminalOrder(echo_s=60)
    floods = Floods(order)
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        running = tasks.create_task(floods.run("flood"))
        await floods.in_turns(FREE_TURNS * 5)

        order.typed("shell")
        await order.wait("another", SMALL_BYTES)
        while_waiting = await floods.in_turns(FREE_TURNS * 20)
        await order.wait("shell", LARGE)
        after = await floods.in_turns(FREE_TURNS * 20)
        running.cancel()

    # The one whose turn had come already.
    assert len(while_waiting) <= 1
    assert len(after) > 5


async def test_a_program_that_echoes_nothing_stops_others_for_a_moment_only() -> None:
    order = TerminalOrder()
    order.typed("silent")

    async with asyncio.timeout(5):
        await order.wait("flood", LARGE)


async def test_who_waits_no_more_has_no_turn() -> None:
    order = TerminalOrder()
    order.typed("shell")
    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        ended = tasks.create_task(order.wait("ended", LARGE))
        behind = tasks.create_task(order.wait("behind", LARGE))
        await asyncio.sleep(0)
        ended.cancel()
        order.forget("shell")
        await behind


async def test_a_picture_is_made_beside_the_loop_and_after_the_one_before() -> None:
    order, may_end, made = TerminalOrder(), threading.Event(), []

    def first() -> bytes:
        assert may_end.wait(5)
        made.append("first")
        return b"1"

    def second() -> bytes:
        made.append("second")
        return b"2"

    async with asyncio.timeout(5), asyncio.TaskGroup() as tasks:
        painting = [tasks.create_task(order.paint(render)) for render in (first, second)]
        # The loop goes on while the first is under way, or this would wait for ever.
        await asyncio.sleep(0)
        may_end.set()

    assert [one.result() for one in painting] == [b"1", b"2"]
    assert made == ["first", "second"]
