"""The keeper's socket spoken to by hand."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from idea.keeper.frames import Decoder, Unfit, encode
from idea.keeper.protocol import EVENTS, Attach, Attached, Command, Event, Hello
from tests.patience import PATIENCE_S


@dataclass(slots=True)
class Raw:
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    decoder: Decoder[Event]
    waiting: list[Event | Unfit]

    def say(self, *commands: Command) -> None:
        self.send(*(piece for command in commands for piece in encode(command)))

    def send(self, *pieces: bytes) -> None:
        self.writer.write(b"".join(pieces))

    async def hear(self) -> Event | Unfit | None:
        """The next event; None when the connection ends."""
        async with asyncio.timeout(PATIENCE_S):
            while not self.waiting:
                try:
                    data = await self.reader.read(65536)
                except ConnectionError:
                    return None
                if not data:
                    return None
                self.waiting.extend(self.decoder.feed(data))
        return self.waiting.pop(0)

    async def attach(self) -> int:
        """The epoch."""
        assert isinstance(await self.hear(), Hello)
        self.say(Attach())
        attached = await self.hear()
        assert isinstance(attached, Attached)
        return attached.epoch


@asynccontextmanager
async def connected(path: Path) -> AsyncIterator[Raw]:
    reader, writer = await asyncio.open_unix_connection(path)
    try:
        yield Raw(reader, writer, Decoder(*EVENTS), [])
    finally:
        writer.close()
