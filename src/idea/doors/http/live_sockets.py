"""What is open by credential, sockets and asks that wait, so that a revoked credential loses it at once."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class LiveSockets:
    def __init__(self) -> None:
        self._revoked: dict[str, set[asyncio.Event]] = {}

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
