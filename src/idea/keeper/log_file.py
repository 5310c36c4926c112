"""The keeper's log: one small file and the one before it, for this user only."""

import logging
import os
from pathlib import Path

LOG_BYTES = 128 * 1024


class LogFile(logging.Handler):
    """Says what went wrong, never what agents were given or have said. It may fail; the keeper goes on."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self.setFormatter(logging.Formatter("%(asctime)s %(process)d %(levelname)s %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        try:
            self._write((self.format(record) + "\n").encode("utf-8", "backslashreplace"))
        except OSError:
            return

    def _write(self, line: bytes) -> None:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        fd = os.open(self._path, flags, 0o600)
        try:
            if os.fstat(fd).st_size > LOG_BYTES:
                os.replace(self._path, self._path.with_name(self._path.name + ".1"))
                os.close(fd)
                fd = os.open(self._path, flags, 0o600)
            os.write(fd, line)
        finally:
            os.close(fd)
