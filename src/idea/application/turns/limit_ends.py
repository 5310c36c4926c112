"""When an agent's limit has passed it may be asked again: it is believed limited no longer than its CLI said."""

import asyncio
from contextlib import suppress
from datetime import datetime
from functools import partial

from idea.application.beliefs import Beliefs
from idea.application.ports import Clock
from idea.application.supervisor import Supervisor
from idea.application.turns.limit_waits import sleep_until
from idea.domain.errors import Closed
from idea.domain.ids import AgentId
from idea.domain.readiness import ReadinessReason, ReadinessState


class LimitEnds:
    def __init__(self, *, beliefs: Beliefs, supervisor: Supervisor, clock: Clock) -> None:
        self._beliefs = beliefs
        self._supervisor = supervisor
        self._clock = clock
        self._waiting: dict[AgentId, asyncio.Task[None]] = {}

    def note(self, agent: AgentId) -> None:
        """Something else is believed of it."""
        waiting = self._waiting.pop(agent, None)
        if waiting is not None:
            waiting.cancel()
        readiness = self._beliefs.get(agent)
        if readiness.state is ReadinessState.RATE_LIMITED and readiness.until is not None:
            # A project that closes believes nothing more.
            with suppress(Closed):
                wait = partial(self._end, agent, readiness.until)
                self._waiting[agent] = self._supervisor.start(wait, name=f"limit-{agent}")

    async def _end(self, agent: AgentId, until: datetime) -> None:
        await sleep_until(until, self._clock)
        source = self._beliefs.get(agent).source
        self._waiting.pop(agent, None)
        self._beliefs.believe(agent, ReadinessState.IDLE, ReadinessReason.LIMIT_OVER, source)
