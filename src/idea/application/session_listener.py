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
        self.on_terminal_moved: Callable[[AgentId], None] = _nobody
        """Hears of a terminal about which something else may be believed by now."""

    def on_activity(self, agent: AgentId) -> None:
        live = self._live.find(agent)
        # The last activity is the end, which has been believed already.
        if live is not None and isinstance(live.runner, TerminalSession) and live.runner.exit is None:
            believe_terminal(self._beliefs, agent, live.runner)
            self.on_terminal_moved(agent)

    async def on_event(self, member: Member, event: SessionEvent) -> None:
        """A `OnSessionEvent`."""
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
        await self._session_record.settled(agent.id)

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


def _nobody(_: AgentId) -> None:
    return
