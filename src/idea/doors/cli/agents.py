"""`idea agents`: who is in the team, and can each take a prompt now?"""

from pathlib import Path

import click

from idea.doors.cli.account import join
from idea.doors.cli.choose import choose_project
from idea.doors.cli.options import json_option, project_option
from idea.doors.cli.output import print_json, print_table, say
from idea.doors.cli.own_command import own_command
from idea.doors.cli.rows import AgentRow


@click.command("agents")
@project_option
@json_option
def command(project: Path | None, as_json: bool) -> None:
    """List the agents of a project."""
    _, chosen = choose_project(project)
    if as_json:
        print_json([_to_json(agent) for agent in chosen.agents])
    elif not chosen.agents and not chosen.broken:
        click.echo(f"{chosen.name} has no agents yet. Create one in the page: `{own_command(chosen.path)}`.")
    elif chosen.agents:
        rows = [
            (agent.slug, agent.name, agent.profile, agent.shown_state, str(agent.queue) if agent.queue else "")
            for agent in chosen.agents
        ]
        print_table(("AGENT", "NAME", "PROFILE", "STATE", "WAITING"), rows)
        ran = [agent.name for agent in chosen.agents if agent.resumable is not None]
        if ran:
            resume = own_command("resume")
            click.echo(f"{join(ran)} ran before: `{resume}` shows who can go on, `{resume} --all` lets them.")
    for broken in chosen.broken:
        # Beside the list, which a program may read.
        say(f"idea: {broken}")


def _to_json(agent: AgentRow) -> dict[str, object]:
    return {
        "id": agent.id,
        "slug": agent.slug,
        "name": agent.name,
        "profile": agent.profile,
        "readiness": {"state": agent.state, "reason": agent.reason, "source": agent.source},
        "session": agent.session,
        "queue": agent.queue,
        "resumable": agent.resumable,
    }
