"""Delegate to an agent and wait for its answer. Every ask settles, and its requester learns how."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Final

from idea.application.agent_launcher import check_takes_turns
from idea.application.delegations import Delegations
from idea.application.live_sessions import LiveSessions
from idea.application.mailbox import WaitingTurn
from idea.application.ports import Clock, NewId
from idea.application.supervisor import Supervisor
from idea.application.team import Member, Team
from idea.application.transcript import Transcript
from idea.domain.conversation import ItemKind
from idea.domain.delegation import (
    MAX_DEPTH,
    MAX_OPEN_ASKS,
    Delegation,
    Requester,
    find_cycle,
    frame,
)
from idea.domain.errors import (
    Cancelled,
    DelegationCycle,
    DelegationTooDeep,
    DelegationTooWide,
    IdeaError,
    Invalid,
    Timeout,
)
from idea.domain.ids import AgentId, DelegationId, TurnId
from idea.domain.settings import MAX_TURN_TIMEOUT_S, Settings

MAX_MESSAGE_CHARS: Final = 1_000_000


class Ask:
    """One use case for every door."""

    def __init__(
        self,
        *,
        team: Team,
        live: LiveSessions,
        delegations: Delegations,
        transcript: Transcript,
        settings: Callable[[], Settings],
        supervisor: Supervisor,
        clock: Clock,
        new_id: NewId,
    ) -> None:
        self._team = team
        self._live = live
        self._delegations = delegations
        self._transcript = transcript
        self._settings = settings
        self._supervisor = supervisor
        self._clock = clock
        self._new_id = new_id

    async def ask(
        self,
        requester: Requester,
        target_name: str,
        message: str,
        *,
        timeout_s: float | None,
        delegation_id: DelegationId,
    ) -> Delegation:
        """The answered delegation. Cancelling this call takes the ask back.

        Raises:
            NotFound, Invalid, DelegationCycle, DelegationTooDeep, DelegationTooWide: refused, nothing was recorded.
            Timeout, Cancelled, TargetDied, TargetReturnedNoReply, TargetRateLimited, TurnFailed, EngineFailed,
            TrustRequired: what became of it.
        """
        target = self._team.resolve(target_name)
        limit_s = self._turn_limit(timeout_s)
        _check_message(message)
        depth = self._check_graph(requester, target)
        check_takes_turns(target, self._live.find(target.agent.id))

        delegation = self._delegations.add(
            delegation_id,
            requester=requester,
            requester_name=self._team.name_of(requester),
            target=target.agent.id,
            target_name=target.agent.name,
            message=message,
            depth=depth,
        )
        waiting = WaitingTurn(
            turn=TurnId(self._new_id()),
            requester=requester,
            requester_name=delegation.requester_name,
            delegation=delegation.id,
            text=frame(delegation),
            message=message,
            limit_s=limit_s,
            since=delegation.asked_at,
        )
        try:
            # In the queue before anything is awaited, so that asks keep the order of their arrival.
            target.mailbox.put(waiting)
            await self._delegations.save(delegation)
            await self._note_in_requesters_conversation(delegation)
            return await self._wait(target, waiting)
        except IdeaError as error:
            await self._delegations.settle(delegation.id, error)
            raise
        except asyncio.CancelledError:
            self._take_back(target, waiting, delegation)
            raise

    async def _wait(self, target: Member, waiting: WaitingTurn) -> Delegation:
        queue_wait_s = self._settings().queue_wait_s
        assert waiting.delegation is not None
        try:
            async with asyncio.timeout(queue_wait_s):
                await waiting.left_queue.wait()
        except TimeoutError:
            clock = None if target.running is None else target.running.clock
            error = Timeout(
                target.agent.name,
                waiting.delegation,
                limit_s=queue_wait_s,
                is_queued=True,
                asked="" if clock is None else clock.waits_for,
                asked_s=0.0 if clock is None else clock.held_s,
            )
            if target.mailbox.remove(waiting, error):
                raise error from None
        # Bounded by the worker, which settles every turn it takes, and by the mailbox, which closes with the worker.
        await asyncio.shield(waiting.settled)
        return self._delegations.get(waiting.delegation)

    def _take_back(self, target: Member, waiting: WaitingTurn, delegation: Delegation) -> None:
        """The requester is gone: out of the queue, or the running turn is stopped. Never waits."""
        error = Cancelled(target.agent.name, "requester")
        running = target.running
        if running is not None and running.waiting is waiting:
            running.request_stop(error)
        elif not target.mailbox.remove(waiting, error):
            waiting.settle(error)
        self._supervisor.start(partial(self._delegations.settle, delegation.id, error), name="settle-cancelled")

    def _turn_limit(self, timeout_s: float | None) -> float:
        if timeout_s is None:
            return self._settings().turn_timeout_s
        if not 0 < timeout_s <= MAX_TURN_TIMEOUT_S:
            raise Invalid(
                f"timeoutSeconds must be more than 0 and at most {MAX_TURN_TIMEOUT_S}, not {timeout_s:g}.",
                why="timeoutOutOfRange",
                limit=MAX_TURN_TIMEOUT_S,
            )
        return timeout_s

    def _check_graph(self, requester: Requester, target: Member) -> int:
        """The depth of the new ask, from 1."""
        if requester.agent is None:
            return 1
        open_delegations = self._delegations.open()
        chain = find_cycle(requester.agent, target.agent.id, open_delegations)
        if chain is not None:
            raise DelegationCycle([self._name(agent) for agent in chain])
        answering = [known.depth for known in open_delegations if known.target == requester.agent and known.turn]
        depth = max(answering, default=0) + 1
        if depth > MAX_DEPTH:
            raise DelegationTooDeep(depth, MAX_DEPTH)
        if sum(known.requester.agent == requester.agent for known in open_delegations) >= MAX_OPEN_ASKS:
            raise DelegationTooWide(MAX_OPEN_ASKS)
        return depth

    def _name(self, agent: AgentId) -> str:
        member = self._team.find(agent)
        return member.agent.name if member is not None else agent

    async def _note_in_requesters_conversation(self, delegation: Delegation) -> None:
        requester = delegation.requester
        if requester.agent is not None and requester.turn is not None:
            await self._transcript.append(
                requester.agent,
                requester.turn,
                ItemKind.ASKED,
                delegation.message,
                author=requester.agent,
                delegation=delegation.id,
            )


def _check_message(message: str) -> None:
    if not message.strip():
        raise Invalid("The message is empty; say what you need.", why="messageEmpty")
    if len(message) > MAX_MESSAGE_CHARS:
        raise Invalid(
            f"The message has {len(message)} characters; at most {MAX_MESSAGE_CHARS} are taken.",
            why="messageTooLong",
            limit=MAX_MESSAGE_CHARS,
        )
