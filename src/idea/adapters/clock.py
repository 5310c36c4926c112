"""The machine's time behind `ports.Clock`."""

import asyncio
from datetime import UTC, datetime


class SystemClock:
    """Wall-clock time in UTC and the loop's own sleep."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
