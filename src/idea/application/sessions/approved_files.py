"""What a launch runs, read from the project's files at that moment, and judged by exactly the bytes that were read."""

from pathlib import Path

from idea.application.ports import AgentStore, ProfileCatalog, Trust
from idea.domain.agents import Agent
from idea.domain.errors import Conflict, TrustRequired
from idea.domain.profiles import Profile
from idea.domain.trust import TrustVerdict


class ApprovedFiles:
    """Trust judges files; what the team or a catalog remembers of them may be older, or never have been approved."""

    def __init__(self, root: Path, *, agents: AgentStore, profiles: ProfileCatalog, trust: Trust) -> None:
        self._root = root
        self._agents = agents
        self._profiles = profiles
        self._trust = trust

    async def read(self, known: Agent) -> tuple[Agent, Profile]:
        """The agent as its file says now, and its profile; both approved as they are returned.

        Raises:
            NotFound: the agent's file or its profile is gone.
            Conflict: the file is broken, another agent's by now, or changed while it was judged.
            TrustRequired: something of the project waits for an approval.
        """
        agent = await self._agents.read(known.slug)
        if agent.value.id != known.id:
            raise Conflict(
                f"{known.slug}.md belongs to another agent by now. Look at it again.",
                why="fileOfAnother",
                file=f"{known.slug}.md",
            )
        profile = self._profiles.read(agent.value.profile)
        self._need(await self._trust.judge({**agent.sources, **profile.sources}))
        return agent.value, profile.value

    async def check(self) -> None:
        """Raises `TrustRequired` if something of the project waits for an approval."""
        self._need(await self._trust.look())

    def _need(self, verdict: TrustVerdict) -> None:
        if not verdict.is_trusted:
            raise TrustRequired(self._root.name, verdict.subject_hash)
