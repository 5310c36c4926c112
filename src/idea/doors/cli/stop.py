"""`idea stop`: agents end, through the server that has their project open, else with the keeper that holds them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from idea.doors.cli.account import Account
from idea.doors.cli.choose import find_around, start_folder
from idea.doors.cli.control import Control, answering, find_control, find_controls
from idea.doors.cli.failure import Failure, ServerGone
from idea.doors.cli.folders import CONTROL_SOCKET, demo_sockets, recorded_control
from idea.doors.cli.kept import FoundKeeper, find_keepers, known_projects, runtime_dirs
from idea.doors.cli.options import project_option
from idea.doors.cli.rows import ProjectRow
from idea.doors.cli.stopping_kept import end_keepers, stop_kept_agent
from idea.doors.cli.stopping_served import stop_served_agent, stop_served_project

NOTHING = "No agent of yours is running."


@dataclass(frozen=True, slots=True)
class Place:
    """A project in which something may run: open in the server that was found, or else with a keeper that lives."""

    path: Path
    served: tuple[Control, ProjectRow] | None = None
    keeper: FoundKeeper | None = None


@click.command("stop")
@click.argument("agent", required=False)
@project_option
@click.option("--all", "everything", is_flag=True, help="Every agent of every project, the demo's too.")
def command(agent: str | None, project: Path | None, everything: bool) -> int:
    """Stop AGENT (id, slug or name), or every agent of a project, and say what was done.

    A running server goes on. Without one, a project's keeper ends with its agents. Conversations go on when the
    agents are started again.
    """
    if everything and (agent is not None or project is not None):
        raise click.UsageError("--all stops every agent: it takes neither AGENT nor --project.")
    account = Account()
    if everything:
        _stop_everything(account)
    else:
        _stop_one_project(agent, project, account)
    if account.is_empty:
        account.say(NOTHING)
    return account.code


def _stop_everything(account: Account) -> None:
    projects = known_projects()
    sockets = [folder / CONTROL_SOCKET for folder in runtime_dirs(projects)]
    sockets += [path for path in (recorded_control(project.path) for project in projects) if path is not None]
    sockets += demo_sockets()
    served: dict[str, frozenset[str]] = {}
    """By project, whom the server still shows as running."""
    for control in answering(sockets):
        try:
            for row in control.projects():
                stop_served_project(control, row, account)
            for row in control.projects():
                served[row.id] = frozenset(agent.id for agent in row.agents if agent.runs)
        except ServerGone:
            # What was its own goes with it; what its keepers hold is ended below.
            continue
        except Failure as failure:
            # It hangs; what its keepers hold is ended below, like that of the others.
            account.blame(failure)
    end_keepers([keeper for keeper in find_keepers() if not _is_served(keeper, served)], account)


def _is_served(keeper: FoundKeeper, served: Mapping[str, frozenset[str]]) -> bool:
    """It is the server's that has its project open, and holds nobody of whom that does not know."""
    if keeper.project is None or keeper.project.id not in served or keeper.holder is not None:
        return False
    return all(agent.id in served[keeper.project.id] for agent in keeper.running)


def _stop_one_project(agent: str | None, project: Path | None, account: Account) -> None:
    start = start_folder(project)
    place = _choose(_places(find_controls(start)), start, is_named=project is not None)
    if place is None:
        if project is not None:
            account.say(f"No agent runs in {start}.")
        return
    if place.served is not None:
        _stop_served(*place.served, agent, account)
    elif place.keeper is not None:
        _stop_kept(place.keeper, agent, account)
    if account.is_empty:
        account.say(f"No agent runs in {place.path}.")


def _stop_served(control: Control, row: ProjectRow, agent: str | None, account: Account) -> None:
    if agent is not None:
        stop_served_agent(control, row, agent, account)
    else:
        stop_served_project(control, row, account)


def _stop_kept(keeper: FoundKeeper, agent: str | None, account: Account) -> None:
    served = _find_server(keeper)
    if served is not None:
        _stop_served(*served, agent, account)
    elif agent is not None:
        stop_kept_agent(keeper, agent, account)
    elif keeper.running or keeper.report is None:
        end_keepers([keeper], account)


def _find_server(keeper: FoundKeeper) -> tuple[Control, ProjectRow] | None:
    """Another one than this folder leads to may have the project open: the demo's."""
    assert keeper.project is not None, "a project that is not known has no path to be chosen by"
    control = find_control(keeper.project.path)
    rows = () if control is None else control.projects()
    row = next((row for row in rows if row.id == keeper.project.id), None)
    return None if control is None or row is None else (control, row)


def _places(controls: Sequence[Control]) -> Sequence[Place]:
    served = ((control, row) for control in controls for row in control.projects())
    places = {row.id: Place(row.path, served=(control, row)) for control, row in served}
    for keeper in find_keepers():
        if keeper.project is not None and keeper.project.id not in places:
            places[keeper.project.id] = Place(keeper.project.path, keeper=keeper)
    return list(places.values())


def _choose(places: Sequence[Place], start: Path, *, is_named: bool) -> Place | None:
    """As `choose_project` does; None if nothing can run there. Raises `Failure` when several may be meant."""
    around = find_around(places, start)
    if around is not None or is_named or not places:
        return around
    if len(places) == 1:
        return places[0]
    paths = ", ".join(str(place.path) for place in places)
    raise Failure(
        "INVALID",
        f"Agents may run in several projects: {paths}.",
        advice="Name the one you mean with --project, or all of them with --all.",
    )
