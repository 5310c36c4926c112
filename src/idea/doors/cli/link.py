"""`idea link`: lets another browser in, or the same one again."""

from pathlib import Path

import click

from idea.doors.cli.choose import start_folder
from idea.doors.cli.control import get_control
from idea.doors.cli.options import json_option, project_option
from idea.doors.cli.output import print_json


@click.command("link")
@project_option
@json_option
def command(project: Path | None, as_json: bool) -> None:
    """Print a new start link for a browser. It works once, for 60 seconds.

    The server is the one that has the project open, else yours, else a demo that runs.
    """
    url, expires_at_ms = get_control(start_folder(project)).create_link()
    if as_json:
        print_json({"url": url, "expiresAtMs": expires_at_ms})
    else:
        click.echo(url)
