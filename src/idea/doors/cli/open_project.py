"""`idea [PATH]`: a project in the browser, in the running server or in one that starts now."""

from pathlib import Path

import click

from idea.domain.errors import Invalid
from idea.doors.cli.control import find_control
from idea.doors.cli.failure import Failure
from idea.doors.cli.folders import existing_folder
from idea.doors.cli.options import json_option, no_browser_option, port_option
from idea.settings import ServeOptions


@click.command("open")
@click.argument("path", type=click.Path(path_type=Path), default=".")
@port_option
@no_browser_option
@json_option
def command(path: Path, port: int | None, no_browser: bool, as_json: bool) -> None:
    """Open PATH (the current folder) as a project.

    A running server takes it; otherwise one starts here, in the foreground, until Ctrl-C.
    """
    from idea.doors.cli.serving import Manner, serve_here

    try:
        folder = existing_folder(path)
    except Invalid as error:
        raise Failure("INVALID", str(error), advice="`idea --help` lists the commands.") from error
    manner = Manner(as_json=as_json, opens_browser=not no_browser)
    control = find_control(folder)
    if control is None:
        serve_here(ServeOptions(projects=(folder,), port=port), manner)
        return
    for trouble in control.open_project(folder).troubles:
        click.echo(trouble, err=True)
    url, _ = control.create_link()
    manner.tell(url)
