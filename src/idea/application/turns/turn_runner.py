"""Runs the turns of an agent, one after the other: prompts, shows, settles.

Exactly one outcome reaches whoever waits, also when the turn is too long, is stopped, or its agent dies.
"""

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Final

from idea.application.beliefs import Beliefs
from idea.application.ports import Clock
from idea.application.record.delegations import Delegations
from idea.application.record.transcript import Transcript
from idea.application.record.turn_record import TurnRecord
from idea.application.sessions.agent_launcher import AgentLauncher
from idea.application.sessions.live_sessions import LiveSessions
from idea.application.sessions.session_lives import SessionLives
from idea.application.sessions.side_sessions import SideSessions
from idea.application.team.mailbox import WaitingTurn
from idea.application.team.team import GivenTurn, Member, RunningTurn
from idea.application.turns.limit_waits import LimitWaits
from idea.application.turns.permissions import Permissions
from idea.application.turns.turn_beliefs import TurnBeliefs
from idea.application.turns.turn_display import TurnDisplay
from idea.application.turns.turn_drain import TurnDrain
from idea.application.turns.turn_opening import MessageNotTaken, TurnOpening
from idea.domain.conversation import ItemKind, LiveTurn
from idea.domain.errors import Cancelled, IdeaError, TargetDied, TurnFailed
from idea.domain.events import Event, TurnEnded, TurnStarted
from idea.domain.ids import ProjectId
from idea.domain.outcomes import advise
from idea.domain.sessions import SessionRole
from idea.domain.settings import Settings

_log = logging.getLogger(__name__)

BEGIN_ATTEMPTS: Final = 2
"""A CLI that ends twice before it takes a message will not take it the third time."""


class TurnRunner:
    """`run` is the worker of one agent; a project has one such task per agent."""

    def __init__(
        self,
        project: ProjectId,
        *,
        launcher: AgentLauncher,
        lives: SessionLives,
        sides: SideSessions,
        live: LiveSessions,
        beliefs: Beliefs,
        transcript: Transcript,
        delegations: Delegations,
        record: TurnRecord,
        permissions: Permissions,
        limit_waits: LimitWaits,
        settings: Callable[[], Settings],
        clock: Clock,
        publish: Callable[[Event], None],
    ) -> None:
        self._project = project
        self._opening = TurnOpening(launcher=launcher, live=live, record=record, clock=clock)
        self._lives = lives
        self._sides = sides
        self._beliefs = beliefs
        self._transcript = transcript
        self._delegations = delegations
        self._record = record
        self._permissions = permissions
        self._limit_waits = limit_waits
        self._settings = settings
        self._clock = clock
        self._publish = publish
        self._may_begin = asyncio.Event()

    def begin(self) -> None:
        """From now on messages are taken: the doors that agents need are open. Turns that had begun go on before."""
        self._may_begin.set()

    async def run(self, member: Member) -> None:
        while True:
            waiting, member.left = member.left, None
            if waiting is None:
                await self._may_begin.wait()
                waiting = await member.mailbox.next()
            try:
                await self._take(member, waiting)
            except Exception as bug:  # noqa: BLE001 - one turn's fault must not end the agent's queue
                _log.exception("a turn of %s failed", member.agent.slug)
                # In memory only, which cannot fail as well. Who asked puts the end of its delegation on record.
                fault = TurnFailed(member.agent.name, f"a fault of IdeA ({type(bug).__name__})", why="faultOfIdea")
                waiting.settle(bug if isinstance(bug, IdeaError) else fault)
            finally:
                waiting.settle(Cancelled(member.agent.name, "close"))
            await self._sides.end_unless_needed(member)

    async def _take(self, member: Member, waiting: WaitingTurn) -> None:
        """From the queue to the engine. The prompt is on record before anything can fail visibly."""
        waiting.left_queue.set()
        if waiting.settled.done() and not waiting.has_begun:
            if waiting.delegation is None and waiting.failure is not None:
                await self._record_given_up(member, waiting, waiting.failure)
            return
        agent = member.agent
        live = LiveTurn(waiting.turn, agent.id, waiting.requester, waiting.delegation, started_at=self._clock.now())
        # In the same step in which it left the queue: whoever wants to stop it must find it here or there.
        running = member.running = RunningTurn(waiting, live, role=self._opening.choose_role(member, waiting))
        running.clock.start(waiting.find_time_left_s(self._clock.now()))
        try:
            if waiting.left is not None:
                await self._take_up(member, running)
            await self._announce(member, running)
            code = await self._carry_out(member, running)
        except Exception:
            self._leave(member, running, "INTERNAL")
            await self._end(running)
            raise
        except BaseException:
            # Cancelled: it is left to the server that comes after this one.
            member.running = None
            raise
        # In the step in which whoever waited was told: they find the agent without the turn.
        self._leave(member, running, code)
        await self._end(running)

    async def _record_given_up(self, member: Member, waiting: WaitingTurn, error: IdeaError) -> None:
        """A message that its agent never got: the person finds what they wrote, and why nothing came of it."""
        agent, author = member.agent.id, waiting.requester.id
        await self._transcript.append(agent, waiting.turn, ItemKind.PROMPT, waiting.message, author=author)
        await self._append_failure(member, waiting, error, was_given=False)

    def _leave(self, member: Member, running: RunningTurn, code: str) -> None:
        member.running = None
        self._publish(TurnEnded(self._project, member.agent.id, running.waiting.turn, code, self._clock.now()))

    async def _take_up(self, member: Member, running: RunningTurn) -> None:
        """A server before this one had it; what that one did is not done again."""
        waiting = running.waiting
        running.on_record = await self._record.on_record(member.agent.id, waiting.turn)
        if running.on_record.has_failure:
            # It had been stopped, and whoever waited was told; the CLI may not have heard of it.
            running.is_failure_recorded = True
            waiting.settle(Cancelled(member.agent.name, "close"))

    async def _end(self, running: RunningTurn) -> None:
        """What became of it is on record. In this order, since a server that comes in between looks for all of it."""
        given = running.given
        if given is not None:
            await given.session.settle(given.turn)
        await self._record.forget(running.waiting.turn)
        if given is not None:
            given.turn.is_settled.set()

    async def _announce(self, member: Member, running: RunningTurn) -> None:
        agent, waiting = member.agent, running.waiting
        if waiting.delegation is not None:
            await self._delegations.start(waiting.delegation, waiting.turn)
        if not running.on_record.has_prompt:
            await self._transcript.append(
                agent.id,
                waiting.turn,
                ItemKind.PROMPT,
                waiting.message,
                author=waiting.requester.id,
                delegation=waiting.delegation,
                fields={"beside": "terminal"} if running.role is SessionRole.SIDE else None,
            )
        self._publish(
            TurnStarted(
                self._project,
                agent.id,
                waiting.turn,
                waiting.requester,
                waiting.requester_name,
                waiting.delegation,
                running.live.started_at,
            )
        )

    async def _carry_out(self, member: Member, running: RunningTurn) -> str:
        """How it ended, as a code of `outcomes`."""
        agent, waiting = member.agent, running.waiting
        try:
            answer = await self._converse(member, running)
            if not running.on_record.has_answer:
                await self._transcript.append(
                    agent.id, waiting.turn, ItemKind.ANSWER, answer, author=agent.id, delegation=waiting.delegation
                )
            await self._settle(waiting, answer)
            # A turn that was stopped may still have answered: on record, but nobody's answer.
            stopped = waiting.failure
            return stopped.code if stopped is not None else "ANSWERED"
        except IdeaError as error:
            # Whoever stopped the turn said why; what the stop brought about is no news.
            failure = waiting.failure or error
            try:
                if not await self._limit_waits.pass_on(member, waiting, failure) and waiting.delegation is not None:
                    await self._delegations.settle(waiting.delegation, failure)
                await self._record_failure(member, running, failure)
            finally:
                # Last: whoever waited finds the agent without the turn. Of one that was passed on it is no outcome.
                waiting.settle(failure)
            return failure.code

    async def _converse(self, member: Member, running: RunningTurn) -> str:
        """One prompt and its answer; raises what became of it instead."""
        left = running.waiting.left
        if left is not None and left.begun is not None:
            return await self._drain(member, running, self._opening.find_left(member, running))
        for _ in range(BEGIN_ATTEMPTS):
            try:
                session = await self._opening.ensure_session(member, running)
            except MessageNotTaken:
                # Its keeper was killed while it started: the next keeper gets it.
                continue
            try:
                return await self._drain(member, running, await self._opening.give(session, running))
            except MessageNotTaken:
                # It died in or after the turn before.
                await self._opening.take_back(running)
                await self._lives.wait_ended(member, session)
        raise TargetDied(member.agent.name, "its CLI ended before it took the message", why="endedBeforeMessage")

    async def _drain(self, member: Member, running: RunningTurn, given: GivenTurn) -> str:
        opened = given.turn
        display = TurnDisplay(
            self._project,
            running.live,
            transcript=self._transcript,
            clock=self._clock,
            publish=self._publish,
            tools_on_record=max(0, running.on_record.tools - opened.begun.shown_tools),
            # Of a turn too long to be kept whole it is not known which of them come again.
            asks_on_record=() if opened.begun.shown_tools else tuple(running.on_record.asked.values()),
        )
        drain = TurnDrain(
            member,
            running,
            given,
            display=display,
            permissions=self._permissions,
            beliefs=TurnBeliefs(self._beliefs, member.agent.id, running.role),
            stalled_after_s=self._settings().stalled_after_s,
            record=self._record,
            on_stop=partial(self._stop_early, member, running),
            end_session=partial(self._lives.end, member, given.session),
        )
        try:
            return await drain.run()
        except Exception as error:
            if not isinstance(error, (IdeaError, MessageNotTaken)):
                # Nobody reads the rest of the CLI's turn: it would be believed at work, and refuse the next one.
                await self._lives.end(member, given.session)
            raise
        finally:
            opened.stream.close()
            self._permissions.end_turn(member.agent.id, running.waiting.turn)

    async def _stop_early(self, member: Member, running: RunningTurn, error: IdeaError) -> None:
        """The requester learns at once; the engine may take until the grace to come to its end."""
        await self._settle(running.waiting, error)
        await self._record_failure(member, running, error)

    async def _settle(self, waiting: WaitingTurn, outcome: str | IdeaError) -> None:
        """Whoever waits learns it when it is on record, or at once if this is cut short."""
        try:
            if waiting.delegation is not None:
                await self._delegations.settle(waiting.delegation, outcome)
        finally:
            waiting.settle(outcome)

    async def _record_failure(self, member: Member, running: RunningTurn, error: IdeaError) -> None:
        """Once a turn."""
        if running.is_failure_recorded:
            return
        running.is_failure_recorded = True
        was_given = running.given is not None or running.waiting.has_begun
        await self._append_failure(member, running.waiting, error, was_given=was_given)

    async def _append_failure(self, member: Member, waiting: WaitingTurn, error: IdeaError, *, was_given: bool) -> None:
        is_persons = waiting.delegation is None
        advice = advise(error) if is_persons else ""
        await self._transcript.append(
            member.agent.id,
            waiting.turn,
            ItemKind.FAILURE,
            f"{str(error).rstrip('.')}. {advice}".strip(),
            author=member.agent.id,
            delegation=waiting.delegation,
            outcome=error.code,
            # An agent that asked is told, and asks again by itself; a person is offered to send it again.
            fields={**error.fields(), "given": False} if is_persons and not was_given else error.fields(),
        )
