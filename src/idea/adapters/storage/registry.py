"""Which projects does this machine know, and which of them is the folder that is being opened?"""

import os
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from idea.adapters.storage.atomic import as_idea_error, ensure_private_tree, set_aside
from idea.adapters.storage.flocks import take_turn
from idea.adapters.storage.json_state import Object, read_state, set_aside_and_tell, write_state
from idea.adapters.storage.locks import check_not_open
from idea.adapters.storage.project_folder import (
    PROJECT_FILE,
    create_layout,
    find_project_id,
    read_project_id,
    resolve_project,
)
from idea.adapters.storage.unusable import UnusableFile
from idea.application.ports import ProjectPaths
from idea.domain.errors import Conflict
from idea.domain.file_trouble import FileTrouble
from idea.domain.ids import ProjectId

REGISTRY_FILE: Final = "projects.json"
TURN_S: Final = 5.0
"""Others have the list for milliseconds; one that is halted while it has it must not halt everybody."""


@dataclass(frozen=True, slots=True)
class KnownProject:
    """A project of this machine; `path` is the real path at its last opening."""

    id: ProjectId
    path: Path


class ProjectRegistry:
    """Joins project ids with real paths. Safe to use from several servers at once."""

    def __init__(self, state_home: Path, *, endpoint_of: Callable[[ProjectId], Path], turn_s: float = TURN_S) -> None:
        """`state_home` is the user's state folder for IdeA; `endpoint_of` names a project's MCP socket."""
        self._home = state_home
        self._file = state_home / REGISTRY_FILE
        self._endpoint_of = endpoint_of
        self._turn_s = turn_s

    def open_project(self, path: Path) -> tuple[ProjectPaths, Sequence[FileTrouble]]:
        """The project in this folder, its `.ideai` created where it is missing; blocking.

        The second value tells the person what had to be set aside.

        The id: a folder that carries a registered id keeps it, also after a move; a copy of a project that
        still lies where it was gets its own. State that this machine did not make is set aside unread.

        Raises:
            Invalid: there is no such folder.
            Refused: it cannot be written, or links lead out of its `.ideai`.
            Conflict: a server that keeps its projects elsewhere has it open; or another one halts while it opens one.
        """
        root = resolve_project(path)
        with self._locked():
            known, trouble = self._load()
            was_there = os.path.lexists(root / ".ideai")
            try:
                project, another = self._identify(root, known)
                # The registry first: state whose id is not registered would be set aside at the next opening.
                self._save([*(one for one in known if one.id != project.id), project])
                create_layout(root, project.id)
            except BaseException:
                if not was_there:
                    _remove_empty(root / ".ideai")
                raise
        ideai = root / ".ideai"
        paths = ProjectPaths(
            id=project.id,
            root=root,
            ideai=ideai,
            run=ideai / "run",
            state=ideai / "state",
            endpoint=self._endpoint_of(project.id),
        )
        return paths, [each for each in (trouble, another) if each is not None]

    def _identify(self, root: Path, known: Sequence[KnownProject]) -> tuple[KnownProject, FileTrouble | None]:
        state = root / ".ideai" / "state"
        if not os.path.lexists(state) or _is_empty(state):
            return _new_project(root), None
        try:
            carried = read_project_id(root)
            why = "it belongs to a project that this machine does not know"
        except UnusableFile as error:
            carried, why = None, f"its {PROJECT_FILE} cannot be used ({error})"
        registered = next((one for one in known if one.id == carried), None)
        if registered is None:
            # Not made by us, but perhaps by the demo, which is at work in it.
            check_not_open(state)
            aside = set_aside(state, word="unknown")
            sentence = (
                f"The state in {root} was set aside: {why}. It was renamed to {aside.name}; the project begins anew."
            )
            return _new_project(root), FileTrouble(sentence, "stateSetAside", {"path": str(root), "name": aside.name})
        if registered.path == root or not _is_copy_of(root, registered):
            return replace(registered, path=root), None
        aside = set_aside(state, word="copied")
        notice = f"{root} is a copy of {registered.path} and begins anew: the copied state was renamed to {aside.name}."
        named = {"path": str(root), "other": str(registered.path), "name": aside.name}
        return _new_project(root), FileTrouble(notice, "stateCopied", named)

    def _load(self) -> tuple[list[KnownProject], FileTrouble | None]:
        try:
            return _parse(read_state(self._file)), None
        except UnusableFile as error:
            return [], set_aside_and_tell(
                self._file,
                "The list of projects",
                error,
                "projects get new ids as they are opened",
                why="projectsSetAside",
            )

    def _save(self, projects: Sequence[KnownProject]) -> None:
        write_state(self._file, {"projects": [{"id": one.id, "path": os.fspath(one.path)} for one in projects]})

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Two servers that open projects at once take turns; held for milliseconds."""
        ensure_private_tree(self._home)
        path = self._home / f"{REGISTRY_FILE}.lock"
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise as_idea_error(error, path, "opened") from error
        try:
            if not take_turn(descriptor, path, within_s=self._turn_s):
                raise Conflict(
                    f"{self._file} took too long to open: another server has it and does not go on.",
                    why="opensTooSlowly",
                    path=str(self._file),
                )
            yield
        finally:
            os.close(descriptor)


def find_known(state_home: Path) -> Sequence[KnownProject]:
    """All that were ever opened, the last opened last; their folders may be gone.

    For who only looks: nothing is made, locked or set aside; what is unusable is empty.

    Raises:
        Refused, Conflict: the list cannot be read.
    """
    # It is replaced at one stroke, so that a reader needs no turn of its own.
    try:
        return _parse(read_state(state_home / REGISTRY_FILE))
    except UnusableFile:
        return []


def _is_empty(state: Path) -> bool:
    try:
        return state.is_dir() and not state.is_symlink() and not any(state.iterdir())
    except OSError as error:
        raise as_idea_error(error, state, "read") from error


def _new_project(root: Path) -> KnownProject:
    return KnownProject(ProjectId(str(uuid.uuid4())), root)


def _is_copy_of(root: Path, registered: KnownProject) -> bool:
    """Does the original still lie where it was? Another project at its old place is not the original."""
    try:
        is_same_folder = os.path.samefile(root, registered.path)
    except OSError:
        return False
    return not is_same_folder and find_project_id(registered.path) == registered.id


def _parse(state: Object | None) -> list[KnownProject]:
    rows = (state or {}).get("projects", [])
    if not isinstance(rows, list):
        raise UnusableFile("it holds no list of projects", "notOurs")
    return [
        KnownProject(ProjectId(row["id"]), Path(row["path"]))
        for row in rows
        if isinstance(row, dict) and isinstance(row.get("id"), str) and isinstance(row.get("path"), str)
    ]


def _remove_empty(ideai: Path) -> None:
    """Take back what a failed opening created; only files and folders that it makes itself."""
    with suppress(OSError):
        for path in (ideai / "state" / PROJECT_FILE, ideai / ".gitignore"):
            path.unlink(missing_ok=True)
        for folder in (*(ideai / name for name in ("state/locks", "state", "run", "agents")), ideai):
            if folder.is_dir():
                folder.rmdir()
