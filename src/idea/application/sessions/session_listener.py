"""What a session shows besides its turns: its conversation, work that nobody asked for, a terminal that moves."""

from collections.abc import Callable

from idea.application.beliefs import Beliefs
from idea.application.ports import Records
from idea.application.sessions.live_sessions import LiveSessions
from idea.application.sessions.session_record import SessionRecord
from idea.application.structured.engine_output import SessionEvent
from idea.application.team.team import Member
from idea.application.terminals.terminal_readiness import TerminalReadiness
from idea.application.terminals.terminal_session import TerminalSession
from idea.domain.agents import Agent
from idea.domain.errors import Lost
from idea.domain.events import Event
from idea.domain.ids import AgentId, ConversationId, ProjectId
from idea.domain.notices import NoticePosted
from idea.domain.replies import ConversationIdentified, EngineReady, ResumeRefused, SpontaneousTurn
from idea.domain.sessions import SessionRole
from idea.domain.settings import Settings
from idea.domain.terminal_belief import Matches
from idea.domain.terminal_signs import TerminalSigns


class SessionListener:
    def __init__(
        self,
        project: ProjectId,
        *,
        records: Records,
        live: LiveSessions,
        beliefs: Beliefs,
        session_record: SessionRecord,
        settings: Callable[[], Settings],
        matches: Matches,
        publish: Callable[[Event], None],
    ) -> None:
        self._project = project
        self._records = records
        self._live = live
        self._beliefs = beliefs
        self._session_record = session_record
        self._settings = settings
        self._matches = matches
        self._publish = publish

    def watch(self, agent: AgentId, signs: TerminalSigns, *, is_taken_over: bool) -> TerminalReadiness:
        """Who follows what the agent's terminal shows; as `session_factory.Watch` says."""
        return TerminalReadiness(
            agent,
            signs,
            beliefs=self._beliefs,
            matches=self._matches,
            stalled_after_s=lambda: self._settings().stalled_after_s,
            is_taken_over=is_taken_over,
        )

    def look(self, agent: AgentId) -> None:
        """At what its terminal shows now, if it runs in one."""
        live = self._live.find(agent)
        if live is not None and isinstance(live.runner, TerminalSession) and live.readiness is not None:
            live.readiness.on_rest(live.runner.shown)

    def on_taken_over(self, agent: Agent, session: TerminalSession) -> None:
        """A terminal of a server before this one shows what it showed, or begins empty."""
        if session.is_history_lost:
            detail = "What its terminal showed before this server began cannot be read. Its program goes on."
            fields = {"code": Lost.code, "why": "screenUnreadable"}
            self._publish(NoticePosted(self._project, "screenLost", detail, agent.slug, fields=fields))

    async def on_event(self, member: Member, event: SessionEvent) -> None:
        """An `OnSessionEvent` of a main session."""
        agent = member.agent
        match event:
            case EngineReady():
                self._live.ready(agent.id)
            case ConversationIdentified(conversation=conversation):
                await self.remember(member, conversation)
            case ResumeRefused():
                # Its session ends, and its readiness says why. The conversation is kept as the agent's: to begin anew
                # is a person's decision, and what is refused now may be found again.
                return
            case SpontaneousTurn(text=text):
                self._publish(NoticePosted(self._project, "spontaneousTurn", text[:2_000], agent.slug))
        await self._session_record.settled(agent.id, SessionRole.MAIN)

    async def remember(self, member: Member, conversation: ConversationId) -> None:
        """What the agent's next launch resumes."""
        agent = member.agent.id
        live = self._live.find(agent)
        is_told = live is None or live.session.conversation == conversation
        if member.conversation != conversation:
            member.conversation, is_told = conversation, False
            await self._records.save_conversation(agent, conversation)
        if not is_told:
            self._live.identify(agent, conversation)
