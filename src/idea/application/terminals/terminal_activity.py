"""When whoever follows a terminal is told that it shows something else: at a bounded rate, and once it stands still."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final, Protocol

from idea.domain.program_status import ProgramStatus

DRAW_S: Final = 0.1
"""Output that pauses for so long has drawn what it draws."""
DRAWS: Final = 10
"""A program that never pauses is looked at after so many of these."""

_log = logging.getLogger(__name__)


class Listener(Protocol):
    """Whoever wants every piece of output, also before it is to be seen."""

    def __call__(self, output: bytes, terminal: "ShownTerminal") -> None: ...


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
        self._listener: Listener | None = None
        self.outputs = 0
        """Pieces of output so far."""
        self._drawn = 0
        """So many of them had come when it last stood still."""
        self._came_to_rest = asyncio.Event()

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
                    self._drawn = self.outputs
                    break
            self._tell(self._watcher.on_rest)
            self._came_to_rest.set()

    def wrote(self, output: bytes = b"") -> None:
        """The program did."""
        self.outputs += 1
        self._was_active.set()
        if self._listener is not None:
            self._tell(partial(self._listener, output))

    @contextmanager
    def heard_by(self, listener: Listener) -> Iterator[None]:
        """It gets every piece of output at once, in order. One at a time."""
        assert self._listener is None, "one message at a time is typed"
        self._listener = listener
        try:
            yield
        finally:
            self._listener = None

    async def drawn(self, since: int) -> None:
        """Returns when there have been more than `since` outputs and what they draw stands still.

        Never for one that nobody follows, nor for one that never pauses.
        """
        while self._drawn <= since:
            self._came_to_rest.clear()
            await self._came_to_rest.wait()

    def typed(self) -> None:
        """A person did."""
        if self._watcher is not None:
            self._watcher.on_typed()

    def end(self) -> None:
        if self._watcher is not None:
            self._watcher.on_end()

    def look(self) -> None:
        """Whoever follows it is told what it shows now, also where that is half drawn."""
        if self._watcher is not None:
            self._tell(self._watcher.on_rest)

    def _tell(self, on_event: Callable[[ShownTerminal], None]) -> None:
        try:
            on_event(self._shown)
        except Exception:  # noqa: BLE001 - an agent must not end because somebody stumbles over what it shows
            _log.exception("%s shows what cannot be looked at", self._name)
