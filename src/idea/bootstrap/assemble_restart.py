"""Builds what takes up what a server before left of one project, and goes on with it. No decisions."""

from dataclasses import dataclass

from idea.application.ports import ProjectPaths
from idea.application.restart.left_processes import LeftProcesses
from idea.application.restart.left_sides import LeftSides
from idea.application.restart.restore import Restore
from idea.application.restart.resume_agents import ResumeAgents
from idea.application.restart.resume_by_itself import ResumeByItself
from idea.application.restart.strays import Strays
from idea.application.supervisor import Supervisor
from idea.application.turns.open_asks import OpenAsks
from idea.bootstrap.assemble_sessions import AgentSessions
from idea.bootstrap.project_facts import ProjectFacts
from idea.bootstrap.project_ports import ProjectPorts


@dataclass(frozen=True, slots=True)
class Restart:
    restore: Restore
    resume: ResumeAgents
    by_itself: ResumeByItself


def assemble_restart(
    paths: ProjectPaths,
    ports: ProjectPorts,
    facts: ProjectFacts,
    sessions: AgentSessions,
    *,
    open_asks: OpenAsks,
    supervisor: Supervisor,
) -> Restart:
    processes = LeftProcesses(ports.keeper)
    restore = Restore(
        paths.id,
        processes=processes,
        sessions=facts.sessions,
        turns=facts.turns,
        delegations=facts.delegations,
        transcript=facts.transcript,
        open_asks=open_asks,
        launcher=sessions.launcher,
        sides=LeftSides(processes=processes, sides=sessions.sides, record=facts.sessions),
        resumable=facts.resumable,
        strays=Strays(
            paths.id,
            keeper=ports.keeper,
            resumable=facts.resumable,
            records=facts.record,
            clock=ports.clock,
            new_id=ports.new_id,
            publish=facts.publish,
        ),
        beliefs=facts.beliefs,
        publish=facts.publish,
    )
    resume = ResumeAgents(
        team=facts.team,
        live=facts.live,
        resumable=facts.resumable,
        layouts=facts.layouts,
        approved=facts.approved,
        launcher=sessions.launcher,
    )
    by_itself = ResumeByItself(resumable=facts.resumable, resume=resume, settings=facts.settings, supervisor=supervisor)
    facts.followers.add(by_itself.follow)
    return Restart(restore, resume, by_itself)
