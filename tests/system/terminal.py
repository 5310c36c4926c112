"""A page's terminal: an emulator on the terminal socket. Every wait is bounded."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pyte
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.system.client import WAIT_S, Json
from tests.system.house import Server


@dataclass
class Terminal:
    """A page's emulator on the terminal socket."""

    socket: ClientConnection
    screen: pyte.HistoryScreen
    frames: list[Json] = field(default_factory=list)
    taken: int = 0

    async def type(self, text: str) -> None:
        await self.socket.send(text.encode())

    async def until(self, text: str) -> None:
        """The text is on the screen."""
        await self.until_true(lambda: any(text in line for line in self.screen.display))

    async def until_true(self, claim: Callable[[], bool]) -> None:
        async with asyncio.timeout(WAIT_S):
            while not claim():
                await self._take()

    async def until_frame(self, *types: str, **fields: object) -> Json:
        async with asyncio.timeout(WAIT_S):
            while not (
                found := [frame for frame in self.frames if frame["type"] in types and fields.items() <= frame.items()]
            ):
                await self._take()
            return found[-1]

    def lines(self) -> list[str]:
        """Also those above the screen, from the first one that is kept."""
        above = [
            "".join(line[column].data for column in range(self.screen.columns)) for line in self.screen.history.top
        ]
        return [line.rstrip() for line in (*above, *self.screen.display)]

    async def _take(self) -> None:
        frame = await self.socket.recv()
        if isinstance(frame, bytes):
            pyte.ByteStream(self.screen).feed(frame)
            self.taken += len(frame)
            with contextlib.suppress(ConnectionClosed):  # the program's last words are followed by the end
                await self.socket.send(json.dumps({"type": "ack", "bytes": self.taken}))
        else:
            self.frames.append(told := json.loads(frame))
            if told["type"] == "reset":
                self.taken = 0
                self.screen.reset()
                self.screen.resize(told["rows"], told["cols"])


@asynccontextmanager
async def open_terminal(
    server: Server, agent: str, *, cols: int = 100, rows: int = 30, history: int = 100
) -> AsyncIterator[Terminal]:
    """`agent` is its id; `history` the number of lines that are kept of what has left the screen."""
    origin: Any = f"http://127.0.0.1:{server.port}"
    url = f"ws://127.0.0.1:{server.port}/api/projects/{server.project}/agents/{agent}/terminal"
    async with connect(url, origin=origin, compression=None, proxy=None, max_queue=None) as socket:
        hello = {"type": "hello", "credential": server.token, "cols": cols, "rows": rows}
        await socket.send(json.dumps(hello))
        yield Terminal(socket, pyte.HistoryScreen(cols, rows, history=history))
