"""What the client's half of the protocol makes of a keeper that says nothing, and of a machine that stood still."""

import asyncio
import socket
import time

import pytest

from idea.adapters.keeper.link import Link
from idea.domain.errors import Lost
from idea.keeper.protocol import Done, Look
from tests.patience import PATIENCE_S

TIMEOUT_S = 0.1


async def test_a_keeper_that_says_nothing_is_lost() -> None:
    link = Link(lambda command: None)

    async with asyncio.timeout(PATIENCE_S):
        with pytest.raises(Lost):
            await link.ask(Look, timeout_s=TIMEOUT_S)


async def test_an_answer_that_came_while_we_stood_still_is_heard() -> None:
    """Its bytes and the end of the time for it are found in the same moment."""
    ours, keepers = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=ours)
    link = Link(lambda command: None)

    async def listen() -> None:
        await reader.readexactly(1)
        link.received(Done(1))

    with keepers:
        async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
            tasks.create_task(listen())
            asking = tasks.create_task(link.ask(Look, timeout_s=TIMEOUT_S))
            asyncio.get_running_loop().call_soon(keepers.send, b".")
            asyncio.get_running_loop().call_soon(time.sleep, 3 * TIMEOUT_S)  # the machine stands still

            assert await asking == Done(1)
    writer.close()
