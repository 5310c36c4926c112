"""UUIDv7 strings that sort as they were made, also within one millisecond."""

import secrets
import threading
import time
import uuid
from collections.abc import Callable
from typing import Final

_COUNTER_BITS: Final = 12
_RANDOM_BITS: Final = 62


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


class UuidV7:
    """A `ports.NewId`. Each id is greater than all before it, whatever the clock does; safe across threads."""

    def __init__(self, now_ms: Callable[[], int] = _now_ms) -> None:
        self._now_ms = now_ms
        self._lock = threading.Lock()
        """Each (millisecond, counter) is given out once."""
        self._last_ms = 0
        self._counter = 0

    def __call__(self) -> str:
        milliseconds, counter = self._next()
        value = milliseconds << 80 | 0x7 << 76 | counter << 64 | 0b10 << 62 | secrets.randbits(_RANDOM_BITS)
        return str(uuid.UUID(int=value))

    def _next(self) -> tuple[int, int]:
        with self._lock:
            now = self._now_ms()
            if now > self._last_ms:
                # The upper half stays free, so that a burst in one millisecond has room to count.
                self._last_ms, self._counter = now, secrets.randbits(_COUNTER_BITS - 1)
            else:
                self._counter += 1
                if self._counter >> _COUNTER_BITS:
                    self._last_ms, self._counter = self._last_ms + 1, 0
            return self._last_ms, self._counter
