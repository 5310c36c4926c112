"""What the use cases need from the world. Adapters satisfy these by shape; `bootstrap` proves it."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from idea.domain.agents import Agent, AgentDraft, BrokenAgent
from idea.domain.conversation import Item
from idea.domain.delegation import Delegation
from idea.domain.ids import AgentId, AgentSlug, ConversationId, ProjectId
from idea.domain.layouts import Layout
from idea.domain.profiles import Profile, ProfileHealth
from idea.domain.replies import Decision, EngineEvent
from idea.domain.sessions import Exit, OutputChunk, OutputStream, SpawnSpec, StopReport, TerminalSize
from idea.domain.settings import Settings
from idea.domain.trust import TrustVerdict

NewId = Callable[[], str]
"""A fresh UUIDv7 string."""


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class FromFiles(Generic[T]):
    """A value together with what it was read from, so that exactly this can be judged."""

    value: T
    sources: Mapping[Path, str]
    """Files of the project, each with the SHA-256 (hex) of the bytes that were read."""


class Clock(Protocol):
    """Time as the use cases see it, so that tests can move it."""

    def now(self) -> datetime:
        """Aware, UTC."""
        ...

    async def sleep(self, seconds: float) -> None: ...


# --- processes ------------------------------------------------------------------------------------------------


class AgentProcess(Protocol):
    """One process that a keeper owns. Its values are plain, so the keeper may be elsewhere."""

    @property
    def pid(self) -> int: ...

    async def write(self, data: bytes) -> None:
        """Hand over all of `data`, in order. Waits while the process does not read.

        Raises:
            Lost: the process has ended or closed its input.
        """
        ...

    async def close_input(self) -> None:
        """End of file for a process with pipes. Idempotent."""
        ...

    async def resize(self, size: TerminalSize) -> None: ...

    async def interrupt(self) -> None:
        """SIGINT to the process group."""
        ...

    async def stop(self, *, grace_s: float) -> StopReport:
        """End the whole session tree: close input and SIGTERM, after `grace_s` SIGKILL. Idempotent."""
        ...

    def output(self, stream: OutputStream, *, offset: int = 0) -> AsyncIterator[OutputChunk]:
        """Every byte from `offset` on, in order; ends when the stream does.

        A grandchild that holds the pipe delays the end by a bounded time only.
        """
        ...

    async def acknowledge(self, stream: OutputStream, offset: int) -> None:
        """Bytes below `offset` are dealt with and may be forgotten. Reading pauses at 1 MiB unacknowledged."""
        ...

    async def wait(self) -> Exit:
        """How the process ended; does not wait for its pipes."""
        ...


class Keeper(Protocol):
    """Owns processes and terminals. Takes no decisions."""

    async def spawn(self, spec: SpawnSpec) -> AgentProcess:
        """Raises `EngineFailed` when the program cannot be started; nothing is left behind."""
        ...


# --- engines --------------------------------------------------------------------------------------------------


class EngineLifetime(StrEnum):
    SESSION = "session"
    """One process serves every turn."""
    TURN = "turn"
    """Each turn is a process of its own; the conversation id joins them."""


class Engine(Protocol):
    """Speaks one CLI's machine protocol for one session. Does no I/O: bytes in, bytes out.

    The session runner owns the process, splits stdout into lines and calls these in order.
    Exactly one terminal event per prompted turn is the engine's promise, also across `closed`.
    """

    @property
    def lifetime(self) -> EngineLifetime: ...

    def opened(self) -> bytes:
        """What to write when the process has started (lifetime SESSION); may be empty."""
        ...

    def prompt(self, text: str) -> bytes:
        """Begin a turn. For lifetime TURN: the new process's whole standard input, closed after it."""
        ...

    def interrupt(self) -> bytes | None:
        """What asks the CLI to stop its turn; None means SIGINT."""
        ...

    def answer(self, request: str, decision: Decision) -> bytes:
        """Answer a `PermissionRequested`. An unknown or settled request gives empty bytes."""
        ...

    def feed(self, line: bytes) -> Sequence[EngineEvent]:
        """One line of stdout without its end. Garbage gives `Unreadable`, never an exception."""
        ...

    def closed(self, exit: Exit, stderr_tail: str) -> Sequence[EngineEvent]:
        """The process is gone; ends an open turn with its terminal event."""
        ...


class Engines(Protocol):
    def create(self, profile: Profile, *, conversation: ConversationId | None) -> Engine:
        """A fresh engine; `conversation` is what the launch resumes, or the id chosen for a new one."""
        ...


# --- launching ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LaunchFiles:
    """What the run directory holds for one launch, and the values of the profile's placeholders."""

    run_dir: Path
    placeholders: Mapping[str, str]
    mcp_args: tuple[str, ...]
    env: Mapping[str, str]
    """The whole environment of the CLI: the common variables, the profile's, and the declaration's."""
    secret: str
    """The launch secret that this launch's bridges present."""


class RunDirectories(Protocol):
    async def prepare(self, agent: Agent, profile: Profile) -> LaunchFiles:
        """Write declaration, context and secret, 0600 in a 0700 folder."""
        ...

    async def retire(self, agent: AgentId) -> None:
        """The session has ended: its secret stands for nobody any more. Idempotent."""
        ...

    async def remove(self, slug: AgentSlug) -> None:
        """The agent is deleted. Idempotent."""
        ...


class AgentLocks(Protocol):
    """One live session per agent, also across servers: a flock per agent."""

    def acquire(self, agent: AgentId, name: str) -> None:
        """Raises `Refused`, naming the holder, when another server has it. Idempotent for ourselves."""
        ...

    def release(self, agent: AgentId) -> None: ...


class ProfileCatalog(Protocol):
    def list(self) -> Sequence[Profile]: ...

    def get(self, profile: str) -> Profile:
        """Raises `NotFound`."""
        ...

    def read(self, profile: str) -> FromFiles[Profile]:
        """As the files say now, not as they were remembered. Raises `NotFound`."""
        ...

    async def health(self, profile: Profile) -> ProfileHealth:
        """Look for the CLI and ask its version (bounded)."""
        ...

    def executable(self, profile: Profile) -> str:
        """The absolute path of its program. Raises `EngineFailed` with how to get it."""
        ...


# --- files ----------------------------------------------------------------------------------------------------


class AgentStore(Protocol):
    """The agent files of one project."""

    async def list(self) -> tuple[Sequence[Agent], Sequence[BrokenAgent]]:
        """By slug. Files that are no agents are told apart, with the reason."""
        ...

    async def read(self, slug: AgentSlug) -> FromFiles[Agent]:
        """As the file says now. Raises `NotFound` if it is gone, `Conflict` if it is broken."""
        ...

    async def create(self, draft: AgentDraft) -> Agent:
        """Raises `Invalid` for an unusable name, `Conflict` if the slug is taken."""
        ...

    async def save(self, agent: Agent) -> None:
        """Rewrite the file, keeping unknown keys and comments."""
        ...

    async def delete(self, slug: AgentSlug) -> None:
        """Idempotent."""
        ...


class SettingsStore(Protocol):
    async def load(self) -> tuple[Settings, str | None]:
        """The settings and, if the file was unusable and set aside, a sentence that says so."""
        ...

    async def save(self, settings: Settings) -> None: ...


class LayoutStore(Protocol):
    async def load(self) -> tuple[Layout, str | None]: ...

    async def save(self, layout: Layout) -> None: ...


class Trust(Protocol):
    """What the project would make run, and what was approved; approvals live outside the project."""

    async def look(self) -> TrustVerdict: ...

    async def judge(self, sources: Mapping[Path, str]) -> TrustVerdict:
        """`look`, for somebody who will run what `sources` (as in `FromFiles`) say.

        Raises:
            Conflict: all is approved as it is now, but one of `sources` is something else by now.
        """
        ...

    async def approve(self, subject_hash: str) -> TrustVerdict:
        """Raises `Conflict` if the content is no longer what `subject_hash` names."""
        ...

    async def record_own_write(self, path: Path) -> None:
        """IdeA itself wrote this file at the person's word; its present content needs no approval.

        Only if the file was trusted, or absent, before.
        """
        ...


class Records(Protocol):
    """The append-only record of conversations and the delegations, in one database per project."""

    async def append(self, item: Item) -> None:
        """Returns when the item is committed. Raises `Conflict` if it cannot be, like every write."""
        ...

    async def list_items(self, agent: AgentId, *, before_seq: int | None, limit: int) -> Sequence[Item]:
        """Ascending; the `limit` items that end just below `before_seq` (None: at the newest)."""
        ...

    async def last_seq(self, agent: AgentId) -> int:
        """0 if there is none."""
        ...

    async def save_delegation(self, delegation: Delegation) -> None: ...

    async def list_delegations(self, *, limit: int) -> Sequence[Delegation]:
        """The newest `limit`, ascending by number."""
        ...

    async def save_conversation(self, agent: AgentId, conversation: ConversationId | None) -> None:
        """Remember what a later launch resumes; None forgets it."""
        ...

    async def find_conversation(self, agent: AgentId) -> ConversationId | None: ...


# --- terminals ------------------------------------------------------------------------------------------------


class Screen(Protocol):
    """The state of one terminal as the server believes it."""

    def feed(self, data: bytes) -> bytes:
        """Take the program's output; the answers it asked for (one answerer: us)."""
        ...

    def resize(self, size: TerminalSize) -> None: ...

    def snapshot(self) -> bytes:
        """A byte sequence that paints scrollback, screen, cursor and modes into a fresh terminal."""
        ...

    def text(self) -> str:
        """The visible rows as plain text."""
        ...

    def title(self) -> str: ...

    def program_status(self) -> str:
        """What the program last said of itself by OSC 7501 (`state=idle:app=…`); empty if it never did."""
        ...


class Screens(Protocol):
    def create(self, size: TerminalSize) -> Screen: ...


@dataclass(frozen=True, slots=True)
class ProjectPaths:
    """Where one project's things lie. Only `root` and `.ideai` are inside the project."""

    id: ProjectId
    root: Path
    ideai: Path
    run: Path
    state: Path
    endpoint: Path
    """The MCP socket."""
