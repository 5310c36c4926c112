"""What a process is given to read: never blocks the loop, keeps the order, has a bound."""

import os
from collections import deque
from collections.abc import Callable

from idea.keeper.loop import Loop
from idea.keeper.protocol import Done, Event, Failed, Reason

PENDING_BYTES = 1024 * 1024
"""A process that does not read gets no more than this put by; then its writers are refused."""


class InputPipe:
    """The keeper's end of a process's input. Owns its descriptor."""

    def __init__(self, fd: int, *, loop: Loop, emit: Callable[[Event], None]) -> None:
        os.set_blocking(fd, False)
        self._fd = fd
        self._loop = loop
        self._emit = emit
        self._pending: deque[tuple[int, memoryview]] = deque()
        self._pending_bytes = 0
        self._is_closing = False

    def write(self, request: int, data: bytes) -> None:
        """Answered by `Done` when the process's side holds all of it."""
        if self._fd < 0 or self._is_closing:
            self._emit(Failed(request, Reason.LOST))
        elif self._pending and self._pending_bytes + len(data) > PENDING_BYTES:
            self._emit(Failed(request, Reason.FULL))
        else:
            self._pending.append((request, memoryview(data)))
            self._pending_bytes += len(data)
            self._flush()

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
        for request, _ in self._pending:
            self._emit(Failed(request, Reason.LOST))
        self._pending.clear()
        self._pending_bytes = 0

    def _flush(self) -> None:
        while self._pending and self._fd >= 0:
            request, data = self._pending[0]
            try:
                written = os.write(self._fd, data) if data else 0
            except BlockingIOError:
                self._loop.on_writable(self._fd, self._flush)
                return
            except OSError:
                # EPIPE, or EIO from a terminal: nobody will read this.
                self.close()
                return
            self._pending_bytes -= written
            if written < len(data):
                self._pending[0] = (request, data[written:])
            else:
                self._pending.popleft()
                self._emit(Done(request))
        if self._fd >= 0:
            self._loop.on_writable(self._fd, None)
            if self._is_closing:
                self.close()
