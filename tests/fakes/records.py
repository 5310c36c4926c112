"""The record in memory, which outlives the server of a test."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from idea.domain.conversation import Item, ItemKind
from idea.domain.delegation import Delegation
from idea.domain.ids import AgentId, ConversationId, RequestId, TurnId
from idea.domain.replies import (
    Decision,
)
from idea.domain.sessions import (
    SessionRole,
)
from idea.domain.unfinished import TurnOnRecord, UnfinishedSession, UnfinishedTurn


class FakeRecords:
    def __init__(self) -> None:
        self.items: list[Item] = []
        self.delegations: dict[str, Delegation] = {}
        self.conversations: dict[AgentId, ConversationId | None] = {}
        self.begins_anew = False
        self.side_conversations: dict[AgentId, ConversationId | None] = {}
        self.trouble: Exception | None = None
        """What every write raises instead: a full disk, or a fault."""
        self.writes_left: int | None = None
        """After so many nothing is written any more, and whoever tries gets no further: the server was killed."""
        self.died = asyncio.Event()
        self.may_write = asyncio.Event()
        """Cleared: the disk takes its time."""
        self.may_write.set()

    async def commit(self) -> None:
        """For all that is in the same database."""
        await self.may_write.wait()
        if self.writes_left == 0:
            self.died.set()
            await asyncio.get_running_loop().create_future()
        elif self.writes_left is not None:
            self.writes_left -= 1
        if self.trouble is not None:
            raise self.trouble

    async def append(self, item: Item) -> None:
        await self.commit()
        self.items.append(item)

    async def list_items(self, agent: AgentId, *, before_seq: int | None, limit: int) -> Sequence[Item]:
        mine = [item for item in self.items if item.agent == agent and (before_seq is None or item.seq < before_seq)]
        return sorted(mine, key=lambda item: item.seq)[-limit:]

    async def last_seq(self, agent: AgentId) -> int:
        return max((item.seq for item in self.items if item.agent == agent), default=0)

    async def save_delegation(self, delegation: Delegation) -> None:
        await self.commit()
        self.delegations[delegation.id] = delegation

    async def list_open_delegations(self) -> Sequence[Delegation]:
        by_number = sorted(self.delegations.values(), key=lambda delegation: delegation.number)
        return [known for known in by_number if known.state.is_open]

    async def list_delegations(self, *, limit: int) -> Sequence[Delegation]:
        return sorted(self.delegations.values(), key=lambda delegation: delegation.number)[-limit:]

    async def save_conversation(
        self, agent: AgentId, conversation: ConversationId | None, *, role: SessionRole = SessionRole.MAIN
    ) -> None:
        await self.commit()
        self._conversations(role)[agent] = conversation

    async def find_conversation(self, agent: AgentId, *, role: SessionRole = SessionRole.MAIN) -> ConversationId | None:
        return self._conversations(role).get(agent)

    def _conversations(self, role: SessionRole) -> dict[AgentId, ConversationId | None]:
        return self.conversations if role is SessionRole.MAIN else self.side_conversations


class FakeUnfinishedWork:
    """In one database with `records`."""

    def __init__(self, records: FakeRecords) -> None:
        self._records = records
        self.sessions: dict[tuple[AgentId, SessionRole], UnfinishedSession] = {}
        self.turns: dict[TurnId, UnfinishedTurn] = {}
        self.decisions: dict[TurnId, dict[RequestId, Decision]] = {}

    async def save_session(self, session: UnfinishedSession) -> None:
        await self._records.commit()
        self.sessions[session.session.agent, session.session.role] = session

    async def forget_session(self, agent: AgentId, role: SessionRole) -> None:
        await self._records.commit()
        self.sessions.pop((agent, role), None)

    async def list_sessions(self) -> Sequence[UnfinishedSession]:
        return sorted(self.sessions.values(), key=lambda one: one.session.started_at)

    async def save_turn(self, turn: UnfinishedTurn) -> None:
        await self._records.commit()
        message = turn.message.encode("utf-8", "replace").decode("utf-8")
        self.turns[turn.id] = replace(turn, message=message, decisions={})

    async def save_decision(self, turn: TurnId, request: RequestId, decision: Decision) -> None:
        await self._records.commit()
        self.decisions.setdefault(turn, {}).setdefault(request, decision)

    async def forget_turn(self, turn: TurnId) -> None:
        await self._records.commit()
        self.turns.pop(turn, None)
        self.decisions.pop(turn, None)

    async def list_turns(self) -> Sequence[UnfinishedTurn]:
        ordered = sorted(self.turns.values(), key=lambda turn: turn.number)
        return [replace(turn, decisions=dict(self.decisions.get(turn.id, {}))) for turn in ordered]

    async def turn_on_record(self, agent: AgentId, turn: TurnId) -> TurnOnRecord:
        items = [item for item in self._records.items if item.agent == agent and item.turn == turn]
        kinds = [item.kind for item in items]
        return TurnOnRecord(
            has_prompt=ItemKind.PROMPT in kinds,
            tools=kinds.count(ItemKind.TOOL),
            has_answer=ItemKind.ANSWER in kinds,
            has_failure=ItemKind.FAILURE in kinds,
            asked={item.delegation: item.at for item in items if item.kind is ItemKind.ASKED and item.delegation},
        )
