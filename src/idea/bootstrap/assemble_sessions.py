"""Builds what starts, runs and ends the sessions of one project's agents. No decisions."""

from collections.abc import Callable
from dataclasses import dataclass

from idea.application.beliefs import Beliefs
from idea.application.ports import ProjectPaths, Records
from idea.application.record.transcript import Transcript
from idea.application.sessions.agent_launcher import AgentLauncher
from idea.application.sessions.approved_files import ApprovedFiles
from idea.application.sessions.beginnings import Beginnings
from idea.application.sessions.launch_preparation import LaunchPreparation
from idea.application.sessions.live_sessions import LiveSessions
from idea.application.sessions.resumable_agents import ResumableAgents
from idea.application.sessions.session_factory import SessionFactory
from idea.application.sessions.session_listener import SessionListener
from idea.application.sessions.session_lives import SessionLives
from idea.application.sessions.session_record import SessionRecord
from idea.application.sessions.side_conversations import SideConversations
from idea.application.sessions.side_sessions import SideSessions
from idea.application.sessions.terminal_conversations import TerminalConversations
from idea.application.supervisor import Supervisor
from idea.application.team.team import Team
from idea.application.terminals.terminal_order import TerminalOrder
from idea.bootstrap.project_ports import ProjectPorts
from idea.domain.events import Event
from idea.domain.settings import Settings


@dataclass(frozen=True, slots=True)
class AgentSessions:
    launcher: AgentLauncher
    lives: SessionLives
    sides: SideSessions


def assemble_sessions(
    paths: ProjectPaths,
    ports: ProjectPorts,
    *,
    team: Team,
    live: LiveSessions,
    beliefs: Beliefs,
    records: Records,
    session_record: SessionRecord,
    transcript: Transcript,
    resumable: ResumableAgents,
    approved: ApprovedFiles,
    settings: Callable[[], Settings],
    supervisor: Supervisor,
    order: TerminalOrder,
    publish: Callable[[Event], None],
) -> AgentSessions:
    """`order` is the whole server's."""
    listener = SessionListener(
        paths.id,
        records=records,
        session_record=session_record,
        live=live,
        beliefs=beliefs,
        settings=settings,
        matches=ports.matches,
        publish=publish,
    )
    terminals = TerminalConversations(
        earlier=ports.earlier,
        team=team,
        live=live,
        beliefs=beliefs,
        supervisor=supervisor,
        remember=listener.remember,
    )
    beliefs.watch(terminals.note)
    lives = SessionLives(
        keeper=ports.keeper,
        run_directories=ports.run_directories,
        locks=ports.locks,
        listener=listener,
        record=session_record,
        live=live,
        resumable=resumable,
        beliefs=beliefs,
        supervisor=supervisor,
        terminals=terminals,
    )
    sessions = SessionFactory(
        keeper=ports.keeper,
        engines=ports.engines,
        screens=ports.screens,
        order=order,
        watch=listener.watch,
        record=session_record,
        clock=ports.clock,
        new_id=ports.new_id,
    )
    preparation = LaunchPreparation(
        paths.root, approved=approved, profiles=ports.profiles, run_directories=ports.run_directories
    )
    beginnings = Beginnings(transcript=transcript, records=records, new_id=ports.new_id)
    sides = SideSessions(
        sessions=sessions,
        preparation=preparation,
        profiles=ports.profiles,
        lives=lives,
        live=live,
        conversations=SideConversations(
            paths.id,
            records=records,
            transcript=transcript,
            beginnings=beginnings,
            live=live,
            session_record=session_record,
            publish=publish,
        ),
        new_id=ports.new_id,
    )
    launcher = AgentLauncher(
        sessions=sessions,
        preparation=preparation,
        sides=sides,
        profiles=ports.profiles,
        run_directories=ports.run_directories,
        locks=ports.locks,
        lives=lives,
        listener=listener,
        live=live,
        beliefs=beliefs,
        beginnings=beginnings,
        terminals=terminals,
        new_id=ports.new_id,
    )
    return AgentSessions(launcher, lives, sides)
