"""What was said to and by an agent, as a chat cell shows it and a transcript keeps it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from idea.domain.delegation import Requester
from idea.domain.ids import AgentId, DelegationId, TurnId
from idea.domain.replies import ToolActivity, UsageReported


class ItemKind(StrEnum):
    PROMPT = "prompt"
    """What the agent was told: by the human, or by an agent (then `delegation` is set)."""
    ANSWER = "answer"
    TOOL = "tool"
    FAILURE = "failure"
    """The turn ended without an answer; `text` says why in English, `outcome` and `fields` for every language."""
    ASKED = "asked"
    """This agent asked another; `delegation` says which ask."""
    MARK = "mark"
    """Not said by anybody: the conversation took another way here; `fields["mark"]` is a `Mark`."""


class Mark(StrEnum):
    """Where a conversation took another way; a key of the page's catalogue."""

    EMPTY = "empty"
    """A new conversation: what stands above is not known to the agent any more."""
    PRIMED = "primed"
    """A new conversation that was given the end of what stands above."""
    TERMINAL = "terminal"
    """It went on in the CLI's own terminal, and what was said there is not shown."""
    BESIDE = "beside"
    """Beside its terminal it could not go on, and began anew, given the end of what stands above."""
    ATTACHED = "attached"
    """Another conversation, which was there before: what stands above is not known to the agent."""


@dataclass(frozen=True, slots=True)
class Item:
    """One line of the record. Announcements and partial text are never items."""

    seq: int
    """Counts up per agent from 1."""
    agent: AgentId
    turn: TurnId
    kind: ItemKind
    text: str
    at: datetime
    author: str
    """Agent id, `human` or `file`."""
    delegation: DelegationId | None = None
    tool: ToolActivity | None = None
    """Only for TOOL: its last phase."""
    outcome: str | None = None
    """Only for FAILURE: a code of `outcomes`; None in records of earlier versions."""
    fields: Mapping[str, object] = field(default_factory=dict)
    """Of a FAILURE: what the error's class says beside its message, as JSON holds it; of a person's message that never
    came to the agent also `given`, which is false. Of a MARK: `mark`, a `Mark`.
    Of a PROMPT that a side session was given: `beside`, which is `terminal`."""


@dataclass(slots=True)
class LiveTurn:
    """The turn an agent is in: everything that is shown while it lasts. Mutable, owned by its runner."""

    id: TurnId
    agent: AgentId
    requester: Requester
    delegation: DelegationId | None
    started_at: datetime
    text: str = ""
    """The text streamed since the last complete message."""
    tools: dict[str, ToolActivity] = field(default_factory=dict)
    announcements: list[tuple[datetime, str]] = field(default_factory=list)
    usage: UsageReported | None = None
