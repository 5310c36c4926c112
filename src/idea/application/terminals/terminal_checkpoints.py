"""When a terminal's state is given to its keeper, in place of the output that made it."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

from idea.application.ports import AgentProcess
from idea.domain.errors import Closed, Lost

CHECKPOINT_BYTES: Final = 2 * 1024 * 1024
"""So much output is worth a checkpoint: played again it takes some 0.1 s."""
QUIET_S: Final = 1.0
"""Output that has paused for so long is worth one too: what stands on the screen now may stand for hours."""
REST_S: Final = 1.0
"""Between two checkpoints: with a full scrollback one costs 25 ms of another thread and 3 ms of ours."""
URGENT_BYTES: Final = 24 * 1024 * 1024
"""No rest beyond this: at 64 MiB the keeper lets the program wait."""
FORCED_BYTES: Final = 48 * 1024 * 1024
"""A sequence that goes on for so long may lose its beginning, but must not stop the program for ever."""
AGAIN_S: Final = 2.0
"""After one that the keeper could not take: its disk is full."""

Render = Callable[[], bytes]

_log = logging.getLogger(__name__)


class Freeze(Protocol):
    def __call__(self, *, is_forced: bool) -> Render | None:
        """What renders the terminal as it is now; None where it cannot be cut off unless that `is_forced`."""
        ...


class TerminalCheckpoints:
    """One is under way at a time. Nothing happens while there is no output."""

    def __init__(self, freeze: Freeze) -> None:
        self._freeze = freeze
        self._kept = 0
        """Up to here the keeper has the state instead of the bytes."""
        self._parsed = 0
        self._is_outdated = False
        """What the keeper has is, though there may be no output since."""
        self._last_output_at = 0.0
        self._last_kept_at = -REST_S
        """Both in the loop's time."""
        self._timer: asyncio.TimerHandle | None = None
        self._is_due = asyncio.Event()
        self._is_urgent = asyncio.Event()
        self._went_on = asyncio.Event()

    def begin_at(self, offset: int) -> None:
        """The keeper has nothing older."""
        self._kept = self._parsed = offset
        self._went_on.set()

    def parsed(self, offset: int) -> None:
        """All output below is in the terminal's state."""
        self._parsed = offset
        self._went_on.set()
        loop = asyncio.get_running_loop()
        self._last_output_at = loop.time()
        if self._timer is None:
            self._timer = loop.call_later(QUIET_S, self._look_for_quiet)
        if self._unkept_bytes >= CHECKPOINT_BYTES:
            self._is_due.set()
        if self._unkept_bytes >= URGENT_BYTES:
            self._is_urgent.set()

    def resized(self) -> None:
        """Output from here on is drawn for another size than the output before it."""
        self._is_outdated = True
        self._is_due.set()

    async def run(self, process: AgentProcess) -> None:
        """Until cancelled."""
        try:
            while True:
                await self._is_due.wait()
                await self._rest()
                self._is_due.clear()
                if self._unkept_bytes or self._is_outdated:
                    await self._keep(process)
        finally:
            if self._timer is not None:
                self._timer.cancel()

    @property
    def _unkept_bytes(self) -> int:
        return self._parsed - self._kept

    async def _rest(self) -> None:
        rest_s = self._last_kept_at + REST_S - asyncio.get_running_loop().time()
        if rest_s > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(rest_s):
                    await self._is_urgent.wait()

    async def _keep(self, process: AgentProcess) -> None:
        while (render := self._freeze(is_forced=self._unkept_bytes >= FORCED_BYTES)) is None:
            self._went_on.clear()
            await self._went_on.wait()
        offset, self._is_outdated = self._parsed, False
        try:
            await process.checkpoint(offset, await asyncio.to_thread(render))
        except (Closed, Lost):
            # The end of the keeper ends the session elsewhere; if it lives, its disk may have room again later.
            self._try_again()
        except Exception:  # noqa: BLE001 - an emulator that fails here must not end the agent whose terminal it is
            _log.exception("a terminal's checkpoint could not be made")
            self._try_again()
        else:
            self._kept = offset
        self._last_kept_at = asyncio.get_running_loop().time()
        if self._unkept_bytes < URGENT_BYTES:
            self._is_urgent.clear()

    def _try_again(self) -> None:
        self._is_outdated = True
        self._is_urgent.clear()
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(AGAIN_S, self._look_for_quiet)

    def _look_for_quiet(self) -> None:
        """One timer for all of the output: it is set again only if there was some since, at most once a second."""
        loop = asyncio.get_running_loop()
        left_s = self._last_output_at + QUIET_S - loop.time()
        if left_s > 0:
            self._timer = loop.call_later(left_s, self._look_for_quiet)
        else:
            self._timer = None
            self._is_due.set()
