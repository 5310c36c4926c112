"""What ran and does not any more, and whether it can go on where it was."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from idea.domain.errors import IdeaError
from idea.domain.ids import AgentId, ConversationId
from idea.domain.marks import Ran
from idea.domain.sessions import Session
from idea.domain.why import Why


@dataclass(frozen=True, slots=True)
class Resumable:
    """`conversation` is what a resume goes on with; `obstacle` and `reason` (a clause) why it cannot, if so."""

    ran: Ran
    conversation: ConversationId | None
    obstacle: Why | None = None
    reason: str = ""
    about: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def agent(self) -> AgentId:
        return self.ran.agent

    @property
    def can_resume(self) -> bool:
        return self.obstacle is None

    def fields(self) -> dict[str, object]:
        return {} if self.obstacle is None else {"why": self.obstacle, **self.about}


@dataclass(frozen=True, slots=True)
class Resumed:
    """What became of one agent."""

    agent: AgentId
    outcome: Session | IdeaError
