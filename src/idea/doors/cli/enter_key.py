"""Enter in the terminal of a server, for whoever's start link is used up or old."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Final

MAX_BYTES: Final = 4_096
"""A terminal hands over a line at a time, and none that is longer."""


def has_keys() -> bool:
    """Whether a person may type here."""
    return sys.stdin is not None and not sys.stdin.closed and sys.stdin.isatty()


class EnterKey:
    """Calls back for each line, in the running loop, until the terminal is gone; nobody waits for it."""

    def __init__(self, on_enter: Callable[[], None]) -> None:
        self._on_enter = on_enter
        self._loop = asyncio.get_running_loop()
        self._terminal = sys.stdin.fileno()

    def listen(self) -> None:
        self._loop.add_reader(self._terminal, self._read)
        # A shell says so to a program that it takes back from the background.
        self._loop.add_signal_handler(signal.SIGCONT, self._loop.add_reader, self._terminal, self._read)

    def _read(self) -> None:
        with suppress(OSError):
            if os.tcgetpgrp(self._terminal) != os.getpgrp():
                # What is typed there is the shell's, and reading it would halt this process.
                self._loop.remove_reader(self._terminal)
                return
            if os.read(self._terminal, MAX_BYTES):
                self._on_enter()
                return
        # Ctrl-D, or the terminal is gone.
        self._loop.remove_reader(self._terminal)
        self._loop.remove_signal_handler(signal.SIGCONT)
