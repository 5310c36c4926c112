"""The plain values that cross the keeper's edge: commands in, events out, no callbacks and no objects.

`request` numbers a command; exactly one event answers it. `reader` numbers one reading of one stream.
Offsets count bytes from the process's first one.
"""

from dataclasses import dataclass
from enum import StrEnum


class Stream(StrEnum):
    STDOUT = "stdout"
    STDERR = "stderr"
    TERMINAL = "terminal"


class Reason(StrEnum):
    """Why a command failed."""

    SPAWN = "spawn"
    """The program cannot be started; nothing was left behind."""
    LOST = "lost"
    """The process has ended or closed its input."""
    FULL = "full"
    """The process does not read and too much is waiting for it; nothing of this write was taken."""
    UNKNOWN = "unknown"
    """No such process here."""


@dataclass(frozen=True, slots=True)
class Spawn:
    """`spawn_id` is made by the client; a repeat starts nothing and is answered with the same pid."""

    request: int
    spawn_id: str
    argv: tuple[str, ...]
    cwd: str
    env: tuple[tuple[str, str], ...]
    size: tuple[int, int] | None
    """Columns and rows of its terminal; None gives it three pipes."""


@dataclass(frozen=True, slots=True)
class Write:
    """Answered when every byte was handed to the process."""

    request: int
    spawn_id: str
    data: bytes


@dataclass(frozen=True, slots=True)
class CloseInput:
    request: int
    spawn_id: str


@dataclass(frozen=True, slots=True)
class Resize:
    request: int
    spawn_id: str
    cols: int
    rows: int


@dataclass(frozen=True, slots=True)
class Interrupt:
    request: int
    spawn_id: str


@dataclass(frozen=True, slots=True)
class Stop:
    """End the whole tree; answered by `Stopped` when that is verified."""

    request: int
    spawn_id: str
    grace_s: float


@dataclass(frozen=True, slots=True)
class Read:
    """Send every retained byte from `offset` on, and go on as bytes come, until `StreamEnded`."""

    reader: int
    spawn_id: str
    stream: Stream
    offset: int


@dataclass(frozen=True, slots=True)
class Unread:
    reader: int
    spawn_id: str


@dataclass(frozen=True, slots=True)
class Acknowledge:
    """Bytes below `offset` may be forgotten."""

    spawn_id: str
    stream: Stream
    offset: int


@dataclass(frozen=True, slots=True)
class Close:
    """Stop every process, then end; answered by `KeeperClosed`."""

    grace_s: float


Command = Spawn | Write | CloseInput | Resize | Interrupt | Stop | Read | Unread | Acknowledge | Close


@dataclass(frozen=True, slots=True)
class Spawned:
    request: int
    spawn_id: str
    pid: int


@dataclass(frozen=True, slots=True)
class Done:
    request: int


@dataclass(frozen=True, slots=True)
class Failed:
    """`errno` is the system's, 0 if it had none."""

    request: int
    reason: Reason
    errno: int = 0
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Stopped:
    request: int
    survivors: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Output:
    reader: int
    offset: int
    data: bytes


@dataclass(frozen=True, slots=True)
class StreamEnded:
    """Nothing follows for this reader. Also the answer to reading what does not exist."""

    reader: int


@dataclass(frozen=True, slots=True)
class Exited:
    """`code` or `signal`; said as soon as the process itself is gone, and again after a repeated `Spawn`."""

    spawn_id: str
    code: int | None
    signal: int | None


@dataclass(frozen=True, slots=True)
class KeeperClosed:
    survivors: tuple[int, ...]


Event = Spawned | Done | Failed | Stopped | Output | StreamEnded | Exited | KeeperClosed
