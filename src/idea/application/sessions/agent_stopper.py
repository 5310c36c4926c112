"""End an agent's session: what runs and what waits is cancelled, so that the stop is not undone by the next turn."""

from idea.application.sessions.session_lives import SessionLives
from idea.application.team.team import Member
from idea.domain.errors import Cancelled, IdeaError
from idea.domain.sessions import StopReport


class AgentStopper:
    def __init__(self, lives: SessionLives) -> None:
        self._lives = lives

    async def stop(self, member: Member, *, because: IdeaError | None = None) -> StopReport:
        """Whoever waits is told `because` (default: the user stopped it). Idempotent."""
        error = because or Cancelled(member.agent.name, "stop")
        member.mailbox.clear(error)
        if member.running is not None:
            member.running.request_stop(error)
        return await self._lives.stop(member)
