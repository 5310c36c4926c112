"""What a CLI says, through its engine: to the open turn or to the session. And how much of it may be forgotten."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable

from idea.application.ports import AgentProcess, Engine
from idea.application.structured.line_splitter import LineSplitter
from idea.application.structured.open_turn import OpenTurn
from idea.application.structured.output_position import OutputPosition
from idea.application.structured.turn_stream import Cut
from idea.domain.replies import (
    TERMINAL,
    ConversationIdentified,
    EngineEvent,
    EngineReady,
    ResumeRefused,
    SpontaneousTurn,
    ToolActivity,
    ToolPhase,
    Unreadable,
)
from idea.domain.sessions import KeptStream, OutputStream

_log = logging.getLogger(__name__)

SessionEvent = EngineReady | ConversationIdentified | SpontaneousTurn | ResumeRefused
OnSessionEvent = Callable[[SessionEvent], Awaitable[None]]
"""What the event says is on record when this returns: then the output that said it may be given up."""


class EngineOutput:
    """One process at a time, whose output `read` follows to its end."""

    def __init__(self, agent_name: str, engine: Engine, *, on_event: OnSessionEvent) -> None:
        self._agent_name = agent_name
        self._engine = engine
        self._on_event = on_event
        self._complaints: set[str] = set()
        self.on_stray: Callable[[str], None] = lambda _line: None
        """Hears each line that is no event."""
        self.turn: OpenTurn | None = None
        """The one that is open."""
        self.position = OutputPosition(0)
        self.has_caught_up = asyncio.Event()
        """What stood in the output when this server came has been read."""

    async def read(self, process: AgentProcess, turn: OpenTurn | None, left: KeptStream | None = None) -> None:
        """`turn` is one that the process works on already; its output comes again from where it began.

        `left` is how the server before left the output. Between turns there may be nothing more to read, and the next
        one is to begin there all the same.
        """
        start = turn.begun.replay_from if turn is not None else left.acknowledged if left is not None else 0
        until = left.end if left is not None else start
        self.position = OutputPosition(start)
        self._note_caught_up(start, until)
        if turn is not None:
            self._prompt_when_due(turn)
        lines, is_first = LineSplitter(), True
        async for chunk in process.output(OutputStream.STDOUT, offset=start):
            if is_first and chunk.offset > start:
                # What a server before had dealt with is gone.
                start = chunk.offset
                self.position = OutputPosition(start)
            is_first = False
            for line in lines.split(chunk.data):
                await self._take(line, turn, start + lines.consumed)
            await process.consumed(OutputStream.STDOUT, chunk.offset + len(chunk.data))
            await self.forget(process)
            self._note_caught_up(chunk.offset + len(chunk.data), until)
        for line in lines.rest():
            await self._take(line, turn, start + lines.consumed)
        self.has_caught_up.set()
        if turn is not None:
            # Its output may have ended before the place of the prompt: the message never reached it.
            self.give(turn)

    def _note_caught_up(self, at: int, until: int) -> None:
        if at >= until:
            self.has_caught_up.set()

    async def _take(self, line: bytes, turn: OpenTurn | None, end: int) -> None:
        events = self._engine.feed(line)
        self.position.read(end)
        if turn is not None and turn.prompt is None:
            # Dealt with by the server before; the engine alone had to hear it.
            events = [event for event in events if isinstance(event, ConversationIdentified)]
        await self.route(events)
        if turn is not None:
            self._prompt_when_due(turn)

    def _prompt_when_due(self, turn: OpenTurn) -> None:
        """The engine learns of the message at the place in the output at which it first did."""
        if self.position.at >= turn.begun.prompt_at:
            self.give(turn)

    def give(self, turn: OpenTurn) -> None:
        """From now on the engine owes the turn its end. Once a turn."""
        if turn.prompt is None:
            turn.prompt = self._engine.prompt(turn.text, turn.id)
            turn.is_due.set()

    async def forget(self, process: AgentProcess) -> None:
        """Between turns, all that was read; in one that is too long, the begin of it."""
        if self.turn is None:
            if self._engine.is_at_rest:
                await process.acknowledge(OutputStream.STDOUT, self.position.settle())
        elif (cut := self.position.find_cut()) is not None:
            await self.turn.stream.put(Cut(cut.offset, cut.tools))

    async def route(self, events: Iterable[EngineEvent]) -> None:
        for event in events:
            match event:
                case Unreadable(line=line, reason=reason):
                    self.on_stray(line)
                    if reason not in self._complaints:
                        self._complaints.add(reason)
                        _log.warning("%s: its CLI wrote a line we cannot read: %s", self._agent_name, reason)
                case EngineReady() | ConversationIdentified() | SpontaneousTurn() | ResumeRefused():
                    await self._on_event(event)
                case _:
                    turn = self.turn
                    if turn is None or turn.is_over.is_set():
                        continue
                    if isinstance(event, ToolActivity) and event.phase is not ToolPhase.STARTED:
                        self.position.count_tool()
                    if isinstance(event, TERMINAL):
                        turn.is_over.set()
                    await turn.stream.put(event)
