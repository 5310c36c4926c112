"""What becomes of an ask: everything but its answer."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, Literal

from idea.domain.errors.situations import IdeaError, Refused, explain
from idea.domain.ids import DelegationId
from idea.domain.why import Why


class TargetDied(IdeaError):
    """The target's process ended before its turn did."""

    code = "TARGET_DIED"

    def __init__(self, agent: str, reason: str, *, tail: str = "", why: Why | None = None, **about: object) -> None:
        super().__init__(f"{agent} ended before it answered: {reason}")
        self.reason = reason
        self.tail = tail
        self.why = why
        self.about = about

    def fields(self) -> dict[str, object]:
        return {"reason": self.reason, "tail": self.tail, **explain(self.why, self.about)}


class TurnFailed(IdeaError):
    """The engine reported that the turn failed (a refused key, an overloaded model, a setting it cannot read …).

    `tail` is the end of what it wrote to stderr, if it gave up that way.
    """

    code = "TURN_FAILED"

    def __init__(self, agent: str, reason: str, *, tail: str = "", why: Why | None = None) -> None:
        super().__init__(f"{agent} could not finish its turn: {reason}")
        self.reason = reason
        self.tail = tail
        self.why = why

    def fields(self) -> dict[str, object]:
        return {"reason": self.reason, "tail": self.tail, **explain(self.why, {})}


class Timeout(IdeaError):
    """The turn, or the wait for it (`is_queued`), took longer than `limit_s` seconds.

    `note` is a sentence of the target's CLI: what it waited for, if it said so. `asked` says whom a person was to
    answer and what, if it came to that; the `asked_s` seconds of it are not among those of the limit.
    """

    code = "TIMEOUT"

    def __init__(
        self,
        agent: str,
        delegation: DelegationId | None,
        *,
        limit_s: float,
        is_queued: bool,
        note: str = "",
        asked: str = "",
        asked_s: float = 0.0,
    ) -> None:
        what = "was still busy with others" if is_queued else "did not answer"
        person = f". A person was asked for {asked_s:.0f} s besides ({asked})" if asked else ""
        said = f". Its CLI says: {note}" if note else ""
        super().__init__(f"{agent} {what} after {limit_s:g} s{person}{said}")
        self.delegation = delegation
        self.limit_s = limit_s
        self.is_queued = is_queued
        self.note = note
        self.asked = asked
        self.asked_s = asked_s

    def fields(self) -> dict[str, object]:
        return {
            "ticketId": self.delegation,
            "queued": self.is_queued,
            "limitSeconds": self.limit_s,
            "note": self.note,
            "asked": self.asked,
            "askedSeconds": round(self.asked_s),
        }


class TargetReturnedNoReply(IdeaError):
    """The target ended its turn without a message."""

    code = "TARGET_RETURNED_NO_REPLY"

    def __init__(self, agent: str) -> None:
        super().__init__(f"{agent} ended its turn without a message")


class TargetRateLimited(IdeaError):
    """The target's CLI refuses work until `until` (UTC), or for an unknown time (None)."""

    code = "TARGET_RATE_LIMITED"

    def __init__(self, agent: str, until: datetime | None) -> None:
        when = f"until {until:%Y-%m-%d %H:%M} UTC" if until else "for an unknown time"
        super().__init__(f"{agent} is limited by its CLI {when}")
        self.until = until

    def fields(self) -> dict[str, object]:
        return {"untilMs": int(self.until.timestamp() * 1000) if self.until else None}


CancelledBy = Literal["user", "requester", "stop", "cli", "close"]
"""Who took an ask back; a key of the page's catalogue."""
_CANCELLED_BY: Final[dict[CancelledBy, str]] = {
    "user": "the user",
    "requester": "its requester",
    "stop": "a stop of the agent",
    "cli": "its own CLI",
    "close": "the end of the project",
}


class Cancelled(IdeaError):
    """The requester, the human or a stop took the ask back."""

    code = "CANCELLED"

    def __init__(self, agent: str, by: CancelledBy) -> None:
        super().__init__(f"The ask to {agent} was cancelled by {_CANCELLED_BY[by]}")
        self.by = by

    def fields(self) -> dict[str, object]:
        return {"by": self.by}


class DelegationCycle(Refused):
    """The target waits, directly or through others, for the requester."""

    code = "DELEGATION_CYCLE"

    def __init__(self, chain: Sequence[str]) -> None:
        super().__init__(f"This ask would wait for itself: {' → '.join(chain)}")
        self.chain = tuple(chain)

    def fields(self) -> dict[str, object]:
        return {"chain": list(self.chain)}


class DelegationTooDeep(Refused):
    """More than `limit` agents would wait in one chain."""

    code = "DELEGATION_TOO_DEEP"

    def __init__(self, depth: int, limit: int) -> None:
        super().__init__(f"This ask would be number {depth} in one chain; at most {limit} are allowed")
        self.depth = depth
        self.limit = limit

    def fields(self) -> dict[str, object]:
        return {"depth": self.depth, "limit": self.limit}


class DelegationTooWide(Refused):
    """More than `limit` asks of one turn would be open at once."""

    code = "DELEGATION_TOO_WIDE"

    def __init__(self, limit: int) -> None:
        super().__init__(f"This turn already has {limit} open asks; wait for one of them first")
        self.limit = limit

    def fields(self) -> dict[str, object]:
        return {"limit": self.limit}


class Recorded(IdeaError):
    """What became of an ask that had its end before, as its record tells it; with the code of that error's class."""

    def __init__(self, code: str, explanation: str, fields: Mapping[str, object]) -> None:
        super().__init__(explanation)
        self.code = code
        self._fields = dict(fields)

    def fields(self) -> dict[str, object]:
        return dict(self._fields)
