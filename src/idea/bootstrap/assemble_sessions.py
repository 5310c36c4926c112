"""Builds what starts, runs and ends the sessions of one project's agents. No decisions."""

from dataclasses import dataclass

from idea.application.ports import ProjectPaths
from idea.application.sessions.agent_launcher import AgentLauncher
from idea.application.sessions.agent_stopper import AgentStopper
from idea.application.sessions.beginnings import Beginnings
from idea.application.sessions.launch_preparation import LaunchPreparation
from idea.application.sessions.session_factory import SessionFactory
from idea.application.sessions.session_listener import SessionListener
from idea.application.sessions.session_lives import SessionLives
from idea.application.sessions.side_conversations import SideConversations
from idea.application.sessions.side_sessions import SideSessions
from idea.application.sessions.terminal_conversations import TerminalConversations
from idea.application.supervisor import Supervisor
from idea.application.terminals.terminal_order import TerminalOrder
from idea.bootstrap.project_facts import ProjectFacts
from idea.bootstrap.project_ports import ProjectPorts


@dataclass(frozen=True, slots=True)
class AgentSessions:
    launcher: AgentLauncher
    lives: SessionLives
    sides: SideSessions
    stopper: AgentStopper
    terminals: TerminalConversations


def assemble_sessions(
    paths: ProjectPaths, ports: ProjectPorts, facts: ProjectFacts, *, supervisor: Supervisor, order: TerminalOrder
) -> AgentSessions:
    """`order` is the whole server's."""
    listener = SessionListener(
        paths.id,
        records=facts.record,
        session_record=facts.sessions,
        live=facts.live,
        beliefs=facts.beliefs,
        settings=facts.settings,
        matches=ports.matches,
        publish=facts.publish,
    )
    terminals = TerminalConversations(
        earlier=ports.earlier,
        team=facts.team,
        live=facts.live,
        beliefs=facts.beliefs,
        supervisor=supervisor,
        clock=ports.clock,
        remember=listener.remember,
    )
    facts.beliefs.watch(terminals.note)
    lives = SessionLives(
        keeper=ports.keeper,
        run_directories=ports.run_directories,
        locks=ports.locks,
        listener=listener,
        record=facts.sessions,
        live=facts.live,
        resumable=facts.resumable,
        beliefs=facts.beliefs,
        supervisor=supervisor,
        terminals=terminals,
    )
    sessions = SessionFactory(
        keeper=ports.keeper,
        engines=ports.engines,
        screens=ports.screens,
        order=order,
        watch=listener.watch,
        record=facts.sessions,
        clock=ports.clock,
        new_id=ports.new_id,
    )
    preparation = LaunchPreparation(
        paths.root, approved=facts.approved, profiles=ports.profiles, run_directories=ports.run_directories
    )
    beginnings = Beginnings(transcript=facts.transcript, records=facts.record, new_id=ports.new_id)
    sides = SideSessions(
        sessions=sessions,
        preparation=preparation,
        profiles=ports.profiles,
        lives=lives,
        live=facts.live,
        conversations=SideConversations(
            paths.id,
            records=facts.record,
            transcript=facts.transcript,
            beginnings=beginnings,
            live=facts.live,
            session_record=facts.sessions,
            publish=facts.publish,
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
        live=facts.live,
        beliefs=facts.beliefs,
        beginnings=beginnings,
        terminals=terminals,
        new_id=ports.new_id,
    )
    return AgentSessions(launcher, lives, sides, AgentStopper(lives), terminals)
