"""uvicorn's WebSocket protocol with a bound on how long a connection lasts that should end."""

import asyncio
from typing import Final

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from idea.doors.http.handshake import GAVE_UP

LINGER_S: Final = 5.0
"""For a peer to take what is under way, the close frame last; a local one that reads needs milliseconds."""


class BoundedWebSocket(WebSocketsSansIOProtocol):
    """Closing a transport waits until the peer has read what was written to it, and so for ever with one that reads
    nothing: its descriptor and the bytes would stay. Here it has `linger_s`."""

    linger_s = LINGER_S
    _end: asyncio.TimerHandle | None = None

    async def run_asgi(self) -> None:
        await super().run_asgi()
        self._end_soon()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._end_soon()

    def handle_close(self, event: Frame) -> None:
        if self.conn.close_rcvd is not None and self.conn.close_rcvd.code == GAVE_UP:
            self._forget_unread()
        super().handle_close(event)

    def _forget_unread(self) -> None:
        """A server that stood still reads in one go what came meanwhile: keys, and the close that takes them back."""
        unread = [self.queue.get_nowait() for _ in range(self.queue.qsize())]
        for message in unread:
            if message["type"] != "websocket.receive":
                self.queue.put_nowait(message)

    async def send(self, message: ASGISendEvent) -> None:
        if message["type"] == "websocket.close":
            # A few bytes behind the full buffer, so that a peer which reads on in time still learns why.
            self.writable.set()
        await super().send(message)

    def _end_soon(self) -> None:
        if self._end is None and not self.disconnected:
            self._end = self.loop.call_later(self.linger_s, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._end is not None:
            self._end.cancel()
        super().connection_lost(exc)


def bounded_websocket(*, linger_s: float) -> type[WebSocketsSansIOProtocol]:
    """The protocol of one listener."""
    return type("BoundedWebSocket", (BoundedWebSocket,), {"linger_s": linger_s})
