"""Can an agent take a prompt now, and what makes us believe so."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class ReadinessState(StrEnum):
    STARTING = "starting"
    IDLE = "idle"
    WORKING = "working"
    WAITING_PERMISSION = "waitingPermission"
    RATE_LIMITED = "rateLimited"
    STALLED = "stalled"
    RESTARTING = "restarting"
    EXITED = "exited"


class BeliefSource(StrEnum):
    """Where a belief comes from, the most trustworthy first."""

    ENGINE = "engine"
    """An event of the CLI's machine protocol."""
    TERMINAL = "terminal"
    """A program-status sequence."""
    TITLE = "title"
    SCREEN = "screen"
    ACTIVITY = "activity"
    """Output, or its absence since some time."""
    KEEPER = "keeper"
    """The process itself: spawned, exited."""


@dataclass(frozen=True, slots=True)
class Readiness:
    """One value in one place: state, why we believe it, from where, since when (UTC)."""

    state: ReadinessState
    reason: str
    source: BeliefSource
    since: datetime
    until: datetime | None = None
    """Only for RATE_LIMITED: the reset, if known."""
    exit_code: int | None = None
    """Only for EXITED: the process's code, negative for a signal, None before the first launch."""
