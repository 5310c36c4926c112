"""Rows of what a killed server was at ↔ domain values."""

from typing import Final

from idea.adapters.storage.record_rows import (
    UNREADABLE,
    BadRow,
    Row,
    at_from_us,
    at_to_us,
    fields_from_text,
    fields_to_text,
    typed,
)
from idea.domain.delegation import Requester, Source
from idea.domain.ids import AgentId, ConversationId, DelegationId, NodeId, SessionId, TurnId
from idea.domain.sessions import Session, SessionKind, SessionRole
from idea.domain.unfinished import BegunTurn, UnfinishedSession, UnfinishedTurn

_SESSION_COLUMNS: Final = (
    "agent, role, id, kind, node, conversation, started_us, keeper, profile, spawn, is_ready, carried"
)
SAVE_SESSION: Final = (
    f"INSERT OR REPLACE INTO unfinished_sessions ({_SESSION_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)"
)
SELECT_SESSIONS: Final = f"SELECT {_SESSION_COLUMNS} FROM unfinished_sessions ORDER BY started_us"
_TURN_COLUMNS: Final = (
    "id, agent, number, source, requester_agent, requester_turn, requester_name, delegation, message, limit_s,"
    " since_us, call, waits_for_limit, begun_us, spawn, replay_from, prompt_at, shown_tools"
)
_TURN_MARKS: Final = ",".join("?" * 18)
SAVE_TURN: Final = f"INSERT OR REPLACE INTO unfinished_turns ({_TURN_COLUMNS}) VALUES ({_TURN_MARKS})"
SELECT_TURNS: Final = f"SELECT {_TURN_COLUMNS} FROM unfinished_turns ORDER BY number"


def session_to_row(one: UnfinishedSession) -> Row:
    session = one.session
    return (
        session.agent,
        session.role.value,
        session.id,
        session.kind.value,
        session.node_id,
        session.conversation,
        at_to_us(session.started_at),
        one.keeper,
        one.profile,
        one.spawn_id,
        int(one.is_ready),
        fields_to_text(one.carried),
    )


def session_from_row(row: Row) -> UnfinishedSession:
    """Raises `BadRow`."""
    agent, role, identity, kind, node, conversation, started, keeper, profile, spawn, is_ready, carried = row
    try:
        return UnfinishedSession(
            Session(
                SessionId(typed(identity, str)),
                AgentId(typed(agent, str)),
                SessionKind(kind),
                None if node is None else NodeId(typed(node, str)),
                None if conversation is None else ConversationId(typed(conversation, str)),
                at_from_us(started),
                SessionRole(role),
            ),
            keeper=typed(keeper, str),
            profile=typed(profile, str),
            spawn_id=None if spawn is None else typed(spawn, str),
            is_ready=bool(typed(is_ready, int)),
            carried=fields_from_text(carried),
        )
    except UNREADABLE as error:
        raise BadRow(str(error)) from error


def turn_to_row(one: UnfinishedTurn) -> Row:
    begun: Row = (None, None, None, None, None)
    if one.begun is not None:
        where = one.begun
        begun = (at_to_us(where.at), where.spawn_id, where.replay_from, where.prompt_at, where.shown_tools)
    return (
        one.id,
        one.agent,
        one.number,
        one.requester.source.value,
        one.requester.agent,
        one.requester.turn,
        one.requester_name,
        one.delegation,
        one.message,
        one.limit_s,
        at_to_us(one.since),
        one.call,
        int(one.waits_for_limit),
        *begun,
    )


def turn_from_row(row: Row) -> UnfinishedTurn:
    """Raises `BadRow`."""
    try:
        identity, agent, number, source, requester_agent, requester_turn, requester_name = row[:7]
        delegation, message, limit, since, call, waits_for_limit, *begun = row[7:]
        return UnfinishedTurn(
            id=TurnId(typed(identity, str)),
            agent=AgentId(typed(agent, str)),
            number=typed(number, int),
            requester=Requester(
                source=Source(source),
                agent=None if requester_agent is None else AgentId(typed(requester_agent, str)),
                turn=None if requester_turn is None else TurnId(typed(requester_turn, str)),
            ),
            requester_name=typed(requester_name, str),
            delegation=None if delegation is None else DelegationId(typed(delegation, str)),
            message=typed(message, str),
            limit_s=None if limit is None else typed(limit, float),
            since=at_from_us(since),
            call=None if call is None else typed(call, str),
            waits_for_limit=bool(typed(waits_for_limit, int)),
            begun=_begun(*begun),
        )
    except UNREADABLE as error:
        raise BadRow(str(error)) from error


def _begun(at: object, spawn: object, replay_from: object, prompt_at: object, shown_tools: object) -> BegunTurn | None:
    if at is None:
        return None
    return BegunTurn(
        at_from_us(at), typed(spawn, str), typed(replay_from, int), typed(prompt_at, int), typed(shown_tools, int)
    )
