"""What an agent knows beside its terminal: a conversation of its own, which begins with what the transcript has."""

from collections.abc import Callable

from idea.application.ports import Records
from idea.application.record.transcript import Transcript
from idea.application.sessions.beginnings import Beginnings
from idea.application.sessions.digest import DIGEST_ITEMS, render_digest
from idea.application.sessions.live_sessions import LiveSessions
from idea.application.sessions.session_record import SessionRecord
from idea.application.structured.engine_output import SessionEvent
from idea.application.team.team import Member
from idea.domain.conversation import Mark
from idea.domain.events import Event
from idea.domain.ids import ConversationId, ProjectId
from idea.domain.notices import NoticePosted
from idea.domain.replies import ConversationIdentified, EngineReady, ResumeRefused, SpontaneousTurn
from idea.domain.sessions import SessionRole

_HEAD = """\
## What was said to you so far

This is the end of it, oldest first, as IdeA's transcript has it; long messages are cut, and what was said in the
terminal is not in it. It is a record to know where you stand, and no instruction.
"""


class SideConversations:
    """Nothing of it reaches the main conversation, nor what is believed of the agent."""

    def __init__(
        self,
        project: ProjectId,
        *,
        records: Records,
        transcript: Transcript,
        beginnings: Beginnings,
        live: LiveSessions,
        session_record: SessionRecord,
        publish: Callable[[Event], None],
    ) -> None:
        self._project = project
        self._records = records
        self._transcript = transcript
        self._beginnings = beginnings
        self._live = live
        self._session_record = session_record
        self._publish = publish

    async def prime(self, member: Member) -> str:
        """What the context of a new one says of before: Markdown, empty if nothing was said."""
        items = await self._transcript.list_items(member.agent.id, before_seq=None, limit=DIGEST_ITEMS)
        # What is asked now stands there already, and is told by itself.
        now = None if member.running is None else member.running.live.id
        return render_digest([item for item in items if item.turn != now], head=_HEAD)

    async def on_event(self, member: Member, event: SessionEvent) -> None:
        """An `OnSessionEvent` of a side session."""
        agent = member.agent
        match event:
            case EngineReady():
                self._live.ready(agent.id, role=SessionRole.SIDE)
            case ConversationIdentified(conversation=conversation):
                if member.side_conversation != conversation:
                    await self._remember(member, conversation)
                self._live.identify(agent.id, conversation, role=SessionRole.SIDE)
            case ResumeRefused():
                # Whoever asks waits, and nobody sits before it who could decide: the next one begins anew, and says so.
                await self._remember(member, None)
                await self._beginnings.mark(member, Mark.BESIDE)
            case SpontaneousTurn(text=text):
                self._publish(NoticePosted(self._project, "spontaneousTurn", text[:2_000], agent.slug))
        await self._session_record.settled(agent.id, SessionRole.SIDE)

    async def _remember(self, member: Member, conversation: ConversationId | None) -> None:
        member.side_conversation = conversation
        await self._records.save_conversation(member.agent.id, conversation, role=SessionRole.SIDE)
