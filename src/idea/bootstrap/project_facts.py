"""Builds what is true of one project, in memory and on record. No decisions."""

from collections.abc import Callable
from dataclasses import dataclass

from idea.application.beliefs import Beliefs
from idea.application.layouts.project_layouts import ProjectLayouts
from idea.application.layouts.running_marks import RunningMarks
from idea.application.ports import ProjectPaths
from idea.application.projects.followers import Followers
from idea.application.projects.known_settings import KnownSettings
from idea.application.projects.known_trust import KnownTrust
from idea.application.projects.notices import Notices
from idea.application.record.delegations import Delegations
from idea.application.record.lasting_record import LastingRecord, LastingWork, LastingWrites
from idea.application.record.transcript import Transcript
from idea.application.record.turn_record import TurnRecord
from idea.application.sessions.approved_files import ApprovedFiles
from idea.application.sessions.live_sessions import LiveSessions
from idea.application.sessions.resumable_agents import ResumableAgents
from idea.application.sessions.session_record import SessionRecord
from idea.application.supervisor import Supervisor
from idea.application.team.team import Team
from idea.application.turns.permissions import Permissions
from idea.bootstrap.project_ports import ProjectPorts
from idea.domain.events import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectFacts:
    """What the use cases of the project read and change. Each is handed the ones that it needs."""

    publish: Callable[[Event], None]
    """To those who follow inside, and everybody who watches."""
    followers: Followers
    notices: Notices
    settings: KnownSettings
    trust: KnownTrust
    approved: ApprovedFiles
    team: Team
    live: LiveSessions
    beliefs: Beliefs
    resumable: ResumableAgents
    layouts: ProjectLayouts
    marks: RunningMarks
    writes: LastingWrites
    record: LastingRecord
    sessions: SessionRecord
    turns: TurnRecord
    transcript: Transcript
    delegations: Delegations
    permissions: Permissions


def assemble_facts(
    paths: ProjectPaths, ports: ProjectPorts, *, supervisor: Supervisor, publish: Callable[[Event], None]
) -> ProjectFacts:
    notices = Notices(paths.id, publish=publish)
    followers = Followers(notices.publish)
    publish = followers.publish
    settings = KnownSettings(paths.id, store=ports.settings, notices=notices, publish=publish)
    team = Team(paths.id, publish=publish)
    writes = LastingWrites(supervisor=supervisor, on_failing=notices.tell_record)
    record = LastingRecord(ports.records, writes)
    work = LastingWork(ports.work, writes)
    sessions = SessionRecord(work, keeper=ports.keeper, supervisor=supervisor)
    live = LiveSessions(paths.id, publish=publish, on_change=sessions.follow)
    resumable = ResumableAgents(paths.id, team=team, live=live, profiles=ports.profiles, publish=publish)
    layouts = ProjectLayouts(paths.id, store=ports.layouts, shared=ports.shared_layouts, team=team, publish=publish)
    marks = RunningMarks(
        layouts=layouts, resumable=resumable, stopped=ports.stopped, supervisor=supervisor, on_trouble=notices.complain
    )
    followers.add(resumable.follow)
    followers.add(marks.follow)
    trust = KnownTrust(paths.id, ports.trust, publish=publish)
    return ProjectFacts(
        publish=publish,
        followers=followers,
        notices=notices,
        settings=settings,
        trust=trust,
        approved=ApprovedFiles(paths.root, agents=ports.agents, profiles=ports.profiles, trust=trust),
        team=team,
        live=live,
        beliefs=Beliefs(paths.id, clock=ports.clock, publish=publish),
        resumable=resumable,
        layouts=layouts,
        marks=marks,
        writes=writes,
        record=record,
        sessions=sessions,
        turns=TurnRecord(work, supervisor=supervisor),
        transcript=Transcript(paths.id, records=record, clock=ports.clock, publish=publish),
        delegations=Delegations(paths.id, records=record, clock=ports.clock, publish=publish),
        permissions=Permissions(
            paths.id,
            team=team,
            wait_s=lambda: settings().permission_wait_s,
            supervisor=supervisor,
            clock=ports.clock,
            publish=publish,
        ),
    )
