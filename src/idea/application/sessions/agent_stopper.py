"""End an agent's sessions: what runs and what waits is cancelled, so that the stop is not undone by the next turn."""

from idea.application.sessions.session_lives import SessionLives
from idea.application.team.team import Member
from idea.domain.errors import Cancelled, IdeaError
from idea.domain.sessions import SessionRole, StopReport


class AgentStopper:
    def __init__(self, lives: SessionLives) -> None:
        self._lives = lives

    async def stop(self, member: Member, *, because: IdeaError | None = None) -> StopReport:
        """Whoever waits is told `because` (default: the user stopped it). Idempotent.

        Raises:
            EngineFailed: something of a session resists.
        """
        error = because or Cancelled(member.agent.name, "stop")
        member.mailbox.clear(error)
        if member.running is not None:
            member.running.request_stop(error)
        try:
            main = await self._lives.stop(member, SessionRole.MAIN)
        finally:
            side = await self._lives.stop(member, SessionRole.SIDE)
        return StopReport(main.exit, (*main.survivors, *side.survivors))
