"""Cuts a byte stream into lines without ever holding more than one bounded line."""

from collections.abc import Iterator
from typing import Final

MAX_LINE_BYTES: Final = 16 * 1024 * 1024
"""A CLI's event with a large tool result has been seen at several MiB; beyond this it is a runaway."""


class LineSplitter:
    """Lines come out without their end; a line over the bound is dropped whole."""

    def __init__(self, max_line_bytes: int = MAX_LINE_BYTES) -> None:
        self._max = max_line_bytes
        self._parts: list[bytes] = []
        self._held = 0
        self._is_skipping = False
        self._unfinished_bytes = 0
        self.consumed = 0
        """Bytes of the lines that came out so far, with their ends."""

    def split(self, data: bytes) -> Iterator[bytes]:
        *complete, rest = data.split(b"\n")
        for piece in complete:
            self._hold(piece)
            self.consumed += self._unfinished_bytes + 1
            self._unfinished_bytes = 0
            yield from self._take()
        self._hold(rest)

    def rest(self) -> Iterator[bytes]:
        """The unfinished line at the end of the stream, if any."""
        self.consumed += self._unfinished_bytes
        self._unfinished_bytes = 0
        yield from self._take()

    def _hold(self, piece: bytes) -> None:
        self._unfinished_bytes += len(piece)
        if not piece or self._is_skipping:
            return
        self._held += len(piece)
        if self._held > self._max:
            self._is_skipping = True
            self._parts.clear()
        else:
            self._parts.append(piece)

    def _take(self) -> Iterator[bytes]:
        line = b"".join(self._parts).removesuffix(b"\r")
        self._parts.clear()
        self._held = 0
        self._is_skipping = False
        if line:
            yield line
