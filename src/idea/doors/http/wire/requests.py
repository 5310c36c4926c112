"""What the page asks for, and what it gets."""

from typing import Final, Literal

from pydantic import Field, field_validator
from pydantic_core import PydanticCustomError

from idea.domain.agents import MAX_NAME_CHARS
from idea.domain.layouts import View
from idea.domain.replies import Decision
from idea.domain.sessions import Opening
from idea.doors.http.wire.layouts import LayoutContent
from idea.doors.http.wire.shape import Seconds, Wire
from idea.doors.http.wire.values import AgentFields, WireError, WireItem, WireSession

MAX_GEOMETRY_CHARS: Final = 1_000_000
"""A layout of hundreds of cells takes some thousand; the text is the page's own and nobody else reads it."""
MAX_PATH_CHARS: Final = 4096
"""Linux opens no longer one; an answer repeats it."""


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
    path: str = Field(max_length=MAX_PATH_CHARS)
    take_over: str | None = Field(default=None, max_length=128)
    """The `holder` of a refusal (`openElsewhere`): a person agreed that this process is ended."""


class SendMessage(Wire):
    message: str = Field(min_length=1, max_length=1_000_000)
    message_id: str | None = Field(default=None, min_length=1, max_length=64)
    """The same each time that this message is sent: it becomes one turn. None: a new one each time."""


class TypedPrompt(Wire):
    text: str = Field(max_length=1_000_000)


class MessageQueued(Wire):
    turn_id: str


class MessageTakenBack(Wire):
    message: str
    """Whole: the queue shows its beginning only."""


class Ask(Wire):
    message: str = Field(min_length=1, max_length=1_000_000)
    timeout_seconds: Seconds | None = None
    wait_for_limit: bool = False
    """An agent that is limited until a known time is asked again then, instead of refusing."""


class AskAnswered(Wire):
    outcome: Literal["answered"]
    ticket_id: str
    reply: str
    duration_ms: int


class SaveAgent(AgentFields):
    # Told, so that a form takes no more; its store decides.
    name: str = Field(json_schema_extra={"maxLength": MAX_NAME_CHARS})
    base: str | None = None
    """The version that was edited: nothing is saved over another. None: over whatever is there."""


class Launch(Wire):
    node_id: str | None = None
    view: View = View.CHAT
    is_reattach: bool = False
    opening: Opening = Opening.RESUME


class Switch(Wire):
    node_id: str
    view: View


class Attach(Wire):
    """`node_id` null: only one that runs goes on with it at once."""

    conversation_id: str = Field(max_length=128)
    node_id: str | None = None
    view: View = View.CHAT


class WireConversation(Wire):
    """One that a CLI keeps by itself."""

    id: str
    first_words: str
    began_at_ms: int
    last_at_ms: int
    size_bytes: int
    agent_id: str | None
    """Whose it is already."""


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


class LayoutOrigin(Wire):
    origin: str = Field(default="", max_length=64)


class NewLayout(LayoutOrigin):
    name: str


class RenameLayout(LayoutOrigin):
    name: str
    """The one that it gets."""


class SaveLayout(Wire):
    """`layout.name` says which one is meant, `base` which version was changed; null: whatever it is by now."""

    layout: LayoutContent
    base: str | None = None
    origin: str = Field(max_length=64)

    @field_validator("layout")
    @classmethod
    def _is_bounded(cls, layout: LayoutContent) -> LayoutContent:
        """Here and not in the shape, which also shows a layout that a file holds."""
        if len(layout.geometry) > MAX_GEOMETRY_CHARS:
            raise PydanticCustomError("string_too_long", "too long", {"max_length": MAX_GEOMETRY_CHARS})
        return layout


class SomeAgents(Wire):
    agents: list[str] | None = None
    """By id, slug or name; null: all of them."""


class WireResumed(Wire):
    """What became of one agent: either."""

    agent_id: str
    session: WireSession | None
    error: WireError | None


class Items(Wire):
    items: list[WireItem]
    has_more: bool
