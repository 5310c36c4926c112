"""`idea link`: lets another browser in, or the same one again."""

from contextlib import suppress
from pathlib import Path

import click

from idea.doors.cli.choose import find_around, not_open, start_folder
from idea.doors.cli.control import Control, find_others, get_control
from idea.doors.cli.failure import Failure
from idea.doors.cli.options import json_option, project_option
from idea.doors.cli.output import print_json, say
from idea.doors.cli.own_command import own_command


@click.command("link")
@project_option
@json_option
def command(project: Path | None, as_json: bool) -> None:
    """Print a new start link for a browser. It works once, for 60 seconds.

    The server is the one that has the project open, else yours, else a demo that runs.
    """
    start = start_folder(project)
    control = get_control(start)
    if project is not None:
        projects = control.projects()
        if find_around(projects, start) is None:
            raise not_open(project, start, projects)
    url, expires_at_ms = control.create_link()
    if as_json:
        print_json({"url": url, "expiresAtMs": expires_at_ms})
        return
    click.echo(url)
    if project is None:
        _tell_others(control)


def _tell_others(chosen: Control) -> None:
    """Where there is a choice that nobody made. Beside the address, which scripts read."""
    others: list[str] = []
    for control in find_others(chosen):
        # One that ends just now, or hangs, is none to choose.
        with suppress(Failure):
            others += _folders(control)
    if not others:
        return
    say(f"This is the server of {', '.join(_folders(chosen)) or 'no project yet'}. Others run too:")
    for folder in others:
        say(f"  {own_command('link', '--project', folder)}")


def _folders(control: Control) -> list[str]:
    return [str(project.path) for project in control.projects()]
