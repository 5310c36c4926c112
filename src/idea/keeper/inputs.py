"""What a process is given to read: never blocks the loop, keeps the order, has a bound."""

import os
from collections import deque

from idea.keeper.client import Client
from idea.keeper.loop import Loop
from idea.keeper.protocol import Done, Event, Failed, Reason, Write

PENDING_BYTES = 1024 * 1024
"""A process that does not read gets no more than this put by; then its writers are refused."""
IDS_KEPT = 256
"""A client repeats what it does not know to be written, which is little."""


class _Pending:
    """A write on its way, and who wants to know of its end: more than one if it was repeated."""

    __slots__ = ("_askers", "data", "write_id")

    def __init__(self, write: Write) -> None:
        self.write_id = write.write_id
        self.data = memoryview(write.data)
        self._askers: list[tuple[Client, int]] = []

    def ask(self, client: Client, request: int) -> None:
        self._askers.append((client, request))

    def answer(self, reason: Reason | None) -> None:
        for client, request in self._askers:
            event: Event = Done(request) if reason is None else Failed(request, reason)
            client.tell(event)


class InputPipe:
    """The keeper's end of a process's input. Owns its descriptor."""

    def __init__(self, fd: int, *, loop: Loop) -> None:
        os.set_blocking(fd, False)
        self._fd = fd
        self._loop = loop
        self._pending: deque[_Pending] = deque()
        self._pending_bytes = 0
        self._accepted: dict[str, None] = {}
        """The last ids, oldest first."""
        self._is_closing = False

    def write(self, write: Write, client: Client) -> bool:
        """Whether it was accepted now; answered when the process's side holds all of it."""
        if write.write_id in self._accepted:
            self._repeat(write, client)
            return False
        if self._fd < 0 or self._is_closing:
            client.tell(Failed(write.request, Reason.LOST))
            return False
        if self._pending and self._pending_bytes + len(write.data) > PENDING_BYTES:
            client.tell(Failed(write.request, Reason.FULL))
            return False
        pending = _Pending(write)
        pending.ask(client, write.request)
        self._pending.append(pending)
        self._pending_bytes += len(write.data)
        if write.write_id:
            self._accepted[write.write_id] = None
            if len(self._accepted) > IDS_KEPT:
                del self._accepted[next(iter(self._accepted))]
        self._flush()
        return True

    def close_when_written(self) -> None:
        """End of file behind what is waiting."""
        self._is_closing = True
        self._flush()

    def close(self) -> None:
        """At once; what was waiting is lost, and its writers are told."""
        if self._fd < 0:
            return
        self._loop.on_writable(self._fd, None)
        fd, self._fd = self._fd, -1
        os.close(fd)
        for pending in self._pending:
            self._accepted.pop(pending.write_id, None)
            pending.answer(Reason.LOST)
        self._pending.clear()
        self._pending_bytes = 0

    def _repeat(self, write: Write, client: Client) -> None:
        for pending in self._pending:
            if pending.write_id == write.write_id:
                pending.ask(client, write.request)
                return
        client.tell(Done(write.request))

    def _flush(self) -> None:
        while self._pending and self._fd >= 0:
            first = self._pending[0]
            try:
                written = os.write(self._fd, first.data) if first.data else 0
            except BlockingIOError:
                self._loop.on_writable(self._fd, self._flush)
                return
            except OSError:
                # EPIPE, or EIO from a terminal: nobody will read this.
                self.close()
                return
            self._pending_bytes -= written
            first.data = first.data[written:]
            if not first.data:
                self._pending.popleft()
                first.answer(None)
        if self._fd >= 0:
            self._loop.on_writable(self._fd, None)
            if self._is_closing:
                self.close()
