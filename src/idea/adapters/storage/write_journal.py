"""What IdeA itself wrote, and over what: so that its own writes are told from everybody else's."""

import threading
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path


@dataclass(frozen=True, slots=True)
class OwnWrite:
    """SHA-256 (hex) of the content that was replaced (None: there was no file) and of ours."""

    before: str | None
    after: str


class WriteJournal:
    """Between a store that writes and the trust that judges it; holds the last write of each file until taken."""

    def __init__(self) -> None:
        self._writes: dict[Path, OwnWrite] = {}
        self._lock = threading.Lock()
        """A file has one entry, whose `before` is what stood there before the first write that nobody took."""

    def note(self, path: Path, *, before: bytes | None, after: bytes) -> None:
        was = None if before is None else sha256(before).hexdigest()
        now = sha256(after).hexdigest()
        with self._lock:
            earlier = self._writes.get(path)
            # Two writes of ours in a row are one; had somebody written in between, the chain is broken.
            if earlier is not None and earlier.after == was:
                was = earlier.before
            self._writes[path] = OwnWrite(before=was, after=now)

    def take(self, path: Path) -> OwnWrite | None:
        with self._lock:
            return self._writes.pop(path, None)
