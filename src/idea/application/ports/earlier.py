"""The conversations that CLIs keep by themselves."""

from collections.abc import Sequence
from typing import Protocol

from idea.domain.agents import Agent
from idea.domain.earlier import EarlierConversation
from idea.domain.ids import ConversationId
from idea.domain.profiles import Profile


class EarlierConversations(Protocol):
    """Of an agent's folder, where the profile knows how to read them. Bounded; what cannot be read is not there."""

    async def list(self, agent: Agent, profile: Profile) -> Sequence[EarlierConversation]:
        """At most 100, the newest first. Raises `Invalid` where the profile does not know how."""
        ...

    async def find(
        self, agent: Agent, profile: Profile, conversation: ConversationId
    ) -> EarlierConversation | None: ...
