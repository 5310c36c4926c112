"""The first words with a keeper behind a socket."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from idea.domain.errors import Conflict, Lost
from idea.keeper.frames import BrokenFrame, Decoder, Unfit, encode
from idea.keeper.launching import LAUNCH_S
from idea.keeper.protocol import EVENTS, Command, Event, Hello

GREET_S = 5.0
"""A keeper greets at once, unless its machine is in trouble."""
ATTACH_S = LAUNCH_S + GREET_S
"""A keeper first brings to an end what it was starting when the server before us went."""
AGAIN_S = 0.05
READ_BYTES = 256 * 1024


@dataclass(slots=True)
class Conversation:
    """One connection to a keeper, which has greeted."""

    hello: Hello
    events: AsyncIterator[Event]
    """What follows; ends with the connection."""
    writer: asyncio.StreamWriter

    @classmethod
    async def begin(cls, path: Path) -> Self | None:
        """None when nobody listens there. Raises `Lost` when what listens does not greet as a keeper does."""
        try:
            async with asyncio.timeout(GREET_S):
                while True:
                    reader, writer = await asyncio.open_unix_connection(path, limit=2 * READ_BYTES)
                    try:
                        events = _events(reader)
                        hello = await anext(events, None)
                        if isinstance(hello, Hello):
                            return cls(hello, events, writer)
                    except BaseException:
                        writer.close()
                        raise
                    writer.close()
                    # It is about to end, or has too many visitors.
                    await asyncio.sleep(AGAIN_S)
        except (FileNotFoundError, ConnectionRefusedError):
            return None
        except (OSError, TimeoutError) as error:
            raise Lost("The keeper") from error

    def say(self, command: Command) -> None:
        """Raises `BrokenFrame` when it is too long."""
        for piece in encode(command):
            self.writer.write(piece)


def other_version(hello: Hello) -> Conflict:
    """What a keeper that takes no protocol of ours is to a person."""
    return Conflict(
        f"The project's keeper (IdeA {hello.version}, process {hello.pid}) does not work with this version. "
        "End its agents with `idea stop`, or use the version it belongs to.",
        why="keeperOfOtherVersion",
        version=hello.version,
        pid=hello.pid,
    )


async def _events(reader: asyncio.StreamReader) -> AsyncIterator[Event]:
    decoder: Decoder[Event] = Decoder(*EVENTS)
    try:
        while data := await reader.read(READ_BYTES):
            for event in decoder.feed(data):
                # What only a newer keeper says is not for us.
                if not isinstance(event, Unfit):
                    yield event
    except (OSError, BrokenFrame):
        return
