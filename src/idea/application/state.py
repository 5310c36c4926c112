"""A project as it is at one instant: what a page that arrives sees before the events go on from there."""

from dataclasses import dataclass

from idea.domain.agents import Agent, BrokenAgent
from idea.domain.conversation import LiveTurn
from idea.domain.delegation import Delegation
from idea.domain.events import PermissionAsked, QueuedTurn
from idea.domain.ids import AgentId, ConversationId, SessionId
from idea.domain.layouts import Layout
from idea.domain.notices import NoticePosted
from idea.domain.readiness import Readiness
from idea.domain.resumable import Resumable
from idea.domain.sessions import Session
from idea.domain.settings import Settings
from idea.domain.shared_layouts import LayoutList
from idea.domain.trust import TrustVerdict


@dataclass(frozen=True, slots=True)
class AgentState:
    """One agent and all that is live about it."""

    agent: Agent
    readiness: Readiness
    session: Session | None = None
    last_terminal: SessionId | None = None
    """The terminal session that ended last, while its last screen can be looked at."""
    side_session: Session | None = None
    """What answers other agents beside its terminal now."""
    conversation: ConversationId | None = None
    """What a launch would resume, also while nothing runs."""
    queue: tuple[QueuedTurn, ...] = ()
    """The first that wait; `queue_length` counts them all."""
    queue_length: int = 0
    """Without the turn that runs."""
    live_turn: LiveTurn | None = None
    """Its runner goes on changing it: read it in the same step of the loop."""


@dataclass(frozen=True, slots=True)
class ProjectState:
    """Everything the page shows of one project. `agents` as they were made, `delegations` ascending by number."""

    trust: TrustVerdict
    settings: Settings
    layout: Layout
    """The one that is shown."""
    layouts: LayoutList
    agents_outlive_server: bool
    """The keeper in use says so; the setting `keeper` holds from the next opening at which none lives."""
    agents: tuple[AgentState, ...] = ()
    broken: tuple[BrokenAgent, ...] = ()
    delegations: tuple[Delegation, ...] = ()
    """The open ones and the newest settled."""
    permissions: tuple[PermissionAsked, ...] = ()
    """Those that wait for a person."""
    resumable: tuple[Resumable, ...] = ()
    notices: tuple[NoticePosted, ...] = ()
    """Those that nobody dismissed, the newest last."""

    def find_agent(self, agent: AgentId) -> AgentState | None:
        return next((state for state in self.agents if state.agent.id == agent), None)
