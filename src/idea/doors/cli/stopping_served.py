"""Stopping agents through the server that has their project open."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final

from idea.domain.agent_names import find_named
from idea.doors.cli.account import Account, join
from idea.doors.cli.control import Control
from idea.doors.cli.failure import Failure, ServerGone
from idea.doors.cli.rows import AgentRow, ProjectRow

ROUNDS: Final = 3
"""One that is stopped may be started again by one that still asks it; when all askers are stopped, that ends."""
AT_ONCE: Final = 16


def stop_served_agent(control: Control, project: ProjectRow, agent: str, account: Account) -> None:
    """Raises `Failure` when there is no such agent, or it does not end."""
    # What waits for it is taken from it also where it does not run.
    survivors = control.stop(project.id, agent)
    row = find_named(project.agents, agent)
    name = agent if row is None else row.name
    if row is not None and not row.runs:
        account.say(f"{name} does not run in {project.path}.")
    else:
        account.say(f"Stopped {name} in {project.path}.")
    account.blame_survivors(str(project.path), survivors)


def stop_served_project(control: Control, project: ProjectRow, account: Account) -> None:
    """Says nothing where no agent runs. Raises `Failure` when the server has gone."""
    stopped: dict[str, str] = {}
    tried: set[str] = set()
    for _ in range(ROUNDS):
        running = [agent for agent in project.agents if (agent.runs or agent.queue) and agent.id not in tried]
        if not running:
            break
        with ThreadPoolExecutor(AT_ONCE) as pool:
            outcomes = list(pool.map(partial(_stop, control, project), running))
        for agent, outcome in zip(running, outcomes, strict=True):
            if isinstance(outcome, ServerGone):
                raise outcome
            if isinstance(outcome, Failure):
                tried.add(agent.id)
                account.blame(outcome)
            else:
                stopped[agent.id] = agent.name
                account.blame_survivors(str(project.path), outcome)
        project = _look_again(control, project)
    if stopped:
        account.say(f"Stopped {join(list(stopped.values()))} in {project.path}.")
    still = [agent.name for agent in project.agents if agent.runs and agent.id not in tried]
    if still:
        message = f"{join(still)} in {project.path} began anew meanwhile."
        account.blame(Failure("CONFLICT", message, advice="Stop again, or see in the page who starts it."))


def _stop(control: Control, project: ProjectRow, agent: AgentRow) -> tuple[int, ...] | Failure:
    try:
        return control.stop(project.id, agent.id)
    except Failure as failure:
        return failure


def _look_again(control: Control, project: ProjectRow) -> ProjectRow:
    return next((row for row in control.projects() if row.id == project.id), project)
