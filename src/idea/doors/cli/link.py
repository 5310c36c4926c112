"""`idea link`: lets another browser in, or the same one again."""

from pathlib import Path

import click

from idea.doors.cli.control import get_control
from idea.doors.cli.options import json_option
from idea.doors.cli.output import print_json


@click.command("link")
@json_option
def command(as_json: bool) -> None:
    """Print a new start link for a browser. It works once, for 60 seconds."""
    url, expires_at_ms = get_control(Path.cwd()).create_link()
    if as_json:
        print_json({"url": url, "expiresAtMs": expires_at_ms})
    else:
        click.echo(url)
