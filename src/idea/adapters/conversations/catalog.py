"""Which reader a profile's CLI needs, and where it looks."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from idea.adapters.conversations.claude import list_claude
from idea.adapters.conversations.codex import list_codex
from idea.adapters.conversations.demo import list_demo
from idea.adapters.conversations.heads import Places
from idea.application.ports import ProjectPaths
from idea.domain.agents import Agent
from idea.domain.earlier import EarlierConversation
from idea.domain.errors import Invalid
from idea.domain.ids import ConversationId
from idea.domain.profiles import Profile

MAX_LISTED: Final = 100

_READERS: Final[Mapping[str, Callable[[Places], Iterator[EarlierConversation]]]] = {
    "claude": list_claude,
    "codex": list_codex,
    "demo": list_demo,
}


class ConversationCatalog:
    """A `ports.EarlierConversations`."""

    def __init__(self, paths: ProjectPaths, *, environment: Callable[[Profile], Mapping[str, str]]) -> None:
        self._paths = paths
        self._environment = environment

    async def list(self, agent: Agent, profile: Profile) -> Sequence[EarlierConversation]:
        """At most 100, the newest first. Raises `Invalid` where the profile does not know how."""
        found = await asyncio.to_thread(lambda: list(islice(self._read(agent, profile), MAX_LISTED)))
        return sorted(found, key=lambda one: one.last_at, reverse=True)

    async def find(self, agent: Agent, profile: Profile, conversation: ConversationId) -> EarlierConversation | None:
        """Raises `Invalid` where the profile does not know how."""
        return await asyncio.to_thread(
            lambda: next((one for one in self._read(agent, profile) if one.id == conversation), None)
        )

    def _read(self, agent: Agent, profile: Profile) -> Iterator[EarlierConversation]:
        reader = _READERS.get(profile.conversations)
        if reader is None:
            raise Invalid(
                f"IdeA does not know where {profile.name} keeps its conversations.",
                why="conversationsUnknown",
                profile=profile.name,
            )
        cwd = self._paths.root / agent.workspace if agent.workspace else self._paths.root
        return reader(Places(self._environment(profile), cwd, self._paths.run / agent.slug))
