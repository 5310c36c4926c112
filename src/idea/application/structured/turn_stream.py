"""What a session's reader hands to the runner of the one open turn: a bounded queue with a way to ask for a stop."""

import asyncio
from collections import deque
from dataclasses import dataclass
from typing import Final

from idea.domain.errors import IdeaError
from idea.domain.replies import ReplyEvent

CAPACITY: Final = 256
"""Events; a full stream stops the reading of the CLI's output, so a flood waits in the CLI."""


@dataclass(frozen=True, slots=True)
class StopRequested:
    """Somebody wants the turn to end; `error` is what its requester is told."""

    error: IdeaError


@dataclass(frozen=True, slots=True)
class Cut:
    """The turn is too long to be kept whole: what came before `offset` can be forgotten once it is on record."""

    offset: int
    tools: int
    """How many of its tools had come to their end by then, since the cut before."""


@dataclass(frozen=True, slots=True)
class NotTaken:
    """The CLI's end came before it had the whole message."""


class TurnStream:
    """One turn's events, in order. One writer, one reader."""

    def __init__(self) -> None:
        self._queue: deque[ReplyEvent | Cut | NotTaken] = deque()
        self._stop: StopRequested | None = None
        self._is_closed = False
        self._arrived = asyncio.Event()
        self._has_room = asyncio.Event()
        self._has_room.set()

    async def put(self, event: ReplyEvent | Cut) -> None:
        """Waits while the stream is full; after `close` events go nowhere."""
        await self._has_room.wait()
        if self._is_closed:
            return
        self._queue.append(event)
        if len(self._queue) >= CAPACITY:
            self._has_room.clear()
        self._arrived.set()

    def tell_not_taken(self) -> None:
        """Behind what was said: a CLI may have answered before it had read everything."""
        if not self._is_closed:
            self._queue.append(NotTaken())
            self._arrived.set()

    def request_stop(self, error: IdeaError) -> None:
        """The first request counts. It overtakes the events that wait."""
        if self._stop is None:
            self._stop = StopRequested(error)
            self._arrived.set()

    @property
    def unread_stop(self) -> IdeaError | None:
        """Asked for, and not read yet."""
        return None if self._stop is None else self._stop.error

    @property
    def has_more(self) -> bool:
        """Something can be read without waiting."""
        return bool(self._queue) or self._stop is not None

    async def get(self) -> ReplyEvent | Cut | NotTaken | StopRequested:
        """Waits for as long as the engine is silent: the caller bounds it."""
        while True:
            if self._stop is not None:
                stop, self._stop = self._stop, None
                return stop
            if self._queue:
                event = self._queue.popleft()
                self._has_room.set()
                return event
            self._arrived.clear()
            await self._arrived.wait()

    def close(self) -> None:
        """The reader is done. Idempotent."""
        self._is_closed = True
        self._queue.clear()
        self._has_room.set()
