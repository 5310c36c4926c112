"""Keeps the team in step with the agent files: what people edit in the page, and what they edit by hand."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final

from idea.application.beliefs import Beliefs
from idea.application.ports import AgentStore, Clock, ProfileCatalog, Records, RunDirectories, Trust
from idea.application.record.transcript import Transcript
from idea.application.restart.restore import Restore
from idea.application.sessions.agent_stopper import AgentStopper
from idea.application.sessions.live_sessions import LiveSessions
from idea.application.supervisor import Supervisor
from idea.application.team.team import Member, Team
from idea.application.turns.turn_runner import TurnRunner
from idea.domain.agents import Agent, AgentDraft
from idea.domain.errors import Closed, Conflict, NotFound
from idea.domain.events import AgentFilesBroken, AgentRemoved, AgentSaved, Event
from idea.domain.ids import AgentId, AgentSlug, ProjectId
from idea.domain.sessions import SessionRole

GONE_S: Final = 3.0
"""Changing branches takes less; a file that is gone for longer was removed."""


class TeamEditor:
    """Every agent of the team has one turn worker, from its appearance to its removal."""

    def __init__(
        self,
        project: ProjectId,
        folder: Path,
        *,
        store: AgentStore,
        trust: Trust,
        profiles: ProfileCatalog,
        records: Records,
        run_directories: RunDirectories,
        team: Team,
        beliefs: Beliefs,
        transcript: Transcript,
        turns: TurnRunner,
        restore: Restore,
        stopper: AgentStopper,
        supervisor: Supervisor,
        live: LiveSessions,
        clock: Clock,
        publish: Callable[[Event], None],
    ) -> None:
        self._project = project
        self._folder = folder
        self._store = store
        self._trust = trust
        self._profiles = profiles
        self._records = records
        self._run_directories = run_directories
        self._team = team
        self._beliefs = beliefs
        self._transcript = transcript
        self._turns = turns
        self._restore = restore
        self._stopper = stopper
        self._supervisor = supervisor
        self._live = live
        self._clock = clock
        self._publish = publish
        self._workers: dict[AgentId, asyncio.Task[None]] = {}
        self._gone_since: dict[AgentId, datetime] = {}
        """When the files of agents that are at work were first missed."""
        self._is_looking_again = False
        # One reading of the files at a time: two that overlap could bring a deleted agent back.
        self._at_work = asyncio.Lock()

    async def reload(self) -> None:
        """Compare the files with the team and publish what differs."""
        async with self._at_work:
            await self._take_over()

    async def _take_over(self) -> None:
        agents, broken = await self._store.list()
        present = {agent.id for agent in agents}
        broken_slugs = {each.slug for each in broken}
        for member in self._team.members():
            # A file that is broken for the moment is being edited: its agent lives on as it was.
            if member.agent.id in present or member.agent.slug in broken_slugs:
                self._gone_since.pop(member.agent.id, None)
            elif not self._is_patient_with(member):
                # What its CLI keeps in its run directory stays: the file may come back, from another branch.
                await self._remove(member)
        for agent in agents:
            await self._put(agent)
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

    async def create(self, draft: AgentDraft) -> Agent:
        """Raises `NotFound` (profile), `Invalid`, `Conflict`."""
        self._profiles.get(draft.profile)
        async with self._at_work:
            agent = await self._store.create(draft)
            await self._trust.record_own_write(self._path(agent.slug))
            await self._put(agent)
        return agent

    async def save(self, agent_id: AgentId, draft: AgentDraft, *, base: str | None = None) -> Agent:
        """Slug and id stay; what changed takes effect at the next launch.

        Raises:
            NotFound, Invalid: the agent, its profile, or what is to be written.
            Conflict: its version is not `base` any more; everybody has been told what it is by now.
        """
        self._profiles.get(draft.profile)
        async with self._at_work:
            member = self._member(agent_id)
            agent = draft.to_agent(member.agent.id, member.agent.slug)
            try:
                await self._store.save(agent, base=base)
            except Conflict:
                # Whoever edits it has to see what it says, also where no watcher has told of it yet.
                await self._take_over()
                raise
            await self._trust.record_own_write(self._path(agent.slug))
            if agent.profile != member.agent.profile:
                # Another kind of CLI cannot go on with the old one's conversation.
                member.conversation = member.side_conversation = None
                for role in SessionRole:
                    await self._records.save_conversation(agent_id, None, role=role)
            await self._put(agent)
        return agent

    async def delete(self, agent_id: AgentId) -> None:
        """Stops it first. Raises `NotFound`."""
        async with self._at_work:
            member = self._member(agent_id)
            await self._stopper.stop(member, because=Closed(member.agent.name, is_deleted=True))
            await self._store.delete(member.agent.slug)
            await self._remove(member)
            await self._run_directories.remove(member.agent.slug)

    def _member(self, agent_id: AgentId) -> Member:
        member = self._team.find(agent_id)
        if member is None:
            raise NotFound("agent", agent_id)
        return member

    def _path(self, slug: AgentSlug) -> Path:
        return self._folder / f"{slug}.md"

    async def _put(self, agent: Agent) -> None:
        known = self._team.find(agent.id)
        if known is not None and known.agent == agent:
            return
        await self._transcript.load([agent.id])
        member = self._team.put(agent)
        if known is None:
            member.conversation = await self._records.find_conversation(agent.id)
            member.side_conversation = await self._records.find_conversation(agent.id, role=SessionRole.SIDE)
            await self._restore.take_up(member)
            worker = self._supervisor.start(partial(self._turns.run, member), name=f"turns-{agent.slug}")
            # However it ends, also before it began: nobody may wait for a worker that is gone.
            worker.add_done_callback(lambda _: member.mailbox.close(Closed(member.agent.name)))
            self._workers[agent.id] = worker
        self._publish(AgentSaved(self._project, agent))

    async def _remove(self, member: Member) -> None:
        agent = member.agent
        deleted = Closed(agent.name, is_deleted=True)
        # Before it is stopped: whoever asks meanwhile would start it again.
        member.mailbox.close(deleted)
        await self._stopper.stop(member, because=deleted)
        self._workers.pop(agent.id).cancel()
        self._gone_since.pop(agent.id, None)
        self._team.remove(agent.id)
        self._beliefs.forget(agent.id)
        self._live.forget(agent.id)
        self._publish(AgentRemoved(self._project, agent.id))
