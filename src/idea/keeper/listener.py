"""The keeper's socket: one keeper for one path, for this user only."""

import errno
import fcntl
import logging
import os
import socket
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from idea.keeper.loop import Loop, Timer
from idea.keeper.peer_uid import peer_uid

BACKLOG = 16
RETRY_S = 0.5
"""A keeper without descriptors asks again so much later; the connection waits in the kernel."""
LOCK_TRIES = 10
logger = logging.getLogger(__name__)


class AnotherKeeper(Exception):
    """One that lives has this socket."""


class UnusablePlace(Exception):
    """Nothing may or can be put there; says why."""


class Listener:
    """Owns the socket's file and the lock beside it, from `open` to `close`.

    Should the file vanish, with the whole folder when the user's last login ends, it comes back when the folder does,
    or in the folder that is used instead.
    """

    def __init__(
        self,
        path: Path,
        *,
        loop: Loop,
        guard_s: float,
        find_folder: Callable[[], Path | None],
        on_moved: Callable[[Path], None],
    ) -> None:
        """Looks every `guard_s` whether the file is still there; if not, `find_folder` says where it belongs."""
        self._find_folder = find_folder
        self._on_moved = on_moved
        self._path = path
        self._guard_s = guard_s
        self._guard: Timer | None = None
        self._loop = loop
        self._lock = -1
        self._socket: socket.socket | None = None
        self._identity: tuple[int, int] | None = None
        self._on_peer: Callable[[socket.socket], None] = lambda peer: None

    def open(self, on_peer: Callable[[socket.socket], None]) -> None:
        """Listen; `on_peer` gets each connection of this user and owns it.

        Raises:
            AnotherKeeper, UnusablePlace: and nothing was changed.
        """
        self._on_peer = on_peer
        try:
            _check_private(self._path.parent)
            self._lock = _lock(self._lock_path)
            self._bind()
        except OSError as error:
            self.close()
            raise UnusablePlace(f"{self._path}: {error.strerror or error}") from error
        except UnusablePlace:
            self.close()
            raise
        self._guard = self._loop.later(self._guard_s, self.look_after)

    @property
    def _lock_path(self) -> Path:
        return self._path.with_name(self._path.name + ".lock")

    def close(self) -> None:
        """Remove the file, unless it is another's by now. Idempotent."""
        if self._guard is not None:
            self._guard.cancel()
            self._guard = None
        if self._socket is not None:
            self._loop.on_readable(self._socket.fileno(), None)
            self._socket.close()
            self._socket = None
            with suppress(OSError):
                if _identity(self._path) == self._identity:
                    self._path.unlink()
        if self._lock >= 0:
            # Removed while it is held, so that who gets it afterwards sees that the name is gone.
            with suppress(OSError):
                if _identity(self._lock_path) == _identity_of(self._lock):
                    self._lock_path.unlink()
            os.close(self._lock)
            self._lock = -1

    def look_after(self) -> None:
        """Is the file still there? If not, listen anew."""
        if self._guard is not None:
            self._guard.cancel()
        try:
            is_there = self._socket is not None and _identity(self._path) == self._identity
        except OSError:
            is_there = False
        if is_there:
            self._guard = self._loop.later(self._guard_s, self.look_after)
            return
        self.close()
        folder = self._find_folder()
        if folder is not None and folder != self._path.parent:
            self._path = folder / self._path.name
            self._on_moved(self._path)
        try:
            self.open(self._on_peer)
            logger.info("the socket was gone and is there again")
        except (AnotherKeeper, UnusablePlace):
            # Agents and clients that are here go on; the next look may find a better place.
            self._guard = self._loop.later(self._guard_s, self.look_after)

    def _bind(self) -> None:
        with suppress(FileNotFoundError):
            if not stat.S_ISSOCK(self._path.lstat().st_mode):
                raise UnusablePlace(f"{self._path} is in the way and no socket")
            # The lock is ours, so its owner is dead.
            self._path.unlink()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        # The mask of the whole process; nothing else creates files while this runs.
        mask = os.umask(0o177)
        try:
            self._socket.bind(os.fspath(self._path))
        finally:
            os.umask(mask)
        self._identity = _identity(self._path)
        self._socket.listen(BACKLOG)
        self._socket.setblocking(False)
        self._loop.on_readable(self._socket.fileno(), self._accept)

    def _accept(self) -> None:
        if self._socket is None:
            return
        try:
            peer, _ = self._socket.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return
        except OSError:
            logger.exception("a connection could not be taken")
            self._rest(self._socket)
            return
        if _is_same_user(peer):
            self._on_peer(peer)
        else:
            peer.close()

    def _rest(self, listening: socket.socket) -> None:
        self._loop.on_readable(listening.fileno(), None)
        self._loop.later(RETRY_S, self._resume)

    def _resume(self) -> None:
        if self._socket is not None:
            self._loop.on_readable(self._socket.fileno(), self._accept)


def _check_private(folder: Path) -> None:
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
        raise UnusablePlace(f"{folder} is no folder that is private to you")


def _lock(path: Path) -> int:
    """Raises `AnotherKeeper`, OSError."""
    for _ in range(LOCK_TRIES):
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # A keeper that has just ended removed the file that we locked.
            if _identity_of(fd) == _identity(path):
                return fd
        except BlockingIOError:
            os.close(fd)
            raise AnotherKeeper(os.fspath(path)) from None
        except FileNotFoundError:
            pass
        except BaseException:
            os.close(fd)
            raise
        os.close(fd)
    raise OSError(errno.EAGAIN, "its lock keeps changing")


def _identity(path: Path) -> tuple[int, int]:
    found = path.lstat()
    return found.st_dev, found.st_ino


def _identity_of(fd: int) -> tuple[int, int]:
    found = os.fstat(fd)
    return found.st_dev, found.st_ino


def _is_same_user(peer: socket.socket) -> bool:
    try:
        return peer_uid(peer) == os.geteuid()
    except OSError:
        return False
