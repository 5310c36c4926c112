"""What the HTTP door needs from the application and the stores; `bootstrap` hands it in."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol, TypeVar

from idea.application.commands import Command
from idea.application.event_log import EventLog
from idea.application.ports import Clock
from idea.application.state import ProjectState
from idea.application.terminals.terminal_client import Attachable
from idea.domain.agents import Agent, AgentDraft
from idea.domain.conversation import Item
from idea.domain.credentials import IssuedCode, IssuedCredential
from idea.domain.delegation import Requester
from idea.domain.events import QueuedTurn
from idea.domain.ids import AgentId, ProjectId, RequestId
from idea.domain.layouts import Layout
from idea.domain.notices import NoticePosted
from idea.domain.profiles import ProfileHealth
from idea.domain.replies import Decision
from idea.domain.settings import Settings
from idea.domain.trust import TrustVerdict

R = TypeVar("R")


# --- projects -------------------------------------------------------------------------------------------------


class SavedLayouts(Protocol):
    """A project's named layouts. `origin` is the client's, for the events."""

    async def save(self, layout: Layout, *, origin: str, base: str | None = None) -> str:
        """Geometry and cells of the layout of this name; its version then. Raises `NotFound`, `Conflict` if it is not
        `base` any more, and like all here when files cannot be written."""
        ...

    async def create(self, name: str, *, origin: str) -> None:
        """A copy of the shown one, shown from now on. Raises `Invalid`, `Conflict`."""
        ...

    async def show(self, name: str, *, origin: str) -> None:
        """Raises `NotFound`."""
        ...

    async def rename(self, name: str, new: str, *, origin: str) -> None:
        """Raises `NotFound`, `Invalid`, `Conflict`."""
        ...

    async def delete(self, name: str) -> None:
        """Raises `NotFound`, `Conflict` for the last one."""
        ...

    async def share(self, name: str) -> None:
        """Raises `NotFound`."""
        ...

    async def unshare(self, name: str) -> None:
        """Raises `NotFound`."""
        ...

    async def take(self, name: str, *, origin: str) -> None:
        """Raises `NotFound`, `Conflict` if it is not shared."""
        ...


class OpenedProject(Protocol):
    """One open project: what it looks like, and all that can be asked of it."""

    @property
    def id(self) -> ProjectId: ...

    @property
    def root(self) -> Path: ...

    @property
    def name(self) -> str: ...

    @property
    def is_demo(self) -> bool: ...

    @property
    def layouts(self) -> "SavedLayouts": ...

    def state(self) -> ProjectState:
        """The whole state now, consistent with `EventLog.seq` in the same step of the loop."""
        ...

    def resolve_agent(self, name: str) -> AgentId:
        """By id, then slug, then name. Raises `NotFound` with the names that exist."""
        ...

    async def dispatch(self, requester: Requester, command: Command[R]) -> R:
        """Carry out one command. Cancelling the call takes an ask back. Raises any `IdeaError`."""
        ...

    async def create_agent(self, draft: AgentDraft) -> Agent:
        """Raises `Invalid`, `Conflict`. The state shows the agent when this returns."""
        ...

    async def save_agent(self, agent: AgentId, draft: AgentDraft, *, base: str | None = None) -> Agent:
        """Raises `NotFound`, `Invalid`, and `Conflict` if its version is not `base` any more. Slug and id stay."""
        ...

    async def delete_agent(self, agent: AgentId) -> None:
        """Stops it first. Raises `NotFound`."""
        ...

    async def profiles(self) -> Sequence[ProfileHealth]:
        """Every profile; looks for the CLIs anew."""
        ...

    async def approve_trust(self, subject_hash: str) -> TrustVerdict:
        """Raises `Conflict` if the content changed since."""
        ...

    async def save_settings(self, settings: Settings) -> None: ...

    async def list_items(self, agent: AgentId, *, before_seq: int | None, limit: int) -> Sequence[Item]:
        """Ascending; the `limit` items that end just below `before_seq` (None: at the newest)."""
        ...

    def list_waiting(self, agent: AgentId, *, after: int, limit: int) -> Sequence[QueuedTurn]:
        """The turns that wait for an agent behind position `after`."""
        ...

    async def decide_permission(self, agent: AgentId, request: RequestId, decision: Decision) -> None:
        """Raises `NotFound` when nobody waits for it any more."""
        ...

    def dismiss_notice(self, number: int) -> None:
        """Somebody has read it. Idempotent."""
        ...

    def find_terminal(self, agent: AgentId) -> Attachable | None:
        """None while the agent has no live terminal, and no last screen of one."""
        ...


class Projects(Protocol):
    """The open projects."""

    def list(self) -> Sequence[OpenedProject]:
        """By time of opening."""
        ...

    def get(self, project: str) -> OpenedProject:
        """Raises `NotFound`."""
        ...

    async def open(self, path: str, *, take_over: str | None = None) -> OpenedProject:
        """Idempotent. `take_over` ends the holder that `OpenElsewhere` named.

        Raises:
            Invalid: `path` is no folder we can use.
            OpenElsewhere: another server has it.
        """
        ...

    async def close(self, project: str) -> int:
        """Stops its agents; how many there were. Raises `NotFound`."""
        ...


# --- credentials ----------------------------------------------------------------------------------------------


class StoredCredential(Protocol):
    """One browser's or program's right to come in; the secret itself is kept nowhere."""

    @property
    def id(self) -> str: ...

    @property
    def label(self) -> str: ...

    @property
    def created_at(self) -> datetime: ...

    @property
    def used_at(self) -> datetime: ...


class Credentials(Protocol):
    """Who may come in."""

    async def issue(self, label: str) -> IssuedCredential: ...

    def verify(self, secret: str) -> str | None:
        """The credential's id, or None for an unknown or revoked one. Takes the same time for every secret, no I/O."""
        ...

    def list(self) -> Sequence[StoredCredential]:
        """By time of creation."""
        ...

    async def revoke(self, credential: str) -> None:
        """Raises `NotFound`."""
        ...


class StartCodes(Protocol):
    """Single-use codes that a browser exchanges for a credential."""

    def issue(self) -> IssuedCode: ...

    def redeem(self, code: str) -> bool:
        """True once, within 60 s of its issue."""
        ...


# --- all of it ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WebAddress:
    """Where the page lives; known once the port is bound."""

    port: int
    host: str = "127.0.0.1"
    allow_hosts: tuple[str, ...] = ()
    """More `Host` values that are ours: `name` (with our port, or none) or `name:port`."""


@dataclass(frozen=True, slots=True)
class Services:
    """Everything the door calls."""

    projects: Projects
    list_unopened: Callable[[], Sequence[NoticePosted]]
    """What the server was to have open, and cannot open or not yet."""
    events: EventLog
    credentials: Credentials
    start_codes: StartCodes
    clock: Clock
    address: WebAddress
    version: str
    page: Path
    """The folder of the built page; may be absent."""
