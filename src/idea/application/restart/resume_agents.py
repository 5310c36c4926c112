"""Agents that ran go on where they were: the ordinary launch, each for itself, trust before all."""

import asyncio
from collections.abc import Sequence
from typing import Final

from idea.application.layouts.project_layouts import ProjectLayouts
from idea.application.sessions.agent_launcher import AgentLauncher
from idea.application.sessions.approved_files import ApprovedFiles
from idea.application.sessions.live_sessions import LiveSessions
from idea.application.sessions.resumable_agents import ResumableAgents
from idea.application.team.team import Member, Team
from idea.domain.errors import Conflict, IdeaError
from idea.domain.ids import NodeId
from idea.domain.marks import Ran
from idea.domain.resumable import Resumable, Resumed
from idea.domain.sessions import Session

AT_ONCE: Final = 4
"""CLIs that start load a machine with some hundred MB and a core each for seconds."""


class ResumeAgents:
    def __init__(
        self,
        *,
        team: Team,
        live: LiveSessions,
        resumable: ResumableAgents,
        layouts: ProjectLayouts,
        approved: ApprovedFiles,
        launcher: AgentLauncher,
    ) -> None:
        self._team = team
        self._live = live
        self._resumable = resumable
        self._layouts = layouts
        self._approved = approved
        self._launcher = launcher

    async def resume(self, names: Sequence[str] | None) -> tuple[Resumed, ...]:
        """What became of each, in order; None: of all that can be resumed. One that runs already counts as resumed.

        Raises:
            TrustRequired: before anything runs.
            NotFound: no agent of such a name.
        """
        if names is None:
            able = [each.agent for each in self._resumable.list() if each.can_resume]
            members = [member for agent in able if (member := self._team.find(agent)) is not None]
        else:
            members = list(dict.fromkeys(self._team.resolve(name) for name in names))
        await self._approved.check()
        turnstile = asyncio.Semaphore(AT_ONCE)
        async with asyncio.TaskGroup() as tasks:
            resuming = [
                tasks.create_task(self._resume(member, turnstile), name=f"resume-{member.agent.slug}")
                for member in members
            ]
        return tuple(task.result() for task in resuming)

    async def _resume(self, member: Member, turnstile: asyncio.Semaphore) -> Resumed:
        agent = member.agent
        try:
            async with turnstile:
                live = self._live.find(agent.id)
                session = live.session if live is not None else await self._launch(member)
            return Resumed(agent.id, session)
        except IdeaError as error:
            return Resumed(agent.id, error)

    async def _launch(self, member: Member) -> Session:
        resumable = self._resumable.get(member.agent.id, member.agent.name)
        if resumable.obstacle is not None:
            raise _cannot(member, resumable)
        ran = resumable.ran
        return await self._launcher.launch(member, node_id=self._cell_for(ran), view=ran.view, is_reattach=True)

    def _cell_for(self, ran: Ran) -> NodeId | None:
        """Where the layout that is shown has the agent now; None: it goes on in the background."""
        nodes = [cell.node_id for cell in self._layouts.current.cells if cell.agent == ran.agent]
        return ran.node_id if ran.node_id in nodes else next(iter(nodes), None)


def _cannot(member: Member, resumable: Resumable) -> Conflict:
    # Without its profile nothing can be launched either.
    is_profile_gone = resumable.obstacle == "profileGone"
    advice = "Give it another profile in its file." if is_profile_gone else "Launch it instead."
    return Conflict(
        f"{member.agent.name} cannot go on where it was: {resumable.reason}. {advice}",
        why=resumable.obstacle,
        **resumable.about,
    )
