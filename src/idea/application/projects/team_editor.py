"""What people edit of the team in the page."""

from pathlib import Path

from idea.application.ports import AgentStore, ProfileCatalog, RunDirectories, Trust
from idea.application.projects.membership import Membership
from idea.application.projects.team_files import TeamFiles
from idea.application.sessions.agent_stopper import AgentStopper
from idea.application.team.team import Member, Team
from idea.domain.agents import Agent, AgentDraft
from idea.domain.errors import Closed, Conflict, NotFound
from idea.domain.ids import AgentId, AgentSlug


class TeamEditor:
    """What it writes is trusted as far as it was before, and the trust in the project is judged anew."""

    def __init__(
        self,
        folder: Path,
        *,
        store: AgentStore,
        files: TeamFiles,
        team: Team,
        membership: Membership,
        profiles: ProfileCatalog,
        trust: Trust,
        run_directories: RunDirectories,
        stopper: AgentStopper,
    ) -> None:
        """`folder` is where the agent files are."""
        self._folder = folder
        self._store = store
        self._files = files
        self._team = team
        self._membership = membership
        self._profiles = profiles
        self._trust = trust
        self._run_directories = run_directories
        self._stopper = stopper

    async def create(self, draft: AgentDraft) -> Agent:
        """Raises `NotFound` (profile), `Invalid`, `Conflict`."""
        self._profiles.get(draft.profile)
        async with self._files.at_work:
            agent = await self._store.create(draft)
            await self._trust.record_own_write(self._path(agent.slug))
            await self._membership.put(agent)
        await self._trust.look()
        return agent

    async def save(self, agent_id: AgentId, draft: AgentDraft, *, base: str | None = None) -> Agent:
        """Slug and id stay; what changed takes effect at the next launch.

        Raises:
            NotFound, Invalid: the agent, its profile, or what is to be written.
            Conflict: its version is not `base` any more; everybody has been told what it is by now.
        """
        self._profiles.get(draft.profile)
        async with self._files.at_work:
            member = self._member(agent_id)
            agent = draft.to_agent(member.agent.id, member.agent.slug)
            try:
                await self._store.save(agent, base=base)
            except Conflict:
                # Whoever edits it has to see what it says, also where no watcher has told of it yet.
                await self._files.take_over()
                raise
            await self._trust.record_own_write(self._path(agent.slug))
            if agent.profile != member.agent.profile:
                # Another kind of CLI cannot go on with the old one's conversation.
                await self._membership.forget_conversations(member)
            await self._membership.put(agent)
        await self._trust.look()
        return agent

    async def delete(self, agent_id: AgentId) -> None:
        """Stops it first. Raises `NotFound`."""
        async with self._files.at_work:
            member = self._member(agent_id)
            await self._stopper.stop(member, because=Closed(member.agent.name, is_deleted=True))
            await self._store.delete(member.agent.slug)
            await self._membership.remove(member)
            await self._run_directories.remove(member.agent)
        await self._trust.look()

    def _member(self, agent_id: AgentId) -> Member:
        member = self._team.find(agent_id)
        if member is None:
            raise NotFound("agent", agent_id)
        return member

    def _path(self, slug: AgentSlug) -> Path:
        return self._folder / f"{slug}.md"
