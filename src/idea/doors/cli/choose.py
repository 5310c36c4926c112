"""Which of the open projects a command acts on."""

from collections.abc import Sequence
from pathlib import Path

from idea.domain.errors import Invalid
from idea.doors.cli.control import Control, ProjectRow, get_control
from idea.doors.cli.failure import Failure, fail
from idea.doors.cli.folders import existing_folder


def choose_project(wanted: Path | None) -> tuple[Control, ProjectRow]:
    """`wanted` (`--project`), else the project around the working directory, else the only one that is open.

    Raises:
        Failure: no server, no such project, or several to choose from.
    """
    try:
        start = existing_folder(wanted or Path())
    except Invalid as error:
        raise fail(error) from error
    control = get_control(start)
    projects = control.projects()
    around = [project for project in projects if start.is_relative_to(project.path)]
    if around:
        return control, max(around, key=lambda project: len(project.path.parts))
    if wanted is not None:
        raise Failure(
            "NOT_FOUND",
            f"The project {start} is not open.{_listed(projects)}",
            advice=f"Open it with `idea {wanted}`.",
        )
    if len(projects) == 1:
        return control, projects[0]
    if not projects:
        raise Failure("NOT_FOUND", "No project is open.", advice="Open one with `idea PATH`.")
    raise Failure(
        "INVALID", f"Several projects are open.{_listed(projects)}", advice="Name the one you mean with --project."
    )


def _listed(projects: Sequence[ProjectRow]) -> str:
    return f" Open are: {', '.join(str(project.path) for project in projects)}." if projects else ""
