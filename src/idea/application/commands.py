"""What the doors can ask for. `dispatch` is the one place that executes them and publishes the fact."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from idea.domain.agents import Agent
from idea.domain.delegation import Delegation
from idea.domain.earlier import EarlierConversation
from idea.domain.ids import AgentId, ConversationId, NodeId, TurnId
from idea.domain.layouts import View
from idea.domain.readiness import Readiness
from idea.domain.resumable import Resumable, Resumed
from idea.domain.sessions import Opening, Session, StopReport

R_co = TypeVar("R_co", covariant=True)


class Command(Generic[R_co]):
    """Something a door asks for; `R_co` is what `dispatch` returns for it."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class AgentView:
    """An agent as lists show it. `queue` counts waiting turns, without the one that runs."""

    agent: Agent
    readiness: Readiness
    session: Session | None
    conversation: ConversationId | None
    """What a launch would resume, also while nothing runs."""
    queue: int
    busy_for: str | None
    """The requester's name while a turn runs for another agent."""


@dataclass(frozen=True, slots=True)
class ListAgents(Command[tuple[AgentView, ...]]):
    """Every valid agent, in the order in which they were made."""


@dataclass(frozen=True, slots=True)
class AgentStatus(Command[AgentView]):
    agent: str
    """Id, slug or name, in this order."""


@dataclass(frozen=True, slots=True)
class AskAgent(Command[Delegation]):
    """Delegate and wait; returns the answered delegation, raises what became of it otherwise."""

    agent: str
    message: str
    timeout_s: float | None = None
    call: str | None = None
    """What the requester's call is named for ever: made again under the same name, it is the same ask."""
    waits_for_limit: bool = False
    """A target that is limited until a known time is asked again then, instead of refusing."""


@dataclass(frozen=True, slots=True)
class SendMessage(Command[TurnId]):
    """A human's message in the agent's own cell; returns at once, the turn waits in the same queue."""

    agent: str
    message: str
    message_id: str | None = None
    """Made by the sender: what is sent again under it is the same message, and becomes no second turn."""


@dataclass(frozen=True, slots=True)
class TypePrompt(Command[None]):
    """A human's message, typed into the terminal that the agent runs in; returns when its turn has begun."""

    agent: str
    text: str


@dataclass(frozen=True, slots=True)
class LaunchAgent(Command[Session]):
    """`node_id` None is a background launch. `is_reattach` binds the view to what runs, whatever cell had it."""

    agent: str
    node_id: NodeId | None
    view: View
    is_reattach: bool = False
    opening: Opening = Opening.RESUME


@dataclass(frozen=True, slots=True)
class ListResumableAgents(Command[tuple[Resumable, ...]]):
    """What ran and does not any more, one entry an agent, in the order in which those were made."""


@dataclass(frozen=True, slots=True)
class ResumeAgents(Command[tuple[Resumed, ...]]):
    """Let them go on where they were, each for itself. `agents` None: all that can be resumed."""

    agents: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class DismissResumable(Command[None]):
    """Forget that they ran. `agents` None: all."""

    agents: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class SwitchView(Command[Session]):
    """Go on with the same conversation in the other view, in this cell. Between turns only."""

    agent: str
    node_id: NodeId
    view: View


@dataclass(frozen=True, slots=True)
class ListConversations(Command[tuple[EarlierConversation, ...]]):
    """Those that the agent's CLI keeps for its folder, whoever had them; the newest first."""

    agent: str


@dataclass(frozen=True, slots=True)
class AttachConversation(Command[None]):
    """Make one of those the agent's. One that runs, or that `node_id` is to show, goes on with it at once."""

    agent: str
    conversation: ConversationId
    node_id: NodeId | None = None
    view: View = View.CHAT


@dataclass(frozen=True, slots=True)
class StopAgent(Command[StopReport]):
    agent: str


@dataclass(frozen=True, slots=True)
class InterruptTurn(Command[None]):
    """Stop the running turn; the session lives on. `turn` guards against stopping the next one."""

    agent: str
    turn: TurnId


@dataclass(frozen=True, slots=True)
class CancelQueued(Command[str]):
    """Take a waiting turn out of the queue; its message, which nobody else keeps then."""

    agent: str
    turn: TurnId


@dataclass(frozen=True, slots=True)
class DetachCell(Command[None]):
    """A cell closed or shows another agent; the session it showed goes on without it."""

    agent: AgentId
    node_id: NodeId
