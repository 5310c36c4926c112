"""`idea [PATH]`: a project in the browser, in the running server or in one that starts now."""

import time
from pathlib import Path
from typing import Final

import click

from idea.adapters.storage.locks import ServerRuns
from idea.domain.errors import Invalid
from idea.doors.cli.control import Control, find_control
from idea.doors.cli.failure import Failure
from idea.doors.cli.folders import existing_folder
from idea.doors.cli.options import json_option, no_browser_option, port_option, take_over_option
from idea.doors.cli.output import say
from idea.doors.cli.own_command import own_command
from idea.settings import ServeOptions

START_WAIT_S: Final = 10.0
"""A server can be reached a fraction of a second after it took its lock; on a busy machine a few."""
RETRY_S: Final = 0.05
"""Nobody tells when a process that is not ours listens."""


@click.command("open")
@click.argument("path", type=click.Path(path_type=Path), default=".")
@port_option
@take_over_option
@no_browser_option
@json_option
def command(path: Path, port: int | None, take_over: bool, no_browser: bool, as_json: bool) -> None:
    """Open PATH (the current folder) as a project.

    A running server takes it; otherwise one starts here, in the foreground, until Ctrl-C.
    """
    from idea.doors.cli.serving import Manner, serve_here

    try:
        folder = existing_folder(path)
    except Invalid as error:
        raise Failure("INVALID", str(error), advice=f"`{own_command('--help')}` lists the commands.") from error
    manner = Manner(as_json=as_json, opens_browser=not no_browser)
    control = find_control(folder)
    if control is None:
        try:
            serve_here(ServeOptions(projects=(folder,), port=port, takes_over=take_over, command=own_command()), manner)
            return
        except Failure as failure:
            # Another one that began in the same moment became the server.
            control = _await_server(folder) if isinstance(failure.__cause__, ServerRuns) else None
            if control is None:
                raise
    for trouble in control.open_project(folder, takes_over=take_over).troubles:
        say(trouble)
    url, _ = control.create_link()
    manner.tell(url)


def _await_server(folder: Path) -> Control | None:
    """The server that has just begun; None if it did not come up."""
    deadline = time.monotonic() + START_WAIT_S
    while (control := find_control(folder)) is None and time.monotonic() < deadline:
        time.sleep(RETRY_S)
    return control
