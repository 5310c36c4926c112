"""The server goes and the agents stay: who is told so instead of an outcome that only the next server will know."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from idea.domain.errors import Closed


class Departure:
    def __init__(self) -> None:
        self._waiting: set[asyncio.Timeout] = set()
        self._has_begun = False

    def begin(self) -> None:
        """Nothing comes on record from now on, and whatever waits for that would wait for ever."""
        self._has_begun = True
        for each in self._waiting:
            each.reschedule(0)

    @asynccontextmanager
    async def told(self) -> AsyncIterator[None]:
        """What a person asks for. Raises `Closed` when the server goes before it is done.

        Not for agents: their bridges come back for the answer.
        """
        patience = asyncio.timeout_at(0 if self._has_begun else None)
        self._waiting.add(patience)
        try:
            async with patience:
                yield
        except TimeoutError:
            if not patience.expired():
                raise
            raise Closed("The server") from None
        finally:
            self._waiting.discard(patience)
