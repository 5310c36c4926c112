"""`idea conversations`: what an agent's CLI keeps of earlier conversations in its folder, and attaching one of them."""

from datetime import UTC, datetime
from pathlib import Path

import click

from idea.doors.cli.choose import choose_project
from idea.doors.cli.options import json_option, project_option
from idea.doors.cli.output import print_json, print_table
from idea.doors.cli.rows import ConversationRow, ProjectRow

FIRST_WORDS_CHARS = 60


@click.command("conversations")
@click.argument("agent")
@project_option
@click.option("--attach", "conversation", metavar="ID", help="Make this one the agent's, from now on.")
@json_option
def command(agent: str, project: Path | None, conversation: str | None, as_json: bool) -> None:
    """List the conversations that the CLI of AGENT (id, slug or name) keeps for its folder, the newest first."""
    control, chosen = choose_project(project)
    if conversation is not None:
        control.attach(chosen.id, agent, conversation)
        click.echo(f"{agent} goes on with {conversation}.")
        return
    found = control.conversations(chosen.id, agent)
    if as_json:
        print_json([_to_json(one) for one in found])
    elif not found:
        click.echo("Its CLI keeps no conversation of this folder.")
    else:
        heads = ("CONVERSATION", "LAST SAID", "SIZE", "AGENT", "FIRST WORDS")
        print_table(heads, [_to_row(one, chosen) for one in found])


def _to_row(one: ConversationRow, project: ProjectRow) -> tuple[str, ...]:
    last = datetime.fromtimestamp(one.last_at_ms / 1000, UTC).astimezone()
    owner = next((agent.slug for agent in project.agents if agent.id == one.agent_id), "")
    size = f"{max(1, one.size_bytes // 1024)} KiB"
    return one.id, f"{last:%Y-%m-%d %H:%M}", size, owner, one.first_words[:FIRST_WORDS_CHARS]


def _to_json(one: ConversationRow) -> dict[str, object]:
    return {
        "id": one.id,
        "firstWords": one.first_words,
        "lastAtMs": one.last_at_ms,
        "sizeBytes": one.size_bytes,
        "agentId": one.agent_id,
    }
