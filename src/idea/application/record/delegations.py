"""The delegations of one project: the open ones, the newest settled ones, and their record."""

from collections.abc import Callable, Collection, Sequence
from typing import Final

from idea.application.ports import Clock, Records
from idea.domain.delegation import Delegation, DelegationState, Requester, shorten
from idea.domain.errors import IdeaError
from idea.domain.events import DelegationChanged, Event
from idea.domain.ids import AgentId, DelegationId, ProjectId, TurnId

SHOWN: Final = 200
"""Settled delegations that are kept in memory, for the page and for whoever asks for their answers once more."""
SHOWN_CHARS: Final = 2_000_000
"""Of the texts of settled delegations that one look at the project shows: each page that arrives reads them all."""
LOADED: Final = 2_000
"""The newest by number, among which those that were settled last are looked for; the open ones are all loaded."""


class Delegations:
    """Every change is true and published at once; the record follows, and never makes it fail."""

    def __init__(self, project: ProjectId, *, records: Records, clock: Clock, publish: Callable[[Event], None]) -> None:
        self._project = project
        self._records = records
        self._clock = clock
        self._publish = publish
        self._known: dict[DelegationId, Delegation] = {}
        self._last_number = 0

    async def load(self, *, still_open: Collection[DelegationId] = ()) -> None:
        """What an earlier server left open goes on if it is `still_open`; else it is failed."""
        newest = await self._records.list_delegations(limit=LOADED)
        known = {delegation.id: delegation for delegation in (*await self._records.list_open_delegations(), *newest)}
        for delegation in sorted(known.values(), key=lambda delegation: delegation.number):
            self._last_number = max(self._last_number, delegation.number)
            if delegation.state.is_open and delegation.id not in still_open:
                delegation = delegation.fail(
                    "LOST", "The server ended during this ask", at=self._clock.now(), fields={"why": "serverEnded"}
                )
                await self._records.save_delegation(delegation)
            self._known[delegation.id] = delegation
        self._forget_old()

    def find(self, delegation: DelegationId) -> Delegation | None:
        """None also for one that was settled long ago."""
        return self._known.get(delegation)

    def get(self, delegation: DelegationId) -> Delegation:
        return self._known[delegation]

    def asked_in(self, turn: TurnId) -> Sequence[Delegation]:
        """What an agent asked of others in this turn of its own, in that order."""
        return [known for known in self._known.values() if known.requester.turn == turn]

    def open(self) -> Sequence[Delegation]:
        return [delegation for delegation in self._known.values() if delegation.state.is_open]

    def shown(self) -> Sequence[Delegation]:
        """Ascending: the open ones, and the newest settled whose texts, as they are shown, are not too much."""
        shown: list[Delegation] = []
        chars = 0
        for delegation in reversed(self._known.values()):
            if not delegation.state.is_open:
                chars += len(shorten(delegation.message)) + len(shorten(delegation.reply or ""))
            if delegation.state.is_open or chars <= SHOWN_CHARS:
                shown.append(delegation)
        return shown[::-1]

    def add(
        self,
        delegation_id: DelegationId,
        *,
        requester: Requester,
        requester_name: str,
        target: AgentId,
        target_name: str,
        message: str,
        depth: int,
    ) -> Delegation:
        """Queued from now on, as every other ask must see in the wait-for graph. `save` puts it on record."""
        self._last_number += 1
        delegation = Delegation(
            id=delegation_id,
            number=self._last_number,
            requester=requester,
            requester_name=requester_name,
            target=target,
            target_name=target_name,
            message=message,
            depth=depth,
            asked_at=self._clock.now(),
        )
        self._become(delegation)
        return delegation

    async def save(self, delegation: Delegation) -> None:
        await self._records.save_delegation(delegation)

    async def start(self, delegation_id: DelegationId, turn: TurnId) -> None:
        delegation = self._known[delegation_id]
        if delegation.state is not DelegationState.QUEUED:
            # Begun, or even settled, under the server before this one.
            return
        delegation = delegation.start(turn, at=self._clock.now())
        self._become(delegation)
        await self.save(delegation)

    async def queue_again(self, delegation_id: DelegationId) -> None:
        """Its turn came to nothing, and another one will be for it."""
        delegation = self._known[delegation_id]
        if delegation.state is DelegationState.RUNNING:
            delegation = delegation.queue_again()
            self._become(delegation)
            await self.save(delegation)

    async def settle(self, delegation_id: DelegationId, outcome: str | IdeaError) -> None:
        """The first outcome counts, and is true before this waits for anything; it is shown once it is on record."""
        delegation = self._known.get(delegation_id)
        if delegation is None or not delegation.state.is_open:
            return
        now = self._clock.now()
        if isinstance(outcome, IdeaError):
            delegation = delegation.fail(outcome.code, str(outcome), at=now, fields=outcome.fields())
        else:
            delegation = delegation.answer(outcome, at=now)
        self._known[delegation.id] = delegation
        self._forget_old()
        await self.save(delegation)
        # Not before: after a kill in between the next server comes to the same end, but at another time.
        self._publish(DelegationChanged(self._project, delegation))

    def _become(self, delegation: Delegation) -> None:
        self._known[delegation.id] = delegation
        self._publish(DelegationChanged(self._project, delegation))

    def _forget_old(self) -> None:
        settled = [known for known in self._known.values() if not known.state.is_open]
        # By their ends: the answer to a long ask may still be on its way to whoever asked.
        for old in sorted(settled, key=lambda known: known.settled_at or known.asked_at)[:-SHOWN]:
            del self._known[old.id]
