"""How a message comes to a CLI: the session is found or started, and given the turn."""

import asyncio

from idea.application.ports import Clock
from idea.application.record.turn_record import TurnRecord
from idea.application.sessions.agent_launcher import AgentLauncher
from idea.application.structured.structured_session import StructuredSession
from idea.application.team.team import GivenTurn, Member, RunningTurn
from idea.domain.errors import Lost


class MessageNotTaken(Exception):
    """The CLI ended before it had the whole message: another process may be given it."""


class TurnOpening:
    def __init__(self, *, launcher: AgentLauncher, record: TurnRecord, clock: Clock) -> None:
        self._launcher = launcher
        self._record = record
        self._clock = clock

    def find_left(self, member: Member, running: RunningTurn) -> GivenTurn:
        """A turn that a server before this one began. Raises `TargetDied` if its session is not there any more."""
        given = running.given = self._launcher.find_left_turn(member, running.waiting.turn)
        if (stopped := running.waiting.failure) is not None:
            given.turn.stream.request_stop(stopped)
        return given

    async def ensure_session(self, member: Member, running: RunningTurn) -> StructuredSession:
        """When the turn's time is over whoever waits is told; the launch goes on, for the turns behind it.

        Raises:
            IdeaError: it cannot be started; or what the turn's requester was told meanwhile.
        """
        ringing: asyncio.TimerHandle | None = None
        if running.clock.deadline is not None:
            timeout = running.timeout(member.agent.name)
            ringing = asyncio.get_running_loop().call_at(running.clock.deadline, running.request_stop, timeout)
        try:
            session = await self._launcher.ensure_structured(member)
        finally:
            if ringing is not None:
                ringing.cancel()
        if (stopped := running.waiting.failure) is not None:
            raise stopped
        return session

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
        """The message was not taken: should we be killed now, the turn has not begun."""
        given, running.given = running.given, None
        if given is not None:
            await given.session.settle(given.turn)
        await self._record.take_back(running.waiting.turn)
