"""Keeps the team in step with the agent files: what people edit in the page, and what they edit by hand."""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

from idea.application.agent_stopper import AgentStopper
from idea.application.beliefs import Beliefs
from idea.application.ports import AgentStore, ProfileCatalog, Records, RunDirectories, Trust
from idea.application.supervisor import Supervisor
from idea.application.team import Member, Team
from idea.application.transcript import Transcript
from idea.application.turns import TurnRunner
from idea.domain.agents import Agent, AgentDraft
from idea.domain.errors import Closed, Conflict, NotFound
from idea.domain.events import AgentFilesBroken, AgentRemoved, AgentSaved, Event
from idea.domain.ids import AgentId, AgentSlug, ProjectId


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
        stopper: AgentStopper,
        supervisor: Supervisor,
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
        self._stopper = stopper
        self._supervisor = supervisor
        self._publish = publish
        self._workers: dict[AgentId, asyncio.Task[None]] = {}
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
            if member.agent.id not in present and member.agent.slug not in broken_slugs:
                await self._remove(member)
        for agent in agents:
            await self._put(agent)
        if tuple(broken) != self._team.broken:
            self._team.broken = tuple(broken)
            self._publish(AgentFilesBroken(self._project, self._team.broken))

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
                member.conversation = None
                await self._records.save_conversation(agent_id, None)
            await self._put(agent)
        return agent

    async def delete(self, agent_id: AgentId) -> None:
        """Stops it first. Raises `NotFound`."""
        async with self._at_work:
            member = self._member(agent_id)
            await self._stopper.stop(member, because=Closed(member.agent.name, is_deleted=True))
            await self._store.delete(member.agent.slug)
            await self._remove(member)

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
            worker = self._supervisor.start(partial(self._turns.run, member), name=f"turns-{agent.slug}")
            # However it ends, also before it began: nobody may wait for a worker that is gone.
            worker.add_done_callback(lambda _: member.mailbox.close(Closed(member.agent.name)))
            self._workers[agent.id] = worker
        self._publish(AgentSaved(self._project, agent))

    async def _remove(self, member: Member) -> None:
        agent = member.agent
        await self._stopper.stop(member, because=Closed(agent.name, is_deleted=True))
        self._workers.pop(agent.id).cancel()
        await self._run_directories.remove(agent.slug)
        self._team.remove(agent.id)
        self._beliefs.forget(agent.id)
        self._publish(AgentRemoved(self._project, agent.id))
