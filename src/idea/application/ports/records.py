"""What was said and asked, kept for good."""

from collections.abc import Sequence
from typing import Protocol

from idea.domain.conversation import Item
from idea.domain.delegation import Delegation
from idea.domain.ids import AgentId, ConversationId
from idea.domain.sessions import SessionRole


class Records(Protocol):
    """The append-only record of conversations and the delegations, in one database per project."""

    @property
    def begins_anew(self) -> bool:
        """There was none of an earlier server, or none that could be used: what is not on it may have been."""
        ...

    async def append(self, item: Item) -> None:
        """Returns when the item is committed. Raises `Conflict` if it cannot be, like every write."""
        ...

    async def list_items(self, agent: AgentId, *, before_seq: int | None, limit: int) -> Sequence[Item]:
        """Ascending; the `limit` items that end just below `before_seq` (None: at the newest)."""
        ...

    async def last_seq(self, agent: AgentId) -> int:
        """0 if there is none."""
        ...

    async def save_delegation(self, delegation: Delegation) -> None: ...

    async def list_open_delegations(self) -> Sequence[Delegation]:
        """Ascending by number."""
        ...

    async def list_delegations(self, *, limit: int) -> Sequence[Delegation]:
        """The newest `limit`, ascending by number."""
        ...

    async def save_conversation(
        self, agent: AgentId, conversation: ConversationId | None, *, role: SessionRole = SessionRole.MAIN
    ) -> None:
        """Remember what a later launch resumes; None forgets it."""
        ...

    async def find_conversation(
        self, agent: AgentId, *, role: SessionRole = SessionRole.MAIN
    ) -> ConversationId | None: ...
