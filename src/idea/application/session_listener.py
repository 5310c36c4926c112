"""What a session shows besides its turns: its conversation, work that nobody asked for, a terminal that moves."""

from collections.abc import Callable

from idea.application.beliefs import Beliefs
from idea.application.engine_output import SessionEvent
from idea.application.live_sessions import LiveSessions
from idea.application.ports import Records
from idea.application.session_record import SessionRecord
from idea.application.team import Member
from idea.application.terminal_readiness import believe_terminal
from idea.application.terminal_session import TerminalSession
from idea.domain.agents import Agent
from idea.domain.errors import Lost
from idea.domain.events import Event, NoticePosted
from idea.domain.ids import AgentId, ConversationId, ProjectId
from idea.domain.replies import ConversationIdentified, EngineReady, ResumeRefused, SpontaneousTurn


class SessionListener:
    def __init__(
        self,
        project: ProjectId,
        *,
        records: Records,
        live: LiveSessions,
        beliefs: Beliefs,
        session_record: SessionRecord,
        publish: Callable[[Event], None],
    ) -> None:
        self._project = project
        self._records = records
        self._live = live
        self._beliefs = beliefs
        self._session_record = session_record
        self._publish = publish

    def on_activity(self, agent: AgentId) -> None:
        live = self._live.find(agent)
        # The last activity is the end, which has been believed already.
        if live is not None and isinstance(live.runner, TerminalSession) and live.runner.exit is None:
            believe_terminal(self._beliefs, agent, live.runner)

    def on_taken_over(self, agent: Agent, session: TerminalSession) -> None:
        """A terminal of a server before this one shows what it showed, or begins empty."""
        if session.is_history_lost:
            detail = "What its terminal showed before this server began cannot be read. Its program goes on."
            fields = {"code": Lost.code, "why": "screenUnreadable"}
            self._publish(NoticePosted(self._project, "screenLost", detail, agent.slug, fields=fields))

    async def on_event(self, member: Member, event: SessionEvent) -> None:
        """A `OnSessionEvent`."""
        agent = member.agent
        match event:
            case EngineReady():
                self._live.ready(agent.id)
            case ConversationIdentified(conversation=conversation):
                if member.conversation != conversation:
                    await self._remember(member, conversation)
                self._live.identify(agent.id, conversation)
            case ResumeRefused(reason=reason, other=other):
                # Kept as the agent's: to begin anew is a person's decision, and it may be found again.
                self._publish(NoticePosted(self._project, "resumeRefused", reason or other or "", agent.slug))
            case SpontaneousTurn(text=text):
                self._publish(NoticePosted(self._project, "spontaneousTurn", text[:2_000], agent.slug))
        await self._session_record.settled(agent.id)

    async def _remember(self, member: Member, conversation: ConversationId | None) -> None:
        member.conversation = conversation
        await self._records.save_conversation(member.agent.id, conversation)
