"""Builds the use cases of one project on its ports. No decisions."""

from collections.abc import Callable
from dataclasses import dataclass

from idea.application.dispatch import Dispatch
from idea.application.ports import ProjectPaths
from idea.application.projects.departure import Departure
from idea.application.projects.membership import Membership
from idea.application.projects.overview import Overview
from idea.application.projects.project import Project
from idea.application.projects.project_end import ProjectEnd
from idea.application.projects.project_files import ProjectFiles
from idea.application.projects.project_start import ProjectStart
from idea.application.projects.team_editor import TeamEditor
from idea.application.projects.team_files import TeamFiles
from idea.application.sessions.agent_hooks import AgentHooks
from idea.application.sessions.attachment import Attachment
from idea.application.sessions.held_output import HeldOutput
from idea.application.supervisor import Supervisor
from idea.application.team.team import Team
from idea.application.terminals.terminal_order import TerminalOrder
from idea.application.turns.open_asks import OpenAsks
from idea.bootstrap.assemble_restart import assemble_restart
from idea.bootstrap.assemble_sessions import assemble_sessions
from idea.bootstrap.assemble_turns import assemble_turns
from idea.bootstrap.project_facts import assemble_facts
from idea.bootstrap.project_ports import ProjectPorts
from idea.domain.events import Event


@dataclass(frozen=True, slots=True)
class AssembledProject:
    """What is called from outside, by who calls it."""

    project: Project
    """By doors for people."""
    start: ProjectStart
    files: ProjectFiles
    end: ProjectEnd
    """These three by who runs the project."""
    team: Team
    hooks: AgentHooks
    open_asks: OpenAsks
    """By the agents' door."""
    held_output: HeldOutput
    """By the keeper."""


def assemble_project(
    paths: ProjectPaths,
    ports: ProjectPorts,
    *,
    is_demo: bool,
    order: TerminalOrder,
    supervisor: Supervisor,
    publish: Callable[[Event], None],
) -> AssembledProject:
    """`supervisor` runs before `load` is called and owns every task of the project. `order` is the whole server's."""
    facts = assemble_facts(paths, ports, supervisor=supervisor, publish=publish)
    sessions = assemble_sessions(paths, ports, facts, supervisor=supervisor, order=order)
    turns = assemble_turns(paths, ports, facts, sessions, supervisor=supervisor)
    restart = assemble_restart(paths, ports, facts, sessions, open_asks=turns.open_asks, supervisor=supervisor)
    membership = Membership(
        paths.id,
        team=facts.team,
        live=facts.live,
        beliefs=facts.beliefs,
        records=facts.record,
        transcript=facts.transcript,
        restore=restart.restore,
        turns=turns.runner,
        stopper=sessions.stopper,
        supervisor=supervisor,
        publish=facts.publish,
    )
    team_files = TeamFiles(
        paths.id,
        store=ports.agents,
        team=facts.team,
        live=facts.live,
        membership=membership,
        supervisor=supervisor,
        clock=ports.clock,
        publish=facts.publish,
    )
    editor = TeamEditor(
        paths.ideai / "agents",
        store=ports.agents,
        files=team_files,
        team=facts.team,
        membership=membership,
        profiles=ports.profiles,
        trust=facts.trust,
        run_directories=ports.run_directories,
        stopper=sessions.stopper,
    )
    dispatch = Dispatch(
        paths.id,
        team=facts.team,
        live=facts.live,
        beliefs=facts.beliefs,
        ask=turns.ask,
        converse=turns.converse,
        prompts=turns.prompts,
        launcher=sessions.launcher,
        attachment=Attachment(
            earlier=ports.earlier, profiles=ports.profiles, team=facts.team, launcher=sessions.launcher
        ),
        stopper=sessions.stopper,
        resumable=facts.resumable,
        resume=restart.resume,
        clock=ports.clock,
        new_id=ports.new_id,
        publish=facts.publish,
    )
    hooks = AgentHooks(
        team=facts.team,
        live=facts.live,
        conversations=sessions.terminals,
        run_directories=ports.run_directories,
    )
    departure = Departure()
    files = ProjectFiles(
        team=facts.team,
        team_files=team_files,
        restore=restart.restore,
        settings=facts.settings,
        trust=facts.trust,
        layouts=facts.layouts,
    )
    start = ProjectStart(
        restore=restart.restore,
        settings=facts.settings,
        marks=facts.marks,
        files=files,
        notices=facts.notices,
        turns=turns.runner,
        hooks=hooks,
        open_asks=turns.open_asks,
        by_itself=restart.by_itself,
        supervisor=supervisor,
    )
    end = ProjectEnd(
        paths.root.name,
        team=facts.team,
        live=facts.live,
        restore=restart.restore,
        marks=facts.marks,
        stopper=sessions.stopper,
        writes=facts.writes,
        open_asks=turns.open_asks,
        departure=departure,
    )
    overview = Overview(
        agents_outlive_server=ports.keeper.outlives_server,
        team=facts.team,
        live=facts.live,
        beliefs=facts.beliefs,
        transcript=facts.transcript,
        delegations=facts.delegations,
        permissions=facts.permissions,
        resumable=facts.resumable,
        trust=facts.trust,
        settings=facts.settings,
        layouts=facts.layouts,
        notices=facts.notices,
    )
    project = Project(
        paths,
        is_demo=is_demo,
        overview=overview,
        dispatch=dispatch,
        editor=editor,
        permissions=facts.permissions,
        settings=facts.settings,
        trust=facts.trust,
        profiles=ports.profiles,
        layouts=facts.layouts,
        notices=facts.notices,
        departure=departure,
    )
    held_output = HeldOutput(team=facts.team, live=facts.live, beliefs=facts.beliefs)
    return AssembledProject(project, start, files, end, facts.team, hooks, turns.open_asks, held_output)
