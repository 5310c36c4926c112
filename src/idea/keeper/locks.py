"""The agents' locks, which the keeper holds, so that an agent is locked for as long as it lives.

A lock's note is one JSON object: `keeper`, `keeperStarted`, `socket`, `pid`, `started`, `spawnId`. Who gets a lock that
nobody holds first ends the process that the note names: it is a survivor of a keeper that was killed.
"""

import errno
import fcntl
import json
import os
import stat
import time
from collections.abc import Callable
from contextlib import suppress

from idea.keeper.client import Client
from idea.keeper.loop import Loop
from idea.keeper.protocol import Done, Failed, Lock, Reason
from idea.keeper.stopping import Stopping
from idea.keeper.tree import Tree, start_time

NOTE_BYTES = 4096
LOOKERS_S = 0.5
"""Those who only look hold a lock for microseconds; one that stays taken for so long has a real holder."""
RETRY_S = 0.01
SURVIVOR_GRACE_S = 1.0
"""It has lost its terminal or its pipes long ago."""


class Locks:
    """Belongs to the loop's thread. The files are never removed, so that all lock the same inode."""

    def __init__(self, *, loop: Loop, name: str) -> None:
        self._loop = loop
        self._name = name
        self._held: dict[str, int] = {}
        self._named: dict[str, tuple[int, str]] = {}
        """Which process of which spawn a lock is for."""
        self._ending: dict[str, Callable[[Client, int], None]] = {}
        """Held, but a survivor is still being ended: how to ask for the outcome."""

    def holds(self, path: str) -> bool:
        return path in self._held and path not in self._ending

    def take(self, command: Lock, client: Client) -> None:
        """Answered by `Done` when it is held and nobody survives who held it before."""
        if command.path in self._ending:
            self._ending[command.path](client, command.request)
        elif command.path in self._held:
            client.tell(Done(command.request))
        else:
            self._try(command, client, time.monotonic() + LOOKERS_S)

    def rename(self, name: str) -> None:
        """The keeper is reached in another way from now on."""
        self._name = name
        for path, (pid, spawn_id) in self._named.items():
            self.name(path, pid=pid, spawn_id=spawn_id)

    def release(self, path: str) -> None:
        """Idempotent."""
        self._named.pop(path, None)
        fd = self._held.pop(path, None)
        if fd is not None:
            with suppress(OSError):
                os.ftruncate(fd, 0)
            os.close(fd)

    def release_all(self) -> None:
        for path in tuple(self._held):
            self.release(path)

    def name(self, path: str, *, pid: int, spawn_id: str) -> None:
        """Say in the note which process it is for, if it is still held."""
        if (fd := self._held.get(path)) is not None:
            self._named[path] = (pid, spawn_id)
            self._write_note(fd, pid=pid, spawn_id=spawn_id)

    def _try(self, command: Lock, client: Client, deadline: float) -> None:
        if command.path in self._held:
            # Taken meanwhile by a repeat of this very command.
            self.take(command, client)
            return
        try:
            fd = _open(command.path)
        except OSError as error:
            detail = f"{command.path}: {error.strerror or error}"
            client.tell(Failed(command.request, Reason.LOCKED, error.errno or 0, detail))
            return
        if not _flock(fd):
            note = _read(fd)
            os.close(fd)
            if note or time.monotonic() >= deadline:
                client.tell(Failed(command.request, Reason.LOCKED, errno.EWOULDBLOCK, note))
            else:
                self._loop.later(RETRY_S, lambda: self._try(command, client, deadline))
            return
        self._held[command.path] = fd
        self._end_survivor(command, client, _parse(_read(fd)))

    def _end_survivor(self, command: Lock, client: Client, note: dict[str, object]) -> None:
        path, pid, started = command.path, note.get("pid"), note.get("started")
        spawn_id = note.get("spawnId")
        if not (isinstance(pid, int) and isinstance(started, str) and start_time(os.getpid()) is not None):
            self._write_note(self._held[path])
            client.tell(Done(command.request))
            return
        tree = Tree(pid, spawn_id=spawn_id if isinstance(spawn_id, str) else "", started=started)
        if not tree.look():
            self._write_note(self._held[path])
            client.tell(Done(command.request))
            return
        askers: list[tuple[Client, int]] = [(client, command.request)]
        self._ending[path] = lambda asker, request: askers.append((asker, request))
        stopping = Stopping(tree, loop=self._loop, grace_s=SURVIVOR_GRACE_S, has_terminal=True, on_end=lambda: None)
        stopping.tell(lambda survivors: self._ended(path, survivors, askers))
        # The leader is not our child: the looks alone tell whether it is gone.
        stopping.begin(has_exited=True)

    def _ended(self, path: str, survivors: tuple[int, ...], askers: list[tuple[Client, int]]) -> None:
        del self._ending[path]
        if survivors:
            # The note stays: whoever tries next must know of them as well.
            fd = self._held.pop(path, None)
            if fd is not None:
                os.close(fd)
        elif path in self._held:
            self._write_note(self._held[path])
        for client, request in askers:
            if survivors:
                pids = ", ".join(map(str, survivors))
                client.tell(Failed(request, Reason.LOCKED, detail=f"processes that cannot be ended: {pids}"))
            else:
                client.tell(Done(request))

    def _write_note(self, fd: int, *, pid: int | None = None, spawn_id: str | None = None) -> None:
        note = {
            "keeper": os.getpid(),
            "keeperStarted": start_time(os.getpid()),
            "socket": self._name,
            "pid": pid,
            "started": start_time(pid) if pid is not None else None,
            "spawnId": spawn_id,
        }
        # A full disk: the lock itself holds all the same.
        with suppress(OSError):
            # In place: a renamed file would be another inode, and two could hold "the" lock.
            os.ftruncate(fd, 0)
            os.pwrite(fd, json.dumps(note).encode(), 0)


def _open(path: str) -> int:
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    fd = os.open(path, flags, 0o600)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise OSError(errno.EINVAL, "it is no regular file")
    return fd


def _flock(fd: int) -> bool:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _read(fd: int) -> str:
    return os.pread(fd, NOTE_BYTES, 0).decode("utf-8", "replace")


def _parse(note: str) -> dict[str, object]:
    try:
        found = json.loads(note)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
