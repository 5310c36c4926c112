"""What the next server must find if this one is killed."""

from collections.abc import Sequence
from typing import Protocol

from idea.domain.ids import AgentId, RequestId, TurnId
from idea.domain.replies import Decision
from idea.domain.sessions import SessionRole
from idea.domain.unfinished import TurnOnRecord, UnfinishedSession, UnfinishedTurn


class UnfinishedWork(Protocol):
    """Each write returns when it is committed, and raises `Conflict` if it cannot be."""

    async def save_session(self, session: UnfinishedSession) -> None:
        """At most one per agent and role: it takes the place of the one before."""
        ...

    async def forget_session(self, agent: AgentId, role: SessionRole) -> None:
        """It has ended. Idempotent."""
        ...

    async def list_sessions(self) -> Sequence[UnfinishedSession]: ...

    async def save_turn(self, turn: UnfinishedTurn) -> None:
        """Without its decisions, which stay as they are."""
        ...

    async def save_decision(self, turn: TurnId, request: RequestId, decision: Decision) -> None:
        """The first one counts."""
        ...

    async def forget_turn(self, turn: TurnId) -> None:
        """It has come to its end, which is on record. Its decisions go with it. Idempotent."""
        ...

    async def list_turns(self) -> Sequence[UnfinishedTurn]:
        """Ascending by number, with their decisions."""
        ...

    async def turn_on_record(self, agent: AgentId, turn: TurnId) -> TurnOnRecord: ...


class StoppedAgents(Protocol):
    """Whom a person stopped while no server was there: they ended, and were not lost."""

    async def load(self) -> frozenset[AgentId]: ...

    async def forget(self) -> None:
        """What they were is written down. Idempotent. Raises `Refused`, `Conflict`."""
        ...
