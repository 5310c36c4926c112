"""The keeper that holds a project's agents, found by their locks: it lives, wherever its socket has gone."""

import os
import signal
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from idea.adapters.storage.flocks import read_note
from idea.adapters.storage.locks import PROJECT_LOCK
from idea.adapters.storage.project_folder import RUNTIME_RECORD
from idea.domain.errors import IdeaError
from idea.keeper.tree import start_time


@dataclass(frozen=True, slots=True)
class LockHolder:
    """As the notes of the locks that it holds name it."""

    pid: int
    socket: Path
    """Where it listens, or listened."""
    started: str | None
    """As the system counts it; None from a keeper that does not say."""
    agents: tuple[str, ...]
    """The ids of those that run."""
    pids: tuple[int, ...]
    """Theirs."""

    def call_back(self) -> bool:
        """Have it listen anew where the project's record says; False where it may be another process by now."""
        return self._signal(signal.SIGHUP)

    def end(self) -> bool:
        """Have it stop its agents and end; as `call_back`."""
        return self._signal(signal.SIGTERM)

    def _signal(self, number: signal.Signals) -> bool:
        if self.started is None:
            return False
        with suppress(OSError):
            process = os.pidfd_open(self.pid)
            try:
                # Compared once the handle is ours: from here on the pid cannot become another process's.
                if start_time(self.pid) == self.started:
                    signal.pidfd_send_signal(process, number)
                    return True
            finally:
                os.close(process)
        return False


def find_lock_holder(state: Path) -> LockHolder | None:
    """None when no keeper that is a process of its own holds an agent of this project. Blocking; creates nothing."""
    folder = state / "locks"
    found: list[tuple[str, dict[str, object]]] = []
    with suppress(OSError):
        for path in sorted(folder.iterdir()) if not folder.is_symlink() else ():
            if path.name in (PROJECT_LOCK, Path(RUNTIME_RECORD).name):
                continue
            with suppress(IdeaError):
                note = read_note(path)
                # The keeper in a server has no socket, and ends with it.
                if note and isinstance(note.get("keeper"), int) and note.get("socket"):
                    found.append((path.name, note))
    if not found:
        return None
    first = found[0][1]
    pid, started = first["keeper"], first.get("keeperStarted")
    assert isinstance(pid, int)
    named = [(agent, note["pid"]) for agent, note in found if note["keeper"] == pid]
    return LockHolder(
        pid,
        Path(str(first["socket"])),
        started if isinstance(started, str) else None,
        tuple(agent for agent, process in named if process is not None),
        tuple(process for _, process in named if isinstance(process, int)),
    )
