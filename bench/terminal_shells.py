"""Shells to measure: ready, flooding, read until something comes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from bench.terminal_peers import Idea, Terminado, Terminal

Peer = Idea | Terminado


@asynccontextmanager
async def flooded(peer: Peer, count: int) -> AsyncIterator[list[int]]:
    """So many other terminals print without end, and somebody looks at each; counts the bytes that came so far."""
    taken = [0]
    async with AsyncExitStack() as stack, asyncio.TaskGroup() as tasks:
        readers = []
        for _ in range(count):
            terminal = await stack.enter_async_context(peer.open())
            await terminal.type("yes 'a line of a flood'\r")
            readers.append(tasks.create_task(_read_on(terminal, taken), name="flood"))
        yield taken
        for reader in readers:
            reader.cancel()


async def settle(terminal: Terminal) -> None:
    """The shell listens."""
    await terminal.type("echo rea''dy\r")
    await read_until(terminal, b"ready")


async def _read_on(terminal: Terminal, taken: list[int]) -> None:
    while True:
        size = len(await terminal.read())
        # Not in one line: the sum before would be from before the wait, and what the others read meanwhile lost.
        taken[0] += size


async def read_until(terminal: Terminal, wanted: bytes) -> None:
    tail = b""
    while wanted not in tail:
        tail = tail[-len(wanted) :] + await terminal.read()
