"""Between fork and exec: has the launcher become the program, or why not?"""

import os
from collections.abc import Callable

from idea.keeper.client import Client
from idea.keeper.loop import Loop
from idea.keeper.spawning import Launched

LAUNCH_S = 10.0
"""The launcher needs some 10 ms; a program on a file system that hangs may need for ever."""


class Launching:
    """Calls `on_end` once: with None when the program runs, else with the errno (0: none) and nothing left behind."""

    def __init__(
        self, launched: Launched, *, lock: str | None, loop: Loop, on_end: Callable[["Launching", int | None], None]
    ) -> None:
        """`lock` is that of the agent whose process it becomes."""
        self.launched = launched
        self.lock = lock
        self.askers: list[tuple[Client, int]] = []
        """Who asked for this process, with the request; more than one if it was repeated."""
        self._said = b""
        self._loop = loop
        self._on_end = on_end
        self._too_late = loop.later(LAUNCH_S, self.abandon)
        loop.on_readable(launched.status, self._listen)

    def abandon(self) -> None:
        """Kill it; the end is told as usual."""
        self.launched.process.kill()

    def _listen(self) -> None:
        said = os.read(self.launched.status, 16)
        self._said += said
        # The program's exec closes the pipe, and so does the launcher's death.
        if not said:
            self._too_late.cancel()
            self._loop.on_readable(self.launched.status, None)
            os.close(self.launched.status)
            self._on_end(self, None if self._said == b"+" else self._undo())

    def _undo(self) -> int:
        process = self.launched.process
        # It has nothing left to do; killed, so that the wait is one of microseconds.
        process.kill()
        process.wait()
        for fd in (self.launched.input, *self.launched.outputs.values()):
            os.close(fd)
        return int(self._said[1:] or b"0")
