"""When whoever follows a terminal is told that it shows something else: at a bounded rate, and once it stands still."""

import asyncio
import logging
from collections.abc import Callable
from typing import Final, Protocol

from idea.domain.program_status import ProgramStatus

DRAW_S: Final = 0.1
"""Output that pauses for so long has drawn what it draws."""
DRAWS: Final = 10
"""A program that never pauses is looked at after so many of these."""

_log = logging.getLogger(__name__)


class ShownTerminal(Protocol):
    """What a terminal shows at this moment."""

    def status(self) -> ProgramStatus | None:
        """What the program last said of itself; None if it never did."""
        ...

    def title(self) -> str: ...

    def text(self) -> str:
        """The visible rows."""
        ...

    def cursor_row(self) -> int: ...


class TerminalWatcher(Protocol):
    """Whoever wants to know what the program shows. Called in the loop, at a bounded rate."""

    def on_output(self, terminal: ShownTerminal) -> None:
        """There was some: title and status may be new."""
        ...

    def on_rest(self, terminal: ShownTerminal) -> None:
        """What it has drawn stands still, or has not stood still for a second."""
        ...

    def on_typed(self) -> None: ...

    def on_end(self) -> None:
        """The last call."""
        ...


class TerminalActivity:
    """Nothing happens while there is no output."""

    def __init__(self, name: str, shown: ShownTerminal, watcher: TerminalWatcher | None) -> None:
        """`watcher` None: nobody follows it."""
        self._name = name
        self._shown = shown
        self._watcher = watcher
        self._was_active = asyncio.Event()

    async def run(self, caught_up: asyncio.Event) -> None:
        """Until cancelled. What the program said before it is `caught_up` is not told as if it said it now."""
        if self._watcher is None:
            return
        await caught_up.wait()
        while True:
            await self._was_active.wait()
            for _ in range(DRAWS):
                self._was_active.clear()
                self._tell(self._watcher.on_output)
                await asyncio.sleep(DRAW_S)
                if not self._was_active.is_set():
                    break
            self._tell(self._watcher.on_rest)

    def wrote(self) -> None:
        """The program did."""
        self._was_active.set()

    def typed(self) -> None:
        """A person did."""
        if self._watcher is not None:
            self._watcher.on_typed()

    def end(self) -> None:
        if self._watcher is not None:
            self._watcher.on_end()

    def _tell(self, on_event: Callable[[ShownTerminal], None]) -> None:
        try:
            on_event(self._shown)
        except Exception:  # noqa: BLE001 - an agent must not end because somebody stumbles over what it shows
            _log.exception("%s shows what cannot be looked at", self._name)
