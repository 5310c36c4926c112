"""Asks that wait for the end of their target's limit: given to it again then, as the first in line."""

import asyncio
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from idea.application.ports import Clock, NewId
from idea.application.record.delegations import Delegations
from idea.application.record.turn_record import TurnRecord
from idea.application.supervisor import Supervisor
from idea.application.team.mailbox import WaitingTurn
from idea.application.team.team import Member, Team
from idea.application.turns.open_asks import OpenAsks
from idea.domain.errors import IdeaError, TargetRateLimited
from idea.domain.ids import TurnId

SLACK: Final = timedelta(seconds=1)
"""Behind the time that the CLI named: it may have been rounded."""


class LimitWaits:
    def __init__(
        self,
        *,
        team: Team,
        delegations: Delegations,
        open_asks: OpenAsks,
        record: TurnRecord,
        supervisor: Supervisor,
        clock: Clock,
        new_id: NewId,
    ) -> None:
        self._team = team
        self._delegations = delegations
        self._open_asks = open_asks
        self._record = record
        self._supervisor = supervisor
        self._clock = clock
        self._new_id = new_id

    async def pass_on(self, member: Member, waiting: WaitingTurn, failure: IdeaError) -> bool:
        """Whether the turn that failed so is followed by another one for the same ask."""
        until = failure.until if isinstance(failure, TargetRateLimited) else None
        if not waiting.waits_for_limit or waiting.delegation is None or waiting.settled.done():
            return False
        if until is None or until <= self._clock.now():
            # Nothing to wait for: of a CLI that names a time in the past nobody knows when it works again.
            return False
        following = waiting.pass_on(TurnId(self._new_id()))
        self._open_asks.follow(waiting.delegation, following)
        try:
            member.mailbox.put_first(following)
            self._supervisor.start(
                partial(self._release, member, following, until + SLACK), name=f"limit-of-{member.agent.slug}"
            )
        except IdeaError as closed:
            # The agent is removed, or the project ends.
            following.settle(closed)
        await self._delegations.queue_again(waiting.delegation)
        await self._record.queue(member.agent.id, following)
        return True

    async def _release(self, member: Member, following: WaitingTurn, at: datetime) -> None:
        """The turns of those that wait for it stand still so long: their limits are for work."""
        asker = following.requester.agent
        upstream = () if asker is None else tuple(self._team.waiting_on(asker))
        releases = [running.clock.hold() for running in upstream]
        try:
            async with asyncio.TaskGroup() as tasks:
                waking = tasks.create_task(sleep_until(at, self._clock), name="limit")
                following.settled.add_done_callback(lambda _: waking.cancel())
        finally:
            for release in releases:
                release()
        member.mailbox.release(following)


async def sleep_until(at: datetime, clock: Clock) -> None:
    # Again after a sleep of the machine, of which the loop's clock knows nothing.
    while (left_s := (at - clock.now()).total_seconds()) > 0:
        await clock.sleep(left_s)
