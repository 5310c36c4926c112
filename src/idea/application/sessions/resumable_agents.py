"""What ran and does not any more: offered until it runs again or a person does not want it."""

from collections.abc import Callable, Iterable, Sequence

from idea.application.ports import ProfileCatalog
from idea.application.sessions.live_sessions import LiveSessions
from idea.application.team.team import Member, Team
from idea.domain.errors import NotFound
from idea.domain.events import AgentRemoved, AgentSaved, Event, ResumableChanged, SessionChanged
from idea.domain.ids import AgentId, ProjectId
from idea.domain.layouts import View
from idea.domain.marks import Ran
from idea.domain.resumable import Resumable
from idea.domain.sessions import Session, SessionKind


def ran_of(session: Session) -> Ran:
    """A session as one that ran."""
    view = View.TERMINAL if session.kind is SessionKind.PTY else View.CHAT
    # As a file holds it, or the same would be written again after each opening.
    started_at = session.started_at.replace(microsecond=session.started_at.microsecond // 1000 * 1000)
    return Ran(session.agent, view, session.node_id, session.conversation, started_at)


class ResumableAgents:
    """An offer outlives a start that fails; it ends with the session that came of it, or is renewed by its loss."""

    def __init__(
        self,
        project: ProjectId,
        *,
        team: Team,
        live: LiveSessions,
        profiles: ProfileCatalog,
        publish: Callable[[Event], None],
    ) -> None:
        self._project = project
        self._team = team
        self._live = live
        self._profiles = profiles
        self._publish = publish
        self._offers: dict[AgentId, Ran] = {}
        self._stopped: frozenset[AgentId] = frozenset()
        """Whom a person stopped while no server was there; until all is taken up."""
        self._told: tuple[Resumable, ...] = ()

    def load(self, ran: Iterable[Ran], *, stopped: frozenset[AgentId]) -> None:
        """As a file remembers them, but for those that a person `stopped` since."""
        self._stopped = stopped
        self._offers = {one.agent: one for one in ran if one.agent not in stopped}

    def was_stopped(self, agent: AgentId) -> bool:
        """By a person, while no server was there."""
        return agent in self._stopped

    def begin(self) -> None:
        """All that was left is taken up: who is stopped from now on is stopped by us."""
        self._stopped = frozenset()

    def offer(self, session: Session) -> None:
        """It was lost: neither did a person stop it nor did it end by itself."""
        self._offers[session.agent] = ran_of(session)

    def withdraw(self, agents: Iterable[AgentId]) -> None:
        """Idempotent."""
        for agent in agents:
            self._offers.pop(agent, None)

    def dismiss(self, agents: Iterable[AgentId]) -> None:
        """Idempotent; everybody who shows them is told."""
        self.withdraw(agents)
        self._tell_if_other()

    def ran(self) -> Sequence[Ran]:
        """What runs and what is offered: each agent once."""
        running = {live.session.agent: ran_of(live.session) for live in self._live.list()}
        return tuple({**self._offers, **running}.values())

    def list(self) -> Sequence[Resumable]:
        """In the order in which they were made, without those that run and those whose files are not there."""
        shown = [
            self._look_at(member, self._offers[member.agent.id])
            for member in self._team.members()
            if member.agent.id in self._offers and self._live.find(member.agent.id) is None
        ]
        return tuple(shown)

    def find_ran(self, agent: AgentId) -> Ran | None:
        """How it ran, of one that is offered."""
        return self._offers.get(agent)

    def get(self, agent: AgentId, name: str) -> Resumable:
        """Raises `NotFound` for one that runs, or did not run before."""
        found = next((each for each in self.list() if each.agent == agent), None)
        if found is None:
            raise NotFound("resumable agent", name)
        return found

    def follow(self, event: Event) -> None:
        """What happens in the project may change the list."""
        if isinstance(event, AgentRemoved):
            self._offers.pop(event.agent, None)
        if isinstance(event, (AgentRemoved, AgentSaved, SessionChanged)):
            self._tell_if_other()

    def _tell_if_other(self) -> None:
        resumable = tuple(self.list())
        if resumable != self._told:
            self._told = resumable
            self._publish(ResumableChanged(self._project, resumable))

    def _look_at(self, member: Member, ran: Ran) -> Resumable:
        # What the record says is newer than any file: a conversation that was refused is no more in it.
        conversation = member.conversation
        try:
            profile = self._profiles.get(member.agent.profile)
        except NotFound:
            reason = f"its profile {member.agent.profile} is gone"
            return Resumable(ran, conversation, "profileGone", reason, {"profile": member.agent.profile})
        face = profile.terminal if ran.view is View.TERMINAL else profile.structured
        if face is None or not face.resume_args:
            reason = f"{profile.name} cannot take up an earlier conversation"
            return Resumable(ran, conversation, "cannotResume", reason, {"profile": profile.name})
        if conversation is None:
            return Resumable(ran, None, "noConversation", "it had no conversation yet")
        return Resumable(ran, conversation)
