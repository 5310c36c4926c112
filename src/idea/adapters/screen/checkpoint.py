"""A terminal's state as bytes that outlive its emulator: a painting that every emulator shows, and one's exact state.

The form is our own and versioned; what is inside of it is not kept longer than the terminal itself.
"""

import json
import zlib
from dataclasses import dataclass
from typing import Self

from idea.domain.sessions import TerminalSize

FORM = b"idea-screen 1\n"
"""Another number for another form: what is unknown is not guessed at."""
_LEVEL = 1
"""Rows repeat so much that the fastest level makes a twentieth of them."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    size: TerminalSize
    status: str
    """The program's own, by OSC 7501: no painting carries it."""
    painting: bytes
    emulator: str = ""
    """Whose state `exact` is; nobody else reads it."""
    exact: bytes = b""
    """Empty where the emulator has no form of its own."""

    def pack(self) -> bytes:
        head = {
            "size": [self.size.cols, self.size.rows],
            "status": self.status,
            "painting": len(self.painting),
            "emulator": self.emulator,
        }
        return FORM + zlib.compress(b"\n".join((json.dumps(head).encode(), self.painting + self.exact)), _LEVEL)

    @classmethod
    def unpack(cls, packed: bytes) -> Self | None:
        """None if it has another form."""
        if not packed.startswith(FORM):
            return None
        try:
            line, _, states = zlib.decompress(packed[len(FORM) :]).partition(b"\n")
            head = json.loads(line)
            cols, rows = head["size"]
            size, status, emulator = TerminalSize(int(cols), int(rows)), str(head["status"]), str(head["emulator"])
            end = int(head["painting"])
        except (zlib.error, ValueError, KeyError, TypeError):
            return None
        return cls(size, status, states[:end], emulator, states[end:])
