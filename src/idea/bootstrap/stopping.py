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
    """The first signal asks for the server's end, a second one for the agents' too, one more for all at once.

    Once it is decided what becomes of the agents, a second Ctrl-C can only mean the latter.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self.asked = asyncio.Event()
        self.insisted = asyncio.Event()
        self.is_by_hand = False
        """By Ctrl-C, whose sender reads what is said and can press it again."""
        self._is_decided = False

    def ask(self, number: signal.Signals) -> None:
        is_by_hand_again = self.asked.is_set() and number is signal.SIGINT
        if self.insisted.is_set() or (self._is_decided and is_by_hand_again):
            self._say("Stopping at once.")
            sys.stderr.flush()
            os._exit(130)
        if self.asked.is_set():
            self._say("Stopping the agents too … Once more ends all at once.")
            self.insisted.set()
            return
        self._say("Stopping …")
        self.is_by_hand = number is signal.SIGINT
        self.asked.set()

    def decide(self) -> None:
        """What becomes of the agents is settled."""
        self._is_decided = True

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
