"""What one open project looks like now."""

from collections.abc import Sequence

from idea.application.beliefs import Beliefs
from idea.application.layouts.project_layouts import ProjectLayouts
from idea.application.projects.known_settings import KnownSettings
from idea.application.projects.known_trust import KnownTrust
from idea.application.projects.notices import Notices
from idea.application.record.delegations import Delegations
from idea.application.record.transcript import Transcript
from idea.application.sessions.live_sessions import LiveSessions
from idea.application.sessions.resumable_agents import ResumableAgents
from idea.application.state import AgentState, ProjectState
from idea.application.team.team import Member, Team
from idea.application.terminals.terminal_client import Attachable
from idea.application.terminals.terminal_session import TerminalSession
from idea.application.turns.permissions import Permissions
from idea.domain.conversation import Item
from idea.domain.events import QueuedTurn
from idea.domain.ids import AgentId


class Overview:
    """Changes nothing. What it is made of is the whole of a project's state, a part each."""

    def __init__(
        self,
        *,
        agents_outlive_server: bool,
        team: Team,
        live: LiveSessions,
        beliefs: Beliefs,
        transcript: Transcript,
        delegations: Delegations,
        permissions: Permissions,
        resumable: ResumableAgents,
        trust: KnownTrust,
        settings: KnownSettings,
        layouts: ProjectLayouts,
        notices: Notices,
    ) -> None:
        self._agents_outlive_server = agents_outlive_server
        self._team = team
        self._live = live
        self._beliefs = beliefs
        self._transcript = transcript
        self._delegations = delegations
        self._permissions = permissions
        self._resumable = resumable
        self._trust = trust
        self._settings = settings
        self._layouts = layouts
        self._notices = notices

    def state(self) -> ProjectState:
        """Consistent with the event log's number in the same step of the loop."""
        return ProjectState(
            trust=self._trust.verdict,
            settings=self._settings(),
            layout=self._layouts.current,
            layouts=self._layouts.list(),
            agents_outlive_server=self._agents_outlive_server,
            agents=tuple(self._agent_state(member) for member in self._team.members()),
            broken=self._team.broken,
            delegations=tuple(self._delegations.shown()),
            permissions=self._permissions.pending(),
            resumable=tuple(self._resumable.list()),
            notices=tuple(self._notices.list()),
        )

    def _agent_state(self, member: Member) -> AgentState:
        live, side = self._live.find(member.agent.id), self._live.find_side(member.agent.id)
        last = self._live.find_last_screen(member.agent.id)
        return AgentState(
            agent=member.agent,
            readiness=self._beliefs.get(member.agent.id),
            session=live.session if live else None,
            side_session=side.session if side else None,
            last_terminal=last.session if last else None,
            conversation=member.conversation,
            queue=member.mailbox.first_waiting(),
            queue_length=len(member.mailbox),
            live_turn=member.running.live if member.running else None,
        )

    def resolve_agent(self, name: str) -> AgentId:
        """By id, then slug, then name. Raises `NotFound` with the names that exist."""
        return self._team.resolve(name).agent.id

    def find_terminal(self, agent: AgentId) -> Attachable | None:
        """The one that lives, or what the last one left to see."""
        live = self._live.find(agent)
        if live is None:
            return self._live.find_last_screen(agent)
        return live.runner if isinstance(live.runner, TerminalSession) else None

    async def list_items(self, agent: AgentId, *, before_seq: int | None, limit: int) -> Sequence[Item]:
        """Ascending; the `limit` items that end just below `before_seq` (None: at the newest)."""
        return await self._transcript.list_items(agent, before_seq=before_seq, limit=limit)

    def list_waiting(self, agent: AgentId, *, after: int, limit: int) -> Sequence[QueuedTurn]:
        """The turns that wait for an agent behind position `after`; empty for one that is gone."""
        member = self._team.find(agent)
        return () if member is None else member.mailbox.list_waiting(after=after, limit=limit)
