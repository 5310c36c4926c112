"""The `.ideai` folder of a project: what belongs into it, what git may see of it, whose it is."""

import os
from pathlib import Path
from typing import Final

from idea.adapters.storage.atomic import (
    SHARED,
    as_idea_error,
    ensure_folder,
    sweep_temporaries,
    write_file,
)
from idea.adapters.storage.json_state import read_state, write_state
from idea.adapters.storage.unusable import UnusableFile
from idea.domain.errors import Invalid, Refused
from idea.domain.ids import ProjectId

PROJECT_FILE: Final = "project.json"
"""In `state/`: which project this state belongs to."""

RUNTIME_RECORD: Final = "locks/runtime"
"""In `state/`: the runtime folder in which this project's sockets lie, whoever opens it."""

PRIVATE_FOLDERS: Final = ("state", "state/locks", "run")
SHARED_FOLDERS: Final = ("agents",)
LATER_FOLDERS: Final = ("memory", "tickets", "sprints", "profiles", "capabilities", "layouts", "requests")
"""Created by whoever writes the first file into them."""

GITIGNORE: Final = """\
# Written by IdeA: everything stays on this machine but what a team shares.
*
!.gitignore
!settings.toml
!agents/
!agents/*.md
!memory/
!memory/*.md
!tickets/
!tickets/*.md
!sprints/
!sprints/*.md
!profiles/
!profiles/*.toml
!layouts/
!layouts/*.json
!capabilities/
!capabilities/**
"""


def resolve_project(path: Path) -> Path:
    """The folder's real path.

    Raises:
        Invalid: nothing or no folder is there, or it is not named from the top.
        Refused: it or its `.ideai` cannot be used.
    """
    try:
        named = path.expanduser()
        if not named.is_absolute():
            # It would count from wherever the server was started.
            raise Invalid(
                f"{str(path)!r} is no whole path. Name the project's folder from / or ~ on.",
                why="pathNotWhole",
                path=str(path),
            )
        root = named.resolve(strict=True)
    except FileNotFoundError as error:
        raise Invalid(
            f"There is no folder {path}. Create it first, or name another one.", why="noFolder", path=str(path)
        ) from error
    except (OSError, RuntimeError, ValueError) as error:
        raise Invalid(
            f"{str(path)!r} cannot be opened as a project: {error}. Name another folder.",
            why="folderUnusable",
            path=str(path),
            detail=str(error),
        ) from error
    try:
        os.fspath(root).encode("utf-8")
    except UnicodeEncodeError as error:
        raise Invalid(
            f"{str(root)!r} is not valid UTF-8, so that no page could name it. Rename the folder.", why="pathNotText"
        ) from error
    if not root.is_dir():
        raise Invalid(
            f"{path} is not a folder. A project is a folder; name the one that contains it.",
            why="notAFolder",
            path=str(path),
        )
    if root == root.parent:
        raise Refused(
            f"{root} is the whole machine and no project. Name a folder in it.", why="wholeMachine", path=str(root)
        )
    if not os.access(root, os.R_OK | os.W_OK | os.X_OK):
        raise Refused(
            f"{root} cannot be written to, and IdeA keeps its files there. Change its permissions first.",
            why="folderNotWritable",
            path=str(root),
        )
    _refuse_links(root)
    return root


def create_layout(root: Path, project: ProjectId) -> None:
    """Idempotent. Raises `Refused` or `Conflict`."""
    ideai = ensure_folder(root / ".ideai")
    for name in SHARED_FOLDERS:
        ensure_folder(ideai / name)
    for name in PRIVATE_FOLDERS:
        ensure_folder(ideai / name, mode=0o700)
    for folder in (ideai, ideai / "agents", ideai / "state"):
        sweep_temporaries(folder)
    if not os.path.lexists(ideai / ".gitignore"):
        write_file(ideai / ".gitignore", GITIGNORE.encode(), mode=SHARED)
    if find_project_id(root) != project:
        write_state(ideai / "state" / PROJECT_FILE, {"id": project})


def read_project_id(root: Path) -> ProjectId:
    """The id that the folder carries.

    Raises:
        UnusableFile: it carries none.
    """
    state = read_state(root / ".ideai" / "state" / PROJECT_FILE, limit_bytes=4096)
    if state is None:
        raise UnusableFile("there is none", "notOurs")
    found = state.get("id")
    if not isinstance(found, str):
        raise UnusableFile("it names no project", "notOurs")
    return ProjectId(found)


def find_project_id(root: Path) -> ProjectId | None:
    """As `read_project_id`; None where there is none that can be used."""
    try:
        return read_project_id(root)
    except (UnusableFile, Refused):
        return None


def _refuse_links(root: Path) -> None:
    """A repository may bring `.ideai`, or a folder in it, as a link to a place that is none of its business."""
    ideai = root / ".ideai"
    for path in (ideai, *(ideai / name for name in (*SHARED_FOLDERS, *PRIVATE_FOLDERS, *LATER_FOLDERS))):
        try:
            is_link = path.is_symlink()
            is_folder = path.is_dir()
        except OSError as error:
            raise as_idea_error(error, path, "looked at") from error
        if is_link:
            raise Refused(
                f"{path} is a symbolic link; IdeA would write to where it leads. Remove it first.",
                why="linkInTheWay",
                path=str(path),
            )
        if path.exists() and not is_folder:
            raise Refused(
                f"{path} is in the way: a folder of this name is needed. Rename or remove it first.",
                why="somethingInTheWay",
                path=str(path),
            )
