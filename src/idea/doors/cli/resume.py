"""`idea resume`: agents that ran before go on where they were; without a name, which ones could."""

from pathlib import Path

import click

from idea.doors.cli.account import Account, join
from idea.doors.cli.choose import choose_project
from idea.doors.cli.control import Control
from idea.doors.cli.options import json_option, project_option
from idea.doors.cli.output import print_json, print_table
from idea.doors.cli.rows import ProjectRow


@click.command("resume")
@click.argument("agents", nargs=-1, metavar="[AGENT]…")
@project_option
@click.option("--all", "everyone", is_flag=True, help="Every agent that can go on.")
@json_option
def command(agents: tuple[str, ...], project: Path | None, everyone: bool, as_json: bool) -> int:
    """Let AGENTs (id, slug or name) that ran when the project was closed go on with their conversations.

    Without AGENT and --all: show which ones ran, and which of them can go on.
    """
    if everyone and agents:
        raise click.UsageError("--all resumes every agent: it takes no AGENT.")
    control, chosen = choose_project(project)
    if everyone or agents:
        return _resume(control, chosen, None if everyone else agents, as_json=as_json)
    _show(chosen, as_json=as_json)
    return 0


def _show(project: ProjectRow, *, as_json: bool) -> None:
    ran = [agent for agent in project.agents if agent.resumable is not None]
    if as_json:
        shown = [{"id": agent.id, "slug": agent.slug, "name": agent.name, **(agent.resumable or {})} for agent in ran]
        print_json(shown)
    elif not ran:
        click.echo(f"No agent of {project.name} waits to go on.")
    else:
        rows = [(agent.slug, agent.name, agent.explain_resumable()) for agent in ran]
        print_table(("AGENT", "NAME", "CAN GO ON"), rows)


def _resume(control: Control, project: ProjectRow, agents: tuple[str, ...] | None, *, as_json: bool) -> int:
    names = {agent.id: agent.name for agent in project.agents}
    account = Account()
    resumed = control.resume(project.id, agents)
    if as_json:
        print_json([one.to_json() for one in resumed])
        return next((one.failure.exit_code for one in resumed if one.failure is not None), 0)
    going = [names.get(one.agent, one.agent) for one in resumed if one.failure is None]
    if going:
        account.say(f"{join(going)} {'goes' if len(going) == 1 else 'go'} on in {project.path}.")
    for one in resumed:
        if one.failure is not None:
            account.blame(one.failure)
    if account.is_empty:
        account.say(f"No agent of {project.name} waits to go on.")
    return account.code
