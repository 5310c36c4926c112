"""Makes the object that runs one session, from what its launch decided, and puts it on record."""

from dataclasses import dataclass
from functools import partial
from typing import Protocol

from idea.application.ports import AgentProcess, Clock, Engines, Keeper, NewId, Screens
from idea.application.process_start import start_process
from idea.application.sessions.launch_plan import LaunchPlan
from idea.application.sessions.live_sessions import LiveSession
from idea.application.sessions.session_record import SessionRecord
from idea.application.structured.engine_output import OnSessionEvent
from idea.application.structured.engine_processes import MakeSpec
from idea.application.structured.open_turn import LeftSession, OpenTurn
from idea.application.structured.resumption import Resumption
from idea.application.structured.structured_session import StructuredSession
from idea.application.terminals.terminal_order import TerminalOrder
from idea.application.terminals.terminal_readiness import TerminalReadiness
from idea.application.terminals.terminal_session import TerminalSession
from idea.domain.agents import Agent
from idea.domain.ids import AgentId, ConversationId, NodeId, SessionId
from idea.domain.profiles import Profile
from idea.domain.sessions import KeptChild, OutputStream, Session, SessionKind, SessionRole, SpawnSpec, TerminalSize
from idea.domain.terminal_signs import TerminalSigns
from idea.domain.unfinished import UnfinishedSession


class Watch(Protocol):
    """Makes who follows what an agent's terminal shows."""

    def __call__(self, agent: AgentId, signs: TerminalSigns, *, is_taken_over: bool) -> TerminalReadiness: ...


@dataclass(frozen=True, slots=True)
class Start:
    """What is decided about one start. `conversation` is resumed, or the id chosen for a new one."""

    profile: Profile
    kind: SessionKind
    node_id: NodeId | None
    plan: LaunchPlan
    conversation: ConversationId | None
    is_resume: bool
    role: SessionRole = SessionRole.MAIN


class SessionFactory:
    def __init__(
        self,
        *,
        keeper: Keeper,
        engines: Engines,
        screens: Screens,
        order: TerminalOrder,
        watch: Watch,
        record: SessionRecord,
        clock: Clock,
        new_id: NewId,
    ) -> None:
        """`order` is that of all terminals of the server."""
        self._keeper = keeper
        self._engines = engines
        self._screens = screens
        self._order = order
        self._watch = watch
        self._record = record
        self._clock = clock
        self._new_id = new_id

    async def make(self, start: Start, *, on_event: OnSessionEvent) -> LiveSession:
        """`on_event` is for a structured session. Nothing runs yet."""
        live = self._make(start, on_event)
        await self._record.save(live)
        return live

    def _make(self, start: Start, on_event: OnSessionEvent) -> LiveSession:
        session = Session(
            SessionId(self._new_id()),
            start.plan.agent.id,
            start.kind,
            start.node_id,
            # A terminal never says it: what it was started with is what it is in.
            conversation=start.conversation if start.is_resume or start.kind is SessionKind.PTY else None,
            started_at=self._clock.now(),
            role=start.role,
        )
        spawn_id = self._new_id()
        resumption = Resumption(start.conversation if start.is_resume else None, patterns=start.profile.refusals)
        if start.kind is SessionKind.PTY:
            spec = start.plan.spec(spawn_id, start.conversation, is_resume=start.is_resume)
            readiness = self._watch(start.plan.agent.id, start.profile.signs, is_taken_over=False)
            terminal = TerminalSession(
                name=start.plan.agent.name,
                start=partial(start_process, self._keeper, spec, agent_name=start.plan.agent.name),
                size=spec.terminal or TerminalSize(),
                screens=self._screens,
                order=self._order,
                is_checkpointed=self._keeper.outlives_server,
                watcher=readiness,
            )
            return LiveSession(session, terminal, start.profile, spawn_id, resumption, readiness)

        async def spec_of(spawn: str, learnt: ConversationId | None) -> SpawnSpec:
            # A process per turn learns its conversation in the first turn and resumes it in the next.
            resumes = start.is_resume or learnt is not None
            return start.plan.spec(spawn, learnt or start.conversation, is_resume=resumes)

        engine = self._engines.create(start.profile, conversation=start.conversation)
        runner = StructuredSession(
            agent_name=start.plan.agent.name,
            keeper=self._keeper,
            engine=engine,
            spawn_id=spawn_id,
            spec=spec_of,
            resumption=resumption,
            on_event=on_event,
        )
        own_spawn_id = None if runner.starts_a_process_per_turn else spawn_id
        return LiveSession(session, runner, start.profile, own_spawn_id, resumption)

    async def take_over(
        self,
        left: UnfinishedSession,
        turn: OpenTurn | None,
        *,
        child: KeptChild | None,
        agent: Agent,
        profile: Profile,
        spec: MakeSpec,
        on_event: OnSessionEvent,
    ) -> LiveSession | None:
        """What lives already; `child` is what the keeper said of it. `spec` is for the processes of later turns.

        None if its process is not there any more.
        """
        process = None if left.spawn_id is None else await self._keeper.attach(left.spawn_id)
        if process is None and left.spawn_id is not None:
            return None
        if left.session.kind is SessionKind.PTY:
            assert process is not None, "a terminal is one process"
            live = self._left_terminal(process, left, child, agent, profile)
        else:
            # Only who was ready was given a turn, even if the server before had no time to write that down.
            is_ready = left.is_ready or turn is not None
            engine = self._engines.create(profile, conversation=left.session.conversation)
            engine.recall(left.carried)
            stdout = None if child is None else child.streams.get(OutputStream.STDOUT)
            # Its conversation was gone on with under the server before.
            resumption = Resumption(None)
            runner = StructuredSession(
                agent_name=agent.name,
                keeper=self._keeper,
                engine=engine,
                spawn_id=left.spawn_id or "",
                spec=spec,
                resumption=resumption,
                on_event=on_event,
                left=LeftSession(is_ready, turn, process, stdout),
            )
            live = LiveSession(left.session, runner, profile, left.spawn_id, resumption, is_ready=is_ready)
        await self._record.save(live)
        return live

    def _left_terminal(
        self, process: AgentProcess, left: UnfinishedSession, child: KeptChild | None, agent: Agent, profile: Profile
    ) -> LiveSession:
        readiness = self._watch(agent.id, profile.signs, is_taken_over=True)
        terminal = TerminalSession(
            name=agent.name,
            start=partial(_given, process),
            size=(child and child.terminal) or TerminalSize(),
            screens=self._screens,
            order=self._order,
            is_checkpointed=self._keeper.outlives_server,
            left=child,
            watcher=readiness,
        )
        # One that does not go on with its conversation is ended by its CLI itself, also after the server before.
        resumption = Resumption(left.session.conversation, patterns=profile.refusals)
        return LiveSession(left.session, terminal, profile, left.spawn_id, resumption, readiness, is_ready=True)


async def _given(process: AgentProcess) -> AgentProcess:
    return process
