"""Failures by their situation: what is asked for is not there, cannot be, may not be, or came to an end."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from idea.domain.ids import AgentId, ConversationId, NodeId
from idea.domain.visible_text import visible_in_line
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


MAX_SAID_CHARS: Final = 300
"""Of a CLI's last line, where it stands in a sentence of ours."""

_DRAWING: Final = re.compile(r"\x1b\[[0-9;:?]*[ -/]*[@-~]")
"""Colours and the like, for a terminal."""

_FIND: Final = {
    "address": "GET /api/openapi.json tells the addresses that there are.",
    "agent file": "Look at the team again; somebody has removed or renamed it.",
    "conversation": "Look at the list again; its CLI may have removed it.",
    "credential": "Look at the list again; it may be revoked already.",
    "file": "Reload the page; it may be of another version.",
    "layout": "Look at the list again; it may be renamed or deleted.",
    "open project": "Open it first, in the page or with `idea PATH`.",
    "permission request": "Look at the agent again; somebody may have answered already, or its turn has ended.",
    "profile": "`idea profiles` lists those that there are.",
    "resumable agent": "It runs already, or did not run before; launch it instead.",
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


class Explained(IdeaError):
    """`reason` is a whole sentence, in English; `why` and what it names (`about`) say the same to a catalogue."""

    def __init__(self, reason: str, *, why: Why | None = None, **about: object) -> None:
        super().__init__(reason)
        self.reason = reason
        self.why = why
        self.about = about

    def fields(self) -> dict[str, object]:
        return explain(self.why, self.about)


def explain(why: Why | None, about: Mapping[str, object]) -> dict[str, object]:
    return {} if why is None else {"why": why, **about}


class Invalid(Explained):
    """The input or the target cannot be used in this way."""

    code = "INVALID"


class Conflict(Explained):
    """The present state forbids it."""

    code = "CONFLICT"


class OpenElsewhere(Conflict):
    """Another server has the project open. `holder` names its process beyond doubt; who says it back may end it."""

    def __init__(self, who: str, *, pid: int | None, since_ms: int | None, holder: str | None) -> None:
        super().__init__(
            f"Another IdeA server of yours has this project open ({who}). Use that one, or stop it first.",
            why="openElsewhere",
            pid=pid,
            sinceMs=since_ms,
            holder=holder,
        )
        self.holder = holder
        if holder is not None:
            self.advice = "Use that one; if it does not answer, `--take-over` ends it first."


def broken_file(file: str, reason: str) -> Conflict:
    """What is asked for needs a file (its name without a folder) that a person has to correct first."""
    return Conflict(f"{file} is broken ({reason}). Correct it in an editor first.", why="fileBroken", file=file)


class Refused(Explained):
    """A policy or a guard forbids it."""

    code = "REFUSED"


def persons_alone() -> Refused:
    """A program that an agent runs asks for what a person decides, or for an answer in a person's name."""
    error = Refused("A program of an agent asks this, and it is for a person to do.", why="personsAlone")
    error.advice = "To ask another agent, use the tool `idea_ask_agent`; for anything else, ask the person."
    return error


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
        if said := _DRAWING.sub("", tail).strip():
            # It was found and started: what it lacks it says itself.
            last = visible_in_line(said.splitlines()[-1].strip())[:MAX_SAID_CHARS]
            self.advice = f'Its CLI said last: "{last}". The user has to see to that.'

    def fields(self) -> dict[str, object]:
        return {"reason": self.reason, "tail": self.tail, **explain(self.why, self.about)}


class ConversationRefused(IdeaError):
    """The CLI does not go on with the agent's conversation: `reason` in its own words, or it took up `other` instead.

    The conversation stays the agent's: what is refused now may be found again later.
    """

    code = "CONVERSATION_REFUSED"

    def __init__(
        self, agent: str, conversation: ConversationId | None, *, reason: str, other: ConversationId | None = None
    ) -> None:
        why = f"it went on with another one, {other}" if other else reason
        super().__init__(f"{agent}'s CLI does not go on with its conversation: {why}")
        self.conversation = conversation
        self.reason = reason
        self.other = other

    def fields(self) -> dict[str, object]:
        about: dict[str, object] = {"reason": self.reason, "conversationId": self.conversation}
        return {**about, **explain("otherConversation", {"other": self.other})} if self.other else about


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

    def __init__(self, what: str, *, sentence: str = "", why: Why | None = None, **about: object) -> None:
        """`sentence` says it in other words."""
        super().__init__(sentence or f"{what} was lost")
        self.why = why
        self.about = about

    def fields(self) -> dict[str, object]:
        return explain(self.why, self.about)


def lost_with_keeper(agent: str) -> Lost:
    """Nothing of it is left, and the project has another keeper by now, or none: it can be started again."""
    return Lost(agent, sentence=f"{agent} ended with its keeper while it started", why="endedWithKeeper")


class KeeperSilent(Lost):
    """A project's keeper lives and does not answer: nothing is known of its agents, and nothing is done to them."""

    def __init__(self, pid: int | None) -> None:
        """None if nobody says which process it is."""
        who, advice = "The process that holds the project's agents", ""
        if pid is not None:
            who += f" (process {pid})"
            advice = f" If it was halted, `kill -CONT {pid}` lets it go on; `kill -9 {pid}` ends it, and they with it."
        super().__init__("The keeper", sentence=f"{who} does not answer.{advice}", why="keeperSilent", pid=pid)
