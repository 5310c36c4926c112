"""One connection to the keeper: frames in and out. Dismissed, it is closed, and nothing of it is taken any more."""

import logging
import socket
from collections import deque
from collections.abc import Callable

from idea.keeper.core import KeeperCore
from idea.keeper.frames import BrokenFrame, Decoder, Unfit, encode
from idea.keeper.loop import Loop
from idea.keeper.protocol import COMMANDS, Attach, Close, Command, Event, Failed, KeeperClosed, Look, Reason

ATTACH_S = 5.0
"""Who has said nothing that it may say by then is closed: connections are few."""
CONGESTED_BYTES = 256 * 1024
"""Output that waits behind so much stays where it is, so that an echo has little before it."""
WAITING_BYTES = 8 * 1024 * 1024
"""Only answers and facts come this far; a peer that does not read even those is closed."""
TAKEN_BYTES = 256 * 1024
"""Of commands in one turn of the loop."""
PIECES_PER_SEND = 32

logger = logging.getLogger(__name__)


class Peer:
    """A `Client` at the other end of a socket, which it owns."""

    def __init__(
        self, connection: socket.socket, *, loop: Loop, core: KeeperCore, on_gone: Callable[["Peer"], None]
    ) -> None:
        connection.setblocking(False)
        self._connection = connection
        self._loop = loop
        self._core = core
        self._on_gone = on_gone
        self._decoder: Decoder[Command] = Decoder(*COMMANDS)
        self._waiting: deque[memoryview] = deque()
        self._waiting_bytes = 0
        self._for_room: deque[Callable[[], None]] = deque()
        self._is_room_due = False
        self.is_attached = False
        """Or was, until it was dismissed."""
        self._is_open = True
        self.is_last = False
        """It has been told that the keeper ends, and goes when it has heard that."""
        self._too_late = loop.later(ATTACH_S, self.dismiss)
        loop.on_readable(connection.fileno(), self._on_readable)
        self.tell(core.hello())

    @property
    def is_congested(self) -> bool:
        return self._waiting_bytes >= CONGESTED_BYTES

    def tell(self, event: Event) -> None:
        if not self._is_open or self.is_last:
            return
        pieces = [memoryview(piece) for piece in encode(event) if piece]
        self._waiting.extend(pieces)
        self._waiting_bytes += sum(map(len, pieces))
        self.is_last = isinstance(event, KeeperClosed)
        if self._waiting_bytes > WAITING_BYTES:
            logger.warning("a client reads nothing and is closed")
            self.dismiss()
        else:
            self._flush()

    def when_free(self, call: Callable[[], None]) -> None:
        self._for_room.append(call)

    def dismiss(self) -> None:
        if not self._is_open:
            return
        self._is_open = False
        self._too_late.cancel()
        self._loop.on_readable(self._connection.fileno(), None)
        self._loop.on_writable(self._connection.fileno(), None)
        self._connection.close()
        self._waiting.clear()
        self._for_room.clear()
        # Later: this may be in the midst of what the core is doing with its readers.
        self._loop.later(0, self._gone)

    def _gone(self) -> None:
        self._core.detach(self)
        self._on_gone(self)

    def _on_readable(self) -> None:
        try:
            data = self._connection.recv(TAKEN_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.dismiss()
            return
        try:
            for command in self._decoder.feed(data):
                if not self._is_open:
                    return
                self._take(command)
        except BrokenFrame as error:
            logger.warning("a client sent what is no frame: %s", error)
            self.dismiss()

    def _take(self, command: Command | Unfit) -> None:
        if isinstance(command, Unfit):
            self.tell(Failed(command.request, Reason.UNSUPPORTED, detail=command.type))
        elif self.is_attached or isinstance(command, Look):
            self._core.take(command, self)
        elif isinstance(command, Attach | Close):
            self._too_late.cancel()
            self.is_attached = isinstance(command, Attach)
            self._core.take(command, self)
        else:
            logger.warning("a client that is not attached sent %s", type(command).__name__)
            self.dismiss()

    def _flush(self) -> None:
        fd = self._connection.fileno()
        while self._waiting:
            pieces = [self._waiting[number] for number in range(min(PIECES_PER_SEND, len(self._waiting)))]
            try:
                sent = self._connection.sendmsg(pieces)
            except BlockingIOError:
                self._loop.on_writable(fd, self._flush)
                break
            except OSError:
                self.dismiss()
                return
            self._sent(sent)
        else:
            self._loop.on_writable(fd, None)
            if self.is_last:
                self.dismiss()
        self._offer_room()

    def _sent(self, size: int) -> None:
        self._waiting_bytes -= size
        while size:
            first = self._waiting[0]
            if size < len(first):
                self._waiting[0] = first[size:]
                return
            size -= len(first)
            self._waiting.popleft()

    def _offer_room(self) -> None:
        # Later: this may be in the midst of what one of them is saying.
        if self._for_room and not self.is_congested and not self._is_room_due:
            self._is_room_due = True
            self._loop.later(0, self._give_room)

    def _give_room(self) -> None:
        """In turn, so that one stream's replay does not keep the others waiting."""
        self._is_room_due = False
        for _ in range(len(self._for_room)):
            if self.is_congested or not self._for_room:
                return
            self._for_room.popleft()()
