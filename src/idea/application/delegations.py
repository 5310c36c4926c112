"""The delegations of one project: the open ones, the newest settled ones, and their record."""

from collections.abc import Callable, Sequence
from typing import Final

from idea.application.ports import Clock, Records
from idea.domain.delegation import Delegation, Requester
from idea.domain.errors import IdeaError
from idea.domain.events import DelegationChanged, Event
from idea.domain.ids import AgentId, DelegationId, ProjectId, TurnId

SHOWN: Final = 200
"""Settled delegations that are kept in memory for the page."""


class Delegations:
    """Every change is true and published at once; the record follows, and never makes it fail."""

    def __init__(self, project: ProjectId, *, records: Records, clock: Clock, publish: Callable[[Event], None]) -> None:
        self._project = project
        self._records = records
        self._clock = clock
        self._publish = publish
        self._known: dict[DelegationId, Delegation] = {}
        self._last_number = 0

    async def load(self) -> None:
        """What an earlier server left open is failed: nobody waits for it any more."""
        for delegation in await self._records.list_delegations(limit=SHOWN):
            self._last_number = max(self._last_number, delegation.number)
            if delegation.state.is_open:
                delegation = delegation.fail(
                    "LOST", "The server ended during this ask", at=self._clock.now(), fields={"why": "serverEnded"}
                )
                await self._records.save_delegation(delegation)
            self._known[delegation.id] = delegation

    def get(self, delegation: DelegationId) -> Delegation:
        return self._known[delegation]

    def open(self) -> Sequence[Delegation]:
        return [delegation for delegation in self._known.values() if delegation.state.is_open]

    def shown(self) -> Sequence[Delegation]:
        return list(self._known.values())

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
        delegation = self._known[delegation_id].start(turn, at=self._clock.now())
        self._become(delegation)
        await self.save(delegation)

    async def settle(self, delegation_id: DelegationId, outcome: str | IdeaError) -> None:
        """The first outcome counts, and is true before this waits for anything."""
        delegation = self._known.get(delegation_id)
        if delegation is None or not delegation.state.is_open:
            return
        now = self._clock.now()
        if isinstance(outcome, IdeaError):
            delegation = delegation.fail(outcome.code, str(outcome), at=now, fields=outcome.fields())
        else:
            delegation = delegation.answer(outcome, at=now)
        self._become(delegation)
        self._forget_old()
        await self.save(delegation)

    def _become(self, delegation: Delegation) -> None:
        self._known[delegation.id] = delegation
        self._publish(DelegationChanged(self._project, delegation))

    def _forget_old(self) -> None:
        settled = [known for known in self._known.values() if not known.state.is_open]
        for old in settled[:-SHOWN]:
            del self._known[old.id]
