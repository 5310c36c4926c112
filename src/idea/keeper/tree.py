"""Which processes belong to an agent: its session, and whoever descends from it, even in a session of its own."""

import os
import signal
import sys
from contextlib import suppress
from typing import NamedTuple


class _Process(NamedTuple):
    parent: int
    session: int
    is_dead: bool
    started: bytes
    """In clock ticks since boot. A pid may be given to another process; pid and this may not."""


MARK = "IDEA_SPAWN_ID"
"""A variable with the spawn's own id as its value, if the client sets it, is inherited by whoever descends from it."""


class Tree:
    """The tree under `leader`, which leads a session of its own.

    A descendant that has left the session *and* lost its parent before anyone looked is found by the mark only:
    nothing else in the system says any more where it came from.
    """

    def __init__(self, leader: int, *, spawn_id: str, started: str | None = None) -> None:
        """With `started`, a process of that pid that began at another time is not the leader."""
        self._leader = leader
        self._mark = f"\0{MARK}={spawn_id}\0".encode() if spawn_id else b""
        self._leader_started = started.encode() if started is not None else None
        self._known: dict[int, bytes] = {}

    def look(self) -> tuple[int, ...]:
        """The pids that live now. The first look must come while the leader exists; a zombie will do."""
        if sys.platform != "linux":
            return self._look_at_group()
        found = _processes()
        self._known = {
            pid: started
            for pid, started in self._known.items()
            if pid in found and found[pid].started == started and not found[pid].is_dead
        }
        sessions = {found[pid].session for pid in self._known}
        leader = found.get(self._leader)
        if leader is not None and leader.started == (self._leader_started or leader.started):
            self._leader_started = leader.started
            sessions.add(self._leader)
            if not leader.is_dead:
                self._known[self._leader] = leader.started
                sessions.add(leader.session)
        # Even without a mark the leader's session counts, so a first round of relatives belongs to the seed.
        fresh = self._relatives(found, sessions)
        fresh += [pid for pid in found if pid not in self._known and not found[pid].is_dead and self._is_marked(pid)]
        while fresh:
            self._known.update({pid: found[pid].started for pid in fresh})
            sessions.update(found[pid].session for pid in fresh)
            fresh = self._relatives(found, sessions)
        return tuple(self._known)

    def signal(self, number: signal.Signals) -> None:
        """To every process that the last look found, except that pids are looked up anew before."""
        for pid in self.look():
            with suppress(ProcessLookupError, PermissionError):
                if sys.platform == "linux":
                    os.kill(pid, number)
                else:
                    os.killpg(pid, number)

    def _relatives(self, found: dict[int, _Process], sessions: set[int]) -> list[int]:
        return [
            pid
            for pid, process in found.items()
            if pid not in self._known
            and not process.is_dead
            and (process.session in sessions or process.parent in self._known)
        ]

    def _is_marked(self, pid: int) -> bool:
        if not self._mark:
            return False
        # Gone, or another user's: not ours.
        with suppress(OSError):
            return self._mark in b"\0" + _contents(f"/proc/{pid}/environ")
        return False

    def _look_at_group(self) -> tuple[int, ...]:
        try:
            os.killpg(self._leader, 0)
        except (ProcessLookupError, PermissionError):
            return ()
        return (self._leader,)


def start_time(pid: int) -> str | None:
    """As the system counts it; None where it does not say, or when there is no such process."""
    try:
        return _process(_contents(f"/proc/{pid}/stat")).started.decode()
    except (OSError, ValueError, IndexError):
        return None


def parent_of(pid: int) -> int | None:
    """None where the system does not say, or when there is no such process."""
    try:
        return _process(_contents(f"/proc/{pid}/stat")).parent
    except (OSError, ValueError, IndexError):
        return None


def is_running(pid: int) -> bool:
    """Whether there is such a process; one that has ended and is only waited for does not run."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    # Where the system keeps no such file, whoever adopts orphans waits for them at once.
    with suppress(OSError, ValueError, IndexError):
        return not _process(_contents(f"/proc/{pid}/stat")).is_dead
    return True


def children_of(parent: int) -> tuple[int, ...]:
    """Its living children, as far as the system says."""
    if sys.platform != "linux":
        return ()
    return tuple(pid for pid, process in _processes().items() if process.parent == parent and not process.is_dead)


def _processes() -> dict[int, _Process]:
    found = {}
    for name in os.listdir("/proc"):
        if name.isdecimal():
            # Processes come and go while the list is read.
            with suppress(OSError):
                found[int(name)] = _process(_contents(f"/proc/{name}/stat"))
    return found


def _process(stat: bytes) -> _Process:
    # The program's name stands in parentheses and may itself contain any byte, these included.
    fields = stat.rpartition(b")")[2].split(maxsplit=20)
    return _Process(int(fields[1]), int(fields[3]), fields[0] in (b"Z", b"X"), fields[19])


def _contents(path: str) -> bytes:
    """Without Python's file objects: a look reads hundreds of these, and they are half of its cost."""
    fd = os.open(path, os.O_RDONLY)
    try:
        parts = []
        while part := os.read(fd, 1 << 17):
            parts.append(part)
        return b"".join(parts)
    finally:
        os.close(fd)
