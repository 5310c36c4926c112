"""What a process writes: read in small fair steps, kept until acknowledged, handed to readers."""

import os
from collections import deque
from collections.abc import Callable, Iterator

from idea.keeper.loop import Loop
from idea.keeper.protocol import Event, Output, StreamEnded

HIGH_BYTES = 1024 * 1024
"""So much unacknowledged output stops the reading; the process then waits in its write."""
LOW_BYTES = HIGH_BYTES // 2
"""Reading goes on at half, so that a slow reader costs few stops instead of one per acknowledgement."""
READS_PER_TURN = 16
BYTES_PER_TURN = 64 * 1024
"""Bounds of one turn in the loop: beside a flood, the next agent waits for one such turn only."""
LAST_BYTES = 2 * HIGH_BYTES
"""The most taken at the end of a drain: more than any pipe or terminal holds in the kernel."""


class Retained:
    """Bytes from the acknowledged offset on."""

    def __init__(self) -> None:
        self._chunks: deque[tuple[int, bytes]] = deque()
        self.acknowledged = 0
        self.end = 0

    @property
    def unacknowledged(self) -> int:
        return self.end - self.acknowledged

    def append(self, data: bytes) -> int:
        """Its offset."""
        offset = self.end
        self._chunks.append((offset, data))
        self.end += len(data)
        return offset

    def acknowledge(self, offset: int) -> None:
        """Beyond the end counts as the end; going back is ignored."""
        self.acknowledged = max(self.acknowledged, min(offset, self.end))
        while self._chunks and self._chunks[0][0] + len(self._chunks[0][1]) <= self.acknowledged:
            self._chunks.popleft()

    def since(self, offset: int) -> Iterator[tuple[int, bytes]]:
        """What is retained from `offset` on; begins later if `offset` was acknowledged."""
        start = max(offset, self.acknowledged)
        for at, data in self._chunks:
            if at + len(data) > start:
                skip = max(0, start - at)
                yield at + skip, data[skip:]


class OutputPipe:
    """One stream of one process. Owns its descriptor."""

    def __init__(self, fd: int, *, loop: Loop, emit: Callable[[Event], None], on_end: Callable[[], None]) -> None:
        os.set_blocking(fd, False)
        self._fd = fd
        self._loop = loop
        self._emit = emit
        self._on_end = on_end
        self._retained = Retained()
        self._readers: dict[int, int] = {}
        self._is_paused = False
        self._loop.on_readable(fd, self._on_readable)

    @property
    def has_ended(self) -> bool:
        return self._fd < 0

    def read(self, reader: int, offset: int) -> None:
        for at, data in self._retained.since(offset):
            self._emit(Output(reader, at, data))
        if self.has_ended:
            self._emit(StreamEnded(reader))
        else:
            # A reader may ask for bytes that are yet to come.
            self._readers[reader] = max(offset, self._retained.end)

    def unread(self, reader: int) -> None:
        self._readers.pop(reader, None)

    def acknowledge(self, offset: int) -> None:
        self._retained.acknowledge(offset)
        if self._is_paused and self._retained.unacknowledged <= LOW_BYTES:
            self._is_paused = False
            if not self.has_ended:
                self._loop.on_readable(self._fd, self._on_readable)

    def finish(self) -> None:
        """Take what the kernel still holds and end, whoever else may hold the other side open."""
        left = LAST_BYTES
        while left > 0 and not self.has_ended:
            taken = self._turn()
            if not taken:
                break
            left -= taken
        self._end()

    def _on_readable(self) -> None:
        self._turn()

    def _turn(self) -> int:
        """Bytes taken in one turn; 0 when there is nothing now, or nothing any more."""
        parts: list[bytes] = []
        size = 0
        has_more = True
        for _ in range(READS_PER_TURN):
            try:
                part = os.read(self._fd, BYTES_PER_TURN - size)
            except BlockingIOError:
                break
            except OSError:
                # EIO is a terminal's end of file.
                part = b""
            if not part:
                has_more = False
                break
            parts.append(part)
            size += len(part)
            if size >= BYTES_PER_TURN:
                break
        if parts:
            self._take(b"".join(parts))
        if not has_more:
            self._end()
        return size

    def _take(self, data: bytes) -> None:
        offset = self._retained.append(data)
        for reader, start in self._readers.items():
            if start < offset + len(data):
                skip = max(0, start - offset)
                self._emit(Output(reader, offset + skip, data[skip:]))
        if self._retained.unacknowledged >= HIGH_BYTES and not self._is_paused:
            self._is_paused = True
            self._loop.on_readable(self._fd, None)

    def _end(self) -> None:
        if self.has_ended:
            return
        self._loop.on_readable(self._fd, None)
        fd, self._fd = self._fd, -1
        os.close(fd)
        for reader in self._readers:
            self._emit(StreamEnded(reader))
        self._readers.clear()
        self._on_end()
