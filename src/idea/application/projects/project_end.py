"""How an open project ends: its agents are stopped, or left to the next server."""

import asyncio
import logging
from collections.abc import Sequence

from idea.application.layouts.running_marks import RunningMarks
from idea.application.projects.departure import Departure
from idea.application.record.lasting_record import LastingWrites
from idea.application.restart.restore import Restore
from idea.application.sessions.agent_stopper import AgentStopper
from idea.application.sessions.live_sessions import LiveSessions
from idea.application.team.team import Member, Team
from idea.application.turns.open_asks import OpenAsks
from idea.domain.errors import Closed
from idea.domain.ids import AgentId
from idea.domain.sessions import SessionRole

_log = logging.getLogger(__name__)


class ProjectEnd:
    """`stop_agents` or `leave`."""

    def __init__(
        self,
        name: str,
        *,
        team: Team,
        live: LiveSessions,
        restore: Restore,
        marks: RunningMarks,
        stopper: AgentStopper,
        writes: LastingWrites,
        open_asks: OpenAsks,
        departure: Departure,
    ) -> None:
        """`name` is the project's, for who waits for one of its agents."""
        self._name = name
        self._team = team
        self._live = live
        self._restore = restore
        self._marks = marks
        self._stopper = stopper
        self._writes = writes
        self._open_asks = open_asks
        self._departure = departure

    async def stop_agents(self) -> int:
        """End every session, all at once; how many there were. Who ran then is offered at the next opening."""
        await self._marks.freeze()
        count = len(self._live.list())
        async with asyncio.TaskGroup() as tasks:
            for member in self._team.members():
                tasks.create_task(self._stop_agent(member), name=f"stop-{member.agent.slug}")
        await self._writes.catch_up()
        return count

    async def _stop_agent(self, member: Member) -> None:
        try:
            await self._stopper.stop(member, because=Closed(self._name))
        except Exception:  # noqa: BLE001 - one agent that cannot be stopped must not keep the others alive
            _log.exception("%s could not be stopped", member.agent.slug)

    async def leave(self) -> int:
        """The server goes, the agents stay: what becomes of anything from now on is for the next server to record.

        How many agents live on.
        """
        await self._marks.freeze()
        await self._writes.end()
        self._open_asks.let_go()
        self._departure.begin()
        return len(self.live_agents())

    def live_agents(self) -> Sequence[AgentId]:
        """Also those that a server before left and that are not taken up yet."""
        return list(dict.fromkeys(agent for agent, _ in self.live_sessions()))

    def live_sessions(self) -> Sequence[tuple[AgentId, SessionRole]]:
        """All of those agents', of either role."""
        live = (*self._live.list(), *self._live.list_sides())
        return [*((each.session.agent, each.session.role) for each in live), *self._restore.waiting()]
