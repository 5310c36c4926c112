"""How a message comes to a CLI: the session is found or started, and given the turn."""

import asyncio

from idea.application.ports import Clock
from idea.application.record.turn_record import TurnRecord
from idea.application.sessions.agent_launcher import AgentLauncher
from idea.application.sessions.live_sessions import LiveSessions
from idea.application.sessions.passage import judge_role
from idea.application.structured.structured_session import StructuredSession
from idea.application.team.mailbox import WaitingTurn
from idea.application.team.team import GivenTurn, Member, RunningTurn
from idea.domain.errors import Invalid, KeeperSilent, Lost
from idea.domain.sessions import SessionRole


class MessageNotTaken(Exception):
    """The CLI ended before it had the whole message: another process may be given it."""


class TurnOpening:
    def __init__(self, *, launcher: AgentLauncher, live: LiveSessions, record: TurnRecord, clock: Clock) -> None:
        self._launcher = launcher
        self._live = live
        self._record = record
        self._clock = clock

    def choose_role(self, member: Member, waiting: WaitingTurn) -> SessionRole:
        """Of the session that will take it, as things are now; a launch that is under way may decide otherwise."""
        if waiting.left is not None and waiting.left.begun is not None:
            return self._launcher.find_left_role(member, waiting.turn) or SessionRole.MAIN
        try:
            return judge_role(member, self._live.find(member.agent.id), delegation=waiting.delegation)
        except Invalid:
            # It is refused when it is to be taken, on record as every turn.
            return SessionRole.MAIN

    def find_left(self, member: Member, running: RunningTurn) -> GivenTurn:
        """A turn that a server before this one began. Raises `TargetDied` if its session is not there any more."""
        given = running.given = self._launcher.find_left_turn(member, running.waiting.turn)
        if (stopped := running.waiting.failure) is not None:
            given.turn.stream.request_stop(stopped)
        return given

    async def ensure_session(self, member: Member, running: RunningTurn) -> StructuredSession:
        """When the turn's time is over whoever waits is told; the launch goes on, for the turns behind it.

        Raises:
            MessageNotTaken: it ended with its keeper while it started.
            IdeaError: it cannot be started; or what the turn's requester was told meanwhile.
        """
        ringing: asyncio.TimerHandle | None = None
        if running.clock.deadline is not None:
            timeout = running.timeout(member.agent.name)
            ringing = asyncio.get_running_loop().call_at(running.clock.deadline, running.request_stop, timeout)
        try:
            live = await self._launcher.ensure_for_turn(member, running.waiting.delegation)
        except KeeperSilent:
            raise
        except Lost as lost:
            raise MessageNotTaken from lost
        finally:
            if ringing is not None:
                ringing.cancel()
        if (stopped := running.waiting.failure) is not None:
            raise stopped
        assert isinstance(live.runner, StructuredSession), "a terminal takes no turns"
        running.role = live.session.role
        return live.runner

    async def give(self, session: StructuredSession, running: RunningTurn) -> GivenTurn:
        """Once it is open, a stop is asked of the turn itself, whether the CLI takes the message or not.

        Raises:
            MessageNotTaken: the session has ended.
        """
        waiting = running.waiting
        try:
            opened = session.open_turn(waiting.turn, waiting.text, at=self._clock.now())
            given = running.given = GivenTurn(session, opened)
            await self._record.begin(waiting.turn, opened.begun)
            await session.send(opened)
        except Lost as lost:
            raise MessageNotTaken from lost
        return given

    async def take_back(self, running: RunningTurn) -> None:
        """The message was not taken: should we be killed now, the turn has not begun.

        Raises:
            IdeaError: it was stopped meanwhile, and is not to be given again.
        """
        given, running.given = running.given, None
        stopped = None
        if given is not None:
            # Nobody reads what was asked of it there.
            stopped = given.turn.stream.unread_stop
            await given.session.settle(given.turn)
        await self._record.take_back(running.waiting.turn)
        if given is not None:
            given.turn.is_settled.set()
        stopped = stopped or running.waiting.failure
        if stopped is not None:
            raise stopped
