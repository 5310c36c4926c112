"""`idea profiles`: the kinds of CLI that agents can run on, and which of them are here."""

from pathlib import Path

import click

from idea.doors.cli.options import json_option, project_option
from idea.doors.cli.output import print_json, print_table
from idea.doors.cli.programs import find_programs


@click.command("profiles")
@project_option
@json_option
def command(project: Path | None, as_json: bool) -> None:
    """List the kinds of CLI that agents can run on."""
    found = find_programs(project or Path.cwd())
    if as_json:
        print_json(
            [
                {
                    "id": health.profile.id,
                    "name": health.profile.name,
                    "executable": health.executable,
                    "version": health.version,
                    "missing": health.missing,
                }
                for health in found.healths
            ]
        )
        return
    rows = [
        (
            health.profile.id,
            health.profile.name,
            "missing" if health.missing else "found",
            health.version or "",
        )
        for health in found.healths
    ]
    print_table(("PROFILE", "NAME", "CLI", "VERSION"), rows)
