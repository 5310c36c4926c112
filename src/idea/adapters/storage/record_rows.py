"""Rows of the record database ↔ domain values."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeVar

from idea.domain.conversation import Item, ItemKind
from idea.domain.delegation import Delegation, DelegationState, Requester, Source
from idea.domain.ids import AgentId, DelegationId, TurnId
from idea.domain.replies import ToolActivity, ToolPhase

Row = tuple[Any, ...]
"""As SQLite gives it, any column may hold anything; Any ends in this file."""

T = TypeVar("T")

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

_ITEM_COLUMNS: Final = "agent, seq, turn, kind, text, at_us, author, delegation, tool, outcome, fields"
INSERT_ITEM: Final = f"INSERT INTO items ({_ITEM_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?)"
SELECT_ITEMS: Final = f"SELECT {_ITEM_COLUMNS} FROM items WHERE agent = ? AND seq < ? ORDER BY seq DESC"
_DELEGATION_COLUMNS: Final = (
    "id, number, source, requester_agent, requester_turn, requester_name, target, target_name, message, depth,"
    " asked_us, state, turn, started_us, settled_us, reply, outcome, explanation, fields"
)
SAVE_DELEGATION: Final = (
    f"INSERT OR REPLACE INTO delegations ({_DELEGATION_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
)
SELECT_DELEGATIONS: Final = f"SELECT {_DELEGATION_COLUMNS} FROM delegations ORDER BY number DESC"


class BadRow(Exception):
    """A row holds what no version of ours wrote."""


def item_to_row(item: Item) -> Row:
    tool = None if item.tool is None else json.dumps(_tool_fields(item.tool))
    return (
        item.agent,
        item.seq,
        item.turn,
        item.kind.value,
        item.text,
        _us(item.at),
        item.author,
        item.delegation,
        tool,
        item.outcome,
        _fields_to_text(item.fields),
    )


def item_from_row(row: Row) -> Item:
    """Raises `BadRow`."""
    agent, seq, turn, kind, text, at_us, author, delegation, tool, outcome, fields = row
    try:
        return Item(
            seq=_typed(seq, int),
            agent=AgentId(_typed(agent, str)),
            turn=TurnId(_typed(turn, str)),
            kind=ItemKind(kind),
            text=_typed(text, str),
            at=_at(at_us),
            author=_typed(author, str),
            delegation=None if delegation is None else DelegationId(_typed(delegation, str)),
            tool=None if tool is None else _tool(json.loads(tool)),
            outcome=None if outcome is None else _typed(outcome, str),
            fields=_fields_from_text(fields),
        )
    except _UNREADABLE as error:
        raise BadRow(str(error)) from error


def delegation_to_row(one: Delegation) -> Row:
    return (
        one.id,
        one.number,
        one.requester.source.value,
        one.requester.agent,
        one.requester.turn,
        one.requester_name,
        one.target,
        one.target_name,
        one.message,
        one.depth,
        _us(one.asked_at),
        one.state.value,
        one.turn,
        None if one.started_at is None else _us(one.started_at),
        None if one.settled_at is None else _us(one.settled_at),
        one.reply,
        one.outcome,
        one.explanation,
        _fields_to_text(one.fields),
    )


def delegation_from_row(row: Row) -> Delegation:
    """Raises `BadRow`."""
    try:
        identity, number, source, agent, requester_turn, requester_name, target, target_name = row[:8]
        message, depth, asked, state, turn, started, settled, reply, outcome, explanation, fields = row[8:]
        return Delegation(
            id=DelegationId(_typed(identity, str)),
            number=_typed(number, int),
            requester=Requester(
                source=Source(source),
                agent=None if agent is None else AgentId(_typed(agent, str)),
                turn=None if requester_turn is None else TurnId(_typed(requester_turn, str)),
            ),
            requester_name=_typed(requester_name, str),
            target=AgentId(_typed(target, str)),
            target_name=_typed(target_name, str),
            message=_typed(message, str),
            depth=_typed(depth, int),
            asked_at=_at(asked),
            state=DelegationState(state),
            turn=None if turn is None else TurnId(_typed(turn, str)),
            started_at=None if started is None else _at(started),
            settled_at=None if settled is None else _at(settled),
            reply=None if reply is None else _typed(reply, str),
            outcome=None if outcome is None else _typed(outcome, str),
            explanation=None if explanation is None else _typed(explanation, str),
            fields=_fields_from_text(fields),
        )
    except _UNREADABLE as error:
        raise BadRow(str(error)) from error


def storable(text: str) -> str:
    """Engines may send half a surrogate pair, which no database takes."""
    return text.encode("utf-8", "replace").decode("utf-8")


_UNREADABLE: Final = (ValueError, TypeError, KeyError, OverflowError, RecursionError)


def _tool_fields(tool: ToolActivity) -> dict[str, str]:
    return {
        "callId": tool.call_id,
        "tool": tool.tool,
        "summary": tool.summary,
        "phase": tool.phase.value,
        "detail": tool.detail,
    }


def _tool(fields: Any) -> ToolActivity:
    return ToolActivity(
        call_id=_typed(fields["callId"], str),
        tool=_typed(fields["tool"], str),
        summary=_typed(fields["summary"], str),
        phase=ToolPhase(fields["phase"]),
        detail=_typed(fields["detail"], str),
    )


def _fields_to_text(fields: Mapping[str, object]) -> str | None:
    return json.dumps(fields, default=str) if fields else None


def _fields_from_text(text: object) -> dict[str, object]:
    return {} if text is None else _typed(json.loads(_typed(text, str)), dict)


def _us(at: datetime) -> int:
    return (at - _EPOCH) // timedelta(microseconds=1)


def _at(microseconds: object) -> datetime:
    return _EPOCH + timedelta(microseconds=_typed(microseconds, int))


def _typed(value: object, kind: type[T]) -> T:
    if not isinstance(value, kind):
        raise TypeError(f"{kind.__name__} expected, {type(value).__name__} found")
    return value
