"""Brings an agent to life, binds it to a cell, and ends it. One launch or stop at a time per agent."""

import asyncio
from collections import defaultdict
from functools import partial

from idea.application.beliefs import Beliefs
from idea.application.ports import AgentLocks, NewId, ProfileCatalog, RunDirectories
from idea.application.sessions.beginnings import Beginnings
from idea.application.sessions.launch_plan import kind_of
from idea.application.sessions.launch_preparation import Candidate, LaunchPreparation
from idea.application.sessions.live_sessions import LiveSession, LiveSessions
from idea.application.sessions.passage import check_between_turns, check_takes_it_along, ended_unseen, judge_role
from idea.application.sessions.session_factory import SessionFactory, Start
from idea.application.sessions.session_listener import SessionListener
from idea.application.sessions.session_lives import SessionLives
from idea.application.sessions.side_sessions import SideSessions
from idea.application.sessions.terminal_conversations import TerminalConversations
from idea.application.structured.open_turn import OpenTurn
from idea.application.structured.structured_session import StructuredSession
from idea.application.team.team import GivenTurn, Member
from idea.domain.conversation import Mark
from idea.domain.errors import Conflict, EngineFailed
from idea.domain.ids import AgentId, ConversationId, DelegationId, NodeId, TurnId
from idea.domain.layouts import View
from idea.domain.readiness import BeliefSource, ReadinessReason, ReadinessState
from idea.domain.sessions import KeptChild, Opening, Session, SessionKind, SessionRole, SpawnSpec
from idea.domain.unfinished import UnfinishedSession


class AgentLauncher:
    """The only place that starts main sessions, and that says which session takes a turn."""

    def __init__(
        self,
        *,
        sessions: SessionFactory,
        preparation: LaunchPreparation,
        sides: SideSessions,
        profiles: ProfileCatalog,
        run_directories: RunDirectories,
        locks: AgentLocks,
        lives: SessionLives,
        listener: SessionListener,
        live: LiveSessions,
        beliefs: Beliefs,
        beginnings: Beginnings,
        terminals: TerminalConversations,
        new_id: NewId,
    ) -> None:
        self._sessions = sessions
        self._preparation = preparation
        self._sides = sides
        self._profiles = profiles
        self._run_directories = run_directories
        self._locks = locks
        self._lives = lives
        self._listener = listener
        self._live = live
        self._beliefs = beliefs
        self._beginnings = beginnings
        self._terminals = terminals
        self._new_id = new_id
        # Invariant: between the guard and the entry in `LiveSessions` nobody else launches or stops this agent.
        self._at_work: defaultdict[AgentId, asyncio.Lock] = defaultdict(asyncio.Lock)

    # --- use cases ----------------------------------------------------------------------------------------

    async def launch(
        self,
        member: Member,
        *,
        node_id: NodeId | None,
        view: View,
        is_reattach: bool = False,
        opening: Opening = Opening.RESUME,
    ) -> Session:
        """Start the agent, or bind the view to what runs.

        Raises:
            AgentAlreadyRunning: it lives in another cell.
            Conflict: it runs, but in the other view; or another conversation is asked of one that runs; or its file is
                broken; or there is no transcript to begin with.
            ConversationRefused: its CLI does not go on with its conversation.
            NotFound, TrustRequired, Refused, EngineFailed, Invalid: it cannot be started, with the reason.
        """
        agent = member.agent
        async with self._at_work[agent.id]:
            live = self._live.guard(agent.id, agent.name, node_id, is_reattach=is_reattach)
            if live is None:
                live = await self._start(member, kind_of(view), node_id, opening)
            elif opening is not Opening.RESUME:
                raise Conflict(
                    f"{agent.name} is running; stop it before you start it afresh.", why="runsAlready", agent=agent.name
                )
            elif node_id is not None:
                if live.session.kind is not kind_of(view):
                    raise Conflict(
                        f"{agent.name} is running in its other view; stop it before you switch.",
                        why="runsInOtherView",
                        agent=agent.name,
                    )
                self._live.bind(agent.id, node_id)
            return live.session

    async def ensure_for_turn(self, member: Member, delegation: DelegationId | None) -> LiveSession:
        """The structured session that takes a turn, started in the background if it does not run.

        It is the agent's own, or for a delegation to one in a terminal the one beside that.

        Raises:
            Invalid: the agent runs as a terminal, into which nobody else types, and this is for no session beside it.
            ConversationRefused: its CLI does not go on with its conversation.
            TrustRequired, Refused, Conflict, NotFound, EngineFailed: it cannot be started, with the reason.
        """
        async with self._at_work[member.agent.id]:
            live = self._live.find(member.agent.id)
            if judge_role(member, live, delegation=delegation) is SessionRole.MAIN:
                return await self._ensure_main(member, live)
        # Nobody who launches, moves or switches the terminal waits for what starts beside it.
        return await self._sides.ensure(member)

    async def _ensure_main(self, member: Member, live: LiveSession | None) -> LiveSession:
        if live is not None and self._lives.is_stopping(member, SessionRole.MAIN):
            # What it still says belongs to the turn for which it was ended.
            await self._lives.stop(member, SessionRole.MAIN)
            live = None
        if live is None:
            return await self._start(member, SessionKind.STRUCTURED, None, Opening.RESUME)
        if isinstance(live.runner, StructuredSession) and live.runner.starts_a_process_per_turn:
            await self._preparation.check()
        elif not live.is_ready:
            # The server before this one was killed while it started; it may be starting still.
            await self._lives.wait_started(member, SessionRole.MAIN)
        return live

    async def switch(self, member: Member, *, node_id: NodeId, view: View) -> Session:
        """Go on with the conversation in this view: the session in the other one is ended first.

        Raises:
            Conflict: a turn runs; or nobody can tell which conversation its terminal is in.
            Invalid: its CLI has no such view, or cannot go on with a conversation there.
            ConversationRefused, NotFound, TrustRequired, Refused, EngineFailed: it cannot be started there.
        """
        kind = kind_of(view)
        async with self._at_work[member.agent.id]:
            live = self._live.find(member.agent.id)
            if live is not None and live.session.kind is kind:
                self._live.bind(member.agent.id, node_id)
                return live.session
            if live is not None:
                await self._end_for(member, live, kind)
            return (await self._start(member, kind, node_id, Opening.RESUME)).session

    async def _end_for(self, member: Member, live: LiveSession, kind: SessionKind) -> None:
        """All that could keep it from starting again is looked at while it still lives."""
        check_between_turns(member, live, self._beliefs)
        there = await self._preparation.judge(member.agent, kind)
        check_takes_it_along(member, there.profile, there.face, await self._terminals.look(member, live))
        # It may have begun a turn meanwhile.
        check_between_turns(member, live, self._beliefs)
        await self._lives.stop(member, SessionRole.MAIN)

    async def attach(self, member: Member, conversation: ConversationId, *, node_id: NodeId | None, view: View) -> None:
        """Make it the agent's conversation, of which the caller knows that it exists.

        Raises:
            Conflict: a turn runs.
            ConversationRefused, Invalid, NotFound, TrustRequired, Refused, EngineFailed: it cannot be started with it.
        """
        async with self._at_work[member.agent.id]:
            live = self._live.find(member.agent.id)
            if live is not None:
                check_between_turns(member, live, self._beliefs)
                node_id = node_id or live.session.node_id
                await self._lives.stop(member, SessionRole.MAIN)
            await self._run_directories.keep_earlier(member.agent, SessionRole.MAIN, "")
            await self._listener.remember(member, conversation)
            await self._beginnings.mark(member, Mark.ATTACHED)
            if live is not None or node_id is not None:
                await self._start(member, kind_of(view), node_id, Opening.RESUME)

    async def _start(self, member: Member, kind: SessionKind, node_id: NodeId | None, opening: Opening) -> LiveSession:
        candidate = await self._judge(member, kind)
        agent, profile, face = candidate.agent, candidate.profile, candidate.face
        earlier = await self._beginnings.find_earlier(member, profile, face, opening)
        lock = await self._locks.acquire(agent.id, agent.name)
        try:
            plan = await self._preparation.write(candidate, SessionRole.MAIN, lock=lock, earlier=earlier)
            resumed = member.conversation if opening is Opening.RESUME and face.resume_args else None
            chosen = resumed or (ConversationId(self._new_id()) if profile.chooses_conversation_id else None)
            start = Start(profile, kind, node_id, plan, chosen, is_resume=resumed is not None)
            live = await self._sessions.make(start, on_event=partial(self._listener.on_event, member))
            await self._beginnings.begin(member, opening, resumed_in=None if resumed is None else kind)
        except BaseException:
            await self._locks.release(agent.id)
            raise
        launch = self._lives.begin(member, live)
        await self._lives.wait_until_ready(launch)
        return launch.live

    async def _judge(self, member: Member, kind: SessionKind) -> Candidate:
        """A missing CLI shows with the agent, not only to whoever asked it just now."""
        try:
            return await self._preparation.judge(member.agent, kind)
        except EngineFailed as missing:
            reason, source = ReadinessReason.LAUNCH_FAILED, BeliefSource.KEEPER
            self._beliefs.believe(
                member.agent.id, ReadinessState.EXITED, reason, source, detail=missing.reason, fields=missing.fields()
            )
            raise

    # --- what a server before left ------------------------------------------------------------------------

    async def take_over(
        self, member: Member, left: UnfinishedSession, turn: OpenTurn | None, *, child: KeptChild | None
    ) -> bool:
        """Go on with a session that lives already; False if nothing is known of it any more.

        Raises:
            Refused: another server has the agent.
            NotFound, Invalid: its profile is gone.
        """
        agent = member.agent
        async with self._at_work[agent.id]:
            profile = self._profiles.get(left.profile)
            await self._locks.acquire(agent.id, agent.name)
            try:
                live = await self._sessions.take_over(
                    left,
                    turn,
                    child=child,
                    agent=agent,
                    profile=profile,
                    spec=partial(self._spec_of_later_turn, member),
                    on_event=partial(self._listener.on_event, member),
                )
            except BaseException:
                await self._locks.release(agent.id)
                raise
            if live is None:
                await self._locks.release(agent.id)
                return False
            launch = self._lives.begin(member, live)
            if live.is_ready:
                await self._lives.wait_until_ready(launch)
            return True

    async def _spec_of_later_turn(self, member: Member, spawn_id: str, learnt: ConversationId | None) -> SpawnSpec:
        """For an engine with a process per turn: as the files say now, under the secret that its bridges know."""
        candidate = await self._judge(member, SessionKind.STRUCTURED)
        lock = await self._locks.acquire(candidate.agent.id, candidate.agent.name)
        plan = await self._preparation.write(candidate, SessionRole.MAIN, lock=lock, is_same_launch=True)
        conversation = learnt or member.conversation
        return plan.spec(spawn_id, conversation, is_resume=conversation is not None)

    def find_left_role(self, member: Member, turn: TurnId) -> SessionRole | None:
        """Which of its sessions is in a turn that a server before this one began; None if it is not there any more."""
        for live in self._live.find_both(member.agent.id):
            if isinstance(live.runner, StructuredSession) and live.runner.find_left_turn(turn) is not None:
                return live.session.role
        return None

    def find_left_turn(self, member: Member, turn: TurnId) -> GivenTurn:
        """A turn that a server before this one began. Raises `TargetDied` if its session is not there any more."""
        for live in self._live.find_both(member.agent.id):
            if isinstance(live.runner, StructuredSession):
                opened = live.runner.find_left_turn(turn)
                if opened is not None:
                    return GivenTurn(live.runner, opened)
        raise ended_unseen(member)
