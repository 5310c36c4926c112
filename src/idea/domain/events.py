"""Facts in the past tense. The event log numbers them; the page's state is their sum.

Python names are snake_case; the wire's `type` is the class name with a small first letter.
"""

from dataclasses import dataclass
from datetime import datetime

from idea.domain.agents import Agent, BrokenAgent
from idea.domain.conversation import Item
from idea.domain.delegation import Delegation, Requester
from idea.domain.ids import AgentId, DelegationId, ProjectId, RequestId, SessionId, TurnId
from idea.domain.layouts import Layout
from idea.domain.notices import NoticeDismissed, NoticePosted
from idea.domain.readiness import Readiness
from idea.domain.replies import Decision, PermissionRequested, ToolActivity
from idea.domain.resumable import Resumable
from idea.domain.sessions import Session
from idea.domain.settings import Settings
from idea.domain.shared_layouts import LayoutList
from idea.domain.trust import TrustVerdict


@dataclass(frozen=True, slots=True)
class ProjectOpened:
    project: ProjectId


@dataclass(frozen=True, slots=True)
class ProjectClosed:
    project: ProjectId


@dataclass(frozen=True, slots=True)
class TrustChanged:
    project: ProjectId
    verdict: TrustVerdict


@dataclass(frozen=True, slots=True)
class SettingsChanged:
    project: ProjectId
    settings: Settings


@dataclass(frozen=True, slots=True)
class LayoutChanged:
    """The shown layout has another content. `origin` is the client that saved it: it does not apply it twice."""

    project: ProjectId
    layout: Layout
    origin: str


@dataclass(frozen=True, slots=True)
class LayoutsChanged:
    """What can be shown is other than before, or which one is; `layout` is shown from now on.

    `origin` is the client that asked for it, `file` for a change on disk, empty where no grid changes by it.
    """

    project: ProjectId
    layouts: LayoutList
    layout: Layout
    origin: str


@dataclass(frozen=True, slots=True)
class ResumableChanged:
    """The complete present list of what ran and may go on."""

    project: ProjectId
    resumable: tuple[Resumable, ...]


@dataclass(frozen=True, slots=True)
class AgentSaved:
    """Added or changed, by hand or in the page."""

    project: ProjectId
    agent: Agent


@dataclass(frozen=True, slots=True)
class AgentRemoved:
    project: ProjectId
    agent: AgentId


@dataclass(frozen=True, slots=True)
class AgentFilesBroken:
    """The complete present list of files that are no agents."""

    project: ProjectId
    broken: tuple[BrokenAgent, ...]


@dataclass(frozen=True, slots=True)
class AgentReadinessChanged:
    project: ProjectId
    agent: AgentId
    readiness: Readiness


@dataclass(frozen=True, slots=True)
class SessionChanged:
    """The agent's session began, moved to another cell, learnt its conversation, or ended (None)."""

    project: ProjectId
    agent: AgentId
    session: Session | None
    last_terminal: SessionId | None = None
    """The terminal session that ended last, while its last screen can be looked at."""
    side: Session | None = None
    """The one beside it that answers other agents now."""


@dataclass(frozen=True, slots=True)
class QueuedTurn:
    """One waiting turn; `position` counts from 1."""

    turn: TurnId
    position: int
    requester: Requester
    requester_name: str
    delegation: DelegationId | None
    preview: str
    """The first line of the message, at most 120 characters."""
    since: datetime


@dataclass(frozen=True, slots=True)
class QueueChanged:
    """One agent's queue, without the turn that runs: the first of those that wait, and how many they are in all.

    A long queue changes often, and telling all of it each time would cost its square.
    """

    project: ProjectId
    agent: AgentId
    waiting: tuple[QueuedTurn, ...]
    length: int


@dataclass(frozen=True, slots=True)
class TurnStarted:
    project: ProjectId
    agent: AgentId
    turn: TurnId
    requester: Requester
    requester_name: str
    delegation: DelegationId | None
    at: datetime


@dataclass(frozen=True, slots=True)
class TurnTextStreamed:
    """`text` is appended at character `offset` of the running message."""

    project: ProjectId
    agent: AgentId
    turn: TurnId
    offset: int
    text: str


@dataclass(frozen=True, slots=True)
class TurnToolChanged:
    project: ProjectId
    agent: AgentId
    turn: TurnId
    tool: ToolActivity


@dataclass(frozen=True, slots=True)
class AgentAnnouncement:
    """A complete intermediate message of a turn; the streamed text starts again at 0 after it."""

    project: ProjectId
    requester: str
    """Agent id, `human` or `file`."""
    target: AgentId
    turn: TurnId
    delegation: DelegationId | None
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """`outcome` is a code of `outcomes`."""

    project: ProjectId
    agent: AgentId
    turn: TurnId
    outcome: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ConversationAppended:
    project: ProjectId
    item: Item


@dataclass(frozen=True, slots=True)
class DelegationChanged:
    """Asked, started or settled: the whole delegation as it is now."""

    project: ProjectId
    delegation: Delegation


@dataclass(frozen=True, slots=True)
class PermissionAsked:
    project: ProjectId
    agent: AgentId
    turn: TurnId
    request: PermissionRequested
    at: datetime
    expires_at: datetime
    """Denied by itself then."""


@dataclass(frozen=True, slots=True)
class PermissionSettled:
    project: ProjectId
    agent: AgentId
    request: RequestId
    decision: Decision
    by: str
    """`human`, `timeout` or `turnEnded`."""


@dataclass(frozen=True, slots=True)
class OrchestratorRequestProcessed:
    """One dispatched command came to its end."""

    project: ProjectId
    requester: Requester
    command: str
    outcome: str
    delegation: DelegationId | None
    at: datetime
    duration_ms: int


Event = (
    ProjectOpened
    | ProjectClosed
    | TrustChanged
    | SettingsChanged
    | LayoutChanged
    | LayoutsChanged
    | ResumableChanged
    | AgentSaved
    | AgentRemoved
    | AgentFilesBroken
    | AgentReadinessChanged
    | SessionChanged
    | QueueChanged
    | TurnStarted
    | TurnTextStreamed
    | TurnToolChanged
    | AgentAnnouncement
    | TurnEnded
    | ConversationAppended
    | DelegationChanged
    | PermissionAsked
    | PermissionSettled
    | OrchestratorRequestProcessed
    | NoticePosted
    | NoticeDismissed
)
