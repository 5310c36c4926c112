"""Fresh ids, without the `uuid` module, whose import costs as much as all else the demo agent starts with."""

import os
import time


def uuid7() -> str:
    """A new UUIDv7 in its usual form: 48 bits of Unix milliseconds, the rest random."""
    value = (time.time_ns() // 1_000_000) << 80 | int.from_bytes(os.urandom(10))
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0b11 << 62) | 0b10 << 62
    text = f"{value:032x}"
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))
