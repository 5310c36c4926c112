"""`idea serve`: the server in the foreground."""

from pathlib import Path

import click

from idea.domain.errors import Invalid
from idea.doors.cli.failure import fail
from idea.doors.cli.folders import existing_folder
from idea.doors.cli.options import json_option, no_browser_option, port_option, take_over_option
from idea.doors.cli.own_command import own_command
from idea.settings import LOOPBACK, ServeOptions


@click.command("serve")
@click.option(
    "--project", "projects", type=click.Path(path_type=Path), multiple=True, metavar="PATH", help="A project to open."
)
@port_option
@click.option(
    "--host",
    default=LOOPBACK,
    metavar="ADDRESS",
    help=f"Listen on another address than {LOOPBACK}. Others can then reach the page; they still need a start link.",
)
@click.option(
    "--allow-host",
    "allow_hosts",
    multiple=True,
    metavar="NAME",
    help="Answer to this name (or name:port) too, as when the port is forwarded over SSH.",
)
@take_over_option
@no_browser_option
@json_option
def command(
    projects: tuple[Path, ...],
    port: int | None,
    host: str,
    allow_hosts: tuple[str, ...],
    take_over: bool,
    no_browser: bool,
    as_json: bool,
) -> None:
    """Run the server in the foreground, until Ctrl-C.

    Agents go on without it (`idea status` shows them, `idea stop` ends them); a second Ctrl-C within 3 s stops them
    too. Those of projects whose setting `keeper` is `in-process` end with it.
    """
    from idea.doors.cli.serving import Manner, serve_here

    try:
        folders = tuple(existing_folder(path) for path in projects)
    except Invalid as error:
        raise fail(error) from error
    options = ServeOptions(
        projects=folders,
        port=port,
        host=host,
        allow_hosts=allow_hosts,
        takes_over=take_over,
        command=own_command(),
    )
    serve_here(options, Manner(as_json=as_json, opens_browser=not no_browser))
