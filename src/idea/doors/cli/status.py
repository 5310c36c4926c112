"""`idea status`: what the running server has open."""

from pathlib import Path

import click

from idea.doors.cli.control import ProjectRow, get_control
from idea.doors.cli.options import json_option
from idea.doors.cli.output import print_json


@click.command("status")
@json_option
def command(as_json: bool) -> None:
    """Show what the running server has open."""
    control = get_control(Path.cwd())
    version, projects = control.version(), control.projects()
    if as_json:
        shown = [{"id": project.id, "path": str(project.path), "agents": _count(project)} for project in projects]
        print_json({"version": version, "projects": shown})
        return
    click.echo(f"IdeA {version}, {len(projects)} project{'' if len(projects) == 1 else 's'} open")
    for project in projects:
        states = ", ".join(f"{count} {state}" for state, count in _count(project).items()) or "no agents"
        trust = "" if project.is_trusted else " (waits for your approval in the page)"
        click.echo(f"  {project.path}: {states}{trust}")


def _count(project: ProjectRow) -> dict[str, int]:
    states = [agent.state for agent in project.agents]
    counts = {state: states.count(state) for state in sorted(set(states))}
    # Files that are no agents; `idea agents` says why.
    return {**counts, "broken": len(project.broken)} if project.broken else counts
