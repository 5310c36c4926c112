"""What is new at each call: the time, and ids that nobody had before."""

from collections.abc import Callable
from datetime import datetime
from typing import Protocol

NewId = Callable[[], str]
"""A fresh UUIDv7 string."""


class Clock(Protocol):
    """Time as the use cases see it, so that tests can move it."""

    def now(self) -> datetime:
        """Aware, UTC."""
        ...

    async def sleep(self, seconds: float) -> None: ...
