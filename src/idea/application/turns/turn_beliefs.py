"""What a turn says of its agent's readiness: nothing where it runs beside a terminal, since that one says it all."""

from datetime import datetime

from idea.application.beliefs import Beliefs
from idea.domain.ids import AgentId
from idea.domain.readiness import BeliefSource, ReadinessReason, ReadinessState
from idea.domain.sessions import SessionRole


class TurnBeliefs:
    """Of one turn, while it lasts."""

    def __init__(self, beliefs: Beliefs, agent: AgentId, role: SessionRole) -> None:
        """`role` of the session that the turn runs in."""
        self._beliefs = beliefs
        self._agent = agent
        self._role = role

    @property
    def is_stalled(self) -> bool:
        is_main = self._role is SessionRole.MAIN
        return is_main and self._beliefs.get(self._agent).state is ReadinessState.STALLED

    def working(self, detail: str) -> None:
        self._believe(ReadinessState.WORKING, ReadinessReason.TURN_RUNNING, detail=detail)

    def idle(self) -> None:
        self._believe(ReadinessState.IDLE, ReadinessReason.READY)

    def asking(self, title: str) -> None:
        """A person is to permit this."""
        self._believe(ReadinessState.WAITING_PERMISSION, ReadinessReason.PERMISSION_ASKED, detail=title)

    def limited(self, reason: str, until: datetime | None) -> None:
        self._believe(ReadinessState.RATE_LIMITED, ReadinessReason.LIMIT_REPORTED, detail=reason, until=until)

    def silent(self) -> None:
        """For too long."""
        self._believe(ReadinessState.STALLED, ReadinessReason.SILENT, source=BeliefSource.ACTIVITY)

    def _believe(
        self,
        state: ReadinessState,
        reason: ReadinessReason,
        *,
        source: BeliefSource = BeliefSource.ENGINE,
        detail: str = "",
        until: datetime | None = None,
    ) -> None:
        if self._role is SessionRole.MAIN:
            self._beliefs.believe(self._agent, state, reason, source, detail=detail, until=until)
