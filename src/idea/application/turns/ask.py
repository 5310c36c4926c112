"""Delegate to an agent and wait for its answer. Every ask settles, and its requester learns how."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from idea.application.ports import NewId
from idea.application.record.delegations import Delegations
from idea.application.record.transcript import Transcript
from idea.application.record.turn_record import TurnRecord
from idea.application.sessions.live_sessions import LiveSessions
from idea.application.sessions.passage import judge_role
from idea.application.team.mailbox import WaitingTurn
from idea.application.team.team import Member, Team
from idea.application.turns.open_asks import OpenAsk, OpenAsks
from idea.domain.delegation import (
    MAX_DEPTH,
    MAX_OPEN_ASKS,
    Delegation,
    DelegationState,
    Requester,
    find_cycle,
    frame,
)
from idea.domain.errors import (
    Conflict,
    DelegationCycle,
    DelegationTooDeep,
    DelegationTooWide,
    Invalid,
    Lost,
    Recorded,
)
from idea.domain.ids import AgentId, DelegationId, TurnId
from idea.domain.sessions import SessionKind
from idea.domain.settings import MAX_TURN_TIMEOUT_S, Settings

MAX_MESSAGE_CHARS: Final = 1_000_000


class Ask:
    """One use case for every door. An ask that is made again, under the same id, is joined and not repeated."""

    def __init__(
        self,
        *,
        team: Team,
        live: LiveSessions,
        delegations: Delegations,
        open_asks: OpenAsks,
        transcript: Transcript,
        turns: TurnRecord,
        settings: Callable[[], Settings],
        new_id: NewId,
    ) -> None:
        self._team = team
        self._live = live
        self._delegations = delegations
        self._open_asks = open_asks
        self._transcript = transcript
        self._turns = turns
        self._settings = settings
        self._new_id = new_id

    async def ask(
        self,
        requester: Requester,
        target_name: str,
        message: str,
        *,
        timeout_s: float | None,
        delegation_id: DelegationId,
        call: str | None = None,
        waits_for_limit: bool = False,
    ) -> Delegation:
        """The answered delegation. Cancelling this call takes the ask back, unless another one waits for it too.
        `call` is its name, by which a later server knows whether it is made again. With `waits_for_limit` a target that
        is limited until a known time is asked again then.

        Raises:
            NotFound, Invalid, DelegationCycle, DelegationTooDeep, DelegationTooWide: refused, nothing was recorded.
            Timeout, Cancelled, TargetDied, TargetReturnedNoReply, TargetRateLimited, TurnFailed, EngineFailed,
            TrustRequired: what became of it.
            Recorded: the same, of an ask that was settled before this call.
            Conflict, Closed: the ask of this id is another one; or the target's queue is full, or closed, which is
            recorded.
        """
        known = self._delegations.find(delegation_id)
        if known is not None:
            self._check_same(known, requester, target_name, message)
            return await self._join(known)
        target = self._team.resolve(target_name)
        limit_s = self._turn_limit(timeout_s)
        _check_message(message)
        depth = self._check_graph(requester, target)
        judge_role(target, self._live.find(target.agent.id), delegation=delegation_id)

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
            call=call,
            waits_for_limit=waits_for_limit,
        )
        open_ask = self._open_asks.add(target, waiting)
        return await self._open_asks.attend(open_ask, partial(self._begin, open_ask, delegation))

    async def _begin(self, ask: OpenAsk, delegation: Delegation) -> None:
        # Behind a person's message that came before it and is being judged.
        async with ask.target.arrivals:
            ask.target.mailbox.put(ask.waiting)
        await self._turns.queue(ask.target.agent.id, ask.waiting)
        await self._delegations.save(delegation)
        await self._transcript.append_asked(delegation)

    async def _join(self, known: Delegation) -> Delegation:
        if known.state is DelegationState.ANSWERED:
            return known
        if known.outcome is not None:
            raise Recorded(known.outcome, known.explanation or "", known.fields)
        open_ask = self._open_asks.find(known.id)
        if open_ask is None:
            # An earlier server's, and this one did not take it up.
            error = Lost("The turn that worked on it")
            await self._delegations.settle(known.id, error)
            raise error
        return await self._open_asks.attend(open_ask)

    def _check_same(self, known: Delegation, requester: Requester, target_name: str, message: str) -> None:
        # The target may have been renamed since.
        is_same_target = (
            target_name in (known.target, known.target_name) or self._team.resolve(target_name).agent.id == known.target
        )
        if not is_same_target or known.message != message or known.requester.agent != requester.agent:
            raise Conflict("This call was made before, and asked for something else.")

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
        waiting = [known for known in open_delegations if self._holds_queue(known.requester)]
        if self._holds_queue(requester) or requester.agent == target.agent.id:
            chain = find_cycle(requester.agent, target.agent.id, waiting)
            if chain is not None:
                raise DelegationCycle([self._name(agent) for agent in chain])
        depth = 1 + self._find_depth(requester, open_delegations)
        if depth > MAX_DEPTH:
            raise DelegationTooDeep(depth, MAX_DEPTH)
        alike = (requester.agent, requester.turn)
        if sum((known.requester.agent, known.requester.turn) == alike for known in open_delegations) >= MAX_OPEN_ASKS:
            raise DelegationTooWide(MAX_OPEN_ASKS)
        return depth

    def _holds_queue(self, requester: Requester) -> bool:
        """Do others wait for who asks this? Not for a terminal, beside which the agent's queue goes on."""
        live = None if requester.agent is None else self._live.find(requester.agent)
        return requester.turn is not None or live is None or live.session.kind is not SessionKind.PTY

    def _find_depth(self, requester: Requester, open_delegations: Sequence[Delegation]) -> int:
        """Of the delegation in whose turn this is asked, 0 for none."""
        if not self._holds_queue(requester):
            return 0
        answering = [known for known in open_delegations if known.target == requester.agent and known.turn]
        return max((known.depth for known in answering), default=0)

    def _name(self, agent: AgentId) -> str:
        member = self._team.find(agent)
        return member.agent.name if member is not None else agent


def _check_message(message: str) -> None:
    if not message.strip():
        raise Invalid("The message is empty; say what you need.", why="messageEmpty")
    if len(message) > MAX_MESSAGE_CHARS:
        raise Invalid(
            f"The message has {len(message)} characters; at most {MAX_MESSAGE_CHARS} are taken.",
            why="messageTooLong",
            limit=MAX_MESSAGE_CHARS,
        )
