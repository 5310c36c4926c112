"""What tests ask about processes: their output, their end, and what they left behind."""

import asyncio
import os

from idea.application.ports import AgentProcess
from idea.domain.sessions import Exit, OutputStream
from tests.patience import PATIENCE_S


async def read_all(process: AgentProcess, stream: OutputStream, *, timeout_s: float = PATIENCE_S) -> bytes:
    """Every byte of `stream`, acknowledged as it comes; checks that no offset is missed."""
    taken = bytearray()
    async with asyncio.timeout(timeout_s):
        async for chunk in process.output(stream):
            assert chunk.offset == len(taken)
            taken += chunk.data
            await process.consumed(stream, len(taken))
            await process.acknowledge(stream, len(taken))
    return bytes(taken)


async def read_until(process: AgentProcess, stream: OutputStream, mark: bytes) -> bytes:
    """Every byte up to the chunk that completes `mark`, consumed but not acknowledged."""
    taken = bytearray()
    async with asyncio.timeout(PATIENCE_S):
        async for chunk in process.output(stream):
            taken += chunk.data
            await process.consumed(stream, chunk.offset + len(chunk.data))
            if mark in taken:
                break
    return bytes(taken)


async def exit_of(process: AgentProcess) -> Exit:
    async with asyncio.timeout(PATIENCE_S):
        return await process.wait()


def open_descriptors() -> set[str]:
    return set(os.listdir("/dev/fd"))


def is_alive(pid: int) -> bool:
    """A zombie, which its new parent has not collected yet, counts as dead."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            return stat.read().rpartition(b")")[2].split()[0] not in (b"Z", b"X")
    except OSError:
        return False
