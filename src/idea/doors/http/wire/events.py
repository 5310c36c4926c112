"""Facts in the order in which they happened, as the events socket tells them."""

from typing import Annotated, Literal

from pydantic import Field

from idea.domain.delegation import Source
from idea.domain.notices import NoticeCode
from idea.domain.replies import Decision
from idea.doors.http.wire.layouts import WireLayout, WireLayouts, WireResumable
from idea.doors.http.wire.shape import Wire
from idea.doors.http.wire.values import (
    WireAgent,
    WireBrokenAgent,
    WireDelegation,
    WireItem,
    WirePermission,
    WireProject,
    WireQueuedTurn,
    WireReadiness,
    WireRequester,
    WireSession,
    WireSettings,
    WireTool,
    WireTrust,
)


class WireEvent(Wire):
    seq: int
    project_id: str


class ProjectOpened(WireEvent):
    type: Literal["projectOpened"]
    project: WireProject


class ProjectClosed(WireEvent):
    type: Literal["projectClosed"]


class TrustChanged(WireEvent):
    type: Literal["trustChanged"]
    trust: WireTrust


class SettingsChanged(WireEvent):
    type: Literal["settingsChanged"]
    settings: WireSettings


class LayoutChanged(WireEvent):
    type: Literal["layoutChanged"]
    layout: WireLayout
    origin: str


class LayoutsChanged(WireEvent):
    """`layout` is the one that is shown from now on. `origin` may be `file`."""

    type: Literal["layoutsChanged"]
    layouts: WireLayouts
    layout: WireLayout
    origin: str


class ResumableChanged(WireEvent):
    type: Literal["resumableChanged"]
    resumable: list[WireResumable]


class AgentSaved(WireEvent):
    """Added or changed. For an agent that the page knows, only the edited fields are news."""

    type: Literal["agentSaved"]
    agent: WireAgent


class AgentRemoved(WireEvent):
    type: Literal["agentRemoved"]
    agent_id: str


class AgentFilesBroken(WireEvent):
    type: Literal["agentFilesBroken"]
    broken: list[WireBrokenAgent]


class AgentReadinessChanged(WireEvent):
    type: Literal["agentReadinessChanged"]
    agent_id: str
    readiness: WireReadiness


class SessionChanged(WireEvent):
    type: Literal["sessionChanged"]
    agent_id: str
    session: WireSession | None
    side_session: WireSession | None
    """What answers other agents beside its terminal now."""
    last_terminal_id: str | None
    conversation_id: str | None


class QueueChanged(WireEvent):
    type: Literal["queueChanged"]
    agent_id: str
    queue: list[WireQueuedTurn]
    queue_length: int


class TurnStarted(WireEvent):
    type: Literal["turnStarted"]
    agent_id: str
    turn_id: str
    requester: WireRequester
    ticket_id: str | None
    at_ms: int


class TurnTextStreamed(WireEvent):
    """`text` goes to character `offset` (UTF-16 units do not matter: it is always the end)."""

    type: Literal["turnTextStreamed"]
    agent_id: str
    turn_id: str
    offset: int
    text: str


class TurnToolChanged(WireEvent):
    type: Literal["turnToolChanged"]
    agent_id: str
    turn_id: str
    tool: WireTool


class AgentAnnouncement(WireEvent):
    type: Literal["agentAnnouncement"]
    requester: str
    target: str
    turn_id: str
    ticket_id: str | None
    text: str
    at_ms: int


class TurnEnded(WireEvent):
    type: Literal["turnEnded"]
    agent_id: str
    turn_id: str
    outcome: str
    at_ms: int


class ConversationAppended(WireEvent):
    type: Literal["conversationAppended"]
    item: WireItem


class DelegationChanged(WireEvent):
    type: Literal["delegationChanged"]
    delegation: WireDelegation


class PermissionAsked(WireEvent):
    type: Literal["permissionAsked"]
    permission: WirePermission


class PermissionSettled(WireEvent):
    type: Literal["permissionSettled"]
    agent_id: str
    request_id: str
    decision: Decision
    by: str


class OrchestratorRequestProcessed(WireEvent):
    type: Literal["orchestratorRequestProcessed"]
    requester_id: str
    source: Source
    command: str
    outcome: str
    ticket_id: str | None
    at_ms: int
    duration_ms: int


class NoticePosted(WireEvent):
    type: Literal["noticePosted"]
    number: int
    code: NoticeCode
    detail: str
    slug: str | None
    fields: dict[str, object]


class NoticeDismissed(WireEvent):
    type: Literal["noticeDismissed"]
    number: int


AnyEvent = Annotated[
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
    | NoticeDismissed,
    Field(discriminator="type"),
]
