"""Can an agent take a prompt now, and what makes us believe so."""

from collections.abc import Mapping
from dataclasses import dataclass, field
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
    HOOK = "hook"
    """A program of ours that the CLI runs at certain moments."""
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
    AT_WORK = "atWork"
    """It shows that it is; nobody but the person at its terminal knows at what."""
    PERMISSION_ASKED = "permissionAsked"
    QUESTION_ASKED = "questionAsked"
    TRUST_ASKED = "trustAsked"
    """Whether its folder may be trusted."""
    SETUP_ASKED = "setupAsked"
    """It cannot begin before the person has signed in, chosen or corrected something."""
    LIMIT_REPORTED = "limitReported"
    LIMIT_OVER = "limitOver"
    """The time that was named has come; whether it is true shows the next turn."""
    SILENT = "silent"
    OUTPUT_HELD = "outputHeld"
    """What it writes cannot be put by, so that it waits."""
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
    """It was gone when this server came; how it ended was not seen."""
    KEEPER_LOST = "keeperLost"
    """Its keeper ended before it, and nothing outlives its keeper."""
    AT_PROMPT = "atPrompt"
    PROMPT_GONE = "promptGone"
    """What was shown while it was idle is not to be seen: something runs in it."""
    TURN_FAILED = "turnFailed"
    OUTPUT_SEEN = "outputSeen"
    QUIET = "quiet"
    """Its output has ended."""


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
    fields: Mapping[str, object] = field(default_factory=dict)
    """As those of an error: what says the same as `detail` in every language; empty for others' own words."""
