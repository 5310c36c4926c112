"""Numbers every event of this server's life and hands it to whoever listens.

A listener that comes back says what it has; while the log still keeps everything after that, it misses nothing.
Single-threaded: publishing and reading the state in one step of the loop give a consistent snapshot.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from typing import Final

from idea.domain.errors import IdeaError
from idea.domain.events import (
    AgentAnnouncement,
    ConversationAppended,
    DelegationChanged,
    Event,
    QueueChanged,
    TurnTextStreamed,
    TurnToolChanged,
)

KEPT_EVENTS: Final = 8_192
"""A reload or a dropped socket is back within seconds; at 50 events/s this covers more than two minutes."""
KEPT_CHARS: Final = 16_000_000
"""Of text in the kept events: a flood of it must not stay in memory for as many events as that."""
SUBSCRIBER_QUEUE: Final = 2_048
"""A listener that is so far behind is cheaper to restart from a snapshot."""
SUBSCRIBER_CHARS: Final = 2 * KEPT_CHARS
"""Also a listener that begins with all that is kept has room for what happens while it reads that."""


class TooSlow(IdeaError):
    """The listener did not keep up; it subscribes again from what it has."""

    code = "LOST"


class TooOld(IdeaError):
    """The log no longer keeps what comes after the listener's number: it needs a snapshot."""

    code = "LOST"


class Subscription:
    """The events of one listener, in order. `close` is idempotent."""

    def __init__(self, log: "EventLog", backlog: list[tuple[int, Event]]) -> None:
        self._log = log
        self._queue = deque(backlog)
        self._chars = sum(_count_chars(event) for _, event in backlog)
        self._is_cut = False
        self._arrived = asyncio.Event()

    def offer(self, seq: int, event: Event) -> None:
        if len(self._queue) >= SUBSCRIBER_QUEUE or self._chars > SUBSCRIBER_CHARS:
            self._is_cut = True
            self._log.remove(self)
        else:
            self._queue.append((seq, event))
            self._chars += _count_chars(event)
        self._arrived.set()

    async def __aiter__(self) -> AsyncIterator[tuple[int, Event]]:
        """Raises `TooSlow` after the last event that still fitted. Waits for as long as nothing happens."""
        while True:
            while self._queue:
                seq, event = self._queue.popleft()
                self._chars -= _count_chars(event)
                yield seq, event
            if self._is_cut:
                raise TooSlow("The page read events too slowly")
            self._arrived.clear()
            await self._arrived.wait()

    def close(self) -> None:
        self._log.remove(self)


class EventLog:
    """`epoch` names this server's life; `seq` is the number of the last event."""

    def __init__(self, epoch: str) -> None:
        self.epoch = epoch
        self.seq = 0
        self._kept: deque[tuple[int, Event]] = deque()
        self._kept_chars = 0
        self._subscriptions: set[Subscription] = set()

    def publish(self, event: Event) -> None:
        self.seq += 1
        self._keep(event)
        # A copy: a subscriber that overflows removes itself while we iterate.
        for subscription in tuple(self._subscriptions):
            subscription.offer(self.seq, event)

    def _keep(self, event: Event) -> None:
        self._kept.append((self.seq, event))
        self._kept_chars += _count_chars(event)
        while len(self._kept) > KEPT_EVENTS or self._kept_chars > KEPT_CHARS:
            _, dropped = self._kept.popleft()
            self._kept_chars -= _count_chars(dropped)

    def subscribe(self, since: int | None) -> Subscription:
        """Everything after `since`; None means from now on.

        Raises:
            TooOld: events after `since` were already dropped, or `since` is from another life.
        """
        backlog: list[tuple[int, Event]] = []
        if since is not None:
            oldest = self._kept[0][0] if self._kept else self.seq + 1
            if since > self.seq or since + 1 < oldest:
                raise TooOld(f"Events after {since} are no longer kept")
            backlog = [(seq, event) for seq, event in self._kept if seq > since]
        subscription = Subscription(self, backlog)
        self._subscriptions.add(subscription)
        return subscription

    def remove(self, subscription: Subscription) -> None:
        self._subscriptions.discard(subscription)


def _count_chars(event: Event) -> int:
    """Of what may be long; the rest of an event is a few hundred bytes, which the number of events bounds."""
    match event:
        case TurnTextStreamed(text=text) | AgentAnnouncement(text=text):
            return len(text)
        case ConversationAppended(item=item):
            return len(item.text) + (len(item.tool.detail) if item.tool is not None else 0)
        case DelegationChanged(delegation=delegation):
            return len(delegation.message) + len(delegation.reply or "")
        case TurnToolChanged(tool=tool):
            return len(tool.detail)
        case QueueChanged(waiting=waiting):
            return sum(len(turn.preview) for turn in waiting)
        case _:
            return 0
