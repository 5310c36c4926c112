"""Permission requests that wait for a person; unanswered ones are denied after a set time."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from idea.application.ports import Clock
from idea.application.supervisor import Supervisor
from idea.application.team.team import Team
from idea.domain.errors import Lost, NotFound
from idea.domain.events import Event, PermissionAsked, PermissionSettled
from idea.domain.ids import AgentId, ProjectId, RequestId, TurnId
from idea.domain.replies import Decision, PermissionRequested

_log = logging.getLogger(__name__)

TellEngine = Callable[[RequestId, Decision], Awaitable[None]]
"""What becomes of its request."""


@dataclass(frozen=True, slots=True)
class _Pending:
    asked: PermissionAsked
    answer: TellEngine
    on_settled: Callable[[], None]
    expiry: "asyncio.Task[None]"

    def forget(self) -> None:
        """Nobody waits for it any more."""
        self.on_settled()
        if self.expiry is not asyncio.current_task():
            self.expiry.cancel()


class Permissions:
    """Only a person decides; an agent's message never reaches this class."""

    def __init__(
        self,
        project: ProjectId,
        *,
        team: Team,
        wait_s: Callable[[], float],
        supervisor: Supervisor,
        clock: Clock,
        publish: Callable[[Event], None],
    ) -> None:
        self._project = project
        self._team = team
        self._wait_s = wait_s
        self._supervisor = supervisor
        self._clock = clock
        self._publish = publish
        self._pending: dict[tuple[AgentId, RequestId], _Pending] = {}

    def pending(self) -> tuple[PermissionAsked, ...]:
        """In the order of asking."""
        return tuple(pending.asked for pending in self._pending.values())

    def ask(
        self,
        agent: AgentId,
        turn: TurnId,
        request: PermissionRequested,
        answer: TellEngine,
        on_settled: Callable[[], None],
    ) -> None:
        """`on_settled` is called when nobody waits for this request any more.

        Until then neither this turn nor one that waits for it is slow: their clocks stand still.
        """
        now = self._clock.now()
        wait = timedelta(seconds=self._wait_s())
        asked = PermissionAsked(self._project, agent, turn, request, at=now, expires_at=now + wait)
        expiry = self._supervisor.start(partial(self._expire, asked, wait.total_seconds()), name="permission-expiry")
        earlier = self._pending.get((agent, request.request_id))
        pending = _Pending(asked, answer, self._hold(agent, request, on_settled), expiry)
        self._pending[agent, request.request_id] = pending
        if earlier is not None:
            # Asked again under the same id: the first one gets no answer of its own.
            earlier.forget()
        self._publish(asked)

    def _hold(self, agent: AgentId, request: PermissionRequested, on_settled: Callable[[], None]) -> Callable[[], None]:
        """Stop the clocks; what is returned lets them go on and tells `on_settled`."""
        member = self._team.find(agent)
        name = agent if member is None else member.agent.name
        releases = [running.clock.hold(f"{name}: {request.title}") for running in self._team.waiting_on(agent)]

        def settle() -> None:
            for release in releases:
                release()
            on_settled()

        return settle

    async def decide(self, agent: AgentId, request: RequestId, decision: Decision) -> None:
        """A person's word. Raises `NotFound` when nobody waits for it any more."""
        if self._team.find(agent) is None:
            raise NotFound("agent", agent)
        if (agent, request) not in self._pending:
            raise NotFound("permission request", request)
        await self._settle(agent, request, decision, by="human")

    def end_turn(self, agent: AgentId, turn: TurnId) -> None:
        """The engine no longer waits for the requests of this turn."""
        for asked in self.pending():
            if asked.agent == agent and asked.turn == turn:
                pending = self._pending.pop((agent, asked.request.request_id))
                self._tell(asked, Decision.DENY, by="turnEnded")
                pending.forget()

    async def _expire(self, asked: PermissionAsked, wait_s: float) -> None:
        await self._clock.sleep(wait_s)
        known = self._pending.get((asked.agent, asked.request.request_id))
        if known is not None and known.asked is asked:
            await self._settle(asked.agent, asked.request.request_id, Decision.DENY, by="timeout")

    async def _settle(self, agent: AgentId, request: RequestId, decision: Decision, *, by: str) -> None:
        # Taken out before the engine is told: two browsers that answer at once must not both answer.
        pending = self._pending.pop((agent, request))
        try:
            await pending.answer(request, decision)
        except Lost:
            _log.info("the answer to a permission request came after its agent had ended")
        finally:
            # Also when whoever answered hangs up meanwhile: the turn would stand still for ever.
            self._tell(pending.asked, decision, by=by)
            pending.forget()

    def _tell(self, asked: PermissionAsked, decision: Decision, *, by: str) -> None:
        self._publish(PermissionSettled(self._project, asked.agent, asked.request.request_id, decision, by))
