"""Options that several commands share."""

import math
from pathlib import Path
from typing import Any

import click


class _Port(click.IntRange):
    # Of which click makes "is not a valid port".
    name = "port"


class Seconds(click.FloatRange):
    """More than none, and not without end."""

    name = "number of seconds"

    def __init__(self) -> None:
        super().__init__(min=0, min_open=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        seconds = super().convert(value, param, ctx)
        if not math.isfinite(seconds):
            self.fail(f"{value!r} is not a valid {self.name}.", param, ctx)
        return seconds


project_option = click.option(
    "--project",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="The project; otherwise the one around the working directory, or the only open one.",
)
take_over_option = click.option(
    "--take-over",
    is_flag=True,
    help="If another server has a project open, or hinders this one, end it and open the project here.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
no_browser_option = click.option("--no-browser", is_flag=True, help="Open no browser; print the address only.")
port_option = click.option(
    "--port",
    type=_Port(0, 65_535),
    metavar="N",
    help="The port of the page; 0 takes any free one. Otherwise your own, chosen once and kept.",
)
