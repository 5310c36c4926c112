"""`idea link`: lets another browser in, or the same one again."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import click

from idea.doors.cli.choose import find_around, not_open, start_folder
from idea.doors.cli.control import Control, find_others, get_control
from idea.doors.cli.failure import Failure
from idea.doors.cli.options import json_option, project_option
from idea.doors.cli.output import print_json, say
from idea.doors.cli.own_command import own_command
from idea.doors.cli.rows import ProjectRow


@click.command("link")
@project_option
@json_option
def command(project: Path | None, as_json: bool) -> None:
    """Print a new start link for a browser. It works once, for 60 seconds.

    The server is the one that has the project open, else yours, else a demo that runs. Which one it is, and which
    others run, is told beside the link.
    """
    start = start_folder(project)
    control = get_control(start)
    projects = control.projects()
    if project is not None and find_around(projects, start) is None:
        raise not_open(project, start, projects)
    url, expires_at_ms = control.create_link()
    if as_json:
        paths = [str(one.path) for one in projects]
        print_json({"url": url, "expiresAtMs": expires_at_ms, "projects": paths})
        return
    # Beside the link, which stands alone on standard output for whoever passes it on.
    say(f"Opens the server with {_name(projects)}:")
    click.echo(url)
    for sentence in _others(start, control):
        say(sentence)


def _others(start: Path, control: Control) -> Iterator[str]:
    for other in find_others(start, control):
        # One that ends just now, or hangs, is none to choose.
        with suppress(Failure):
            projects = other.projects()
            how = f": `{own_command('link', '--project', projects[0].path)}` opens it" if projects else ""
            yield f"Another server runs, with {_name(projects)}{how}."


def _name(projects: Sequence[ProjectRow]) -> str:
    return ", ".join(str(project.path) for project in projects) or "no project open"
