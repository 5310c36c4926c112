"""The one table of how things can end: code → name, HTTP status, exit code, advice.

Every door renders from it and from nothing else; a test holds it against `errors`.
"""

from dataclasses import dataclass
from typing import Final

from idea.domain.errors import IdeaError


@dataclass(frozen=True, slots=True)
class Outcome:
    """One way for a request to end."""

    code: str
    """UPPER_SNAKE, on every wire."""
    name: str
    """As `idea ask --json` and the events print it."""
    http_status: int
    exit_code: int
    advice: str
    """What a person or a model should do next, one or two sentences; empty if nothing."""


_ROWS: Final = (
    Outcome("ANSWERED", "answered", 200, 0, ""),
    Outcome("NOT_FOUND", "NotFound", 404, 3, "Use idea_list_agents (or `idea agents`) to see the names that exist."),
    Outcome("INVALID", "Invalid", 422, 4, "Correct the request as the message says, then send it again."),
    Outcome("CONFLICT", "Conflict", 409, 5, "Look at the present state first; repeating the request changes nothing."),
    Outcome("AGENT_ALREADY_RUNNING", "AgentAlreadyRunning", 409, 5, "Go to the cell that shows it, or move it."),
    Outcome("REFUSED", "Refused", 403, 6, "Do not try again in the same way."),
    Outcome("TRUST_REQUIRED", "TrustRequired", 403, 6, "A person must approve the project in IdeA's page first."),
    Outcome("DELEGATION_CYCLE", "DelegationCycle", 409, 6, "Answer with what you know, or ask another agent."),
    Outcome("DELEGATION_TOO_DEEP", "DelegationTooDeep", 409, 6, "Do this part yourself, or answer what is missing."),
    Outcome("DELEGATION_TOO_WIDE", "DelegationTooWide", 429, 6, "Wait for one of your open asks, then ask again."),
    Outcome("TIMEOUT", "Timeout", 504, 7, "Ask for a smaller step, or give more time with timeoutSeconds."),
    Outcome("TARGET_RETURNED_NO_REPLY", "TargetReturnedNoReply", 502, 8, "Ask again and say which answer you need."),
    Outcome(
        "TARGET_DIED", "TargetDied", 502, 8, "Ask once more: it is started again. If it dies again, look at its CLI."
    ),
    Outcome(
        "TURN_FAILED",
        "TurnFailed",
        502,
        8,
        "If it is about a key, a plan or a setting, the user must see to that first; else ask again later.",
    ),
    Outcome("ENGINE_FAILED", "EngineFailed", 502, 8, "`idea doctor` shows what is missing; the user can install it."),
    Outcome(
        "CONVERSATION_REFUSED",
        "ConversationRefused",
        502,
        8,
        "The user can start it afresh in its cell: empty, or with the end of its transcript.",
    ),
    Outcome("TARGET_RATE_LIMITED", "TargetRateLimited", 429, 9, "Go on without it, or ask again after that time."),
    Outcome("CANCELLED", "Cancelled", 409, 10, "Nothing more will come of this ask."),
    Outcome("CLOSED", "Closed", 503, 11, "Open the project again."),
    Outcome("LOST", "Lost", 503, 11, "Start it again."),
    Outcome("INTERNAL", "Internal", 500, 70, "This is a fault of IdeA; its log says more."),
)

OUTCOMES: Final = {row.code: row for row in _ROWS}


def outcome_of(code: str) -> Outcome:
    """The row of `code`; an unknown code is a bug and reads as INTERNAL."""
    return OUTCOMES.get(code, OUTCOMES["INTERNAL"])


def advise(error: IdeaError) -> str:
    """What to do next: the error's own word on it, else its outcome's; empty if nothing."""
    return outcome_of(error.code).advice if error.advice is None else error.advice
