"""Keeps the team in step with the agent files, whoever changes them."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Final

from idea.application.ports import AgentStore, Clock
from idea.application.projects.membership import Membership
from idea.application.sessions.live_sessions import LiveSessions
from idea.application.supervisor import Supervisor
from idea.application.team.team import Member, Team
from idea.domain.events import AgentFilesBroken, Event
from idea.domain.ids import AgentId, ProjectId

GONE_S: Final = 3.0
"""Changing branches takes less; a file that is gone for longer was removed."""


class TeamFiles:
    def __init__(
        self,
        project: ProjectId,
        *,
        store: AgentStore,
        team: Team,
        live: LiveSessions,
        membership: Membership,
        supervisor: Supervisor,
        clock: Clock,
        publish: Callable[[Event], None],
    ) -> None:
        self._project = project
        self._store = store
        self._team = team
        self._live = live
        self._membership = membership
        self._supervisor = supervisor
        self._clock = clock
        self._publish = publish
        self._gone_since: dict[AgentId, datetime] = {}
        """When the files of agents that are at work were first missed."""
        self._is_looking_again = False
        self.at_work = asyncio.Lock()
        """One reading or writing of the files at a time: two that overlap could bring a deleted agent back."""

    async def reload(self) -> None:
        """Compare the files with the team and publish what differs."""
        async with self.at_work:
            await self.take_over()

    async def take_over(self) -> None:
        """`reload`, for who is `at_work`."""
        agents, broken = await self._store.list()
        present = {agent.id for agent in agents}
        broken_slugs = {each.slug for each in broken}
        for member in self._team.members():
            # A file that is broken for the moment is being edited: its agent lives on as it was.
            if member.agent.id in present or member.agent.slug in broken_slugs:
                self._gone_since.pop(member.agent.id, None)
            elif not self._is_patient_with(member):
                # What its CLI keeps in its run directory stays: the file may come back, from another branch.
                await self._membership.remove(member)
                self._gone_since.pop(member.agent.id, None)
        for agent in agents:
            await self._membership.put(agent)
        if tuple(broken) != self._team.broken:
            self._team.broken = tuple(broken)
            self._publish(AgentFilesBroken(self._project, self._team.broken))

    def _is_patient_with(self, member: Member) -> bool:
        """Its file is gone: may it go on working for now?

        An editor that renames and writes, or a `git stash`, takes a file away for a moment, in which nothing of what
        its agent does is to be lost. One that does nothing goes, and comes back, without a loss.
        """
        agent = member.agent.id
        is_at_work = self._live.find(agent) is not None or member.running is not None or len(member.mailbox) > 0
        now = self._clock.now()
        gone_s = (now - self._gone_since.setdefault(agent, now)).total_seconds()
        if not is_at_work or gone_s >= GONE_S:
            return False
        if not self._is_looking_again:
            self._is_looking_again = True
            self._supervisor.start(self._look_again, name="look-again")
        return True

    async def _look_again(self) -> None:
        await self._clock.sleep(GONE_S)
        self._is_looking_again = False
        await self.reload()
