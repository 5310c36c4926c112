"""What signals ask of a server: its end, the agents' end too, or both at once."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopping:
    """The first signal asks for the server's end, a second one for the agents' too, a third one for both at once."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self.asked = asyncio.Event()
        self.insisted = asyncio.Event()
        self.is_by_hand = False
        """By Ctrl-C, whose sender reads what is said and can press it again."""

    def ask(self, number: signal.Signals) -> None:
        if self.insisted.is_set():
            self._say("Stopping at once.")
            sys.stderr.flush()
            os._exit(130)
        if self.asked.is_set():
            self.insisted.set()
            return
        self._say("Stopping …")
        self.is_by_hand = number is signal.SIGINT
        self.asked.set()

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Signals come here and end nothing by themselves."""
        loop = asyncio.get_running_loop()
        for number in STOP_SIGNALS:
            loop.add_signal_handler(number, self.ask, number)
        try:
            yield
        finally:
            for number in STOP_SIGNALS:
                loop.remove_signal_handler(number)
            if self.asked.is_set():
                # One more Ctrl-C in the last moments would make a failure of an end that was asked for.
                signal.signal(signal.SIGINT, signal.SIG_IGN)
