"""What a stream has written and nobody acknowledged: the newest in memory, the rest on disk, all within bounds."""

from pathlib import Path

from idea.keeper.unlinked import Ring

MEMORY_BYTES = 1024 * 1024
KEPT_BYTES = 64 * 1024 * 1024
"""Put by for a client that is away; then the program waits."""
CAPACITY_BYTES = KEPT_BYTES + 4 * 1024 * 1024
"""Above the bound comes the rest of one turn, and at the end what the kernel still held."""


class Retained:
    """Bytes from the acknowledged offset on."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._memory = bytearray()
        self._ring: Ring | None = None
        self.acknowledged = 0
        self.end = 0
        self.fault = ""
        """Why what should be on disk is in memory, in the system's words; it is tried again by `relieve`."""

    @property
    def is_disk_full(self) -> bool:
        return bool(self.fault)

    @property
    def is_full(self) -> bool:
        return self.is_disk_full or self.end - self.acknowledged >= KEPT_BYTES

    def append(self, data: bytes) -> None:
        self._memory += data
        self.end += len(data)
        self.relieve()

    def acknowledge(self, offset: int) -> None:
        """Beyond the end counts as the end; going back is ignored."""
        self.acknowledged = max(self.acknowledged, min(offset, self.end))
        in_memory = self._memory_start
        if self.acknowledged >= in_memory:
            del self._memory[: self.acknowledged - in_memory]
            if self._ring is not None:
                self._ring.clear()
        if self.is_disk_full:
            self.relieve()

    def relieve(self) -> None:
        """Put on disk what is too much for the memory, if there is room."""
        if len(self._memory) <= MEMORY_BYTES:
            self.fault = ""
            return
        try:
            if self._ring is None:
                self._ring = Ring(self._folder, capacity=CAPACITY_BYTES)
            self._ring.write(self._memory_start, self._memory)
        except OSError as error:
            # Full, or no descriptor left.
            self.fault = error.strerror or str(error)
        else:
            self.fault = ""
            self._memory = bytearray()

    def read(self, offset: int, length: int) -> bytes:
        """At most `length` bytes from `offset`, at least one. Raises OSError when the disk fails."""
        assert self.acknowledged <= offset < self.end
        in_memory = self._memory_start
        if offset >= in_memory:
            start = offset - in_memory
            return bytes(memoryview(self._memory)[start : start + length])
        assert self._ring is not None
        return self._ring.read(offset, min(length, in_memory - offset))

    def close(self) -> None:
        """Everything is forgotten. Idempotent."""
        self.acknowledged = self.end
        self._memory = bytearray()
        if self._ring is not None:
            self._ring.close()
            self._ring = None

    @property
    def _memory_start(self) -> int:
        return self.end - len(self._memory)
