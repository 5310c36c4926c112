"""Files that have no name, so that nobody finds them and nothing of them outlives the keeper."""

import itertools
import os
from pathlib import Path
from weakref import finalize

BLOB_MEMORY_BYTES = 32 * 1024
"""A file for less would cost more than it saves."""
_numbers = itertools.count()


def open_unlinked(folder: Path) -> int:
    """A descriptor, close-on-exec, of an empty file on the disk of `folder`. Raises OSError."""
    flags = os.O_RDWR | os.O_CLOEXEC
    if hasattr(os, "O_TMPFILE"):
        try:
            return os.open(folder, flags | os.O_TMPFILE, 0o600)
        except OSError:
            # Not every file system has it. What else may be wrong shows below.
            pass
    path = folder / f".keeper-{os.getpid()}-{next(_numbers)}"
    fd = os.open(path, flags | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    os.unlink(path)
    return fd


def write_all(fd: int, data: memoryview, at: int) -> None:
    """Raises OSError; part may be written then."""
    while data:
        written = os.pwrite(fd, data, at)
        data = data[written:]
        at += written


class Ring:
    """A file in which byte n of a stream lies at n modulo `capacity`, so that it never grows beyond that.

    The owner writes no more than `capacity` bytes ahead of those it still wants.
    """

    def __init__(self, folder: Path, *, capacity: int) -> None:
        """Raises OSError."""
        self._fd = open_unlinked(folder)
        self._capacity = capacity
        self._is_empty = True

    def write(self, offset: int, data: bytes | bytearray) -> None:
        """Raises OSError when the disk is full; then none of `data` counts as written."""
        with memoryview(data) as whole:
            at = offset % self._capacity
            first = whole[: self._capacity - at]
            self._is_empty = False
            write_all(self._fd, first, at)
            write_all(self._fd, whole[len(first) :], 0)

    def read(self, offset: int, length: int) -> bytes:
        """At most `length` bytes that were written, at least one. Raises OSError."""
        at = offset % self._capacity
        data = os.pread(self._fd, min(length, self._capacity - at), at)
        if not data:
            raise OSError(f"byte {offset} is not in the file")
        return data

    def clear(self) -> None:
        """Give the disk back."""
        if not self._is_empty:
            os.ftruncate(self._fd, 0)
            self._is_empty = True

    def close(self) -> None:
        os.close(self._fd)


class Blob:
    """Bytes that do not change, in a file if they are many; goes with its last reference."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._memory = bytearray()
        self._fd: int | None = None
        self.size = 0

    def append(self, data: bytes) -> None:
        """Raises OSError when the disk is full; the blob is of no use then."""
        if self._fd is None and self.size + len(data) > BLOB_MEMORY_BYTES:
            self._fd = open_unlinked(self._folder)
            finalize(self, os.close, self._fd)
            write_all(self._fd, memoryview(bytes(self._memory)), 0)
            self._memory.clear()
        if self._fd is None:
            self._memory += data
        else:
            write_all(self._fd, memoryview(data), self.size)
        self.size += len(data)

    def read(self, start: int, length: int) -> bytes:
        """Raises OSError."""
        if self._fd is None:
            return bytes(self._memory[start : start + length])
        return os.pread(self._fd, length, start)
