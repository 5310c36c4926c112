"""What a server tells of, as commands show it: projects, agents, conversations, and what became of a request."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from idea.domain.errors import Closed
from idea.doors.cli.failure import Failure, ServerGone

NEVER_LAUNCHED: Final = "neverLaunched"


@dataclass(frozen=True, slots=True)
class AgentRow:
    """One agent as `idea agents` shows it; `queue` counts waiting turns."""

    id: str
    slug: str
    name: str
    profile: str
    state: str
    reason: str
    source: str
    session: dict[str, str | None] | None
    queue: int
    runs: bool
    """In any session: what answers others beside a terminal may outlive that for a turn."""
    resumable: dict[str, object] | None
    """Set where it ran before and may go on."""

    @classmethod
    def parse(cls, agent: dict[str, Any], resumable: dict[str, Any] | None) -> Self:
        session, readiness = agent["session"], agent["readiness"]
        shown = None if session is None else {key: session[key] for key in ("kind", "nodeId", "conversationId")}
        ran = None if resumable is None else {key: resumable[key] for key in ("conversationId", "canResume", "reason")}
        return cls(
            id=agent["id"],
            slug=agent["slug"],
            name=agent["name"],
            profile=agent["profile"],
            state=readiness["state"],
            reason=readiness["reason"],
            source=readiness["source"],
            session=shown,
            queue=agent["queueLength"],
            runs=session is not None or agent["sideSession"] is not None,
            resumable=ran,
        )

    @property
    def shown_state(self) -> str:
        """For people: who never ran has not exited."""
        return "not started" if self.reason == NEVER_LAUNCHED else self.state

    def explain_resumable(self) -> str:
        """For one that ran before."""
        assert self.resumable is not None
        return "yes" if self.resumable["canResume"] else f"no: {self.resumable['reason']}"


@dataclass(frozen=True, slots=True)
class ResumedRow:
    """What became of one agent that was to go on."""

    agent: str
    failure: Failure | None

    @classmethod
    def parse(cls, resumed: dict[str, Any]) -> Self:
        error = resumed["error"]
        return cls(resumed["agentId"], None if error is None else parse_failure(error))

    def to_json(self) -> dict[str, object]:
        if self.failure is None:
            return {"id": self.agent, "outcome": "resumed"}
        return {
            "id": self.agent,
            "outcome": self.failure.outcome,
            "message": self.failure.message,
            **self.failure.fields,
        }


@dataclass(frozen=True, slots=True)
class BrokenRow:
    """A file of the team that is no agent."""

    slug: str
    line: int | None
    reason: str

    def __str__(self) -> str:
        where = "" if self.line is None else f", line {self.line}"
        return f"{self.slug}.md is broken{where}: {self.reason}"


@dataclass(frozen=True, slots=True)
class ProjectRow:
    id: str
    path: Path
    name: str
    is_trusted: bool
    agents: tuple[AgentRow, ...]
    broken: tuple[BrokenRow, ...]
    troubles: tuple[str, ...]
    """Sentences about its files that nobody dismissed."""

    @classmethod
    def parse(cls, project: dict[str, Any]) -> Self:
        ran = {one["agentId"]: one for one in project["resumable"]}
        return cls(
            id=project["id"],
            path=Path(project["path"]),
            name=project["name"],
            is_trusted=project["trust"]["isTrusted"],
            agents=tuple(AgentRow.parse(agent, ran.get(agent["id"])) for agent in project["agents"]),
            broken=tuple(BrokenRow(one["slug"], one["line"], one["reason"]) for one in project["broken"]),
            troubles=tuple(one["detail"] for one in project["notices"] if one["code"] == "fileTrouble"),
        )


@dataclass(frozen=True, slots=True)
class Answer:
    ticket_id: str
    reply: str
    duration_ms: int


@dataclass(frozen=True, slots=True)
class ConversationRow:
    """One that a CLI keeps by itself."""

    id: str
    first_words: str
    last_at_ms: int
    size_bytes: int
    agent_id: str | None


def parse_failure(error: dict[str, Any]) -> Failure:
    """What the server says of a request that it did not carry out."""
    kind = ServerGone if error["code"] == Closed.code else Failure
    return kind(error["code"], error["message"], advice=error["advice"], fields=error["fields"])
