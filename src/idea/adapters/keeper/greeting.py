"""A connection to a keeper behind a socket, from its greeting on."""

import asyncio
import os
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from idea.domain.errors import Conflict, KeeperSilent
from idea.keeper.frames import BrokenFrame, Decoder, Unfit, encode
from idea.keeper.launching import LAUNCH_S
from idea.keeper.peer_uid import peer_pid
from idea.keeper.protocol import EVENTS, Command, Event, Hello

GREET_S: Final = 5.0
"""A keeper greets at once, unless its machine is in trouble."""
ATTACH_S: Final = LAUNCH_S + GREET_S
"""A keeper first brings to an end what it was starting when the server before us went."""
AGAIN_S: Final = 0.05
"""Nobody tells when one that turned us away has room, or has ended."""
CROWDED_S: Final = 5.0
"""One that is not even connected to is tried again so much later."""
READ_BYTES: Final = 256 * 1024
"""At once. Floods of many terminals come through here, and every step beside taking them apart would cost all."""


class Conversation(asyncio.BufferedProtocol):
    """One connection to a keeper, which has greeted. What comes waits for `next`, or goes to who listens."""

    hello: Hello

    def __init__(self) -> None:
        self._decoder: Decoder[Event] = Decoder(*EVENTS)
        self._buffer = memoryview(bytearray(READ_BYTES))
        self._transport: asyncio.Transport | None = None
        self._came: deque[Event] = deque()
        self._changed = asyncio.Event()
        self._on_event: Callable[[Event], None] = self._keep
        self._is_over = False
        self._failure: Exception | None = None
        """Of who listens."""

    @classmethod
    async def begin(cls, path: Path) -> Self | None:
        """None when nobody listens there. Raises `KeeperSilent` when what listens does not greet as a keeper does."""
        pid = None
        try:
            async with asyncio.timeout(GREET_S):
                while True:
                    conversation = await cls._connect(path)
                    pid = conversation._peer_pid()
                    try:
                        hello = await conversation.next()
                        if isinstance(hello, Hello):
                            conversation.hello = hello
                            return conversation
                    except BaseException:
                        conversation.close()
                        raise
                    conversation.close()
                    await asyncio.sleep(AGAIN_S)
        except (FileNotFoundError, ConnectionRefusedError):
            return None
        except (OSError, TimeoutError) as error:
            raise KeeperSilent(pid) from error

    @classmethod
    async def _connect(cls, path: Path) -> Self:
        _, conversation = await asyncio.get_running_loop().create_unix_connection(cls, os.fspath(path))
        return conversation

    def _peer_pid(self) -> int | None:
        assert self._transport is not None
        with suppress(OSError):
            return peer_pid(self._transport.get_extra_info("socket"))
        return None

    # --- what is said -------------------------------------------------------------------------------------

    def say(self, command: Command) -> None:
        """Raises `BrokenFrame` when it is too long. After the end, nobody hears it."""
        assert self._transport is not None
        self._transport.writelines(encode(command))

    @property
    def unsent_bytes(self) -> int:
        assert self._transport is not None
        return self._transport.get_write_buffer_size()

    def close(self) -> None:
        """Behind what was said. Idempotent."""
        assert self._transport is not None
        self._transport.close()

    def abort(self) -> None:
        assert self._transport is not None
        self._transport.abort()

    # --- what is heard ------------------------------------------------------------------------------------

    async def next(self) -> Event | None:
        """None at the end."""
        while not self._came and not self._is_over:
            self._changed.clear()
            await self._changed.wait()
        return self._came.popleft() if self._came else None

    async def listen(self, on_event: Callable[[Event], None]) -> None:
        """Hand on every event that comes, in the step in which it came, until the connection ends. Once only."""
        while self._came:
            on_event(self._came.popleft())
        self._on_event = on_event
        while not self._is_over:
            self._changed.clear()
            await self._changed.wait()
        if self._failure is not None:
            raise self._failure

    def _keep(self, event: Event) -> None:
        self._came.append(event)
        self._changed.set()

    # --- asyncio's side -----------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport), "a stream's"
        self._transport = transport

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        try:
            for event in self._decoder.feed(self._buffer[:nbytes]):
                # What only a newer keeper says is not for us.
                if not isinstance(event, Unfit):
                    self._on_event(event)
        except BrokenFrame:
            self.abort()
        except Exception as error:  # noqa: BLE001 - not contained: `listen` raises it, where asyncio would only log it
            self._failure = error
            self.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_over = True
        self._changed.set()


async def wait_answering(path: Path) -> None:
    """Until what listens there greets, or nobody does. A halted process is told of by nothing else than its answer."""
    while True:
        try:
            conversation = await Conversation._connect(path)
        except (FileNotFoundError, ConnectionRefusedError):
            return
        except OSError:
            # Too many wait for it already.
            await asyncio.sleep(CROWDED_S)
            continue
        try:
            await conversation.next()
            return
        finally:
            conversation.close()


def other_version(hello: Hello) -> Conflict:
    """What a keeper that takes no protocol of ours is to a person."""
    return Conflict(
        f"The project's keeper (IdeA {hello.version}, process {hello.pid}) does not work with this version. "
        "End its agents with `idea stop`, or use the version it belongs to.",
        why="keeperOfOtherVersion",
        version=hello.version,
        pid=hello.pid,
    )
