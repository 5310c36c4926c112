"""Stands between bridges and a door, and breaks their connections where a test wants it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from idea.doors.mcp.endpoint import Listener, listen
from tests.mcp.house import House


class Wire:
    def __init__(self, front: Path, back: Path) -> None:
        self.connections = 0
        """Made so far."""
        self.connected = asyncio.Event()
        """Set at each new connection."""
        self.passes_up: int | None = None
        """Bytes that still get to the server before the connection breaks; None: all."""
        self.passes_down: int | None = None
        """The same for the bridge."""
        self.broke = asyncio.Event()
        """Set when one of these limits was met."""
        self._front = front
        self._back = back
        self._tasks: asyncio.TaskGroup | None = None
        self._ends: set[asyncio.StreamWriter] = set()
        self._listener: Listener | None = None
        self._server: asyncio.Server | None = None

    @asynccontextmanager
    async def open(self) -> AsyncIterator["Wire"]:
        async with asyncio.TaskGroup() as tasks:
            self._tasks = tasks
            await self.listen()
            try:
                yield self
            finally:
                self.stop_listening()
                self.cut()

    async def listen(self) -> None:
        self._listener = listen(self._front)
        self._server = await asyncio.start_unix_server(self._on_connected, sock=self._listener.socket)

    def stop_listening(self) -> None:
        """As when the server is gone: its socket's file with it."""
        if self._server is not None and self._listener is not None:
            self._server.close()
            self._listener.close()

    def cut(self) -> None:
        """Break every connection."""
        for end in tuple(self._ends):
            end.transport.abort()

    def lose(self) -> None:
        """Break every connection and let no new one come."""
        self.stop_listening()
        self.cut()

    def _on_connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert self._tasks is not None
        self._tasks.create_task(self._relay(reader, writer))

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            back_reader, back_writer = await asyncio.open_unix_connection(self._back)
        except OSError:
            writer.transport.abort()
            return
        ends = {writer, back_writer}
        self._ends |= ends
        self.connections += 1
        self.connected.set()
        try:
            async with asyncio.TaskGroup() as pumps:
                pumps.create_task(self._pump(reader, back_writer, is_up=True))
                pumps.create_task(self._pump(back_reader, writer, is_up=False))
        finally:
            self._ends -= ends

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, is_up: bool) -> None:
        with suppress(OSError):
            while chunk := await reader.read(64 * 1024):
                passes = self.passes_up if is_up else self.passes_down
                writer.write(chunk[:passes])
                await writer.drain()
                if passes is not None and len(chunk) > passes:
                    self.passes_up = self.passes_down = None
                    self.broke.set()
                    self.cut_gently()
                    return
                if passes is not None:
                    self._count(len(chunk), is_up=is_up)
        writer.close()

    def cut_gently(self) -> None:
        """What is on its way still arrives."""
        for end in tuple(self._ends):
            end.close()

    def _count(self, passed: int, *, is_up: bool) -> None:
        if is_up and self.passes_up is not None:
            self.passes_up -= passed
        elif not is_up and self.passes_down is not None:
            self.passes_down -= passed


@asynccontextmanager
async def wired(house: House) -> AsyncIterator[Wire]:
    """The house's door, opened behind a wire."""
    house.door_endpoint = house.runtime / "behind.sock"
    async with house.open(), Wire(house.endpoint, house.door_endpoint).open() as wire:
        yield wire
