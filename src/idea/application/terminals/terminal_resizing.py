"""The size that a terminal's program draws for: from the one that is wanted to the one that holds."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from idea.application.ports import AgentProcess
from idea.domain.errors import Closed, Lost
from idea.domain.sessions import TerminalSize

RESIZE_REST_S: Final = 0.5
"""Two changes of size are at least so far apart: each makes the program draw everything anew."""
SETTLE_S: Final = 1.0
"""A change of size takes milliseconds; waiting longer for it would keep the screen from a new view."""


class TerminalResizing:
    """Of what is wanted meanwhile, only the last is taken."""

    def __init__(self, size: TerminalSize, *, on_resized: Callable[[TerminalSize], None]) -> None:
        """`on_resized` gives the screen the size that the program has just got."""
        self.size = size
        """As it holds."""
        self._wanted = size
        self._on_resized = on_resized
        self._is_wanted = asyncio.Event()
        self._is_settled = asyncio.Event()
        self._is_settled.set()
        self._is_over = False

    async def run(self, process: AgentProcess) -> None:
        """Until cancelled."""
        try:
            while True:
                await self._is_wanted.wait()
                self._is_wanted.clear()
                if self._wanted != self.size:
                    await self._take(process, self._wanted)
                if self._wanted == self.size:
                    self._is_settled.set()
                await asyncio.sleep(RESIZE_REST_S)
        finally:
            self._is_settled.set()

    def want(self, size: TerminalSize) -> None:
        if size != self._wanted and not self._is_over:
            self._wanted = size
            self._is_settled.clear()
            self._is_wanted.set()

    async def settle(self) -> None:
        """Returns when no change is under way, after `SETTLE_S` at the latest."""
        # A change that does not come to its end is told like any other if it still does.
        with suppress(TimeoutError):
            async with asyncio.timeout(SETTLE_S):
                await self._is_settled.wait()

    def end(self) -> None:
        """The size stays as it is."""
        self._is_over = True
        self._is_settled.set()

    async def _take(self, process: AgentProcess, size: TerminalSize) -> None:
        # Both at once, or the program draws for one size and the screen keeps another.
        try:
            await process.resize(size)
        except (Closed, Lost):
            # The keeper is gone, and with it what would draw.
            return
        self.size = size
        self._on_resized(size)
