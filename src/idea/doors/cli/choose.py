"""Which of the open projects a command acts on."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from idea.domain.errors import Invalid
from idea.doors.cli.control import Control, get_control
from idea.doors.cli.failure import Failure, fail
from idea.doors.cli.folders import existing_folder
from idea.doors.cli.own_command import own_command
from idea.doors.cli.rows import ProjectRow


def choose_project(wanted: Path | None) -> tuple[Control, ProjectRow]:
    """`wanted` (`--project`), else the project around the working directory, else the only one that is open.

    Raises:
        Failure: no server, no such project, or several to choose from.
    """
    start = start_folder(wanted)
    control = get_control(start)
    projects = control.projects()
    around = find_around(projects, start)
    if around is not None:
        return control, around
    if wanted is not None:
        raise not_open(wanted, start, projects)
    if len(projects) == 1:
        return control, projects[0]
    if not projects:
        raise Failure("NOT_FOUND", "No project is open.", advice=f"Open one with `{own_command()} PATH`.")
    raise Failure(
        "INVALID", f"Several projects are open.{_listed(projects)}", advice="Name the one you mean with --project."
    )


def not_open(wanted: Path, start: Path, projects: Sequence[ProjectRow]) -> Failure:
    """`start` is the folder that `wanted` names; `projects` are open in the server that would have it."""
    return Failure(
        "NOT_FOUND",
        f"The project {start} is not open.{_listed(projects)}",
        advice=f"Open it with `{own_command(wanted)}`.",
    )


class HasPath(Protocol):
    @property
    def path(self) -> Path: ...


P = TypeVar("P", bound=HasPath)


def find_around(projects: Sequence[P], start: Path) -> P | None:
    """The innermost project that contains `start`."""
    around = [project for project in projects if start.is_relative_to(project.path)]
    return max(around, key=lambda project: len(project.path.parts), default=None)


def start_folder(wanted: Path | None) -> Path:
    """Where the search for a project begins. Raises `Failure` when it is no folder."""
    try:
        return existing_folder(wanted or Path())
    except Invalid as error:
        raise fail(error) from error


def _listed(projects: Sequence[ProjectRow]) -> str:
    return f" Open are: {', '.join(str(project.path) for project in projects)}." if projects else ""
