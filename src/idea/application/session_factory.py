"""Makes the object that runs one session, from what its launch decided."""

from collections.abc import Callable
from dataclasses import dataclass

from idea.application.launch_plan import LaunchPlan
from idea.application.live_sessions import LiveSession
from idea.application.ports import Clock, Engines, Keeper, NewId, Screens
from idea.application.structured_session import SessionEvent, StructuredSession
from idea.application.terminal_session import TerminalSession
from idea.domain.ids import ConversationId, NodeId, SessionId
from idea.domain.profiles import Profile
from idea.domain.sessions import Session, SessionKind


@dataclass(frozen=True, slots=True)
class Start:
    """What is decided about one start. `conversation` is resumed, or the id chosen for a new one."""

    profile: Profile
    kind: SessionKind
    node_id: NodeId | None
    plan: LaunchPlan
    conversation: ConversationId | None
    is_resume: bool


class SessionFactory:
    def __init__(self, *, keeper: Keeper, engines: Engines, screens: Screens, clock: Clock, new_id: NewId) -> None:
        self._keeper = keeper
        self._engines = engines
        self._screens = screens
        self._clock = clock
        self._new_id = new_id

    def make(
        self, start: Start, *, on_event: Callable[[SessionEvent], None], on_activity: Callable[[], None]
    ) -> LiveSession:
        """`on_event` is for a structured session, `on_activity` for a terminal. Nothing runs yet."""
        session = Session(
            SessionId(self._new_id()),
            start.plan.agent.id,
            start.kind,
            start.node_id,
            conversation=start.conversation if start.is_resume else None,
            started_at=self._clock.now(),
        )
        if start.kind is SessionKind.PTY:
            spec = start.plan.spec(self._new_id(), start.conversation, is_resume=start.is_resume)
            return LiveSession(
                session,
                TerminalSession(keeper=self._keeper, spec=spec, screens=self._screens, on_activity=on_activity),
                start.profile,
            )
        return LiveSession(
            session,
            StructuredSession(
                agent_name=start.plan.agent.name,
                keeper=self._keeper,
                engine=self._engines.create(start.profile, conversation=start.conversation),
                # A process per turn learns its conversation in the first turn and resumes it in the next.
                spec=lambda learnt: start.plan.spec(
                    self._new_id(), learnt or start.conversation, is_resume=start.is_resume or learnt is not None
                ),
                on_event=on_event,
            ),
            start.profile,
        )
