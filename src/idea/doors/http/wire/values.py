"""Values of a project as the page sees them."""

from typing import Literal

from pydantic import Field

from idea.domain.agents import PermissionMode
from idea.domain.conversation import ItemKind
from idea.domain.delegation import DelegationState, Source
from idea.domain.notices import NoticeCode
from idea.domain.profiles import Reach
from idea.domain.readiness import BeliefSource, ReadinessReason, ReadinessState
from idea.domain.replies import Decision, ToolPhase
from idea.domain.sessions import SessionKind
from idea.domain.trust import TrustKind, TrustNote
from idea.doors.http.wire.layouts import WireLayout, WireLayouts, WireResumable
from idea.doors.http.wire.shape import WholeSeconds, Wire


class WireReadiness(Wire):
    state: ReadinessState
    reason: ReadinessReason
    """A key of the page's catalogue. `detail` fills its sentence, unless `fields` say the same in any language."""
    detail: str
    fields: dict[str, object]
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

    # No limits here: an agent is shown by these fields too, and what an agent's file may hold its store decides.
    name: str
    profile: str
    model: str | None = None
    permissions: PermissionMode = PermissionMode.ASK
    capabilities: list[str] = Field(default=[])
    allow_structured_alongside_pty: bool | None = None
    workspace: str | None = None
    instructions: str = ""


class WireAgent(AgentFields):
    id: str
    slug: str
    version: str
    """Another one for other fields; whoever saves says which one was edited."""
    readiness: WireReadiness
    session: WireSession | None
    side_session: WireSession | None
    """What answers other agents beside its terminal now; it has a conversation of its own, and no cell."""
    last_terminal_id: str | None
    """Nothing runs, and the last screen of this terminal session can be looked at."""
    conversation_id: str | None
    queue: list[WireQueuedTurn]
    """The first 50 that wait; `queue_length` counts them all."""
    queue_length: int
    live_turn: WireLiveTurn | None


class WireBrokenAgent(Wire):
    slug: str
    line: int | None
    reason: str
    """English, for whom no catalogue words `fields`."""
    fields: dict[str, object]


class WireDelegation(Wire):
    ticket_id: str
    number: int
    requester: WireRequester
    requester_turn_id: str | None
    target_id: str
    target_name: str
    message: str
    """Like `reply`, cut where it is very long; the target's conversation holds all of it."""
    depth: int
    state: DelegationState
    turn_id: str | None
    asked_at_ms: int
    started_at_ms: int | None
    settled_at_ms: int | None
    reply: str | None
    outcome: str | None
    explanation: str | None
    """English, for whom no catalogue words `outcome` and `fields`."""
    fields: dict[str, object]


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
    outcome: str | None
    """Only for a failure: a code of the outcome table; null in records of earlier versions."""
    fields: dict[str, object]
    """For a failure the error's own, as in `WireError`. `mark` of a mark. `beside: "terminal"` of a prompt that was
    answered there, outside of the agent's own conversation."""


class WireTrustItem(Wire):
    """`text` is verbatim, or what `note` says with `fields` in English."""

    kind: TrustKind
    file: str
    text: str
    note: TrustNote | None
    fields: dict[str, object]


class WireTrust(Wire):
    is_trusted: bool
    hash: str
    items: list[WireTrustItem]


class WireSettings(Wire):
    turn_timeout_s: WholeSeconds
    queue_wait_s: WholeSeconds
    permission_wait_s: WholeSeconds
    stalled_after_s: WholeSeconds
    keeper: Literal["process", "in-process"]
    resume: Literal["offer", "auto"]
    locale: Literal["auto", "en", "fr"]


class WireModeReach(Wire):
    """How far the CLI goes by itself in one mode, by face; null: it has no such face or mode there, or nobody knows."""

    mode: PermissionMode
    chat: Reach | None
    terminal: Reach | None


class WireProfile(Wire):
    """A kind of CLI and whether it can be launched. `can_chat`, `can_terminal`: which views it has."""

    id: str
    name: str
    can_chat: bool
    can_terminal: bool
    has_conversations: bool
    """The earlier conversations of its CLI can be listed."""
    shows_work: bool
    """In its terminal; else a message typed there for a person could not be confirmed."""
    answers_beside: bool
    """Asks are answered beside its open terminal, unless the agent's own setting says otherwise."""
    permissions: list[WireModeReach]
    """The modes that it knows; none where nobody asks it for any."""
    suggested_permissions: PermissionMode
    """For a new agent."""
    executable: str | None
    version: str | None
    missing: str | None
    install_hint: str


class WireNotice(Wire):
    """Something a person should know and nothing else shows. `number` names it within its project."""

    number: int
    code: NoticeCode
    detail: str
    slug: str | None
    fields: dict[str, object]
    """As in `WireError`; empty where `detail` is a CLI's own words."""


class WireProject(Wire):
    id: str
    path: str
    name: str
    is_demo: bool
    agents_outlive_server: bool
    """Now; the setting `keeper` holds from the next opening at which none lives."""
    trust: WireTrust
    settings: WireSettings
    layout: WireLayout
    """The one that is shown."""
    layouts: WireLayouts
    resumable: list[WireResumable]
    agents: list[WireAgent]
    broken: list[WireBrokenAgent]
    delegations: list[WireDelegation]
    """Ascending; the open ones and the newest settled, all in all not more than a page can be expected to read."""
    permissions: list[WirePermission]
    notices: list[WireNotice]
    """Those that nobody dismissed, the newest last."""


class WireUnopened(Wire):
    """A project that the server was to have open, and cannot open or not yet; what is known of it goes as it opens."""

    project_id: str
    """Empty for a folder that is no project."""
    notice: WireNotice


class Snapshot(Wire):
    """The whole state at `seq`; events with a higher seq come after it."""

    epoch: str
    """Another epoch means another server life: start from a snapshot."""
    seq: int
    version: str
    now_ms: int
    projects: list[WireProject]
    unopened: list[WireUnopened]


class WireError(Wire):
    """Every error body. `code` and `advice` are of the outcome table, `fields` are the error's own."""

    code: str
    outcome: str
    message: str
    advice: str
    fields: dict[str, object]
