"""uvicorn's WebSocket protocol with a bound on how long a connection lasts that should end."""

import asyncio
from typing import Final

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

LINGER_S: Final = 5.0
"""For a peer to take what is under way, the close frame last; a local one that reads needs milliseconds."""


def bounded_websocket(*, linger_s: float) -> type[WebSocketsSansIOProtocol]:
    """The protocol of one listener.

    Closing a transport waits until the peer has read what was written to it, and so for ever with one that reads
    nothing: its descriptor and the bytes would stay. Here it has `linger_s`.
    """

    class BoundedWebSocket(WebSocketsSansIOProtocol):
        _end: asyncio.TimerHandle | None = None

        async def run_asgi(self) -> None:
            await super().run_asgi()
            self._end_soon()

        def keepalive_timeout(self) -> None:
            super().keepalive_timeout()
            self._end_soon()

        async def send(self, message: ASGISendEvent) -> None:
            if message["type"] == "websocket.close":
                # A few bytes behind the full buffer, so that a peer which reads on in time still learns why.
                self.writable.set()
            await super().send(message)

        def _end_soon(self) -> None:
            if self._end is None and not self.disconnected:
                self._end = self.loop.call_later(linger_s, self.transport.abort)

        def connection_lost(self, exc: Exception | None) -> None:
            if self._end is not None:
                self._end.cancel()
            super().connection_lost(exc)

    return BoundedWebSocket
