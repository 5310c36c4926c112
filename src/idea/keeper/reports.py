"""What a keeper says of the processes it has."""

from dataclasses import dataclass
from enum import StrEnum


class Stream(StrEnum):
    STDOUT = "stdout"
    STDERR = "stderr"
    TERMINAL = "terminal"


@dataclass(frozen=True, slots=True)
class StreamReport:
    """One stream of a process: bytes from `acknowledged` to `end` are kept."""

    stream: Stream
    acknowledged: int
    end: int
    is_ended: bool


@dataclass(frozen=True, slots=True)
class ExitReport:
    code: int | None
    signal: int | None


@dataclass(frozen=True, slots=True)
class ChildReport:
    spawn_id: str
    pid: int
    exit: ExitReport | None
    streams: tuple[StreamReport, ...]
    size: tuple[int, int] | None
    answered: int
    note: str
