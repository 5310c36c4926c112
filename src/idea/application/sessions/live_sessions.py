"""The one source of liveness: which agents run, how, and in which cell."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from idea.application.structured.resumption import Resumption
from idea.application.structured.structured_session import StructuredSession
from idea.application.terminals.last_screens import LastScreen, LastScreens
from idea.application.terminals.terminal_readiness import TerminalReadiness
from idea.application.terminals.terminal_session import TerminalSession
from idea.domain.errors import AgentAlreadyRunning
from idea.domain.events import Event, SessionChanged
from idea.domain.ids import AgentId, ConversationId, NodeId, ProjectId
from idea.domain.profiles import Profile
from idea.domain.sessions import Session, SessionRole


@dataclass(slots=True, eq=False)
class LiveSession:
    """A session and the object that runs it."""

    session: Session
    runner: StructuredSession | TerminalSession
    profile: Profile
    """As it was launched."""
    spawn_id: str | None
    """None: its engine starts a process per turn."""
    resumption: Resumption
    readiness: TerminalReadiness | None = None
    """Who follows what a terminal shows."""
    is_ready: bool = False
    """Its CLI has said that it listens."""
    prompting: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Of messages typed for a person, one at a time is judged, typed and confirmed."""


class LiveSessions:
    """At most one session per agent and role; every change is published. Where nothing else is said: the main ones."""

    def __init__(
        self,
        project: ProjectId,
        *,
        publish: Callable[[Event], None],
        on_change: Callable[[LiveSession], None] = lambda _: None,
    ) -> None:
        """`on_change` hears of every session that is new or other than before, also where nobody else sees it."""
        self._project = project
        self._publish = publish
        self._on_change = on_change
        self._live: dict[AgentId, LiveSession] = {}
        self._sides: dict[AgentId, LiveSession] = {}
        self._last_screens = LastScreens()

    def find(self, agent: AgentId) -> LiveSession | None:
        return self._live.get(agent)

    def find_side(self, agent: AgentId) -> LiveSession | None:
        """What answers other agents beside its terminal now."""
        return self._sides.get(agent)

    def find_both(self, agent: AgentId) -> Sequence[LiveSession]:
        """The main one first."""
        return [live for live in (self.find(agent), self.find_side(agent)) if live is not None]

    def find_last_screen(self, agent: AgentId) -> LastScreen | None:
        """What its terminal showed at its end, while it was not started again."""
        return self._last_screens.find(agent)

    def list(self) -> list[LiveSession]:
        return list(self._live.values())

    def list_sides(self) -> Sequence[LiveSession]:
        return tuple(self._sides.values())

    def guard(self, agent: AgentId, name: str, node_id: NodeId | None, *, is_reattach: bool) -> LiveSession | None:
        """What a launch may bind to instead of starting; None if nothing runs.

        Raises:
            AgentAlreadyRunning: it lives in another cell and the caller did not ask to move it.
        """
        live = self._live.get(agent)
        if live is None or node_id is None or is_reattach:
            return live
        if live.session.node_id not in (None, node_id):
            raise AgentAlreadyRunning(agent, name, live.session.node_id)
        return live

    def add(self, live: LiveSession) -> None:
        agent, sessions = live.session.agent, self._of(live.session.role)
        assert agent not in sessions, "guarded by the launch lock, and for a side session by the agent's one worker"
        sessions[agent] = live
        if live.session.role is SessionRole.MAIN:
            self._last_screens.forget(agent)
        self._tell(agent, live)

    def bind(self, agent: AgentId, node_id: NodeId | None) -> None:
        """Show it in this cell, or in none."""
        self._change(agent, node_id=node_id)

    def unbind(self, agent: AgentId, node_id: NodeId) -> None:
        """The cell is gone; nothing happens if another one shows the agent by now."""
        live = self._live.get(agent)
        if live is not None and live.session.node_id == node_id:
            self._change(agent, node_id=None)

    def identify(self, agent: AgentId, conversation: ConversationId, *, role: SessionRole = SessionRole.MAIN) -> None:
        """What a launch resumes is another one; told also of an agent that does not run."""
        live = self._of(role).get(agent)
        if live is not None:
            live.session = replace(live.session, conversation=conversation)
        self._tell(agent, live)

    def ready(self, agent: AgentId, *, role: SessionRole = SessionRole.MAIN) -> None:
        live = self._of(role).get(agent)
        if live is not None and not live.is_ready:
            live.is_ready = True
            self._on_change(live)

    def remove(self, ended: LiveSession, *, last: LastScreen | None = None) -> None:
        """It ended, and `last` is what it leaves to see."""
        agent, sessions = ended.session.agent, self._of(ended.session.role)
        if sessions.get(agent) is not ended:
            return
        del sessions[agent]
        dropped = self._last_screens.keep(agent, last) if last is not None else ()
        for told in (agent, *dropped):
            self._tell(told)

    def forget(self, agent: AgentId) -> None:
        """It is deleted."""
        self._last_screens.forget(agent)

    def _change(self, agent: AgentId, *, node_id: NodeId | None) -> None:
        live = self._live.get(agent)
        if live is not None and live.session.node_id != node_id:
            live.session = replace(live.session, node_id=node_id)
            self._tell(agent, live)

    def _of(self, role: SessionRole) -> dict[AgentId, LiveSession]:
        return self._live if role is SessionRole.MAIN else self._sides

    def _tell(self, agent: AgentId, changed: LiveSession | None = None) -> None:
        if changed is not None:
            self._on_change(changed)
        live, side = self.find(agent), self.find_side(agent)
        last = self._last_screens.find(agent)
        self._publish(
            SessionChanged(
                self._project,
                agent,
                live.session if live else None,
                last_terminal=last.session if last else None,
                side=side.session if side else None,
            )
        )
