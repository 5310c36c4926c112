"""What an engine says during a turn: a closed set, with exactly one terminal event per turn."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final as Const

from idea.domain.ids import ConversationId, RequestId


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of text as it streams. Never promoted to an answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Announcement:
    """A complete intermediate message: shown live, never kept, never returned."""

    text: str


class ToolPhase(StrEnum):
    STARTED = "started"
    ENDED = "ended"
    FAILED = "failed"


ASK_TOOL: Const = "idea_ask_agent"
"""The tool of ours by which an agent asks another one, as engines name it."""


@dataclass(frozen=True, slots=True)
class ToolActivity:
    """A tool at work. `call_id` joins its phases, `summary` is one line for a person."""

    call_id: str
    tool: str
    summary: str
    phase: ToolPhase
    detail: str = ""
    """Input or result for the unfolded line, at most `MAX_DETAIL_CHARS`."""


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """The engine is alive and busy, and has nothing to show but perhaps `note`: what it waits for."""

    note: str = ""


class Decision(StrEnum):
    ALLOW_ONCE = "allowOnce"
    ALLOW_SESSION = "allowSession"
    DENY = "deny"


@dataclass(frozen=True, slots=True)
class PermissionRequested:
    """The engine waits for a person. `detail` is the command, the path or the diff, verbatim."""

    request_id: RequestId
    tool: str
    title: str
    detail: str
    choices: tuple[Decision, ...] = (Decision.ALLOW_ONCE, Decision.DENY)


@dataclass(frozen=True, slots=True)
class UsageReported:
    """Tokens of the turn so far, and its cost in US dollars where the engine says it."""

    input_tokens: int
    output_tokens: int
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True)
class RateLimited:
    """The CLI refuses work until `until` (UTC), or for an unknown time. Not terminal by itself."""

    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Final:
    """Terminal: the turn's answer. Empty text means that the turn ended without a message."""

    text: str


class FailureKind(StrEnum):
    ENGINE = "engine"
    """The engine reported an error and lives."""
    INTERRUPTED = "interrupted"
    """The turn was stopped on our request."""
    DIED = "died"
    """The process ended before the turn did."""
    LIMITED = "limited"
    """The CLI refused because of a limit; a `RateLimited` came before."""


@dataclass(frozen=True, slots=True)
class Failed:
    """Terminal: no answer will come. `reason` is a sentence for a person."""

    kind: FailureKind
    reason: str
    tail: str = ""
    """The end of what the CLI wrote to stderr, where that is what ended the turn."""


ReplyEvent = (
    TextDelta
    | Announcement
    | ToolActivity
    | Heartbeat
    | PermissionRequested
    | UsageReported
    | RateLimited
    | Final
    | Failed
)

TERMINAL = (Final, Failed)
MAX_DETAIL_CHARS = 4_000
MAX_ANNOUNCEMENTS = 50
"""Per turn; later ones are counted, not shown."""


@dataclass(frozen=True, slots=True)
class EngineReady:
    """The session can take its first prompt."""


@dataclass(frozen=True, slots=True)
class ConversationIdentified:
    """The engine named its conversation; what a later launch resumes by."""

    conversation: ConversationId


@dataclass(frozen=True, slots=True)
class SpontaneousTurn:
    """A turn that we did not start ended with `text`; it answers no delegation."""

    text: str


@dataclass(frozen=True, slots=True)
class ResumeRefused:
    """The CLI does not go on with the conversation it was asked to resume."""

    conversation: ConversationId | None
    reason: str
    """The CLI's own words; empty if it said nothing and went on with `other` instead."""
    other: ConversationId | None = None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line that the engine could not understand; logged once per kind, never fatal."""

    line: str = field(repr=False)
    reason: str = ""


EngineEvent = ReplyEvent | EngineReady | ConversationIdentified | SpontaneousTurn | ResumeRefused | Unreadable
