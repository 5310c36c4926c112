"""The plain values that cross the keeper's edge: commands in, events out, no callbacks and no objects.

`request` numbers a command; exactly one event answers it. `reader` numbers one reading of one stream.
Offsets count bytes from the process's first one.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, get_args

from idea.keeper.reports import ChildReport, Stream

PROTOCOL: Final = 1
"""Raised only for a change that an older side could not serve; what it does not know it refuses or ignores."""


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
    UNSUPPORTED = "unsupported"
    """This keeper does not know the command, or not this form of it."""
    LOCKED = "locked"
    """Somebody else holds that lock; the detail is its note."""


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
    note: str = ""
    """The client's own words about this process, given back to whoever looks; at most 2 KiB as JSON."""
    lock: str | None = None
    """The path of a lock that this keeper holds; its note then names the process."""


@dataclass(frozen=True, slots=True)
class Write:
    """Answered when every byte was handed to the process; `write_id` again, and it is answered without a write."""

    request: int
    spawn_id: str
    data: bytes
    write_id: str = ""
    """Made by the client. Empty: this write may not be repeated."""
    answered: int | None = None
    """Up to this offset the terminal's queries are answered once this is accepted, both in one step."""


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
    """Send every retained byte from `offset` on, and go on as bytes come, until `StreamEnded`.

    A terminal whose checkpoint is not below `offset` begins with `Restored`.
    """

    reader: int
    spawn_id: str
    stream: Stream
    offset: int


@dataclass(frozen=True, slots=True)
class Consumed:
    """The reader is done with the bytes below `offset`: room for as many more. Nothing is forgotten for it."""

    reader: int
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
class Checkpoint:
    """Stands for all of a terminal's bytes below `offset`. In `parts` pieces, of which the last one is answered."""

    request: int
    spawn_id: str
    offset: int
    data: bytes
    part: int = 0
    parts: int = 1


@dataclass(frozen=True, slots=True)
class Forget:
    """Exit status and output of this process were taken over. One that lives is forgotten at its end."""

    spawn_id: str


@dataclass(frozen=True, slots=True)
class Lock:
    """Hold the flock of this file until `Unlock` or the keeper's end. Idempotent."""

    request: int
    path: str


@dataclass(frozen=True, slots=True)
class Unlock:
    request: int
    path: str


@dataclass(frozen=True, slots=True)
class Look:
    """Answered by a `Hello`."""

    request: int


@dataclass(frozen=True, slots=True)
class Attach:
    """Become the one client; whoever was it before is dismissed. Answered by `Attached`."""

    protocol: int = PROTOCOL


@dataclass(frozen=True, slots=True)
class Close:
    """Stop every process, then end; answered by `KeeperClosed`."""

    grace_s: float


Steering = Write | CloseInput | Resize | Interrupt
Streaming = Read | Consumed | Unread | Acknowledge | Checkpoint
Command = Spawn | Steering | Streaming | Stop | Forget | Lock | Unlock | Look | Attach | Close


@dataclass(frozen=True, slots=True)
class Hello:
    """What a keeper has. Said to whoever connects (request 0), and when asked."""

    request: int
    identity: str
    """Made anew by each keeper at its start."""
    protocol: int
    version: str
    pid: int
    epoch: int
    """How often somebody has attached."""
    is_closing: bool
    children: tuple[ChildReport, ...]


@dataclass(frozen=True, slots=True)
class Attached:
    epoch: int


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
class Restored:
    """A terminal's checkpoint, piece by piece; the output that follows begins at `offset`."""

    reader: int
    offset: int
    data: bytes
    part: int = 0
    parts: int = 1


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
class OutputHeld:
    """The process waits: what it writes cannot be put by, for this reason of the system. Empty: it goes on."""

    spawn_id: str
    detail: str


@dataclass(frozen=True, slots=True)
class KeeperClosing:
    """By a signal: what the processes say and how they end from here on is not their own doing, nor a person's wish."""


@dataclass(frozen=True, slots=True)
class KeeperClosed:
    survivors: tuple[int, ...]


Answer = Spawned | Done | Failed | Stopped | Hello
"""To one request."""
Event = Answer | Attached | Output | Restored | StreamEnded | Exited | OutputHeld | KeeperClosing | KeeperClosed

COMMANDS: Final[tuple[type[Command], ...]] = get_args(Command)
EVENTS: Final[tuple[type[Event], ...]] = get_args(Event)
