"""How long a turn may still take. It stands still while its agent, or one that it waits for, waits for a person or for
the end of a limit.
"""

import asyncio
from collections.abc import Callable


class TurnClock:
    """In loop time. `on_change` is told when the deadline moves."""

    def __init__(self) -> None:
        self._left_s: float | None = None
        """What was left when it was stopped last; None: no limit, or not begun."""
        self._going_since = 0.0
        self._held_since = 0.0
        self._held_s = 0.0
        self._holds: dict[object, str] = {}
        self.asked = ""
        """Whom a person was to answer last, and what: "QA: Run a command"."""
        self.on_change: Callable[[], None] = lambda: None

    def start(self, limit_s: float | None) -> None:
        self._left_s = limit_s
        self._going_since = _now()

    @property
    def deadline(self) -> float | None:
        """None while it stands still, and without a limit."""
        return None if self._left_s is None or self._holds else self._going_since + self._left_s

    @property
    def is_held(self) -> bool:
        return bool(self._holds)

    @property
    def waits_for(self) -> str:
        """As `asked`, while a person is asked; else empty."""
        return next(filter(None, self._holds.values()), "")

    @property
    def held_s(self) -> float:
        """How long it stood still, in all."""
        return self._held_s + (_now() - self._held_since if self._holds else 0.0)

    def hold(self, asked: str = "") -> Callable[[], None]:
        """Stand still until what is returned is called, once or more often. Without `asked` it is no person's doing."""
        key = object()
        if not self._holds:
            self._held_since = _now()
            if self._left_s is not None:
                self._left_s -= self._held_since - self._going_since
        self._holds[key] = asked
        self.asked = asked or self.asked
        self.on_change()
        return lambda: self._release(key)

    def _release(self, key: object) -> None:
        if self._holds.pop(key, None) is None or self._holds:
            return
        self._going_since = _now()
        self._held_s += self._going_since - self._held_since
        self.on_change()


def _now() -> float:
    return asyncio.get_running_loop().time()
