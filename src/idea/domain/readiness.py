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


class ReadinessReason(StrEnum):
    """Why an agent is in its state; a key of the page's catalogue."""

    NEVER_LAUNCHED = "neverLaunched"
    LAUNCHING = "launching"
    READY = "ready"
    TURN_RUNNING = "turnRunning"
    PERMISSION_ASKED = "permissionAsked"
    LIMIT_REPORTED = "limitReported"
    SILENT = "silent"
    STOPPED = "stopped"
    """We ended it."""
    ENDED = "ended"
    """It ended by itself."""
    LAUNCH_FAILED = "launchFailed"
    CONVERSATION_REFUSED = "conversationRefused"
    """Its CLI did not go on with its conversation."""
    OTHER_CONVERSATION = "otherConversation"
    """Its CLI went on with another conversation, and was ended."""
    LOST = "lost"
    KEEPER_LOST = "keeperLost"
    """It was gone when this server came; how it ended was not seen."""
    PROGRAM_STATUS = "programStatus"
    """The program's own status sequence says so."""
    OUTPUT_SEEN = "outputSeen"


@dataclass(frozen=True, slots=True)
class Readiness:
    """One value in one place: state, why we believe it, from where, since when (UTC)."""

    state: ReadinessState
    reason: ReadinessReason
    source: BeliefSource
    since: datetime
    detail: str = ""
    """What fills the reason's sentence, verbatim: the requester, what its CLI waits for or asks, the last output."""
    until: datetime | None = None
    """Only for RATE_LIMITED: the reset, if known."""
    exit_code: int | None = None
    """Only for EXITED: the process's code, negative for a signal, None before the first launch."""
