"""Every failure that a caller may be told about, named after its situation.

Each class words its message from its fields; `fields()` are what a door renders beside it. Which HTTP
status, exit code or MCP text belongs to a code stands in `outcomes`.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, Literal

from idea.domain.ids import AgentId, DelegationId, NodeId
from idea.domain.why import Why


class IdeaError(Exception):
    """Base of every failure that a caller may be told about."""

    code: str = "INTERNAL"
    """Of the class, but for `Recorded`."""
    advice: str | None = None
    """What to do next, where the advice of the whole outcome does not fit the situation."""

    def fields(self) -> dict[str, object]:
        """What a door shows beside the message, keys in camelCase."""
        return {}


_FIND: Final = {
    "address": "GET /api/openapi.json tells the addresses that there are.",
    "agent file": "Look at the team again; somebody has removed or renamed it.",
    "credential": "Look at the list again; it may be revoked already.",
    "file": "Reload the page; it may be of another version.",
    "open project": "Open it first, in the page or with `idea PATH`.",
    "permission request": "Look at the agent again; somebody may have answered already, or its turn has ended.",
    "profile": "`idea profiles` lists those that there are.",
    "waiting turn": "Look at the queue again; it may have begun or ended already.",
}
"""What to do about a missing thing of each kind; an agent's is the outcome's own."""


class NotFound(IdeaError):
    """No such thing. `choices` are the names that would have worked."""

    code = "NOT_FOUND"

    def __init__(self, kind: str, name: str, *, choices: Sequence[str] = ()) -> None:
        known = f" There are: {', '.join(choices)}." if choices else ""
        super().__init__(f"There is no {kind} named {name!r}.{known}")
        self.kind = kind
        self.name = name
        self.choices = tuple(choices)
        self.advice = _FIND.get(kind)

    def fields(self) -> dict[str, object]:
        return {"kind": self.kind, "name": self.name, "choices": list(self.choices)}


class _Explained(IdeaError):
    """`reason` is a whole sentence, in English; `why` and what it names (`about`) say the same to a catalogue."""

    def __init__(self, reason: str, *, why: Why | None = None, **about: object) -> None:
        super().__init__(reason)
        self.reason = reason
        self.why = why
        self.about = about

    def fields(self) -> dict[str, object]:
        return _explain(self.why, self.about)


def _explain(why: Why | None, about: Mapping[str, object]) -> dict[str, object]:
    return {} if why is None else {"why": why, **about}


class Invalid(_Explained):
    """The input or the target cannot be used in this way."""

    code = "INVALID"


class Conflict(_Explained):
    """The present state forbids it."""

    code = "CONFLICT"


def broken_file(file: str, reason: str) -> Conflict:
    """What is asked for needs a file (its name without a folder) that a person has to correct first."""
    return Conflict(f"{file} is broken ({reason}). Correct it in an editor first.", why="fileBroken", file=file)


class Refused(_Explained):
    """A policy or a guard forbids it."""

    code = "REFUSED"


class TrustRequired(Refused):
    """The project brought things that would run and that nobody approved yet.

    `subject_hash` names the exact content; an approval quotes it.
    """

    code = "TRUST_REQUIRED"

    def __init__(self, project: str, subject_hash: str) -> None:
        super().__init__(f"{project} brought settings that run programs. Look at them and approve them first.")
        self.subject_hash = subject_hash

    def fields(self) -> dict[str, object]:
        return {"hash": self.subject_hash}


class AgentAlreadyRunning(Conflict):
    """The agent lives in another cell (`node_id`), or without a cell (None)."""

    code = "AGENT_ALREADY_RUNNING"

    def __init__(self, agent: AgentId, name: str, node_id: NodeId | None) -> None:
        where = "in another cell" if node_id else "in the background"
        super().__init__(f"{name} is already running {where}. Go to it, or move it here.")
        self.agent = agent
        self.node_id = node_id

    def fields(self) -> dict[str, object]:
        return {"agentId": self.agent, "nodeId": self.node_id}


class EngineFailed(IdeaError):
    """The CLI could not be started or gave up; `tail` is the end of what it wrote to stderr.

    `why` and `about` as in `Invalid`, where `reason` is our own clause and not the CLI's.
    """

    code = "ENGINE_FAILED"

    def __init__(self, agent: str, reason: str, *, tail: str = "", why: Why | None = None, **about: object) -> None:
        super().__init__(f"{agent}: {reason}")
        self.reason = reason
        self.tail = tail
        self.why = why
        self.about = about

    def fields(self) -> dict[str, object]:
        return {"reason": self.reason, "tail": self.tail, **_explain(self.why, self.about)}


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
        return {"reason": self.reason, "tail": self.tail, **_explain(self.why, self.about)}


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
        return {"reason": self.reason, "tail": self.tail, **_explain(self.why, {})}


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


class Closed(IdeaError):
    """IdeA itself ended it (project closed, server stopping), or a person has deleted the agent (`is_deleted`)."""

    code = "CLOSED"

    def __init__(self, what: str, *, is_deleted: bool = False) -> None:
        super().__init__(f"{what} was {'deleted' if is_deleted else 'closed'}")
        self.is_deleted = is_deleted
        if is_deleted:
            self.advice = "Ask another agent."

    def fields(self) -> dict[str, object]:
        return {"deleted": True} if self.is_deleted else {}


class Lost(IdeaError):
    """The other side ended it (a process or a connection went away)."""

    code = "LOST"

    def __init__(self, what: str) -> None:
        super().__init__(f"{what} was lost")
