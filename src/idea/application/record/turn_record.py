"""Which messages wait for an agent or are worked on, so that the next server finds them if this one is killed."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from idea.application.ports import UnfinishedWork
from idea.application.supervisor import Supervisor
from idea.application.team.mailbox import WaitingTurn
from idea.domain.errors import Closed
from idea.domain.ids import AgentId, RequestId, TurnId
from idea.domain.replies import Decision
from idea.domain.unfinished import BegunTurn, TurnOnRecord, UnfinishedTurn


class TurnRecord:
    """Every turn from the queue to its end. What stands here is not lost; what is gone from here is not done again."""

    def __init__(self, work: UnfinishedWork, *, supervisor: Supervisor) -> None:
        self._work = work
        self._supervisor = supervisor
        self._known: dict[TurnId, UnfinishedTurn] = {}
        self._last_number = 0

    async def load(self) -> Sequence[UnfinishedTurn]:
        """What the server before left, in the order of arrival."""
        left = await self._work.list_turns()
        for turn in left:
            self._known[turn.id] = turn
            self._last_number = max(self._last_number, turn.number)
        return left

    async def queue(self, agent: AgentId, waiting: WaitingTurn) -> None:
        """Put a message on record that is in the mailbox. It is taken off when it leaves without having begun."""
        self._last_number += 1
        turn = UnfinishedTurn(
            id=waiting.turn,
            agent=agent,
            number=self._last_number,
            requester=waiting.requester,
            requester_name=waiting.requester_name,
            delegation=waiting.delegation,
            message=waiting.message,
            limit_s=waiting.limit_s,
            since=waiting.since,
            call=waiting.call,
            waits_for_limit=waiting.waits_for_limit,
        )
        self._known[turn.id] = turn
        self.watch(waiting)
        await self._work.save_turn(turn)

    def watch(self, waiting: WaitingTurn) -> None:
        """Take it off the record should it be settled before it begins."""
        waiting.settled.add_done_callback(lambda _: self._on_settled(waiting.turn))

    def has(self, turn: TurnId) -> bool:
        """It waits, or is worked on."""
        return turn in self._known

    async def begin(self, turn: TurnId, begun: BegunTurn) -> None:
        """Must be on record before the prompt is written, and before output is given up that came before `begun`."""
        known = self._known.get(turn)
        if known is not None:
            self._known[turn] = replace(known, begun=begun)
            await self._work.save_turn(self._known[turn])

    async def take_back(self, turn: TurnId) -> None:
        """Its process did not take the message: it waits, and another one is to get it."""
        known = self._known.get(turn)
        if known is not None and known.begun is not None:
            self._known[turn] = replace(known, begun=None)
            await self._work.save_turn(self._known[turn])

    async def forget(self, turn: TurnId) -> None:
        """What became of it is on record. Idempotent."""
        if self._known.pop(turn, None) is not None:
            await self._work.forget_turn(turn)

    async def decide(self, turn: TurnId, request: RequestId, decision: Decision) -> None:
        """A permission request of the turn is answered; on record before the CLI hears of it."""
        await self._work.save_decision(turn, request, decision)

    def decisions(self, turn: TurnId) -> Mapping[RequestId, Decision]:
        """What was decided before this server came."""
        known = self._known.get(turn)
        return known.decisions if known is not None else {}

    async def on_record(self, agent: AgentId, turn: TurnId) -> TurnOnRecord:
        return await self._work.turn_on_record(agent, turn)

    def _on_settled(self, turn: TurnId) -> None:
        known = self._known.get(turn)
        if known is not None and known.begun is None:
            # Closed: it was settled because the server leaves, and waits for the next one.
            with suppress(Closed):
                self._supervisor.start(partial(self._work.forget_turn, turn), name="forget-turn")
                # At once: its message may be sent again, and is a turn anew.
                del self._known[turn]
