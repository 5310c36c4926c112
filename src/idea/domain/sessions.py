"""One life of one agent, launch to exit, and the plain values that cross the keeper's port."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from idea.domain.ids import AgentId, ConversationId, NodeId, SessionId


class SessionKind(StrEnum):
    PTY = "pty"
    STRUCTURED = "structured"


class SessionRole(StrEnum):
    """What a session is to its agent, which has at most one of each."""

    MAIN = "main"
    """The agent's own: what a cell shows, a person sees, and a launch resumes."""
    SIDE = "side"
    """Beside a main one in a terminal, for delegations only, with a conversation of its own."""


class Opening(StrEnum):
    """What a launch begins with."""

    RESUME = "resume"
    """The agent's conversation, where there is one."""
    EMPTY = "empty"
    """A new conversation that knows nothing of the one before."""
    PRIMED = "primed"
    """A new conversation whose first context holds the end of our own transcript."""


@dataclass(frozen=True, slots=True)
class Session:
    """A live session; the cell that shows it (`node_id`) may come and go."""

    id: SessionId
    agent: AgentId
    kind: SessionKind
    node_id: NodeId | None
    conversation: ConversationId | None
    started_at: datetime
    role: SessionRole = SessionRole.MAIN


@dataclass(frozen=True, slots=True)
class TerminalSize:
    """Cells, 1 … 1000 each."""

    cols: int = 80
    rows: int = 24


@dataclass(frozen=True, slots=True)
class SpawnSpec:
    """All that a keeper needs to start a process. `env` is the whole environment, nothing is inherited."""

    spawn_id: str
    """Made by the client; a repeat is ignored and returns the same process."""
    argv: tuple[str, ...]
    """argv[0] is an absolute path."""
    cwd: str
    env: Mapping[str, str]
    terminal: TerminalSize | None
    """A size gives the process a PTY; None gives it three pipes."""
    note: str = ""
    """The server's own words about this process, which the keeper gives back; at most 2 KiB as JSON."""
    lock: str | None = None
    """The path of the agent's lock, which the keeper holds; it then names this process."""


class OutputStream(StrEnum):
    STDOUT = "stdout"
    STDERR = "stderr"
    TERMINAL = "terminal"


@dataclass(frozen=True, slots=True)
class OutputChunk:
    """Bytes of one stream; `offset` counts from the process's first byte."""

    offset: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Restored:
    """A terminal's last checkpoint, in place of all bytes below `offset`; what follows begins there."""

    offset: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Exit:
    """How a process ended: its code, or the signal that killed it; neither when its keeper ended first."""

    code: int | None
    signal: int | None

    @property
    def is_known(self) -> bool:
        return self.code is not None or self.signal is not None

    def __str__(self) -> str:
        if not self.is_known:
            return "its keeper"
        return f"signal {self.signal}" if self.signal is not None else f"code {self.code}"


@dataclass(frozen=True, slots=True)
class StopReport:
    """What a stop achieved; `survivors` are pids of its session tree that still run."""

    exit: Exit | None
    survivors: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class KeptStream:
    """One stream of a process; the keeper still has its bytes from `acknowledged` to `end`."""

    acknowledged: int
    end: int
    is_ended: bool


@dataclass(frozen=True, slots=True)
class KeptChild:
    """A process that a keeper owns, or the exit status and output of one that ended and was not forgotten."""

    spawn_id: str
    pid: int
    note: str
    exit: Exit | None
    terminal: TerminalSize | None
    answered: int
    """Up to this offset of its output the terminal's queries have been answered."""
    streams: Mapping[OutputStream, KeptStream]
