"""Learning of the end of processes that are not our own children."""

import asyncio
import os
from collections.abc import Collection
from contextlib import suppress
from typing import Final

from idea.keeper.tree import is_running

GONE_S: Final = 3.0
"""Between a keeper's last word and its end, which waits for others that listen."""
LOOK_AGAIN_S: Final = 0.05


async def wait_gone(pids: Collection[int]) -> tuple[int, ...]:
    """Returns when none of them runs any more, or after a while with those that still do."""
    with suppress(TimeoutError):
        async with asyncio.timeout(GONE_S):
            for pid in pids:
                await _wait_ended(pid)
    return tuple(filter(is_running, pids))


async def _wait_ended(pid: int) -> None:
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    except (AttributeError, OSError):
        # No Linux, or no descriptor left.
        while is_running(pid):  # noqa: ASYNC110 - nothing tells then
            await asyncio.sleep(LOOK_AGAIN_S)
        return
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(handle, ended.set)
    try:
        await ended.wait()
    finally:
        loop.remove_reader(handle)
        os.close(handle)
