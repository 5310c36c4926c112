"""The shapes of the HTTP and WebSocket API: the page's TypeScript is generated from these.

camelCase, times as UTC epoch milliseconds (`…AtMs`), closed vocabularies as literals. No logic; `render`
turns domain values into these, the routes turn requests into commands.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from idea.domain.agents import PermissionMode
from idea.domain.conversation import ItemKind
from idea.domain.delegation import DelegationState, Source
from idea.domain.layouts import View
from idea.domain.readiness import BeliefSource, ReadinessReason, ReadinessState
from idea.domain.replies import Decision, ToolPhase
from idea.domain.sessions import SessionKind
from idea.domain.trust import TrustKind


class Wire(BaseModel):
    """Base of every shape on the wire: camelCase, unknown keys refused, immutable."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        extra="forbid",
        frozen=True,
        json_schema_serialization_defaults_required=True,
    )


# --- values ---------------------------------------------------------------------------------------------------


class WireReadiness(Wire):
    state: ReadinessState
    reason: ReadinessReason
    """A key of the page's catalogue; `detail` fills its sentence."""
    detail: str
    source: BeliefSource
    since_at_ms: int
    until_at_ms: int | None
    exit_code: int | None


class WireSession(Wire):
    id: str
    kind: SessionKind
    node_id: str | None
    conversation_id: str | None
    started_at_ms: int


class WireRequester(Wire):
    id: str
    """Agent id, `human` or `file`."""
    name: str
    source: Source


class WireQueuedTurn(Wire):
    turn_id: str
    position: int
    requester: WireRequester
    ticket_id: str | None
    preview: str
    since_at_ms: int


class WireTool(Wire):
    call_id: str
    tool: str
    summary: str
    phase: ToolPhase
    detail: str


class WireAnnouncement(Wire):
    text: str
    at_ms: int


class WireLiveTurn(Wire):
    """The running turn: what was streamed since the last complete message, tools, announcements."""

    turn_id: str
    requester: WireRequester
    ticket_id: str | None
    started_at_ms: int
    text: str
    tools: list[WireTool]
    announcements: list[WireAnnouncement]


class WirePermission(Wire):
    request_id: str
    agent_id: str
    turn_id: str
    tool: str
    title: str
    detail: str
    choices: list[Decision]
    asked_at_ms: int
    expires_at_ms: int


class AgentFields(Wire):
    """What a person edits."""

    name: str = Field(min_length=1, max_length=64)
    profile: str
    model: str | None = None
    permissions: PermissionMode = PermissionMode.ASK
    capabilities: list[str] = []
    allow_structured_alongside_pty: bool | None = None
    workspace: str | None = None
    instructions: str = Field(default="", max_length=200_000)


class WireAgent(AgentFields):
    id: str
    slug: str
    readiness: WireReadiness
    session: WireSession | None
    conversation_id: str | None
    queue: list[WireQueuedTurn]
    live_turn: WireLiveTurn | None


class WireBrokenAgent(Wire):
    slug: str
    line: int | None
    reason: str


class WireDelegation(Wire):
    ticket_id: str
    number: int
    requester: WireRequester
    requester_turn_id: str | None
    target_id: str
    target_name: str
    message: str
    depth: int
    state: DelegationState
    turn_id: str | None
    asked_at_ms: int
    started_at_ms: int | None
    settled_at_ms: int | None
    reply: str | None
    outcome: str | None
    explanation: str | None


class WireItem(Wire):
    seq: int
    agent_id: str
    turn_id: str
    kind: ItemKind
    text: str
    at_ms: int
    author: str
    ticket_id: str | None
    tool: WireTool | None


class WireTrustItem(Wire):
    kind: TrustKind
    file: str
    text: str


class WireTrust(Wire):
    is_trusted: bool
    hash: str
    items: list[WireTrustItem]


class WireCell(Wire):
    node_id: str
    agent_id: str | None
    view: View


class WireLayout(Wire):
    geometry: str = Field(max_length=1_000_000)
    cells: list[WireCell]


class WireSettings(Wire):
    turn_timeout_s: int
    queue_wait_s: int
    permission_wait_s: int
    stalled_after_s: int
    locale: Literal["auto", "en", "fr"]


class WireProfile(Wire):
    """A kind of CLI and whether it can be launched. `can_chat`, `can_terminal`: which views it has."""

    id: str
    name: str
    can_chat: bool
    can_terminal: bool
    permission_modes: list[PermissionMode]
    executable: str | None
    version: str | None
    missing: str | None
    install_hint: str


class WireProject(Wire):
    id: str
    path: str
    name: str
    is_demo: bool
    trust: WireTrust
    settings: WireSettings
    layout: WireLayout
    agents: list[WireAgent]
    broken: list[WireBrokenAgent]
    delegations: list[WireDelegation]
    """Ascending; the open ones and the newest settled."""
    permissions: list[WirePermission]


class Snapshot(Wire):
    """The whole state at `seq`; events with a higher seq come after it."""

    epoch: str
    """Another epoch means another server life: start from a snapshot."""
    seq: int
    version: str
    now_ms: int
    projects: list[WireProject]


class WireError(Wire):
    """Every error body. `code` and `advice` are of the outcome table, `fields` are the error's own."""

    code: str
    outcome: str
    message: str
    advice: str
    fields: dict[str, object]


# --- requests and their answers -------------------------------------------------------------------------------


class StartCode(Wire):
    code: str
    label: str = Field(default="browser", max_length=80)


class BrowserCredential(Wire):
    id: str
    credential: str


class WireCredential(Wire):
    id: str
    label: str
    created_at_ms: int
    used_at_ms: int
    is_current: bool


class StartLink(Wire):
    url: str
    expires_at_ms: int


class OpenProject(Wire):
    path: str


class SendMessage(Wire):
    message: str = Field(min_length=1, max_length=1_000_000)


class MessageQueued(Wire):
    turn_id: str


class Ask(Wire):
    message: str = Field(min_length=1, max_length=1_000_000)
    timeout_seconds: float | None = None


class AskAnswered(Wire):
    outcome: Literal["answered"]
    ticket_id: str
    reply: str
    duration_ms: int


class Launch(Wire):
    node_id: str | None = None
    view: View = View.CHAT
    is_reattach: bool = False
    is_fresh: bool = False


class Stopped(Wire):
    exit_code: int | None
    signal: int | None
    survivors: list[int]


class TurnRef(Wire):
    turn_id: str


class Detach(Wire):
    node_id: str


class Decide(Wire):
    decision: Decision


class Approve(Wire):
    hash: str


class SaveLayout(Wire):
    layout: WireLayout
    origin: str = Field(max_length=64)


class Items(Wire):
    items: list[WireItem]
    has_more: bool


# --- events ---------------------------------------------------------------------------------------------------


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
    conversation_id: str | None


class QueueChanged(WireEvent):
    type: Literal["queueChanged"]
    agent_id: str
    queue: list[WireQueuedTurn]


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
    code: str
    detail: str
    slug: str | None


AnyEvent = Annotated[
    ProjectOpened
    | ProjectClosed
    | TrustChanged
    | SettingsChanged
    | LayoutChanged
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
    | NoticePosted,
    Field(discriminator="type"),
]


# --- frames of the events socket ------------------------------------------------------------------------------


class Hello(Wire):
    """The client's first text frame on either socket, within 5 s. `epoch`, `seq`: what it already has."""

    type: Literal["hello"]
    credential: str
    epoch: str | None = None
    seq: int | None = None


class SnapshotFrame(Wire):
    type: Literal["snapshot"]
    snapshot: Snapshot


class CaughtUp(Wire):
    """Everything after the client's seq follows as events; no snapshot was needed."""

    type: Literal["caughtUp"]
    epoch: str
    seq: int


class EventFrame(Wire):
    type: Literal["event"]
    event: AnyEvent


ServerFrame = Annotated[SnapshotFrame | CaughtUp | EventFrame, Field(discriminator="type")]


# --- frames of the terminal socket ----------------------------------------------------------------------------


class TerminalHello(Hello):
    """As Hello, with the client's size."""

    cols: int = Field(ge=1, le=1000)
    rows: int = Field(ge=1, le=1000)


class TerminalResize(Wire):
    type: Literal["resize"]
    cols: int = Field(ge=1, le=1000)
    rows: int = Field(ge=1, le=1000)


class TerminalAck(Wire):
    """So many bytes of binary frames, in all since the last `reset`, were parsed."""

    type: Literal["ack"]
    bytes: int = Field(ge=0)


TerminalClientFrame = Annotated[TerminalResize | TerminalAck, Field(discriminator="type")]


class TerminalReset(Wire):
    """Clear and take this size; the next binary frame paints the screen (inert: answers nothing)."""

    type: Literal["reset"]
    cols: int
    rows: int


class TerminalResized(Wire):
    type: Literal["resized"]
    cols: int
    rows: int


class TerminalEnded(Wire):
    type: Literal["ended"]
    exit_code: int | None
    signal: int | None


TerminalServerFrame = Annotated[TerminalReset | TerminalResized | TerminalEnded, Field(discriminator="type")]
