"""An open project from its opening to its end: what is read, begun, taken over from files, stopped or let go."""

import asyncio
import logging
from collections.abc import Collection, Sequence
from typing import Final

from idea.application.layouts.project_layouts import ProjectLayouts
from idea.application.layouts.running_marks import RunningMarks
from idea.application.ports import Clock, ProjectPaths
from idea.application.projects.departure import Departure
from idea.application.projects.known_settings import KnownSettings
from idea.application.projects.known_trust import KnownTrust
from idea.application.projects.notices import Notices
from idea.application.projects.team_files import TeamFiles
from idea.application.record.lasting_record import LastingWrites
from idea.application.restart.restore import Restore
from idea.application.restart.resume_by_itself import ResumeByItself
from idea.application.sessions.agent_hooks import AgentHooks
from idea.application.sessions.agent_stopper import AgentStopper
from idea.application.sessions.live_sessions import LiveSessions
from idea.application.supervisor import Supervisor
from idea.application.team.team import Member, Team
from idea.application.turns.open_asks import OpenAsks
from idea.application.turns.turn_runner import TurnRunner
from idea.domain.errors import Closed
from idea.domain.ids import AgentId
from idea.domain.sessions import SessionRole

RETURN_S: Final = 15.0
"""Bridges come back within seconds of a start; who has not by then does not wait for an answer any more."""

_log = logging.getLogger(__name__)


class ProjectLife:
    """`load`, then `begin`; `stop_agents` or `leave` is the end."""

    def __init__(
        self,
        paths: ProjectPaths,
        *,
        team: Team,
        live: LiveSessions,
        team_files: TeamFiles,
        restore: Restore,
        by_itself: ResumeByItself,
        marks: RunningMarks,
        turns: TurnRunner,
        writes: LastingWrites,
        open_asks: OpenAsks,
        supervisor: Supervisor,
        clock: Clock,
        stopper: AgentStopper,
        hooks: AgentHooks,
        settings: KnownSettings,
        layouts: ProjectLayouts,
        trust: KnownTrust,
        notices: Notices,
    ) -> None:
        self._paths = paths
        self._team = team
        self._live = live
        self._team_files = team_files
        self._restore = restore
        self._by_itself = by_itself
        self._marks = marks
        self._turns = turns
        self._writes = writes
        self._open_asks = open_asks
        self._supervisor = supervisor
        self._clock = clock
        self._stopper = stopper
        self._hooks = hooks
        self.departure = Departure()
        self._settings = settings
        self._layouts = layouts
        self._trust = trust
        self._notices = notices

    async def load(self) -> None:
        """Read everything the project keeps. Starts no agent; unusable files were set aside and are reported."""
        await self._restore.load()
        await self._settings.load()
        self._notices.tell(await self._marks.load())
        await self.reload()
        await self._marks.begin()
        await self._restore.forget_lost()

    def begin(self) -> None:
        """The agents' door is open: messages that wait are taken from now on."""
        self._turns.begin()
        self._supervisor.start(self._hooks.hear_missed, name="missed-hooks")
        if self._open_asks.has_unclaimed:
            self._supervisor.start(self._give_up_unclaimed, name="unclaimed-asks")
        else:
            self._open_asks.take_back_unclaimed()
        self._by_itself.begin()

    def hear_bridge(self, agent: AgentId, bridge: str, calls: Collection[str]) -> None:
        """One of the agent's bridges is here, and makes the calls of these names again."""
        self._open_asks.take_back_others(agent, bridge, calls)

    async def _give_up_unclaimed(self) -> None:
        await self._clock.sleep(RETURN_S)
        self._open_asks.take_back_unclaimed()

    async def reload(self) -> None:
        """Files changed on disk: take over what people and agents edited."""
        await self._team_files.reload()
        self._restore.tell_lost()
        if not self._team.broken:
            # A file that is broken for the moment may be a living agent's, which is taken up once it is mended.
            await self._restore.abandon_rest()
        await self._settings.reload()
        await self._trust.look()
        await self._layouts.reload()

    async def write_again(self) -> None:
        """The project's private folder was removed and is there again: the next server is to find what this one knows.

        Raises:
            Refused, Conflict: it cannot be written.
        """
        await self._layouts.write_again()

    async def stop_agents(self) -> int:
        """End every session, all at once; how many there were. Who ran then is offered at the next opening."""
        await self._marks.freeze()
        count = len(self._live.list())
        async with asyncio.TaskGroup() as tasks:
            for member in self._team.members():
                tasks.create_task(self._stop_agent(member), name=f"stop-{member.agent.slug}")
        return count

    async def _stop_agent(self, member: Member) -> None:
        try:
            await self._stopper.stop(member, because=Closed(self._paths.root.name))
        except Exception:  # noqa: BLE001 - one agent that cannot be stopped must not keep the others alive
            _log.exception("%s could not be stopped", member.agent.slug)

    async def leave(self) -> int:
        """The server goes, the agents stay: what becomes of anything from now on is for the next server to record.

        How many agents live on.
        """
        await self._marks.freeze()
        self._writes.end()
        self._open_asks.let_go()
        self.departure.begin()
        return len(self.live_agents())

    def live_agents(self) -> Sequence[AgentId]:
        """Also those that a server before left and that are not taken up yet."""
        return list(dict.fromkeys(agent for agent, _ in self.live_sessions()))

    def live_sessions(self) -> Sequence[tuple[AgentId, SessionRole]]:
        """All of those agents', of either role."""
        live = (*self._live.list(), *self._live.list_sides())
        return [*((each.session.agent, each.session.role) for each in live), *self._restore.waiting()]
