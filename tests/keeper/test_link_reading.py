"""What a reader is given of the keeper's pieces: all of it in order, what waited together in one piece."""

import asyncio

import pytest

from idea.adapters.keeper.link import TOGETHER_BYTES, Link
from idea.domain.sessions import OutputChunk, Restored
from idea.keeper import protocol
from idea.keeper.protocol import Command, Output, Read, StreamEnded
from idea.keeper.reports import Stream


class Keeper:
    """Notes the reader's number, and has said all that it says before anybody reads on."""

    def __init__(self, *said: protocol.Output | protocol.Restored | protocol.KeeperClosing) -> None:
        self._said = said
        self.link = Link(self.take)

    def take(self, command: Command) -> None:
        if isinstance(command, Read):
            for event in self._said:
                self.link.received(event)
            self.link.received(StreamEnded(command.reader))

    async def read(self) -> list[OutputChunk | Restored]:
        async with asyncio.timeout(5):
            return [piece async for piece in self.link.read("s", Stream.TERMINAL, 0)]


async def test_small_pieces_that_waited_come_as_one() -> None:
    keeper = Keeper(Output(1, 0, b"ab"), Output(1, 2, b"c"), Output(1, 3, b"de"))

    assert await keeper.read() == [OutputChunk(0, b"abcde")]


@pytest.mark.parametrize("second", [Output(1, 3, b"d"), protocol.Restored(1, 2, b"d")], ids=["gap", "checkpoint"])
async def test_what_does_not_belong_together_stays_apart(second: protocol.Output | protocol.Restored) -> None:
    keeper = Keeper(Output(1, 0, b"ab"), second)

    assert len(await keeper.read()) == 2


async def test_no_piece_outgrows_its_bound() -> None:
    half = bytes(TOGETHER_BYTES // 2)
    keeper = Keeper(*(Output(1, number * len(half), half) for number in range(3)))

    assert [len(piece.data) for piece in await keeper.read()] == [TOGETHER_BYTES, TOGETHER_BYTES // 2]


async def test_what_a_keeper_passes_on_while_it_ends_is_not_heard() -> None:
    """Agents that are being ended say things of that, and none is an answer."""
    keeper = Keeper(Output(1, 0, b"before"), protocol.KeeperClosing(), Output(1, 6, b"after"))

    assert await keeper.read() == [OutputChunk(0, b"before")]
