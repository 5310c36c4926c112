"""Time that a test moves, and ids that it can read."""

import asyncio
from datetime import UTC, datetime, timedelta
from itertools import count

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


class FakeClock:
    """Stands still until a test moves it."""

    def __init__(self) -> None:
        self._now = NOON
        self._sleepers: list[tuple[datetime, asyncio.Event]] = []
        self.asleep = asyncio.Event()

    def now(self) -> datetime:
        return self._now

    async def sleep(self, seconds: float) -> None:
        woken = asyncio.Event()
        self._sleepers.append((self._now + timedelta(seconds=seconds), woken))
        self.asleep.set()
        await woken.wait()

    def move(self, seconds: float) -> None:
        self._now += timedelta(seconds=seconds)
        for due, woken in self._sleepers:
            if due <= self._now:
                woken.set()


class Numbers:
    """Ids a test can read: `n1`, `n2` …"""

    def __init__(self) -> None:
        self._count = count(1)

    def __call__(self) -> str:
        return f"n{next(self._count)}"
