"""The record of conversations and delegations, as tables of the project's database."""

from collections.abc import Iterator, Sequence
from typing import Final

from idea.adapters.storage.database import Database
from idea.adapters.storage.record_rows import (
    INSERT_ITEM,
    SAVE_DELEGATION,
    SELECT_DELEGATIONS,
    SELECT_ITEMS,
    SELECT_OPEN_DELEGATIONS,
    Row,
    delegation_from_row,
    delegation_to_row,
    item_from_row,
    item_to_row,
)
from idea.domain.conversation import Item
from idea.domain.delegation import Delegation
from idea.domain.ids import AgentId, ConversationId
from idea.domain.sessions import SessionRole

SAVE_CONVERSATION: Final = "INSERT OR REPLACE INTO conversations (agent, role, conversation) VALUES (?, ?, ?)"
FORGET_CONVERSATION: Final = "DELETE FROM conversations WHERE agent = ? AND role = ?"
FIND_CONVERSATION: Final = "SELECT conversation FROM conversations WHERE agent = ? AND role = ?"
MAX_SEQ: Final = 2**63 - 1


class SqliteRecords:
    """A `ports.Records`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def begins_anew(self) -> bool:
        return self._database.begins_anew

    async def append(self, item: Item) -> None:
        """Returns when the item is committed. Raises `Conflict` when it cannot be written."""
        await self._database.execute((INSERT_ITEM, item_to_row(item)))

    async def list_items(self, agent: AgentId, *, before_seq: int | None, limit: int) -> Sequence[Item]:
        """Ascending; the `limit` items that end just below `before_seq` (None: at the newest)."""
        newest = await self._database.read(
            lambda rows: self._database.parsed("items", rows, item_from_row, limit),
            SELECT_ITEMS,
            (agent, MAX_SEQ if before_seq is None else min(before_seq, MAX_SEQ)),
        )
        return newest[::-1]

    async def last_seq(self, agent: AgentId) -> int:
        """0 if there is none."""
        found = await self._database.read(_first, "SELECT max(seq) FROM items WHERE agent = ?", (agent,))
        return found if isinstance(found, int) else 0

    async def save_delegation(self, delegation: Delegation) -> None:
        await self._database.execute((SAVE_DELEGATION, delegation_to_row(delegation)))

    async def list_open_delegations(self) -> Sequence[Delegation]:
        """Ascending by number; an index finds them among any number of others."""
        return await self._database.read(
            lambda rows: self._database.parsed("delegations", rows, delegation_from_row), SELECT_OPEN_DELEGATIONS
        )

    async def list_delegations(self, *, limit: int) -> Sequence[Delegation]:
        """The newest `limit`, ascending by number."""
        newest = await self._database.read(
            lambda rows: self._database.parsed("delegations", rows, delegation_from_row, limit), SELECT_DELEGATIONS
        )
        return newest[::-1]

    async def save_conversation(
        self, agent: AgentId, conversation: ConversationId | None, *, role: SessionRole = SessionRole.MAIN
    ) -> None:
        """Remember what a later launch resumes; None forgets it."""
        if conversation is None:
            await self._database.execute((FORGET_CONVERSATION, (agent, role)))
        else:
            await self._database.execute((SAVE_CONVERSATION, (agent, role, conversation)))

    async def find_conversation(self, agent: AgentId, *, role: SessionRole = SessionRole.MAIN) -> ConversationId | None:
        found = await self._database.read(_first, FIND_CONVERSATION, (agent, role))
        return ConversationId(found) if isinstance(found, str) else None


def _first(rows: Iterator[Row]) -> object:
    row = next(rows, None)
    return None if row is None else row[0]
