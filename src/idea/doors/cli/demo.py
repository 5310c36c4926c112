"""`idea demo`: three scripted agents in a project of their own."""

from pathlib import Path

import click

from idea.domain.errors import Invalid
from idea.doors.cli.failure import fail
from idea.doors.cli.folders import existing_folder
from idea.doors.cli.options import json_option, no_browser_option, port_option
from idea.doors.cli.own_command import own_command
from idea.settings import ServeOptions


@click.command("demo")
@click.argument("path", type=click.Path(path_type=Path), required=False)
@port_option
@no_browser_option
@json_option
@click.option("--check", is_flag=True, help="Ask Main without a browser, print who says what, and end.")
def command(path: Path | None, port: int | None, no_browser: bool, as_json: bool, check: bool) -> int:
    """Try IdeA with three scripted agents; needs no key.

    Without PATH the project lies in a folder that is removed at the end.
    """
    if check:
        from idea.doors.cli.demo_check import run_check

        return run_check()

    from idea.doors.cli.serving import Demo, Manner, serve_here

    try:
        folders = () if path is None else (existing_folder(path),)
    except Invalid as error:
        raise fail(error) from error
    options = ServeOptions(projects=folders, port=port, is_demo=True, command=own_command())
    serve_here(
        options, Manner(as_json=as_json, opens_browser=not no_browser, demo=Demo.STAYS if folders else Demo.GOES)
    )
    return 0
