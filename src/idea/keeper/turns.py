"""When floods are read while somebody types: little by little, and not at all between a key and its echo.

One for all processes of a keeper. Otherwise floods take all of a machine, and a key finds every process on its way
waiting for a core, ours and the program's.
"""

import time
from collections import deque
from collections.abc import Callable

from idea.keeper.loop import Loop, Timer

TYPING_S = 1.0
"""After a key. Nobody pauses for so long within a word."""
ECHO_S = 0.025
"""The longest that floods wait for one echo: a program that echoes nothing must not stop others for long."""
TURN_S = 0.003
"""Between the turns of two floods, of at most 16 KiB each: all of them together have some 5 MB/s, which is more than
anybody reads, and leave most of two cores free."""


class Turns:
    """Belongs to the thread of `loop`."""

    def __init__(self, loop: Loop, *, echo_s: float = ECHO_S) -> None:
        self._loop = loop
        self._echo_s = echo_s
        self._typed_at = -TYPING_S
        self._echo_until = 0.0
        """Both in the monotonic clock's seconds."""
        self._last: object = None
        """Was typed into last."""
        self._typed: object = None
        """Whose echo is due."""
        self._waiting: deque[Timer] = deque()
        self._next: Timer | None = None

    def hold(self, who: object) -> bool:
        """Somebody types elsewhere: if it floods, it waits for its turn.

        What was typed into last goes on unhindered, or each command of a person would begin slowly.
        """
        return who is not self._last and time.monotonic() - self._typed_at < TYPING_S

    def wait(self, call: Callable[[], None]) -> Timer:
        """Call when it is this one's turn. Those who wait come in their order."""
        turn = Timer(call)
        self._waiting.append(turn)
        if self._next is None:
            self._arrange()
        return turn

    def typed(self, into: object) -> None:
        """Somebody did, and looks for the echo: what that writes next is taken for it."""
        self._typed_at = time.monotonic()
        self._last = self._typed = into
        self._echo_until = self._typed_at + self._echo_s
        self._arrange()

    def wrote(self, who: object) -> None:
        if who is self._typed:
            self._typed, self._echo_until = None, 0.0
            self._arrange()

    def _arrange(self) -> None:
        if self._next is not None:
            self._next.cancel()
            self._next = None
        if self._waiting:
            self._next = self._loop.later(max(self._echo_until - time.monotonic(), TURN_S), self._give)

    def _give(self) -> None:
        self._next = None
        self._typed = None
        while self._waiting:
            call = self._waiting.popleft().call
            if call is not None:
                call()
                break
        self._arrange()
