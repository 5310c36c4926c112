"""Whether this end still answers: a page asks by `ping`, since a browser shows it no ping of the protocol."""

import asyncio
from typing import Final

from starlette.websockets import WebSocket, WebSocketDisconnect

from idea.doors.http import wire
from idea.doors.http.handshake import SEND_WAIT_S, CloseCode

_PONG: Final = wire.Pong(type="pong").model_dump_json(by_alias=True)


class Answering:
    """Beside whatever else is sent: what a peer says next never waits for the answer to its ping."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._asked = asyncio.Event()

    def ask(self) -> None:
        """Pings that wait together get one answer."""
        self._asked.set()

    async def run(self) -> CloseCode | None:
        try:
            while True:
                await self._asked.wait()
                self._asked.clear()
                async with asyncio.timeout(SEND_WAIT_S):
                    await self._socket.send_text(_PONG)
        except TimeoutError:
            return CloseCode.TOO_SLOW
        except WebSocketDisconnect:
            return None
