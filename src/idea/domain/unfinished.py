"""What a server that was killed left unfinished, and the next one takes up again: sessions and turns."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from uuid import UUID, uuid5

from idea.domain.delegation import Requester
from idea.domain.ids import AgentId, DelegationId, RequestId, TurnId
from idea.domain.replies import Decision
from idea.domain.sessions import Session

_MESSAGES: Final = UUID("0b9a3c1e-9c6f-4f0e-8f0a-51d5c2a7b6e4")
"""The namespace of turns that are made of a message's id. Another one would run again what is sent again."""


def turn_of_message(agent: AgentId, message_id: str, text: str) -> TurnId:
    """The turn that this message becomes, the same in every life of the server. Another text is another message."""
    return TurnId(str(uuid5(_MESSAGES, json.dumps([agent, message_id, text]))))


@dataclass(frozen=True, slots=True)
class BegunTurn:
    """Where a turn's bytes are. Offsets count the standard output of one process from its first byte."""

    at: datetime
    spawn_id: str
    """The process that works on it."""
    replay_from: int
    """The engine was at rest there: a new one that reads from here on says what the old one said."""
    prompt_at: int
    """What lies between `replay_from` and here was written before the CLI was given the message."""
    shown_tools: int = 0
    """Tools that came to their end before `replay_from`, of a turn too long to be kept whole."""


@dataclass(frozen=True, slots=True)
class UnfinishedTurn:
    """A message that waits for its agent, or that its agent works on."""

    id: TurnId
    agent: AgentId
    number: int
    """Counts up in the project: the order of arrival."""
    requester: Requester
    requester_name: str
    delegation: DelegationId | None
    message: str
    limit_s: float | None
    since: datetime
    call: str | None = None
    """The name of the call that made it, if an agent's bridge brought one."""
    waits_for_limit: bool = False
    """If its agent is limited until a known time, it is given to it again then."""
    begun: BegunTurn | None = None
    decisions: Mapping[RequestId, Decision] = field(default_factory=dict)
    """What people said to the permission requests of this turn."""


@dataclass(frozen=True, slots=True)
class UnfinishedSession:
    """A live session, and how to find its process. `session.conversation` is as it was last known."""

    session: Session
    keeper: str
    """Which keeper has its processes: with another one they are gone."""
    profile: str
    spawn_id: str | None
    """None: its engine starts a process per turn."""
    is_ready: bool = False
    carried: Mapping[str, object] = field(default_factory=dict)
    """What its engine knows beyond the turn, as JSON holds it."""


@dataclass(frozen=True, slots=True)
class TurnOnRecord:
    """How much of one turn the transcript has already."""

    has_prompt: bool = False
    tools: int = 0
    has_answer: bool = False
    has_failure: bool = False
    asked: Mapping[DelegationId, datetime] = field(default_factory=dict)
    """The asks that it made of other agents, in their order, and when."""
