"""Ending the process that holds a lock, when a person agreed to that: this one, and none that got its pid later."""

import os
import select
import signal
from collections.abc import Mapping
from typing import Final

from idea.domain.errors import Refused
from idea.keeper.tree import is_running, start_time

LEAVE_S: Final = 10.0
"""A server stops its agents in some 5 s, or leaves them to their keeper at once."""
KILL_S: Final = 2.0


def name_process(note: Mapping[str, object]) -> str | None:
    """The holder's pid with the time of its start, as the system counts it.

    None where the note does not say so, or the process is not that one any more, or it is ourselves.
    """
    pid, started = note.get("pid"), note.get("started")
    if not isinstance(pid, int) or not isinstance(started, str) or pid == os.getpid():
        return None
    return f"{pid}:{started}" if start_time(pid) == started else None


def end_process(pid: int, started: str, *, leave_s: float = LEAVE_S) -> bool:
    """SIGTERM, then SIGKILL; False if it is still there. Raises `Refused` if it is another user's."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        # Compared once the handle is ours: from here on the pid cannot become another process's.
        if start_time(pid) != started:
            return True
        for number, wait_s in ((signal.SIGTERM, leave_s), (signal.SIGKILL, KILL_S)):
            signal.pidfd_send_signal(handle, number)
            if select.select([handle], [], [], wait_s)[0]:
                return True
    except ProcessLookupError:
        return True
    except PermissionError as error:
        raise Refused(f"Process {pid} belongs to another user.", why="holderStays", pid=pid) from error
    finally:
        os.close(handle)
    return not is_running(pid)
