"""What a killed server was at, as tables of the project's database."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from idea.adapters.storage.database import Database
from idea.adapters.storage.record_rows import Row, at_from_us
from idea.adapters.storage.unfinished_rows import (
    SAVE_SESSION,
    SAVE_TURN,
    SELECT_SESSIONS,
    SELECT_TURNS,
    session_from_row,
    session_to_row,
    turn_from_row,
    turn_to_row,
)
from idea.domain.conversation import ItemKind
from idea.domain.ids import AgentId, DelegationId, RequestId, TurnId
from idea.domain.replies import Decision
from idea.domain.sessions import SessionRole
from idea.domain.unfinished import TurnOnRecord, UnfinishedSession, UnfinishedTurn

COUNT_ITEMS: Final = "SELECT kind, count(*) FROM items WHERE agent = ? AND turn = ? GROUP BY kind"
SELECT_ASKED: Final = "SELECT delegation, at_us FROM items WHERE agent = ? AND turn = ? AND kind = 'asked' ORDER BY seq"


class SqliteUnfinishedWork:
    """A `ports.UnfinishedWork`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save_session(self, session: UnfinishedSession) -> None:
        await self._database.execute((SAVE_SESSION, session_to_row(session)))

    async def forget_session(self, agent: AgentId, role: SessionRole) -> None:
        await self._database.execute(("DELETE FROM unfinished_sessions WHERE agent = ? AND role = ?", (agent, role)))

    async def list_sessions(self) -> Sequence[UnfinishedSession]:
        return await self._database.read(
            lambda rows: self._database.parsed("unfinished_sessions", rows, session_from_row), SELECT_SESSIONS
        )

    async def save_turn(self, turn: UnfinishedTurn) -> None:
        await self._database.execute((SAVE_TURN, turn_to_row(turn)))

    async def save_decision(self, turn: TurnId, request: RequestId, decision: Decision) -> None:
        await self._database.execute(("INSERT OR IGNORE INTO decisions VALUES (?, ?, ?)", (turn, request, decision)))

    async def forget_turn(self, turn: TurnId) -> None:
        await self._database.execute(
            ("DELETE FROM unfinished_turns WHERE id = ?", (turn,)), ("DELETE FROM decisions WHERE turn = ?", (turn,))
        )

    async def list_turns(self) -> Sequence[UnfinishedTurn]:
        turns = await self._database.read(
            lambda rows: self._database.parsed("unfinished_turns", rows, turn_from_row), SELECT_TURNS
        )
        decisions = await self._database.read(_decisions, "SELECT turn, request, decision FROM decisions")
        return [replace(turn, decisions=decisions.get(turn.id, {})) for turn in turns]

    async def turn_on_record(self, agent: AgentId, turn: TurnId) -> TurnOnRecord:
        counts: dict[str, int] = await self._database.read(dict, COUNT_ITEMS, (agent, turn))
        asked = await self._database.read(list, SELECT_ASKED, (agent, turn))
        return TurnOnRecord(
            has_prompt=ItemKind.PROMPT in counts,
            tools=counts.get(ItemKind.TOOL, 0),
            has_answer=ItemKind.ANSWER in counts,
            has_failure=ItemKind.FAILURE in counts,
            asked={DelegationId(delegation): at_from_us(at) for delegation, at in asked if isinstance(delegation, str)},
        )


def _decisions(rows: Iterator[Row]) -> dict[TurnId, dict[RequestId, Decision]]:
    """What is no decision of ours counts as none."""
    found: dict[TurnId, dict[RequestId, Decision]] = {}
    known = {decision.value: decision for decision in Decision}
    for turn, request, said in rows:
        if said in known:
            found.setdefault(turn, {})[request] = known[said]
    return found
