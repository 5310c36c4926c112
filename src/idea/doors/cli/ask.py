"""`idea ask`: one delegation from the person to an agent; exit code 0 only if it was answered."""

import sys
from pathlib import Path

import click

from idea.doors.cli.choose import choose_project
from idea.doors.cli.failure import Failure
from idea.doors.cli.options import Seconds, json_option, project_option
from idea.doors.cli.output import print_json


@click.command("ask")
@click.argument("agent")
@click.argument("text")
@project_option
@click.option(
    "--timeout",
    "timeout_s",
    type=Seconds(),
    metavar="S",
    help="Seconds that the agent's turn may take; the wait for it does not count.",
)
@click.option(
    "--wait-for-limit",
    "waits_for_limit",
    is_flag=True,
    help="If the agent's CLI is limited until a known time, wait for that.",
)
@json_option
def command(
    agent: str, text: str, project: Path | None, timeout_s: float | None, waits_for_limit: bool, as_json: bool
) -> int:
    """Ask AGENT (id, slug or name) and print its answer. TEXT `-` is read from standard input."""
    message = sys.stdin.read() if text == "-" else text
    try:
        control, chosen = choose_project(project)
        answer = control.ask(chosen.id, agent, message, timeout_s=timeout_s, waits_for_limit=waits_for_limit)
    except Failure as failure:
        if not as_json:
            raise
        print_json({"outcome": failure.outcome, "message": failure.message, **failure.fields})
        return failure.exit_code
    if as_json:
        print_json(
            {
                "outcome": "answered",
                "ticketId": answer.ticket_id,
                "reply": answer.reply,
                "durationMs": answer.duration_ms,
            }
        )
    else:
        click.echo(answer.reply)
    return 0
