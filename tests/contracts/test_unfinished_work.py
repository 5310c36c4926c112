"""The promises of `ports.UnfinishedWork`, kept by the database and by the fake."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from idea.adapters.storage.database import Database
from idea.adapters.storage.records import SqliteRecords
from idea.adapters.storage.unfinished_work import SqliteUnfinishedWork
from idea.application.ports import Records, UnfinishedWork
from idea.domain.conversation import Item, ItemKind
from idea.domain.delegation import Requester, Source
from idea.domain.ids import AgentId, ConversationId, DelegationId, NodeId, RequestId, SessionId, TurnId
from idea.domain.replies import Decision, ToolActivity, ToolPhase
from idea.domain.sessions import Session, SessionKind, SessionRole
from idea.domain.unfinished import BegunTurn, TurnOnRecord, UnfinishedSession, UnfinishedTurn
from tests.fakes.records import FakeRecords, FakeUnfinishedWork

NOON = datetime(2026, 11, 30, 12, 0, 0, 123456, tzinfo=UTC)
ADA, BOB = AgentId("ada"), AgentId("bob")
BOTH = pytest.mark.parametrize("kind", ["real", "fake"])

Kept = tuple[UnfinishedWork, Records]


@pytest.fixture
async def kept(kind: str, tmp_path: Path) -> AsyncIterator[Kept]:
    if kind == "fake":
        records = FakeRecords()
        yield FakeUnfinishedWork(records), records
        return
    database = Database(tmp_path)
    await database.open()
    yield SqliteUnfinishedWork(database), SqliteRecords(database)
    await database.aclose()


def _session(agent: AgentId, identity: str = "s1") -> UnfinishedSession:
    session = Session(SessionId(identity), agent, SessionKind.STRUCTURED, NodeId("n"), ConversationId("c"), NOON)
    return UnfinishedSession(session, "keeper-1", "claude", "spawn-1", is_ready=True, carried={"spent": 0.25})


def _turn(number: int, agent: AgentId = ADA) -> UnfinishedTurn:
    return UnfinishedTurn(
        TurnId(f"t{number}"),
        agent,
        number,
        Requester(Source.MCP, BOB, TurnId("of-bob")),
        "Bob",
        DelegationId("d"),
        "Look at é \ud800",
        30.5,
        NOON,
        "bridge:7",
    )


@BOTH
async def test_a_session_takes_the_place_of_the_agents_last_one_until_it_is_forgotten(kept: Kept) -> None:
    work, _ = kept
    await work.save_session(_session(ADA))
    later = replace(_session(ADA, "s2"), spawn_id=None, is_ready=False, carried={})
    other = _session(BOB)
    await work.save_session(replace(other, session=replace(other.session, started_at=NOON - timedelta(hours=1))))

    await work.save_session(later)

    assert [one.session.agent for one in await work.list_sessions()] == [BOB, ADA]
    assert (await work.list_sessions())[1] == later
    await work.forget_session(BOB, SessionRole.MAIN)
    await work.forget_session(BOB, SessionRole.MAIN)
    assert await work.list_sessions() == [later]


@BOTH
async def test_a_session_beside_the_agents_own_is_a_row_of_its_own(kept: Kept) -> None:
    work, _ = kept
    main, side = _session(ADA), _session(ADA, "s2")
    side = replace(side, session=replace(side.session, role=SessionRole.SIDE, started_at=NOON + timedelta(hours=1)))
    await work.save_session(main)

    await work.save_session(side)

    assert await work.list_sessions() == [main, side]
    await work.forget_session(ADA, SessionRole.MAIN)
    assert await work.list_sessions() == [side]
    await work.forget_session(ADA, SessionRole.SIDE)
    assert await work.list_sessions() == []


@BOTH
async def test_turns_come_in_the_order_of_arrival_with_where_they_began_and_what_was_decided(kept: Kept) -> None:
    work, _ = kept
    waits, begins = _turn(2), replace(_turn(1), limit_s=None, delegation=None, message="plain")
    await work.save_turn(waits)
    await work.save_turn(begins)
    await work.save_decision(begins.id, RequestId("r"), Decision.DENY)
    await work.save_decision(begins.id, RequestId("r"), Decision.ALLOW_ONCE)

    begun = replace(begins, begun=BegunTurn(NOON, "spawn-1", 10, 20, 3))
    await work.save_turn(begun)

    first, second = await work.list_turns()
    assert first == replace(begun, decisions={RequestId("r"): Decision.DENY})
    assert second == replace(waits, message="Look at é ?")


@BOTH
async def test_a_forgotten_turn_leaves_no_decision_behind(kept: Kept) -> None:
    work, _ = kept
    await work.save_turn(_turn(1))
    await work.save_decision(TurnId("t1"), RequestId("r"), Decision.DENY)

    await work.forget_turn(TurnId("t1"))
    await work.forget_turn(TurnId("t1"))

    assert await work.list_turns() == []
    await work.save_turn(_turn(1))
    assert (await work.list_turns())[0].decisions == {}


@BOTH
async def test_what_a_turn_has_on_record_is_counted(kept: Kept) -> None:
    work, records = kept
    tool = ToolActivity("c", "Bash", "ls", ToolPhase.ENDED)
    said = [ItemKind.PROMPT, ItemKind.TOOL, ItemKind.TOOL]
    for seq, kind in enumerate(said, start=1):
        await records.append(Item(seq, ADA, TurnId("t1"), kind, "x", NOON, "human", tool=tool))
    asked = DelegationId("d1")
    await records.append(Item(4, ADA, TurnId("t1"), ItemKind.ASKED, "x", NOON, ADA, delegation=asked))
    await records.append(Item(5, ADA, TurnId("t2"), ItemKind.FAILURE, "x", NOON, "human"))

    assert await work.turn_on_record(ADA, TurnId("t1")) == TurnOnRecord(has_prompt=True, tools=2, asked={asked: NOON})
    assert await work.turn_on_record(ADA, TurnId("t2")) == TurnOnRecord(has_failure=True)
    assert await work.turn_on_record(BOB, TurnId("t1")) == TurnOnRecord()
