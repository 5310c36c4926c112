"""What says, in a project's private folder, who has it open and where that server can be reached."""

import threading
from pathlib import Path
from typing import Final

from idea.adapters.storage.atomic import write_path
from idea.adapters.storage.locks import ProjectLock
from idea.adapters.storage.project_folder import create_layout, find_project_id
from idea.application.ports import ProjectPaths
from idea.bootstrap.places import keep_runtime

CONTROL_FILE: Final = "control"


class ProjectPlace:
    """Blocking, but for the few bytes of the control file."""

    def __init__(self, paths: ProjectPaths, *, control: Path) -> None:
        """`control` is the server's control socket."""
        self._paths = paths
        self._control = control
        self._lock = ProjectLock(paths.state)
        self._changing = threading.Lock()
        self._is_given_up = False

    def lock(self, *, take_over: str | None) -> None:
        """As `ProjectLock.acquire`."""
        self._lock.acquire(take_over=take_over)

    def unlock(self) -> None:
        """Idempotent; also while `lock` or `make_again` goes on in a thread."""
        with self._changing:
            self._is_given_up = True
            self._lock.release()

    def write_control(self) -> None:
        """Whoever looks in the project finds the server that has it open, also one beside the user's own."""
        write_path(self._paths.state / CONTROL_FILE, self._control)

    def remove_control(self) -> None:
        """Idempotent."""
        (self._paths.state / CONTROL_FILE).unlink(missing_ok=True)

    def is_there(self) -> bool:
        return find_project_id(self._paths.root) == self._paths.id

    def make_again(self) -> None:
        """A person, or `git clean`, removed it: the next server must find this project, and no other take it now."""
        create_layout(self._paths.root, self._paths.id)
        keep_runtime(self._paths.state, self._paths.endpoint.parent)
        lock = ProjectLock(self._paths.state)
        lock.acquire()
        with self._changing:
            if self._is_given_up:
                lock.release()
                return
            self._lock.release()
            self._lock = lock
            self.write_control()
