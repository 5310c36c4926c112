"""What a cell's terminal does: attaches over the socket, keeps the screen, types."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from idea.adapters.screen.choice import AvailableScreens
from idea.application.ports import Screen
from idea.domain.sessions import TerminalSize
from tests.system.client import WAIT_S, Api, Json

SIZE: Final = TerminalSize(100, 30)
AGAIN_S: Final = 1.0
"""Before a key is pressed once more."""


class Terminal:
    """It answers nothing: whoever looks is not who the program talks to."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._screen: Screen = AvailableScreens().create(SIZE)
        self._parsed_bytes = 0
        self.ended: Json | None = None

    async def shows(self, words: str) -> None:
        """Waits until the screen does."""
        try:
            async with asyncio.timeout(WAIT_S):
                await self._receive_until(words)
        except TimeoutError:
            raise AssertionError(f"{words!r} never came:\n{self._screen.text()}") from None

    async def hides(self, words: str) -> None:
        """Waits until the screen shows them no more."""
        async with asyncio.timeout(WAIT_S):
            while words in self._screen.text():
                await self._receive()

    async def type_until(self, keys: str, words: str) -> None:
        """Again and again, as a person whose key did nothing."""
        async with asyncio.timeout(WAIT_S):
            while words not in self._screen.text():
                await self.type(keys)
                with suppress(TimeoutError):
                    async with asyncio.timeout(AGAIN_S):
                        await self._receive_until(words)

    async def until_ended(self) -> Json:
        async with asyncio.timeout(WAIT_S):
            while self.ended is None:
                await self._receive()
        return self.ended

    async def type(self, keys: str) -> None:
        await self._socket.send(keys.encode())

    async def submit(self, line: str) -> None:
        """As a person: the Enter comes when the line is there to be seen."""
        await self.type(line)
        await self.shows(line)
        await self.type("\r")

    async def _receive_until(self, words: str) -> None:
        while words not in self._screen.text():
            await self._receive()

    async def _receive(self) -> None:
        frame = await self._socket.recv()
        if isinstance(frame, bytes):
            self._screen.feed(frame)
            self._parsed_bytes += len(frame)
            # A program's last bytes may come with the end of the socket.
            with suppress(ConnectionClosed):
                await self._socket.send(json.dumps({"type": "ack", "bytes": self._parsed_bytes}))
            return
        said: Json = json.loads(frame)
        if said["type"] == "ended":
            self.ended = said


@asynccontextmanager
async def attached(api: Api, agent: Json) -> AsyncIterator[Terminal]:
    origin: Any = f"http://127.0.0.1:{api.server.port}"
    url = f"ws://127.0.0.1:{api.server.port}/api/projects/{api.server.project}/agents/{agent['id']}/terminal"
    async with connect(url, origin=origin, compression=None, proxy=None, max_size=None) as socket:
        hello = {"type": "hello", "credential": api.server.token, "cols": SIZE.cols, "rows": SIZE.rows}
        await socket.send(json.dumps(hello))
        yield Terminal(socket)
