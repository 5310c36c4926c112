"""Sessions from their start to their end: who waits for them, and what is put in order when they are gone."""

import asyncio
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from idea.application.beliefs import Beliefs
from idea.application.ports import AgentLocks, Keeper, RunDirectories
from idea.application.sessions.last_words import find_last_screen, find_last_words, find_refusal
from idea.application.sessions.live_sessions import LiveSession, LiveSessions
from idea.application.sessions.resumable_agents import ResumableAgents
from idea.application.sessions.session_listener import SessionListener
from idea.application.sessions.session_record import SessionRecord
from idea.application.sessions.terminal_conversations import TerminalConversations
from idea.application.structured.structured_session import StructuredSession
from idea.application.supervisor import Supervisor
from idea.application.team.team import Member
from idea.application.terminals.terminal_session import TerminalSession
from idea.domain.errors import ConversationRefused, EngineFailed, Lost
from idea.domain.ids import AgentId
from idea.domain.readiness import BeliefSource, ReadinessReason, ReadinessState
from idea.domain.sessions import SessionRole, StopReport

START_LIMIT_S: Final = 60.0
"""The slowest CLI we know is ready in 5 s; MCP servers of the user may add 30 s."""
STOP_LIMIT_S: Final = 10.0
"""A stop takes its graces (5 s) and the time to look for survivors."""


@dataclass(slots=True, eq=False)
class Launch:
    """One life of an agent, or one beside it: from the attempt to start it to the end of its session."""

    member: Member
    live: LiveSession
    keeper: str
    """The identity of the one that holds it."""
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    failure: EngineFailed | ConversationRefused | Lost | None = None
    is_stopping: bool = False
    went_with_keeper: bool = False
    """Its keeper was ending when it had ended: what ends the one, a logout or a signal to all, often ends the other
    first, and how it did is nothing that it did by itself.
    """

    @property
    def is_main(self) -> bool:
        """Only then does it say anything of the agent: how it is, whether it runs, what is to be resumed."""
        return self.live.session.role is SessionRole.MAIN

    @property
    def is_lost(self) -> bool:
        """Neither a person ended it nor it itself: its keeper went, and took it along."""
        if self.is_stopping:
            return False
        is_unseen = self.live.runner.report.exit is None
        return isinstance(self.failure, Lost) or (self.failure is None and (is_unseen or self.went_with_keeper))


class SessionLives:
    """The only place that runs sessions and sees them end."""

    def __init__(
        self,
        *,
        keeper: Keeper,
        run_directories: RunDirectories,
        locks: AgentLocks,
        listener: SessionListener,
        record: SessionRecord,
        live: LiveSessions,
        resumable: ResumableAgents,
        beliefs: Beliefs,
        supervisor: Supervisor,
        terminals: TerminalConversations,
    ) -> None:
        self._keeper = keeper
        self._run_directories = run_directories
        self._locks = locks
        self._listener = listener
        self._record = record
        self._live = live
        self._resumable = resumable
        self._beliefs = beliefs
        self._supervisor = supervisor
        self._terminals = terminals
        self._launches: dict[tuple[AgentId, SessionRole], Launch] = {}

    def begin(self, member: Member, live: LiveSession) -> Launch:
        """Run a session. For a main one the caller holds the agent's lock, which is released at its end."""
        agent = member.agent
        launch = self._launches[agent.id, live.session.role] = Launch(member, live, self._keeper.identity)
        self._live.add(live)
        if launch.is_main:
            reason, source = ReadinessReason.LAUNCHING, BeliefSource.KEEPER
            self._beliefs.believe(agent.id, ReadinessState.STARTING, reason, source, detail=live.profile.name)
        self._supervisor.start(partial(self._live_through, launch), name=f"{live.session.role}-session-{agent.slug}")
        return launch

    async def wait_until_ready(self, launch: Launch) -> None:
        """Raises `EngineFailed` when it comes to take no turn, `ConversationRefused` or `Lost` where that is why."""
        agent = launch.member.agent
        try:
            async with asyncio.timeout(START_LIMIT_S):
                await launch.ready.wait()
        except TimeoutError:
            await self.stop(launch.member, launch.live.session.role)
            raise EngineFailed(
                agent.name, f"its CLI was not ready after {START_LIMIT_S:g} s", why="notReady", seconds=START_LIMIT_S
            ) from None
        if launch.failure is not None:
            raise launch.failure
        if launch.ended.is_set():
            raise EngineFailed(agent.name, "it was stopped while it started", why="stoppedWhileStarting")
        given = launch.member.running.given if launch.member.running is not None else None
        if isinstance(launch.live.runner, TerminalSession):
            self._listener.on_taken_over(agent, launch.live.runner)
            self._listener.look(agent.id)
        elif launch.is_main and (given is None or given.session is not launch.live.runner):
            self._beliefs.believe(agent.id, ReadinessState.IDLE, ReadinessReason.READY, BeliefSource.ENGINE)

    async def wait_started(self, member: Member, role: SessionRole) -> None:
        """As `wait_until_ready`, of what runs. Nothing happens if nothing does."""
        launch = self._launches.get((member.agent.id, role))
        if launch is not None:
            await self.wait_until_ready(launch)

    async def wait_ended(self, member: Member, session: StructuredSession) -> None:
        """Until nothing is left of a session whose CLI takes no more input, so that the agent can be started again."""
        launch = self._find(member, session)
        if launch is None:
            return
        try:
            async with asyncio.timeout(STOP_LIMIT_S):
                await launch.ended.wait()
        except TimeoutError:
            # Deaf, but not gone.
            await self._stop(launch)

    def is_stopping(self, member: Member, role: SessionRole) -> bool:
        """Somebody ended this session of its, or tried to: it takes no turn any more."""
        launch = self._launches.get((member.agent.id, role))
        return launch is not None and launch.is_stopping

    async def stop(self, member: Member, role: SessionRole) -> StopReport:
        """End this session of the agent's and wait until it is gone. Nothing happens if it does not run.

        Raises:
            EngineFailed: something of it resists; it is still taken for running.
        """
        launch = self._launches.get((member.agent.id, role))
        return StopReport(exit=None) if launch is None else await self._stop(launch)

    async def end(self, member: Member, session: StructuredSession) -> None:
        """As `stop`, of the session that a turn is in, whichever that is."""
        launch = self._find(member, session)
        if launch is not None:
            await self._stop(launch)

    def _find(self, member: Member, session: StructuredSession) -> Launch | None:
        launches = (self._launches.get((member.agent.id, role)) for role in SessionRole)
        return next((one for one in launches if one is not None and one.live.runner is session), None)

    async def _stop(self, launch: Launch) -> StopReport:
        launch.is_stopping = True
        try:
            await launch.live.runner.stop()
            async with asyncio.timeout(STOP_LIMIT_S):
                await launch.ended.wait()
        except (Lost, TimeoutError):
            # Or the keeper does not say that it ended; it does what it was told as soon as it can.
            raise EngineFailed(
                launch.member.agent.name, f"it was stopped, but did not end within {STOP_LIMIT_S:g} s", why="doesNotEnd"
            ) from None
        return launch.live.runner.report

    async def _live_through(self, launch: Launch) -> None:
        try:
            await launch.live.runner.run(ready=launch.ready)
        except (EngineFailed, ConversationRefused, Lost) as failure:
            launch.failure = failure
            await self._end(launch)
        except asyncio.CancelledError:
            # The server leaves, the agent stays, and what it needs stays with it.
            raise
        except BaseException:
            await self._end(launch)
            raise
        else:
            await self._end(launch)

    async def _end(self, launch: Launch) -> None:
        agent, role, live = launch.member.agent, launch.live.session.role, launch.live
        last = None
        try:
            # As long as it counts as live, since it may be started again at once.
            last = await find_last_screen(live)
            if launch.is_main:
                await self._terminals.look_if_possible(launch.member, live)
            await self._run_directories.retire(agent.id, role)
            await self._record.forget(agent.id, role)
            if live.spawn_id is not None:
                await self._keeper.forget(live.spawn_id)
            if launch.is_main:
                # Answered by the keeper: what it says of its own end has come before that.
                await self._locks.release(agent.id)
        finally:
            launch.went_with_keeper = self._keeper.has_ended(launch.keeper)
            # In one step: as long as the session is live, whoever waits for its end finds its launch.
            del self._launches[agent.id, role]
            if launch.is_main:
                self._offer_or_withdraw(launch)
            self._live.remove(live, last=last)
            if launch.is_main:
                self._believe_it_ended(launch)
            launch.ended.set()
            # Whoever waits for the start learns from `failure` that there was none.
            launch.ready.set()

    def _offer_or_withdraw(self, launch: Launch) -> None:
        if launch.is_lost:
            self._resumable.offer(launch.live.session)
        elif launch.failure is None:
            self._resumable.withdraw([launch.member.agent.id])

    def _believe_it_ended(self, launch: Launch) -> None:
        exit_ = launch.live.runner.report.exit
        code = None if exit_ is None else exit_.code if exit_.code is not None else -(exit_.signal or 0)
        if (refusal := find_refusal(launch.live)) is not None:
            is_other = refusal.other is not None
            reason = ReadinessReason.OTHER_CONVERSATION if is_other else ReadinessReason.CONVERSATION_REFUSED
            detail = refusal.other or refusal.reason
        elif launch.is_lost:
            reason, detail = ReadinessReason.KEEPER_LOST, ""
        elif isinstance(launch.failure, (EngineFailed, ConversationRefused)):
            reason, detail = ReadinessReason.LAUNCH_FAILED, launch.failure.reason
        elif launch.is_stopping:
            reason, detail = ReadinessReason.STOPPED, ""
        else:
            reason, detail = ReadinessReason.ENDED, find_last_words(launch.live) or str(exit_)
        self._beliefs.believe(
            launch.member.agent.id,
            ReadinessState.EXITED,
            reason,
            BeliefSource.KEEPER,
            detail=detail,
            exit_code=code,
            fields={}
            if launch.failure is None or reason is not ReadinessReason.LAUNCH_FAILED
            else launch.failure.fields(),
        )
