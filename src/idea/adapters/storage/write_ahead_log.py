"""Is that a log which SQLite will read? One that it does not know it takes for empty, without a word.

The header is 32 bytes, big-endian: a magic number, the format's version, the page size, the number of checkpoints, two
salts, and two checksums over all that, whose byte order the magic number says.
"""

import struct
from pathlib import Path
from typing import Final

HEADER_BYTES: Final = 32
_FORMAT: Final = 3_007_000
_ORDER_BY_MAGIC: Final = {0x377F0682: "<", 0x377F0683: ">"}
_BEFORE_SUMS: Final = 24


def holds_unread_pages(log: Path) -> bool:
    """There are pages in it, and its header is not one that SQLite would read them by. Raises `OSError`."""
    if log.stat().st_size <= HEADER_BYTES:
        return False
    with log.open("rb") as file:
        header = file.read(HEADER_BYTES)
    magic, version = struct.unpack(">2I", header[:8])
    order = _ORDER_BY_MAGIC.get(magic)
    return order is None or version != _FORMAT or _sums(header[:_BEFORE_SUMS], order) != header[_BEFORE_SUMS:]


def _sums(content: bytes, order: str) -> bytes:
    words = struct.unpack(f"{order}{len(content) // 4}I", content)
    first = second = 0
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    return struct.pack(">2I", first, second)
