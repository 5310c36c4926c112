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
SELECT_OPEN_DELEGATIONS: Final = (
    f"SELECT {_DELEGATION_COLUMNS} FROM delegations WHERE settled_us IS NULL ORDER BY number"
)


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
        at_to_us(item.at),
        item.author,
        item.delegation,
        tool,
        item.outcome,
        fields_to_text(item.fields),
    )


def item_from_row(row: Row) -> Item:
    """Raises `BadRow`."""
    agent, seq, turn, kind, text, at_us, author, delegation, tool, outcome, fields = row
    try:
        return Item(
            seq=typed(seq, int),
            agent=AgentId(typed(agent, str)),
            turn=TurnId(typed(turn, str)),
            kind=ItemKind(kind),
            text=typed(text, str),
            at=at_from_us(at_us),
            author=typed(author, str),
            delegation=None if delegation is None else DelegationId(typed(delegation, str)),
            tool=None if tool is None else _tool(json.loads(tool)),
            outcome=None if outcome is None else typed(outcome, str),
            fields=fields_from_text(fields),
        )
    except UNREADABLE as error:
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
        at_to_us(one.asked_at),
        one.state.value,
        one.turn,
        None if one.started_at is None else at_to_us(one.started_at),
        None if one.settled_at is None else at_to_us(one.settled_at),
        one.reply,
        one.outcome,
        one.explanation,
        fields_to_text(one.fields),
    )


def delegation_from_row(row: Row) -> Delegation:
    """Raises `BadRow`."""
    try:
        identity, number, source, agent, requester_turn, requester_name, target, target_name = row[:8]
        message, depth, asked, state, turn, started, settled, reply, outcome, explanation, fields = row[8:]
        return Delegation(
            id=DelegationId(typed(identity, str)),
            number=typed(number, int),
            requester=Requester(
                source=Source(source),
                agent=None if agent is None else AgentId(typed(agent, str)),
                turn=None if requester_turn is None else TurnId(typed(requester_turn, str)),
            ),
            requester_name=typed(requester_name, str),
            target=AgentId(typed(target, str)),
            target_name=typed(target_name, str),
            message=typed(message, str),
            depth=typed(depth, int),
            asked_at=at_from_us(asked),
            state=DelegationState(state),
            turn=None if turn is None else TurnId(typed(turn, str)),
            started_at=None if started is None else at_from_us(started),
            settled_at=None if settled is None else at_from_us(settled),
            reply=None if reply is None else typed(reply, str),
            outcome=None if outcome is None else typed(outcome, str),
            explanation=None if explanation is None else typed(explanation, str),
            fields=fields_from_text(fields),
        )
    except UNREADABLE as error:
        raise BadRow(str(error)) from error


UNREADABLE: Final = (ValueError, TypeError, KeyError, OverflowError, RecursionError)


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
        call_id=typed(fields["callId"], str),
        tool=typed(fields["tool"], str),
        summary=typed(fields["summary"], str),
        phase=ToolPhase(fields["phase"]),
        detail=typed(fields["detail"], str),
    )


def fields_to_text(fields: Mapping[str, object]) -> str | None:
    return json.dumps(fields, default=str) if fields else None


def fields_from_text(text: object) -> dict[str, object]:
    return {} if text is None else typed(json.loads(typed(text, str)), dict)


def at_to_us(at: datetime) -> int:
    return (at - _EPOCH) // timedelta(microseconds=1)


def at_from_us(microseconds: object) -> datetime:
    return _EPOCH + timedelta(microseconds=typed(microseconds, int))


def typed(value: object, kind: type[T]) -> T:
    if not isinstance(value, kind):
        raise TypeError(f"{kind.__name__} expected, {type(value).__name__} found")
    return value
