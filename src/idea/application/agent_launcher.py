"""Brings an agent to life, binds it to a cell, and ends it. One launch or stop at a time per agent."""

import asyncio
from collections import defaultdict
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from idea.application.approved_files import ApprovedFiles
from idea.application.beliefs import Beliefs
from idea.application.launch_plan import LaunchPlan, face_of
from idea.application.live_sessions import LiveSession, LiveSessions
from idea.application.ports import AgentLocks, NewId, ProfileCatalog, RunDirectories
from idea.application.session_factory import SessionFactory, Start
from idea.application.session_listener import SessionListener
from idea.application.structured_session import StructuredSession
from idea.application.supervisor import Supervisor
from idea.application.team import Member
from idea.domain.agents import Agent
from idea.domain.errors import Conflict, EngineFailed, Invalid
from idea.domain.ids import AgentId, ConversationId, NodeId
from idea.domain.layouts import View
from idea.domain.profiles import Profile
from idea.domain.readiness import BeliefSource, ReadinessReason, ReadinessState
from idea.domain.sessions import Session, SessionKind, StopReport, TerminalSize

START_LIMIT_S: Final = 60.0
"""The slowest CLI we know is ready in 5 s; MCP servers of the user may add 30 s."""
STOP_LIMIT_S: Final = 10.0
"""A stop takes its graces (5 s) and the time to look for survivors."""


@dataclass(slots=True, eq=False)
class _Launch:
    """One attempt, from spawn to the end of the session."""

    member: Member
    live: LiveSession
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    failure: EngineFailed | None = None
    is_stopping: bool = False


class AgentLauncher:
    """The only place that starts and ends sessions."""

    def __init__(
        self,
        root: Path,
        *,
        sessions: SessionFactory,
        profiles: ProfileCatalog,
        approved: ApprovedFiles,
        run_directories: RunDirectories,
        locks: AgentLocks,
        listener: SessionListener,
        live: LiveSessions,
        beliefs: Beliefs,
        supervisor: Supervisor,
        new_id: NewId,
    ) -> None:
        self._root = root
        self._sessions = sessions
        self._profiles = profiles
        self._approved = approved
        self._run_directories = run_directories
        self._locks = locks
        self._listener = listener
        self._live = live
        self._beliefs = beliefs
        self._supervisor = supervisor
        self._new_id = new_id
        # Invariant: between the guard and the entry in `LiveSessions` nobody else launches or stops this agent.
        self._at_work: defaultdict[AgentId, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._launches: dict[AgentId, _Launch] = {}

    # --- use cases ----------------------------------------------------------------------------------------

    async def launch(
        self, member: Member, *, node_id: NodeId | None, view: View, is_reattach: bool = False, is_fresh: bool = False
    ) -> Session:
        """Start the agent, or bind the view to what runs.

        Raises:
            AgentAlreadyRunning: it lives in another cell.
            Conflict: it runs, but in the other view; or a fresh start is asked of one that runs; or its file is broken.
            NotFound, TrustRequired, Refused, EngineFailed, Invalid: it cannot be started, with the reason.
        """
        agent = member.agent
        async with self._at_work[agent.id]:
            live = self._live.guard(agent.id, agent.name, node_id, is_reattach=is_reattach)
            if live is None:
                kind = SessionKind.PTY if view is View.TERMINAL else SessionKind.STRUCTURED
                live = await self._start(member, kind, node_id, is_fresh=is_fresh)
            elif is_fresh:
                raise Conflict(
                    f"{agent.name} is running; stop it before you start it afresh.", why="runsAlready", agent=agent.name
                )
            elif node_id is not None:
                if live.session.kind is not (SessionKind.PTY if view is View.TERMINAL else SessionKind.STRUCTURED):
                    raise Conflict(
                        f"{agent.name} is running in its other view; stop it before you switch.",
                        why="runsInOtherView",
                        agent=agent.name,
                    )
                self._live.bind(agent.id, node_id)
            return live.session

    async def ensure_structured(self, member: Member) -> StructuredSession:
        """The session that takes a turn, started in the background if nothing runs.

        Raises:
            Invalid: the agent runs as a terminal, into which nobody else types.
            TrustRequired, Refused, Conflict, NotFound, EngineFailed: it cannot be started, with the reason.
        """
        async with self._at_work[member.agent.id]:
            live = self._live.find(member.agent.id)
            if live is None:
                live = await self._start(member, SessionKind.STRUCTURED, None, is_fresh=False)
            elif isinstance(live.runner, StructuredSession) and live.runner.starts_a_process_per_turn:
                await self._approved.check()
            check_takes_turns(member, live)
            assert isinstance(live.runner, StructuredSession)
            return live.runner

    async def wait_ended(self, member: Member, session: StructuredSession) -> None:
        """Until nothing is left of a session whose CLI takes no more input, so that the agent can be started again."""
        launch = self._launches.get(member.agent.id)
        if launch is None or launch.live.runner is not session:
            return
        try:
            async with asyncio.timeout(STOP_LIMIT_S):
                await launch.ended.wait()
        except TimeoutError:
            # Deaf, but not gone.
            await self.stop(member)

    async def stop(self, member: Member) -> StopReport:
        """End the session and wait until it is gone. Nothing happens if none runs.

        Raises:
            EngineFailed: something of it resists; it is still taken for running.
        """
        launch = self._launches.get(member.agent.id)
        if launch is None:
            return StopReport(exit=None)
        launch.is_stopping = True
        await launch.live.runner.stop()
        try:
            async with asyncio.timeout(STOP_LIMIT_S):
                await launch.ended.wait()
        except TimeoutError:
            raise EngineFailed(
                member.agent.name, f"it was stopped, but did not end within {STOP_LIMIT_S:g} s", why="doesNotEnd"
            ) from None
        return launch.live.runner.report

    # --- one launch ---------------------------------------------------------------------------------------

    async def _start(self, member: Member, kind: SessionKind, node_id: NodeId | None, *, is_fresh: bool) -> LiveSession:
        # Not `member.agent`: what runs is what the files say at this moment, since that is what is judged.
        agent, profile = await self._approved.read(member.agent)
        face = face_of(profile, kind)
        executable = self._find_program(agent, profile)
        self._locks.acquire(agent.id, agent.name)
        try:
            files = await self._run_directories.prepare(agent, profile)
            plan = LaunchPlan(
                agent,
                face,
                executable,
                files,
                cwd=str(self._root / agent.workspace) if agent.workspace else str(self._root),
                terminal=TerminalSize() if kind is SessionKind.PTY else None,
            )
            resumed = None if is_fresh or not face.resume_args else member.conversation
            chosen = resumed or (ConversationId(self._new_id()) if profile.chooses_conversation_id else None)
            start = Start(profile, kind, node_id, plan, chosen, is_resume=resumed is not None)
            launch = _Launch(
                member,
                self._sessions.make(
                    start,
                    on_event=partial(self._listener.on_event, member),
                    on_activity=partial(self._listener.on_activity, agent.id),
                ),
            )
        except BaseException:
            self._locks.release(agent.id)
            raise
        self._launches[agent.id] = launch
        self._live.add(launch.live)
        self._beliefs.believe(
            agent.id, ReadinessState.STARTING, ReadinessReason.LAUNCHING, BeliefSource.KEEPER, detail=profile.name
        )
        self._supervisor.start(partial(self._live_through, launch), name=f"session-{agent.slug}")
        await self._wait_until_ready(launch)
        return launch.live

    def _find_program(self, agent: Agent, profile: Profile) -> str:
        """A missing CLI shows with the agent, not only to whoever asked it just now."""
        try:
            return self._profiles.executable(profile)
        except EngineFailed as missing:
            reason, source = ReadinessReason.LAUNCH_FAILED, BeliefSource.KEEPER
            self._beliefs.believe(agent.id, ReadinessState.EXITED, reason, source, detail=missing.reason)
            raise

    async def _wait_until_ready(self, launch: _Launch) -> None:
        agent = launch.member.agent
        try:
            async with asyncio.timeout(START_LIMIT_S):
                await launch.ready.wait()
        except TimeoutError:
            await self.stop(launch.member)
            raise EngineFailed(
                agent.name, f"its CLI was not ready after {START_LIMIT_S:g} s", why="notReady", seconds=START_LIMIT_S
            ) from None
        if launch.failure is not None:
            raise launch.failure
        if launch.ended.is_set():
            raise EngineFailed(agent.name, "it was stopped while it started", why="stoppedWhileStarting")
        running = launch.member.running
        if launch.live.session.kind is SessionKind.PTY:
            self._listener.on_activity(agent.id)
        elif running is None or running.stream is None:
            self._beliefs.believe(agent.id, ReadinessState.IDLE, ReadinessReason.READY, BeliefSource.ENGINE)

    async def _live_through(self, launch: _Launch) -> None:
        agent = launch.member.agent
        try:
            await launch.live.runner.run(ready=launch.ready)
        except EngineFailed as failure:
            launch.failure = failure
        finally:
            try:
                await self._run_directories.retire(agent.id)
            finally:
                # In one step: as long as the session is live, whoever waits for its end finds its launch.
                del self._launches[agent.id]
                self._live.remove(agent.id)
                self._locks.release(agent.id)
                self._believe_it_ended(launch)
                launch.ended.set()
                # Whoever waits for the start learns from `failure` that there was none.
                launch.ready.set()

    def _believe_it_ended(self, launch: _Launch) -> None:
        exit_ = launch.live.runner.report.exit
        code = None if exit_ is None else exit_.code if exit_.code is not None else -(exit_.signal or 0)
        if launch.failure is not None:
            reason, detail = ReadinessReason.LAUNCH_FAILED, launch.failure.reason
        elif launch.is_stopping:
            reason, detail = ReadinessReason.STOPPED, ""
        else:
            reason, detail = ReadinessReason.ENDED, str(exit_) if exit_ else ""
        self._beliefs.believe(
            launch.member.agent.id,
            ReadinessState.EXITED,
            reason,
            BeliefSource.KEEPER,
            detail=detail,
            exit_code=code,
        )


def check_takes_turns(member: Member, live: LiveSession | None) -> None:
    """Raises `Invalid` for an agent that runs as a terminal: nobody else types into it."""
    if live is not None and live.session.kind is SessionKind.PTY:
        raise Invalid(
            f"{member.agent.name} runs as a terminal, which takes messages only from its own keyboard. "
            "Stop it, or switch its cell to the chat view.",
            why="runsAsTerminal",
            agent=member.agent.name,
        )
