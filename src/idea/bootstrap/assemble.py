"""Builds the use cases of one project on its ports. No decisions."""

from collections.abc import Callable
from dataclasses import dataclass

from idea.application.beliefs import Beliefs
from idea.application.dispatch import Dispatch
from idea.application.layouts.project_layouts import ProjectLayouts
from idea.application.layouts.running_marks import RunningMarks
from idea.application.ports import ProjectPaths
from idea.application.projects.departure import Departure
from idea.application.projects.followers import Followers
from idea.application.projects.known_settings import KnownSettings
from idea.application.projects.known_trust import KnownTrust
from idea.application.projects.membership import Membership
from idea.application.projects.notices import Notices
from idea.application.projects.overview import Overview
from idea.application.projects.project import Project
from idea.application.projects.project_end import ProjectEnd
from idea.application.projects.project_files import ProjectFiles
from idea.application.projects.project_start import ProjectStart
from idea.application.projects.team_editor import TeamEditor
from idea.application.projects.team_files import TeamFiles
from idea.application.record.delegations import Delegations
from idea.application.record.lasting_record import LastingRecord, LastingWork, LastingWrites
from idea.application.record.transcript import Transcript
from idea.application.record.turn_record import TurnRecord
from idea.application.restart.left_processes import LeftProcesses
from idea.application.restart.left_sides import LeftSides
from idea.application.restart.restore import Restore
from idea.application.restart.resume_agents import ResumeAgents
from idea.application.restart.resume_by_itself import ResumeByItself
from idea.application.restart.strays import Strays
from idea.application.sessions.agent_hooks import AgentHooks
from idea.application.sessions.agent_stopper import AgentStopper
from idea.application.sessions.approved_files import ApprovedFiles
from idea.application.sessions.attachment import Attachment
from idea.application.sessions.held_output import HeldOutput
from idea.application.sessions.live_sessions import LiveSessions
from idea.application.sessions.resumable_agents import ResumableAgents
from idea.application.sessions.session_record import SessionRecord
from idea.application.supervisor import Supervisor
from idea.application.team.team import Team
from idea.application.terminals.terminal_order import TerminalOrder
from idea.application.turns.ask import Ask
from idea.application.turns.converse import Converse
from idea.application.turns.open_asks import OpenAsks
from idea.application.turns.permissions import Permissions
from idea.application.turns.terminal_prompts import TerminalPrompts
from idea.application.turns.turn_runner import TurnRunner
from idea.bootstrap.assemble_sessions import assemble_sessions
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
    notices = Notices(paths.id, publish=publish)
    followers = Followers(notices.publish)
    publish = followers.publish
    settings = KnownSettings(paths.id, store=ports.settings, notices=notices, publish=publish)
    team = Team(paths.id, publish=publish)
    writes = LastingWrites(paths.id, publish=publish)
    record = LastingRecord(ports.records, writes)
    work = LastingWork(ports.work, writes)
    session_record = SessionRecord(work, keeper=ports.keeper, supervisor=supervisor)
    turn_record = TurnRecord(work, supervisor=supervisor)
    live = LiveSessions(paths.id, publish=publish, on_change=session_record.follow)
    resumable = ResumableAgents(paths.id, team=team, live=live, profiles=ports.profiles, publish=publish)
    layouts = ProjectLayouts(paths.id, store=ports.layouts, shared=ports.shared_layouts, team=team, publish=publish)
    marks = RunningMarks(
        layouts=layouts, resumable=resumable, stopped=ports.stopped, supervisor=supervisor, on_trouble=notices.complain
    )
    followers.add(resumable.follow)
    followers.add(marks.follow)
    beliefs = Beliefs(paths.id, clock=ports.clock, publish=publish)
    transcript = Transcript(paths.id, records=record, clock=ports.clock, publish=publish)
    delegations = Delegations(paths.id, records=record, clock=ports.clock, publish=publish)
    permissions = Permissions(
        paths.id,
        team=team,
        wait_s=lambda: settings().permission_wait_s,
        supervisor=supervisor,
        clock=ports.clock,
        publish=publish,
    )
    trust = KnownTrust(paths.id, ports.trust, publish=publish)
    approved = ApprovedFiles(paths.root, agents=ports.agents, profiles=ports.profiles, trust=trust)
    sessions = assemble_sessions(
        paths,
        ports,
        team=team,
        live=live,
        beliefs=beliefs,
        records=record,
        session_record=session_record,
        transcript=transcript,
        resumable=resumable,
        approved=approved,
        settings=settings,
        supervisor=supervisor,
        order=order,
        publish=publish,
    )
    launcher, lives, sides = sessions.launcher, sessions.lives, sessions.sides
    stopper = AgentStopper(lives)
    turns = TurnRunner(
        paths.id,
        launcher=launcher,
        lives=lives,
        sides=sides,
        live=live,
        beliefs=beliefs,
        transcript=transcript,
        delegations=delegations,
        record=turn_record,
        permissions=permissions,
        settings=settings,
        clock=ports.clock,
        publish=publish,
    )
    open_asks = OpenAsks(delegations=delegations, settings=settings, supervisor=supervisor, clock=ports.clock)
    processes = LeftProcesses(ports.keeper)
    restore = Restore(
        paths.id,
        processes=processes,
        sessions=session_record,
        turns=turn_record,
        delegations=delegations,
        transcript=transcript,
        open_asks=open_asks,
        launcher=launcher,
        sides=LeftSides(processes=processes, sides=sides, record=session_record),
        resumable=resumable,
        strays=Strays(
            paths.id,
            keeper=ports.keeper,
            resumable=resumable,
            records=record,
            clock=ports.clock,
            new_id=ports.new_id,
            publish=publish,
        ),
        beliefs=beliefs,
        publish=publish,
    )
    resume = ResumeAgents(
        team=team, live=live, resumable=resumable, layouts=layouts, approved=approved, launcher=launcher
    )
    by_itself = ResumeByItself(resumable=resumable, resume=resume, settings=settings, supervisor=supervisor)
    followers.add(by_itself.follow)
    membership = Membership(
        paths.id,
        team=team,
        live=live,
        beliefs=beliefs,
        records=record,
        transcript=transcript,
        restore=restore,
        turns=turns,
        stopper=stopper,
        supervisor=supervisor,
        publish=publish,
    )
    team_files = TeamFiles(
        paths.id,
        store=ports.agents,
        team=team,
        live=live,
        membership=membership,
        supervisor=supervisor,
        clock=ports.clock,
        publish=publish,
    )
    editor = TeamEditor(
        paths.ideai / "agents",
        store=ports.agents,
        files=team_files,
        team=team,
        membership=membership,
        profiles=ports.profiles,
        trust=trust,
        run_directories=ports.run_directories,
        stopper=stopper,
    )
    ask = Ask(
        team=team,
        live=live,
        delegations=delegations,
        open_asks=open_asks,
        transcript=transcript,
        turns=turn_record,
        settings=settings,
        new_id=ports.new_id,
    )
    prompts = TerminalPrompts(team=team, live=live, beliefs=beliefs)
    beliefs.watch(prompts.note)
    dispatch = Dispatch(
        paths.id,
        team=team,
        live=live,
        beliefs=beliefs,
        ask=ask,
        converse=Converse(
            team=team, live=live, approved=approved, turns=turn_record, clock=ports.clock, new_id=ports.new_id
        ),
        prompts=prompts,
        launcher=launcher,
        attachment=Attachment(earlier=ports.earlier, profiles=ports.profiles, team=team, launcher=launcher),
        stopper=stopper,
        resumable=resumable,
        resume=resume,
        clock=ports.clock,
        new_id=ports.new_id,
        publish=publish,
    )
    hooks = AgentHooks(team=team, live=live, run_directories=ports.run_directories)
    departure = Departure()
    files = ProjectFiles(
        team=team, team_files=team_files, restore=restore, settings=settings, trust=trust, layouts=layouts
    )
    start = ProjectStart(
        restore=restore,
        settings=settings,
        marks=marks,
        files=files,
        notices=notices,
        turns=turns,
        hooks=hooks,
        open_asks=open_asks,
        by_itself=by_itself,
        supervisor=supervisor,
    )
    end = ProjectEnd(
        paths.root.name,
        team=team,
        live=live,
        restore=restore,
        marks=marks,
        stopper=stopper,
        writes=writes,
        open_asks=open_asks,
        departure=departure,
    )
    overview = Overview(
        agents_outlive_server=ports.keeper.outlives_server,
        team=team,
        live=live,
        beliefs=beliefs,
        transcript=transcript,
        delegations=delegations,
        permissions=permissions,
        resumable=resumable,
        trust=trust,
        settings=settings,
        layouts=layouts,
        notices=notices,
    )
    project = Project(
        paths,
        is_demo=is_demo,
        overview=overview,
        dispatch=dispatch,
        editor=editor,
        permissions=permissions,
        settings=settings,
        trust=trust,
        profiles=ports.profiles,
        layouts=layouts,
        notices=notices,
        departure=departure,
    )
    held_output = HeldOutput(team=team, live=live, beliefs=beliefs)
    return AssembledProject(project, start, files, end, team, hooks, open_asks, held_output)
