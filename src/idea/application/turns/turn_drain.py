"""Reads one turn to its end under two clocks: the turn's own limit, and the agent's silence."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime
from typing import Final as Const

from idea.application.record.turn_record import TurnRecord
from idea.application.structured.turn_stream import Cut, NotTaken, StopRequested
from idea.application.team.team import GivenTurn, Member, RunningTurn
from idea.application.turns.permissions import Permissions
from idea.application.turns.turn_beliefs import TurnBeliefs
from idea.application.turns.turn_display import TurnDisplay
from idea.application.turns.turn_failures import failure_of
from idea.application.turns.turn_opening import MessageNotTaken
from idea.domain.errors import ConversationRefused, IdeaError, Lost, TargetReturnedNoReply
from idea.domain.ids import RequestId
from idea.domain.replies import (
    TERMINAL,
    Announcement,
    Decision,
    Failed,
    FailureKind,
    Final,
    Heartbeat,
    PermissionRequested,
    RateLimited,
    ReplyEvent,
    TextDelta,
    ToolActivity,
    UsageReported,
)
from idea.domain.sessions import SessionRole

INTERRUPT_GRACE_S: Const = 10.0
"""Time for the CLI to report the end of a turn it was asked to stop; then its session is ended."""


class TurnDrain:
    """From the moment at which the CLI is given the message, whether it takes it or not.

    `on_stop` is told the outcome as soon as a stop is decided; `end_session` is the last resort.
    """

    def __init__(
        self,
        member: Member,
        running: RunningTurn,
        given: GivenTurn,
        *,
        display: TurnDisplay,
        permissions: Permissions,
        beliefs: TurnBeliefs,
        stalled_after_s: float,
        record: TurnRecord,
        on_stop: Callable[[IdeaError], Awaitable[None]],
        end_session: Callable[[], Awaitable[object]],
    ) -> None:
        self._member = member
        self._running = running
        self._turn = given.turn
        self._stream = given.turn.stream
        self._session = given.session
        self._display = display
        self._permissions = permissions
        self._beliefs = beliefs
        self._stalled_after_s = stalled_after_s
        self._record = record
        self._on_stop = on_stop
        self._end_session = end_session
        self._loop = asyncio.get_running_loop()
        self._clock = running.clock
        self._grace_until: float | None = None
        self._timer: asyncio.Timeout | None = None
        self._silent_at: float | None = None
        self._stopped: IdeaError | None = None
        self._is_refused = False
        """Its CLI does not go on with the side conversation."""
        self._until: datetime | None = None
        self._asking = 0
        self._note = ""
        """What the CLI last said that it waits for, until it goes on."""

    async def run(self) -> str:
        """The answer.

        Raises:
            IdeaError: what became of the turn instead; `on_stop` knew it already if it was stopped.
            MessageNotTaken: nothing became of it yet.
        """
        self._clock.on_change = self._on_clock
        self._heard()
        self._believe_working()
        while True:
            event = await self._next()
            match event:
                case StopRequested(error=error):
                    await self._stop(error)
                case _ if self._is_refused and self._stopped is None:
                    await self._end_refused(event)
                case Cut():
                    await self._give_up_before(event)
                case NotTaken():
                    raise self._stopped or MessageNotTaken
                case Final(text=text):
                    return self._answer(text)
                case Failed():
                    failure = self._failure(event)
                    raise self._stopped or failure
                case None:
                    if self._stopped is not None:
                        await self._end_session()
                        raise self._stopped
                    self._beliefs.silent()
                case _:
                    self._heard()
                    await self._show(event)

    async def _next(self) -> ReplyEvent | Cut | NotTaken | StopRequested | None:
        """The next thing to act on; None when the agent was silent for too long."""
        stream = self._stream
        if not stream.has_more:
            self._display.flush()
        try:
            async with asyncio.timeout_at(self._bound()) as self._timer:
                return await stream.get()
        except TimeoutError:
            deadline = self._clock.deadline
            if self._stopped is None and deadline is not None and self._loop.time() >= deadline:
                return StopRequested(self._running.timeout(self._member.agent.name, note=self._note))
            if self._grace_until is None and (self._silent_at is None or self._loop.time() < self._silent_at):
                # The clock was stopped, or set going again, just when it rang.
                return Heartbeat()
            self._silent_at = None
            return None
        finally:
            self._timer = None

    def _bound(self) -> float | None:
        if self._grace_until is not None:
            return self._grace_until
        bounds = [bound for bound in (self._clock.deadline, self._silent_at) if bound is not None]
        return min(bounds) if bounds else None

    def _on_clock(self) -> None:
        """A person is asked, here or by an agent that this turn waits for, or no longer: that silence is nobody's."""
        self._silent_at = None if self._clock.is_held else self._loop.time() + self._stalled_after_s
        if self._timer is not None and not self._timer.expired():
            self._timer.reschedule(self._bound())

    async def _stop(self, error: IdeaError) -> None:
        if self._stopped is not None:
            return
        if isinstance(error, ConversationRefused) and self._running.role is SessionRole.SIDE:
            # Whoever asks waits on: once this session has ended, it is done again in a conversation that begins anew.
            self._is_refused = True
            self._grace_until = self._loop.time() + INTERRUPT_GRACE_S
            return
        self._stopped = error
        self._silent_at = None
        self._grace_until = self._loop.time() + INTERRUPT_GRACE_S
        await self._on_stop(error)
        try:
            async with asyncio.timeout_at(self._grace_until):
                await self._session.interrupt()
        except (Lost, TimeoutError):
            # Gone, or deaf: the stream's end or the grace decides.
            return

    async def _end_refused(self, event: ReplyEvent | Cut | NotTaken | None) -> None:
        """What it says until its end is nobody's answer."""
        if event is None:
            await self._end_session()
        if event is None or isinstance(event, (NotTaken, *TERMINAL)):
            raise MessageNotTaken

    def _answer(self, text: str) -> str:
        self._beliefs.idle()
        if not text.strip():
            raise self._stopped or TargetReturnedNoReply(self._member.agent.name)
        return text

    def _failure(self, failed: Failed) -> IdeaError:
        if failed.kind is FailureKind.LIMITED:
            self._beliefs.limited(failed.reason, self._until)
        elif not self._session.has_ended and (
            failed.kind is not FailureKind.DIED or self._session.starts_a_process_per_turn
        ):
            # Where a turn has a process of its own, only that one is gone: the next message gets another.
            self._beliefs.idle()
        return failure_of(failed, self._member.agent.name, last_exit=self._session.last_exit, until=self._until)

    async def _show(self, event: ReplyEvent) -> None:
        self._take_note(event)
        match event:
            case TextDelta(text=text):
                self._display.stream(text)
            case Announcement(text=text):
                self._display.announce(text)
            case ToolActivity():
                self._display.flush()
                await self._display.use_tool(event)
            case PermissionRequested():
                await self._ask(event)
            case UsageReported():
                self._running.live.usage = event
            case RateLimited(until=until):
                self._until = until
            case Heartbeat() | Final() | Failed():
                pass

    def _take_note(self, event: ReplyEvent) -> None:
        """A model out of reach looks like hard work; the CLI's words tell them apart."""
        match event:
            case Heartbeat(note=note) if note:
                pass
            case TextDelta() | Announcement() | ToolActivity():
                note = ""
            case _:
                return
        if note != self._note:
            self._note = note
            if self._stopped is None and self._asking == 0:
                self._believe_working()

    async def _give_up_before(self, cut: Cut) -> None:
        """All that came before has been shown and recorded by now."""
        begun = self._turn.begun
        shown = begun.shown_tools + cut.tools
        self._turn.begun = replace(begun, replay_from=cut.offset, prompt_at=cut.offset, shown_tools=shown)
        await self._record.begin(self._turn.id, self._turn.begun)
        await self._session.forget_before(cut.offset)

    async def _ask(self, request: PermissionRequested) -> None:
        turn = self._running.live.id
        said = self._record.decisions(turn).get(request.request_id)
        if said is not None:
            # Answered under a server before this one, which may have been killed before the CLI heard it.
            await self._session.answer(request.request_id, said)
            return
        self._asking += 1
        self._permissions.ask(self._member.agent.id, turn, request, self._answer_request, self._on_settled)
        self._beliefs.asking(request.title)

    async def _answer_request(self, request: RequestId, decision: Decision) -> None:
        await self._record.decide(self._running.live.id, request, decision)
        await self._session.answer(request, decision)

    def _on_settled(self) -> None:
        self._asking -= 1
        if self._asking == 0 and self._member.running is self._running:
            self._believe_working()

    def _heard(self) -> None:
        """It lives: the clock of its silence starts anew."""
        if self._stopped is None and not self._clock.is_held:
            self._silent_at = self._loop.time() + self._stalled_after_s
            if self._beliefs.is_stalled:
                self._believe_working()

    def _believe_working(self) -> None:
        self._beliefs.working(self._note or self._running.waiting.requester_name)
