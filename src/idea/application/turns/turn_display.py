"""What is shown of a running turn while it lasts: streamed text, tools, announcements."""

from collections import deque
from collections.abc import Callable, Sequence
from datetime import datetime

from idea.application.ports import Clock
from idea.application.record.transcript import Transcript
from idea.domain.conversation import ItemKind, LiveTurn
from idea.domain.events import AgentAnnouncement, Event, TurnTextStreamed, TurnToolChanged
from idea.domain.ids import ProjectId
from idea.domain.replies import ASK_TOOL, MAX_ANNOUNCEMENTS, ToolActivity, ToolPhase


class TurnDisplay:
    """Streamed text is gathered until `flush`, so that a flood of small pieces is few events."""

    def __init__(
        self,
        project: ProjectId,
        live: LiveTurn,
        *,
        transcript: Transcript,
        clock: Clock,
        publish: Callable[[Event], None],
        tools_on_record: int = 0,
        asks_on_record: Sequence[datetime] = (),
    ) -> None:
        """So many tools, and asks made at these times, will be told of that stand in the transcript already."""
        self._project = project
        self._live = live
        self._transcript = transcript
        self._clock = clock
        self._publish = publish
        self._tools_on_record = tools_on_record
        self._asks_on_record = deque(asks_on_record)
        self._unshown: list[str] = []

    def stream(self, text: str) -> None:
        self._unshown.append(text)

    def flush(self) -> None:
        if self._unshown:
            text = "".join(self._unshown)
            self._unshown.clear()
            live = self._live
            offset = len(live.text)
            live.text += text
            self._publish(TurnTextStreamed(self._project, live.agent, live.id, offset, text))

    def announce(self, text: str) -> None:
        """The streamed text was this message: it begins anew. Announcements over the bound are not shown."""
        live = self._live
        self._unshown.clear()
        live.text = ""
        if len(live.announcements) >= MAX_ANNOUNCEMENTS:
            return
        # What is read again was said before the ask that follows it.
        at = min([self._clock.now(), *self._asks_on_record])
        live.announcements.append((at, text))
        self._publish(
            AgentAnnouncement(self._project, live.requester.id, live.agent, live.id, live.delegation, text, at)
        )

    async def use_tool(self, tool: ToolActivity) -> None:
        """A tool that has come to its end moves from the live turn to the transcript."""
        live = self._live
        if tool.phase is ToolPhase.STARTED:
            if tool.tool == ASK_TOOL and self._asks_on_record:
                self._asks_on_record.popleft()
            live.tools[tool.call_id] = tool
            self._publish(TurnToolChanged(self._project, live.agent, live.id, tool))
            return
        live.tools.pop(tool.call_id, None)
        self._publish(TurnToolChanged(self._project, live.agent, live.id, tool))
        if self._tools_on_record > 0:
            self._tools_on_record -= 1
            return
        await self._transcript.append(
            live.agent,
            live.id,
            ItemKind.TOOL,
            tool.summary,
            author=live.agent,
            delegation=live.delegation,
            tool=tool,
        )
