"""`idea status`: what runs: the server with its projects, and the keepers with their agents, which need no server."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, TypeAlias

import click

from idea.domain.counted import counted
from idea.doors.cli.control import Control, find_controls
from idea.doors.cli.failure import Failure, not_running
from idea.doors.cli.kept import FoundKeeper, KeptAgent, find_keepers
from idea.doors.cli.options import json_option
from idea.doors.cli.output import align, print_json
from idea.doors.cli.rows import ProjectRow

Server: TypeAlias = tuple[str, Sequence[ProjectRow]]
"""Its version, and what it has open."""
KINDS: Final = {"pty": "terminal", "structured": "chat"}


@click.command("status")
@json_option
def command(as_json: bool) -> int:
    """Show what runs: the server, and the keepers with their agents, which go on without one."""
    controls = find_controls(Path.cwd())
    keepers = find_keepers()
    servers, failure = _look_at(controls)
    if not controls and not keepers:
        failure = not_running()
    if as_json:
        _print_for_programs(servers, keepers)
    else:
        for server in servers:
            _print_server(*server)
        if not controls and keepers:
            ways = " or ".join(dict.fromkeys(f"`{keeper.reopening}`" for keeper in keepers))
            click.echo(f"No IdeA server of yours is running. {ways} starts one, which takes the agents up again.")
        for keeper in keepers:
            _print_keeper(keeper)
    if failure is None:
        return 0
    if not as_json or controls:
        failure.tell()
    return failure.exit_code


def _look_at(controls: Sequence[Control]) -> tuple[Sequence[Server], Failure | None]:
    servers: list[Server] = []
    failure: Failure | None = None
    for control in controls:
        try:
            servers.append((control.version(), control.projects()))
        except Failure as silence:
            # What the keepers hold is shown all the same.
            failure = silence
    return servers, failure


def _print_server(version: str, projects: Sequence[ProjectRow]) -> None:
    click.echo(f"IdeA {version}, {_count(len(projects), 'project')} open")
    for project in projects:
        states = (
            ", ".join(
                f"{count} {state}"
                for state, count in _count_states(project, [agent.shown_state for agent in project.agents]).items()
            )
            or "no agents"
        )
        trust = "" if project.is_trusted else " (waits for your approval in the page)"
        click.echo(f"  {project.path}: {states}{trust}")


def _print_keeper(keeper: FoundKeeper) -> None:
    if keeper.holder is not None:
        holds = _count(len(keeper.holder.agents), "agent")
        click.echo(
            f"The keeper of {keeper.where} ({keeper.process}) holds {holds}, and its socket is gone: "
            f"`{keeper.reopening}` reaches it again."
        )
        return
    if keeper.report is None:
        click.echo(f"The keeper of {keeper.where} ({keeper.process}) does not answer.")
        return
    ending = ", which is ending" if keeper.report.is_closing else ""
    click.echo(
        f"The keeper of {keeper.where} ({keeper.process}, IdeA {keeper.report.version}){ending} "
        f"holds {_count(len(keeper.running_agents), 'agent')}"
    )
    for line in align([_describe(agent) for agent in keeper.agents]):
        click.echo(f"  {line}")


def _describe(agent: KeptAgent) -> tuple[str, ...]:
    how = f"process {agent.pid}" if agent.exit is None else f"ended with {agent.exit}"
    put_by = f"{size(agent.put_by_bytes)} put by" if agent.put_by_bytes else ""
    view = "beside its terminal" if agent.role == "side" else KINDS.get(agent.kind, agent.kind)
    return agent.name, view, how, put_by


def size(count_bytes: int) -> str:
    if count_bytes < 1_000:
        return _count(count_bytes, "byte")
    return f"{count_bytes / 1_000:.0f} kB" if count_bytes < 1_000_000 else f"{count_bytes / 1_000_000:.1f} MB"


def _count(number: int, what: str) -> str:
    return counted(number, what) if number > 0 else f"no {what}s"


def _print_for_programs(servers: Sequence[Server], keepers: Sequence[FoundKeeper]) -> None:
    projects = [project for _, shown in servers for project in shown]
    print_json(
        {
            "version": servers[0][0] if servers else None,
            "projects": [
                {
                    "id": project.id,
                    "path": str(project.path),
                    "agents": _count_states(project, [agent.state for agent in project.agents]),
                }
                for project in projects
            ],
            "keepers": [_to_json(keeper) for keeper in keepers],
        }
    )


def _to_json(keeper: FoundKeeper) -> dict[str, object]:
    report, project = keeper.report, keeper.project
    return {
        "project": None if project is None else {"id": project.id, "path": str(project.path)},
        "socket": str(keeper.socket),
        "pid": keeper.pid,
        "answers": report is not None,
        "version": None if report is None else report.version,
        "isEnding": report is not None and report.is_closing,
        "agents": [_agent_to_json(agent) for agent in keeper.agents],
    }


def _agent_to_json(agent: KeptAgent) -> dict[str, object]:
    return {
        "id": agent.id or None,
        "slug": agent.slug or None,
        "name": agent.name,
        "kind": agent.kind or None,
        "role": agent.role,
        "pid": agent.pid,
        "exit": None if agent.exit is None else {"code": agent.exit.code, "signal": agent.exit.signal},
        "putByBytes": agent.put_by_bytes,
    }


def _count_states(project: ProjectRow, states: Sequence[str]) -> dict[str, int]:
    counts = {state: states.count(state) for state in sorted(set(states))}
    # Files that are no agents; `idea agents` says why.
    return {**counts, "broken": len(project.broken)} if project.broken else counts
