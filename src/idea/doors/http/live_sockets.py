"""What is open by credential, sockets and asks that wait, so that a revoked credential loses it at once, and every page
learns that one came or went.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class LiveSockets:
    def __init__(self) -> None:
        self._revoked: dict[str, set[asyncio.Event]] = {}
        self._change = asyncio.Event()

    @contextmanager
    def hold(self, credential: str | None) -> Iterator[asyncio.Event]:
        """While inside, the event tells that the credential was revoked. None (control socket) never is."""
        revoked = asyncio.Event()
        if credential is None:
            yield revoked
            return
        events = self._revoked.setdefault(credential, set())
        events.add(revoked)
        try:
            yield revoked
        finally:
            events.discard(revoked)
            if not events:
                self._revoked.pop(credential, None)

    def revoke(self, credential: str) -> None:
        for event in self._revoked.pop(credential, set()):
            event.set()
        self.note_change()

    def note_change(self) -> None:
        """Somebody has got a credential, or lost one."""
        self._change.set()
        self._change = asyncio.Event()

    @property
    def next_change(self) -> asyncio.Event:
        """Set once by the next one; whoever wants the one after it asks again before doing anything about this one."""
        return self._change
