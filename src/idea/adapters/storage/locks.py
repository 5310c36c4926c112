"""Who is the server, and who has a project open? By flock: a holder that dies lets go, whatever its pid becomes."""

import os
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypeGuard

from idea.adapters.storage.atomic import ensure_folder, ensure_private_tree
from idea.adapters.storage.flocks import RETRY_S, is_at, read_note, try_lock, unlock
from idea.adapters.storage.holders import end_process, name_process
from idea.domain.errors import Conflict, OpenElsewhere, Refused
from idea.keeper.tree import start_time

SERVER_LOCK: Final = "server.lock"
PROJECT_LOCK: Final = "project"
"""Beside the agents' locks, whose names are their ids."""

LOOKERS_S: Final = 0.5
"""Those who only look hold the lock for microseconds; a lock that stays taken for so long has a real holder."""
LATEST_MS: Final = 253_402_300_799_000
"""The end of the year 9999, where datetime ends."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a lock, as far as it has said so."""

    pid: int | None
    started_at: datetime | None
    """When that process took the lock."""
    control: Path | None = None
    """Only of the server: its control socket."""

    def __str__(self) -> str:
        pid = f"process {self.pid}" if self.pid is not None else "another process"
        return f"{pid}, since {self.started_at:%Y-%m-%d %H:%M} UTC" if self.started_at is not None else pid


class ServerRuns(Conflict):
    """The one server of these folders is another process: whoever wanted one may use that."""

    def __init__(self, holder: Holder) -> None:
        super().__init__(f"A server runs already ({holder}).")
        self.holder = holder


class ServerLock:
    """Held from a server's start to its exit; says where its control socket is."""

    def __init__(self, runtime: Path) -> None:
        """`runtime` is the user's runtime folder for IdeA; it is made private."""
        self._path = runtime / SERVER_LOCK
        self._descriptor: int | None = None

    def acquire(self, *, control: Path) -> None:
        """Raises `ServerRuns`, naming the holder."""
        if self._descriptor is not None:
            return
        ensure_private_tree(self._path.parent)
        descriptor = _lock_patiently(self._path, {**_note(), "control": os.fspath(control)})
        if descriptor is None:
            raise ServerRuns(_as_holder(read_note(self._path) or {}))
        self._descriptor = descriptor

    def is_there(self) -> bool:
        """It is held, and whoever comes finds it: its file was not removed."""
        return self._descriptor is not None and is_at(self._descriptor, self._path)

    def release(self) -> None:
        """Idempotent."""
        if self._descriptor is not None:
            unlock(self._descriptor)
            self._descriptor = None


class ProjectLock:
    """Held while a server has the project open: also one with other folders (the demo's) leaves its state alone."""

    def __init__(self, state: Path) -> None:
        """`state` is the project's private folder; it exists."""
        self._path = state / "locks" / PROJECT_LOCK
        self._descriptor: int | None = None
        self._releasing = threading.Lock()
        """`release` may be called from two threads at once, and a number that was closed may live again."""
        self._is_given_up = False

    def acquire(self, *, take_over: str | None = None) -> None:
        """`take_over` is the holder that a person agreed to end, as `OpenElsewhere` named it.

        Raises:
            OpenElsewhere: another server has the project open.
            Conflict: it is another one by now than the person agreed to, or it does not end.
        """
        ensure_folder(self._path.parent, mode=0o700)
        self._descriptor = _lock_patiently(self._path, _note())
        if self._descriptor is None and take_over is not None:
            self._end_holder(take_over)
            self._descriptor = _lock_patiently(self._path, _note())
        if self._descriptor is None:
            note = read_note(self._path) or {}
            raise _open_elsewhere(note, holder=name_process(note))
        if self._is_given_up:
            # Nobody waits for it any more.
            self.release()

    def _end_holder(self, agreed: str) -> None:
        note = read_note(self._path)
        if note is None:
            return
        if name_process(note) != agreed:
            raise Conflict("Another server has the project by now. Look again.", why="holderChanged")
        pid = note["pid"]
        assert isinstance(pid, int), "it has a name"
        if not end_process(pid, str(note["started"])):
            raise Conflict(f"Process {pid} does not end.", why="holderStays", pid=pid)

    def release(self) -> None:
        """Idempotent; also while `acquire` goes on in a thread."""
        self._is_given_up = True
        with self._releasing:
            if self._descriptor is not None:
                unlock(self._descriptor)
                self._descriptor = None


def check_not_open(state: Path) -> None:
    """Raises `Conflict` when a server has the project of this folder open; what is no lock of ours says nothing."""
    folder = state / "locks"
    if folder.is_symlink():
        return
    try:
        note = read_note(folder / PROJECT_LOCK)
    except Refused:
        return
    if note is not None:
        # Whoever has it is of another user, or has folders of its own: nothing of it would go on here.
        raise _open_elsewhere(note, holder=None)


def _open_elsewhere(note: Mapping[str, object], *, holder: str | None) -> OpenElsewhere:
    known = _as_holder(note)
    since_ms = None if known.started_at is None else int(known.started_at.timestamp() * 1000)
    return OpenElsewhere(str(known), pid=known.pid, since_ms=since_ms, holder=holder)


def end_holders(runtime: Path, states: Iterable[Path]) -> Sequence[int]:
    """End the servers that hold the runtime folder or one of the projects, as a person asked; their pids. Blocking.

    Before a port or a lock is needed that they have: one that hangs lets go of neither.

    Raises:
        Conflict, Refused: one does not end, or is another user's.
    """
    ended: list[int] = []
    for path in (runtime / SERVER_LOCK, *(state / "locks" / PROJECT_LOCK for state in states)):
        note = None if path.parent.is_symlink() else read_note(path)
        if note is None or name_process(note) is None:
            continue
        pid = note["pid"]
        assert isinstance(pid, int), "it has a name"
        if not end_process(pid, str(note["started"])):
            raise Conflict(f"Process {pid} does not end.", why="holderStays", pid=pid)
        ended.append(pid)
    return ended


def find_holder(runtime: Path) -> Holder | None:
    """The server that runs with this runtime folder; None if none does. Creates nothing."""
    note = read_note(runtime / SERVER_LOCK)
    return None if note is None else _as_holder(note)


def _lock_patiently(path: Path, note: Mapping[str, object]) -> int | None:
    deadline = time.monotonic() + LOOKERS_S
    while True:
        descriptor = try_lock(path, note)
        # A note that can be read names a holder; without one it may be somebody who only looks.
        if descriptor is not None or read_note(path) or time.monotonic() > deadline:
            return descriptor
        time.sleep(RETRY_S)


def _note() -> Mapping[str, object]:
    pid = os.getpid()
    return {"pid": pid, "started": start_time(pid), "startedAtMs": time.time_ns() // 1_000_000}


def _is_time(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and 0 <= value <= LATEST_MS


def _as_holder(note: Mapping[str, object]) -> Holder:
    pid, started, control = note.get("pid"), note.get("startedAtMs"), note.get("control")
    return Holder(
        pid=pid if isinstance(pid, int) else None,
        started_at=datetime.fromtimestamp(started / 1000, UTC) if _is_time(started) else None,
        control=Path(control) if isinstance(control, str) else None,
    )
