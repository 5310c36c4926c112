"""What IdeA itself wrote, and over what: so that its own writes are told from everybody else's."""

import threading
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

MAX_CHAIN: Final = 16
"""Own writes of one file in a row that nobody asked about; earlier ones are forgotten."""


@dataclass(frozen=True, slots=True)
class OwnWrite:
    """SHA-256 (hex) of our content, and of each that stood there before (None: no file).

    `befores` is an unbroken chain: each of its contents was replaced by the next, and the last by ours, by us.
    """

    befores: tuple[str | None, ...]
    after: str


class WriteJournal:
    """Between a store that writes and the trust that judges it; holds the writes of each file until taken."""

    def __init__(self) -> None:
        self._writes: dict[Path, OwnWrite] = {}
        self._lock = threading.Lock()
        """A file has one chain, and it ends with the last write that was noted."""

    def note(self, path: Path, *, before: bytes | None, after: bytes) -> None:
        was = None if before is None else sha256(before).hexdigest()
        with self._lock:
            earlier = self._writes.get(path)
            # Had somebody else written in between, the chain would begin anew.
            chain = earlier.befores if earlier is not None and earlier.after == was else ()
            self._writes[path] = OwnWrite((*chain, was)[-MAX_CHAIN:], sha256(after).hexdigest())

    def take(self, path: Path) -> OwnWrite | None:
        with self._lock:
            return self._writes.pop(path, None)
