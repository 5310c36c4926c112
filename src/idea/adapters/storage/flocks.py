"""A file that is locked from within and says who holds it; it is never removed, so that all lock the same inode."""

import errno
import fcntl
import json
import os
import stat
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from idea.adapters.storage.atomic import PRIVATE, as_idea_error
from idea.adapters.storage.json_state import Object, parse_object
from idea.adapters.storage.unusable import UnusableFile, describe_kind
from idea.domain.errors import Refused

MAX_NOTE_BYTES: Final = 4096
RETRY_S: Final = 0.01
"""The system wakes whoever waits for a lock, but bounds no such wait."""


def try_lock(path: Path, note: Mapping[str, object]) -> int | None:
    """Take the lock and write `note` into it; the descriptor holds it. None: somebody else has it.

    Raises:
        Refused, Conflict: it cannot be opened, or the file system knows no locks.
    """
    descriptor = _open(path, os.O_RDWR | os.O_CREAT)
    try:
        if not _flock(descriptor, path, fcntl.LOCK_EX):
            os.close(descriptor)
            return None
        # In place: a renamed file would be another inode, and two could hold "the" lock.
        _write_note(descriptor, json.dumps(note).encode())
    except BaseException as error:
        os.close(descriptor)
        if isinstance(error, OSError):
            raise as_idea_error(error, path, "locked") from error
        raise
    return descriptor


def take_turn(descriptor: int, path: Path, *, within_s: float) -> bool:
    """Lock an open file for a moment, without a note. False: somebody else holds it all that time."""
    deadline = time.monotonic() + within_s
    while not _flock(descriptor, path, fcntl.LOCK_EX):
        if time.monotonic() > deadline:
            return False
        time.sleep(RETRY_S)
    return True


def _write_note(descriptor: int, note: bytes) -> None:
    os.ftruncate(descriptor, 0)
    # A full disk: the lock itself holds all the same.
    with suppress(OSError):
        os.pwrite(descriptor, note, 0)


def is_at(descriptor: int, path: Path) -> bool:
    """The locked file is the one at `path`: nobody has removed it, or put another in its place."""
    held = os.fstat(descriptor)
    try:
        found = os.stat(path, follow_symlinks=False)
    except OSError:
        return False
    return (held.st_dev, held.st_ino) == (found.st_dev, found.st_ino)


def unlock(descriptor: int) -> None:
    """Empty the note and let go."""
    os.ftruncate(descriptor, 0)
    os.close(descriptor)


def read_note(path: Path) -> Object | None:
    """What the present holder wrote; empty if it has not yet; None if nobody holds the lock."""
    try:
        descriptor = _open(path, os.O_RDONLY)
    except FileNotFoundError:
        return None
    try:
        # Shared: two who look at once do not take each other for a holder.
        if _flock(descriptor, path, fcntl.LOCK_SH):
            return None
        return parse_object(os.pread(descriptor, MAX_NOTE_BYTES, 0))
    except UnusableFile:
        return {}
    finally:
        os.close(descriptor)


def _open(path: Path, flags: int) -> int:
    try:
        descriptor = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, PRIVATE)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise as_idea_error(error, path, "opened") from error
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        raise Refused(
            f"{path} is {describe_kind(mode)} where a lock file is needed. Remove it first.",
            why="somethingInTheWay",
            path=str(path),
        )
    return descriptor


def _flock(descriptor: int, path: Path, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
            return False
        raise as_idea_error(error, path, "locked") from error
    return True
