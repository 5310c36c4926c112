"""What becomes of whoever asked when a turn fails: the engine's word for it, as an outcome."""

from datetime import datetime

from idea.domain.errors import Cancelled, IdeaError, TargetDied, TargetRateLimited, TurnFailed
from idea.domain.replies import Failed, FailureKind
from idea.domain.sessions import Exit


def failure_of(failed: Failed, agent: str, *, last_exit: Exit | None, until: datetime | None) -> IdeaError:
    """`last_exit` of the turn's process, if that has ended; `until` the end of the limit, if that is known."""
    match failed.kind:
        case FailureKind.DIED:
            return _death(failed, agent, last_exit)
        case FailureKind.LIMITED:
            return TargetRateLimited(agent, until)
        case FailureKind.INTERRUPTED:
            return Cancelled(agent, "cli")
        case FailureKind.ENGINE:
            return TurnFailed(agent, failed.reason, tail=failed.tail)


def _death(failed: Failed, agent: str, last_exit: Exit | None) -> TargetDied:
    if last_exit is None:
        return TargetDied(agent, failed.reason, tail=failed.tail)
    if not last_exit.is_known:
        reason = "the keeper of its processes has ended, and it with the keeper"
        return TargetDied(agent, reason, tail=failed.tail, why="endedWithKeeper")
    return TargetDied(agent, failed.reason, tail=failed.tail, why="ended", code=last_exit.code, signal=last_exit.signal)
