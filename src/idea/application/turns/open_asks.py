"""The asks that are not settled yet, and the calls that wait for them: several for one ask if it is made again."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

from idea.application.ports import Clock
from idea.application.record.delegations import Delegations
from idea.application.supervisor import Supervisor
from idea.application.team.mailbox import Hold, WaitingTurn
from idea.application.team.team import Member
from idea.domain.delegation import Delegation, Source, bridge_of
from idea.domain.errors import Cancelled, Closed, IdeaError, Timeout
from idea.domain.ids import AgentId, DelegationId
from idea.domain.settings import Settings

RETURN_S: Final = 15.0
"""Bridges come back within seconds of a start; who has not by then does not wait for an answer any more."""


@dataclass(slots=True, eq=False)
class OpenAsk:
    """An ask in its target's queue, or that its target works on."""

    delegation: DelegationId
    target: Member
    waiting: WaitingTurn
    callers: int = 0
    """Calls that wait for its outcome now."""


class OpenAsks:
    """Each settles, whoever waits for it; and each is taken back when the last one who waits for it leaves."""

    def __init__(
        self, *, delegations: Delegations, settings: Callable[[], Settings], supervisor: Supervisor, clock: Clock
    ) -> None:
        self._delegations = delegations
        self._settings = settings
        self._supervisor = supervisor
        self._clock = clock
        self._open: dict[DelegationId, OpenAsk] = {}
        self._awaits_bridges = True
        """Those of agents that an earlier server started may still come again."""
        self._lets_go = False

    def find(self, delegation: DelegationId) -> OpenAsk | None:
        return self._open.get(delegation)

    def add(self, target: Member, waiting: WaitingTurn) -> OpenAsk:
        """From now on calls can wait for the delegation of this turn.

        The turn is the caller's to put into the target's mailbox, or to have settled in another way.
        """
        assert waiting.delegation is not None
        ask = self._open[waiting.delegation] = OpenAsk(waiting.delegation, target, waiting)
        waiting.settled.add_done_callback(partial(self._settle_unattended, ask))
        return ask

    def add_left(self, target: Member, waiting: WaitingTurn) -> OpenAsk:
        """One that an earlier server took in.

        What an agent asked and nobody began is held until the call is made again: it may have been taken back while no
        server was there.
        """
        if self._awaits_bridges and waiting.requester.source is Source.MCP and not waiting.has_begun:
            waiting.hold = Hold.UNCLAIMED
        return self.add(target, waiting)

    def follow(self, delegation: DelegationId, waiting: WaitingTurn) -> None:
        """This turn is for it from now on; the one before was passed on."""
        ask = self._open.get(delegation)
        if ask is not None:
            ask.waiting = waiting

    async def attend(self, ask: OpenAsk, begin: Callable[[], Awaitable[None]] | None = None) -> Delegation:
        """Wait for its outcome, from `begin` on if this call makes it. Raises the `IdeaError` that became of it."""
        ask.callers += 1
        ask.target.mailbox.release(ask.waiting)
        try:
            if begin is not None:
                await begin()
            return await self._wait(ask)
        except IdeaError as error:
            if not self._lets_go:
                await self._settle(ask, error)
            raise
        except asyncio.CancelledError:
            if ask.callers == 1 and not self._lets_go:
                self._take_back(ask)
            raise
        finally:
            ask.callers -= 1
            self._forget(ask)

    def begin(self) -> None:
        """The agents' door is open: what is left of an earlier server is waited for only so long."""
        if self._unclaimed():
            self._supervisor.start(self._give_up_unclaimed, name="unclaimed-asks")
        else:
            self.take_back_unclaimed()

    async def _give_up_unclaimed(self) -> None:
        await self._clock.sleep(RETURN_S)
        self.take_back_unclaimed()

    def take_back_unclaimed(self) -> None:
        """Of what agents asked an earlier server, that for which no call waits by now: who asked is gone."""
        self._awaits_bridges = False
        for ask in self._unclaimed():
            self._take_back(ask)

    def take_back_others(self, requester: AgentId, bridge: str, calls: Collection[str]) -> None:
        """A bridge has come again, which makes these calls again: it has taken back its others meanwhile."""
        for ask in self._unclaimed():
            waiting = ask.waiting
            if waiting.requester.agent != requester or waiting.call is None or waiting.call in calls:
                continue
            if bridge_of(waiting.call) == bridge:
                self._take_back(ask)

    def _unclaimed(self) -> list[OpenAsk]:
        asks = self._open.values()
        return [ask for ask in asks if ask.waiting.requester.source is Source.MCP and not ask.callers]

    def let_go(self) -> None:
        """The server ends without its agents: a call that is cancelled from now on leaves its ask to the next one."""
        self._lets_go = True

    async def _wait(self, ask: OpenAsk) -> Delegation:
        queue_wait_s = self._settings().queue_wait_s
        try:
            async with asyncio.timeout(queue_wait_s):
                await ask.waiting.left_queue.wait()
        except TimeoutError:
            clock = None if ask.target.running is None else ask.target.running.clock
            error = Timeout(
                ask.target.agent.name,
                ask.delegation,
                limit_s=queue_wait_s,
                is_queued=True,
                asked="" if clock is None else clock.waits_for,
                asked_s=0.0 if clock is None else clock.held_s,
            )
            if ask.target.mailbox.remove(ask.waiting, error):
                raise error from None
        # Bounded by the worker, which settles every turn it takes, and by the mailbox, which closes with the worker.
        await asyncio.shield(ask.waiting.settled)
        return self._delegations.get(ask.delegation)

    def _take_back(self, ask: OpenAsk) -> None:
        """Out of the queue, or the running turn is stopped. Never waits."""
        error = Cancelled(ask.target.agent.name, "requester")
        running = ask.target.running
        if running is not None and running.waiting is ask.waiting:
            running.request_stop(error)
        elif not ask.target.mailbox.remove(ask.waiting, error):
            ask.waiting.settle(error)
        # Closed: it stays open on record, where the next server finds it.
        with suppress(Closed):
            self._supervisor.start(partial(self._settle, ask, error), name="settle-cancelled")

    def _settle_unattended(self, ask: OpenAsk, turn: "asyncio.Future[str]") -> None:
        """With no call that would see to it: whoever asked an earlier server is not back yet."""
        if ask.callers or turn.cancelled():
            return
        failure = turn.exception()
        outcome = failure if isinstance(failure, IdeaError) else turn.result()
        with suppress(Closed):
            self._supervisor.start(partial(self._settle, ask, outcome), name="settle-unattended")

    async def _settle(self, ask: OpenAsk, outcome: str | IdeaError) -> None:
        await self._delegations.settle(ask.delegation, outcome)
        self._forget(ask)

    def _forget(self, ask: OpenAsk) -> None:
        """Once it is settled, its record says all."""
        known = self._delegations.find(ask.delegation)
        if known is None or not known.state.is_open:
            self._open.pop(ask.delegation, None)
