"""What the server before this one left, taken up agent by agent as the team is read."""

import logging
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Final

from idea.application.beliefs import Beliefs
from idea.application.ports import Keeper
from idea.application.record.delegations import Delegations
from idea.application.record.transcript import Transcript
from idea.application.record.turn_record import TurnRecord
from idea.application.restart.strays import ENDED, Strays
from idea.application.sessions.agent_launcher import AgentLauncher
from idea.application.sessions.passage import ended_unseen
from idea.application.sessions.resumable_agents import ResumableAgents
from idea.application.sessions.session_record import SessionRecord
from idea.application.sessions.side_sessions import SideSessions
from idea.application.structured.open_turn import OpenTurn
from idea.application.team.mailbox import WaitingTurn
from idea.application.team.team import Member
from idea.application.turns.open_asks import OpenAsks
from idea.domain.agents import Agent
from idea.domain.delegation import frame
from idea.domain.errors import IdeaError, Lost, TargetDied
from idea.domain.events import Event
from idea.domain.ids import AgentId, ProjectId
from idea.domain.notices import NoticePosted
from idea.domain.readiness import BeliefSource, ReadinessReason, ReadinessState
from idea.domain.sessions import KeptChild, OutputStream, SessionRole
from idea.domain.unfinished import BegunTurn, TurnOnRecord, UnfinishedSession, UnfinishedTurn
from idea.domain.why import Why

ABANDON_GRACE_S: Final = 2.0
"""Between SIGTERM and SIGKILL, for what runs on behalf of an agent that is no more."""

_log = logging.getLogger(__name__)


class Restore:
    def __init__(
        self,
        project: ProjectId,
        *,
        keeper: Keeper,
        sessions: SessionRecord,
        turns: TurnRecord,
        delegations: Delegations,
        transcript: Transcript,
        open_asks: OpenAsks,
        launcher: AgentLauncher,
        sides: SideSessions,
        resumable: ResumableAgents,
        strays: Strays,
        beliefs: Beliefs,
        publish: Callable[[Event], None],
    ) -> None:
        self._project = project
        self._keeper = keeper
        self._session_record = sessions
        self._turn_record = turns
        self._delegations = delegations
        self._transcript = transcript
        self._open_asks = open_asks
        self._launcher = launcher
        self._sides = sides
        self._resumable = resumable
        self._strays = strays
        self._beliefs = beliefs
        self._publish = publish
        self._sessions: dict[tuple[AgentId, SessionRole], UnfinishedSession] = {}
        self._children: dict[str, KeptChild] = {}
        self._turns: defaultdict[AgentId, list[UnfinishedTurn]] = defaultdict(list)
        self._lost: list[AgentId] = []
        """Their rows are kept until what ran is written down."""
        self._untold: list[tuple[Agent, str, dict[str, object]]] = []

    async def load(self) -> None:
        """Before the team is read."""
        for session in await self._session_record.load():
            self._sessions[session.session.agent, session.session.role] = session
        self._children = {child.spawn_id: child for child in await self._keeper.children()}
        turns = await self._turn_record.load()
        await self._delegations.load(still_open={turn.delegation for turn in turns if turn.delegation is not None})
        for turn in turns:
            self._turns[turn.agent].append(turn)
        known = {turn.begun.spawn_id for turn in turns if turn.begun is not None}
        known.update(session.spawn_id for session in self._sessions.values() if session.spawn_id is not None)
        await self._strays.load(list(self._children.values()), known=known)

    async def take_up(self, member: Member) -> None:
        """The agent's sessions, the turn it works on, the messages that wait for it. Before its worker starts."""
        agent = member.agent.id
        session = self._sessions.pop((agent, SessionRole.MAIN), None)
        side = self._sessions.pop((agent, SessionRole.SIDE), None)
        turns = await self._take_wanted(agent)
        begun_beside = begun = next((turn for turn in turns if turn.begun is not None), None)
        if side is not None and _is_its(begun, side):
            begun = None
        else:
            begun_beside = None
        if side is not None:
            await self._take_over_side(member, side, begun_beside)
        stray = await self._strays.claim(member, has_process=session is not None and self._has_process(session))
        if stray is not None:
            await self._take_over(member, stray.session, begun, is_ended=stray.is_ended)
        elif session is not None:
            await self._take_over(member, session, begun)
        for turn in turns:
            if turn is begun or turn is begun_beside:
                await self._take_up_begun(member, turn)
            else:
                waiting = self._waiting(member, turn)
                member.mailbox.put(waiting)
                self._turn_record.watch(waiting)

    async def _take_wanted(self, agent: AgentId) -> Sequence[UnfinishedTurn]:
        wanted = []
        for turn in self._turns.pop(agent, ()):
            if self._is_wanted(turn):
                wanted.append(turn)
            else:
                # Left on record, it would be wanted by the next server: the ask is made again under its own name.
                await self._turn_record.forget(turn.id)
        return wanted

    def tell_lost(self) -> None:
        """After a reading of the team: one notice a reason, however many it ended."""
        while self._untold:
            _, reason, fields = self._untold[0]
            alike = [agent for agent, _, other in self._untold if other == fields]
            self._untold = [one for one in self._untold if one[2] != fields]
            names = [agent.name for agent in alike]
            slug = alike[0].slug if len(alike) == 1 else None
            told = fields | {"agents": [agent.id for agent in alike]}
            self._publish(
                NoticePosted(self._project, "sessionLost", f"{', '.join(names)}: {reason}", slug, fields=told)
            )

    async def forget_lost(self) -> None:
        """The layouts say now that they ran."""
        for agent in self._lost:
            await self._session_record.forget(agent, SessionRole.MAIN)
        self._lost.clear()

    def waiting(self) -> Sequence[tuple[AgentId, SessionRole]]:
        """Sessions that are not taken up yet: their agents' files could not be read so far."""
        return list(self._sessions)

    async def abandon_rest(self) -> None:
        """Once the whole team is read: what is left belongs to agents that are no more. Idempotent."""
        while self._sessions:
            (agent, role), session = self._sessions.popitem()
            await self._end_process(session)
            await self._session_record.forget(agent, role)
        await self._strays.end_rest()
        while self._turns:
            _, turns = self._turns.popitem()
            for turn in turns:
                if turn.delegation is not None:
                    gone = TargetDied(turn.agent, "it was deleted", why="agentDeleted")
                    await self._delegations.settle(turn.delegation, gone)
                await self._turn_record.forget(turn.id)

    def _has_process(self, session: UnfinishedSession) -> bool:
        if session.keeper != self._keeper.identity:
            return False
        return session.spawn_id is None or session.spawn_id in self._children

    async def _take_over(
        self, member: Member, session: UnfinishedSession, begun: UnfinishedTurn | None, *, is_ended: bool = False
    ) -> None:
        agent = member.agent
        child = self._children.get(session.spawn_id or "")
        opened = self._open(begun, child)
        reason, fields = "the keeper of its processes has ended", _fields("endedWithKeeper")
        try:
            if is_ended:
                reason, fields = ENDED, _fields("strayEnded")
            elif session.keeper == self._keeper.identity:
                reason, fields = "its process is not there any more", _fields("endedUnseen")
                if await self._launcher.take_over(member, session, opened, child=child):
                    return
        except Lost:
            # A keeper that does not answer: nothing is known of its agents. Those of one that died are told by the
            # next one's name; else the project does not open, and they are let alone.
            await self._keeper.children()
            if session.keeper == self._keeper.identity:
                raise
            reason, fields = "the keeper of its processes has ended", _fields("endedWithKeeper")
        except IdeaError as error:
            reason, fields = str(error), {**error.fields(), "code": error.code}
            await self._end_process(session)
        self._lost.append(agent.id)
        if self._resumable.was_stopped(agent.id):
            self._beliefs.believe(agent.id, ReadinessState.EXITED, ReadinessReason.STOPPED, BeliefSource.KEEPER)
            return
        # Until it is written elsewhere, the record alone says that it ran.
        self._resumable.offer(session.session)
        self._beliefs.believe(
            agent.id, ReadinessState.EXITED, ReadinessReason.LOST, BeliefSource.KEEPER, detail=reason, fields=fields
        )
        if is_ended:
            # Told as what was found.
            return
        self._untold.append((agent, reason, fields))

    def _open(self, begun: UnfinishedTurn | None, child: KeptChild | None) -> OpenTurn | None:
        if begun is None or begun.begun is None or _is_given_up(begun.begun, child):
            return None
        return OpenTurn(begun.id, self._text(begun), begun.begun, is_replayed=True)

    async def _take_over_side(self, member: Member, side: UnfinishedSession, begun: UnfinishedTurn | None) -> None:
        """It goes on with the turn that it is in, and ends without one. What is lost with it is told to who asked."""
        child = self._children.get(side.spawn_id or "")
        opened = self._open(begun, child)
        try:
            if opened is not None and side.keeper == self._keeper.identity:
                if await self._sides.take_over(member, side, opened, child=child):
                    return
            else:
                await self._end_process(side)
        except Lost:
            # As for a main session: one of a keeper that lives, and does not answer, is let alone.
            await self._keeper.children()
            if side.keeper == self._keeper.identity:
                raise
        except IdeaError as error:
            _log.warning("%s: its side session cannot go on: %s", member.agent.slug, error)
            await self._end_process(side)
        await self._session_record.forget(member.agent.id, SessionRole.SIDE)

    async def _take_up_begun(self, member: Member, turn: UnfinishedTurn) -> None:
        on_record = await self._turn_record.on_record(turn.agent, turn.id)
        if (on_record.has_answer or on_record.has_failure) and self._launcher.find_left_role(member, turn.id) is None:
            # All of it was done but for this. A disk that took the end of the turn may have refused the delegation's.
            if turn.delegation is not None:
                answer = await self._transcript.find_answer(turn.agent, turn.id)
                await self._delegations.settle(turn.delegation, ended_unseen(member) if answer is None else answer)
            await self._turn_record.forget(turn.id)
            return
        if turn.delegation is not None and self._launcher.find_left_role(member, turn.id) is None:
            # Told before anybody can look; the turn itself ends in its agent's conversation.
            await self._delegations.settle(turn.delegation, ended_unseen(member))
        await self._note_asked(turn, on_record)
        member.left = self._waiting(member, turn)

    async def _note_asked(self, turn: UnfinishedTurn, on_record: TurnOnRecord) -> None:
        """The server before may have been killed when an ask was on record, but not yet in its requester's turn."""
        for delegation in self._delegations.asked_in(turn.id):
            if delegation.id not in on_record.asked:
                await self._transcript.append_asked(delegation)

    async def _end_process(self, session: UnfinishedSession) -> None:
        if session.spawn_id is None or session.keeper != self._keeper.identity:
            return
        process = await self._keeper.attach(session.spawn_id)
        if process is not None:
            report = await process.stop(grace_s=ABANDON_GRACE_S)
            if report.survivors:
                _log.warning("%s could not be ended: %s", session.session.agent, report.survivors)
        await self._keeper.forget(session.spawn_id)

    def _is_wanted(self, turn: UnfinishedTurn) -> bool:
        """What waits for a delegation that is not on record, or settled, is not needed any more; what has begun is."""
        if turn.delegation is None or turn.begun is not None:
            return True
        delegation = self._delegations.find(turn.delegation)
        return delegation is not None and delegation.state.is_open

    def _text(self, turn: UnfinishedTurn) -> str:
        delegation = self._delegations.find(turn.delegation) if turn.delegation is not None else None
        return frame(delegation) if delegation is not None else turn.message

    def _waiting(self, member: Member, turn: UnfinishedTurn) -> WaitingTurn:
        waiting = WaitingTurn(
            turn=turn.id,
            requester=turn.requester,
            requester_name=turn.requester_name,
            delegation=turn.delegation,
            text=self._text(turn),
            message=turn.message,
            limit_s=turn.limit_s,
            since=turn.since,
            call=turn.call,
            left=turn,
        )
        known = self._delegations.find(turn.delegation) if turn.delegation is not None else None
        if known is not None and known.state.is_open:
            self._open_asks.add_left(member, waiting)
        return waiting


def _is_its(begun: UnfinishedTurn | None, side: UnfinishedSession) -> bool:
    """While there is a side session no other has a turn, but one that resisted its end is no turn's any more."""
    return begun is not None and begun.begun is not None and side.spawn_id in (None, begun.begun.spawn_id)


def _fields(why: Why) -> dict[str, object]:
    return Lost("Its process", why=why).fields() | {"code": Lost.code}


def _is_given_up(begun: BegunTurn, child: KeptChild | None) -> bool:
    """The turn came to its end, all of which is on record, so that its output was let go."""
    stdout = None if child is None else child.streams.get(OutputStream.STDOUT)
    return stdout is not None and stdout.acknowledged > begun.replay_from
