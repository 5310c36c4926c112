"""The record of a project together with the database that it is in."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from idea.adapters.storage.database import Database
from idea.adapters.storage.records import SqliteRecords
from idea.domain.conversation import Item, ItemKind
from idea.domain.delegation import Delegation, Requester, Source
from idea.domain.file_trouble import FileTrouble
from idea.domain.ids import AgentId, DelegationId, TurnId

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
ADA = AgentId("ada")


def item_of(seq: int, text: str = "x") -> Item:
    return Item(seq, ADA, TurnId("t"), ItemKind.ANSWER, text, NOON, "human")


def delegation_of(number: int) -> Delegation:
    return Delegation(
        id=DelegationId(f"d{number}"),
        number=number,
        requester=Requester(Source.UI),
        requester_name="you",
        target=ADA,
        target_name="Ada",
        message="m",
        depth=1,
        asked_at=NOON,
    )


class OpenRecord(SqliteRecords):
    """The tables together with the database that they are in."""

    def __init__(self, state: Path) -> None:
        self._own = Database(state)
        super().__init__(self._own)
        self.open = self._own.open
        self.aclose = self._own.aclose
        self.write_again = self._own.write_again


async def reopened(state: Path) -> tuple[OpenRecord, Sequence[FileTrouble]]:
    records = OpenRecord(state)
    return records, await records.open()
