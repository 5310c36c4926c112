"""What the server before this one left, taken up agent by agent as the team is read."""

from collections import defaultdict
from collections.abc import Callable, Sequence

from idea.application.beliefs import Beliefs
from idea.application.record.delegations import Delegations
from idea.application.record.transcript import Transcript
from idea.application.record.turn_record import TurnRecord
from idea.application.restart.left_processes import LeftProcesses, is_given_up
from idea.application.restart.left_sides import LeftSides, is_its
from idea.application.restart.strays import ENDED, Strays
from idea.application.sessions.agent_launcher import AgentLauncher
from idea.application.sessions.passage import ended_unseen
from idea.application.sessions.resumable_agents import ResumableAgents
from idea.application.sessions.session_record import SessionRecord
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
from idea.domain.sessions import SessionRole
from idea.domain.unfinished import TurnOnRecord, UnfinishedSession, UnfinishedTurn
from idea.domain.why import Why


class Restore:
    def __init__(
        self,
        project: ProjectId,
        *,
        processes: LeftProcesses,
        sessions: SessionRecord,
        turns: TurnRecord,
        delegations: Delegations,
        transcript: Transcript,
        open_asks: OpenAsks,
        launcher: AgentLauncher,
        sides: LeftSides,
        resumable: ResumableAgents,
        strays: Strays,
        beliefs: Beliefs,
        publish: Callable[[Event], None],
    ) -> None:
        self._project = project
        self._processes = processes
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
        self._turns: defaultdict[AgentId, list[UnfinishedTurn]] = defaultdict(list)
        self._lost: list[AgentId] = []
        """Their rows are kept until what ran is written down."""
        self._untold: list[tuple[Agent, str, dict[str, object]]] = []

    async def load(self) -> None:
        """Before the team is read."""
        for session in await self._session_record.load():
            self._sessions[session.session.agent, session.session.role] = session
        children = await self._processes.load()
        turns = await self._turn_record.load()
        await self._delegations.load(still_open={turn.delegation for turn in turns if turn.delegation is not None})
        for turn in turns:
            self._turns[turn.agent].append(turn)
        known = {turn.begun.spawn_id for turn in turns if turn.begun is not None}
        known.update(session.spawn_id for session in self._sessions.values() if session.spawn_id is not None)
        await self._strays.load(children, known=known)

    async def take_up(self, member: Member) -> None:
        """The agent's sessions, the turn it works on, the messages that wait for it. Before its worker starts."""
        agent = member.agent.id
        session = self._sessions.pop((agent, SessionRole.MAIN), None)
        side = self._sessions.pop((agent, SessionRole.SIDE), None)
        turns = await self._take_wanted(agent)
        begun = next((turn for turn in turns if turn.begun is not None), None)
        is_beside = is_its(begun, side)
        if side is not None:
            await self._sides.take_up(member, side, self._open(begun, side) if is_beside else None)
        own = None if is_beside else begun
        stray = await self._strays.claim(member, has_process=session is not None and self._processes.may_live(session))
        if stray is not None:
            await self._take_over(member, stray.session, own, is_ended=stray.is_ended)
        elif session is not None:
            await self._take_over(member, session, own)
        for turn in turns:
            if turn is begun:
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
            await self._processes.end(session)
            await self._session_record.forget(agent, role)
        await self._strays.end_rest()
        while self._turns:
            _, turns = self._turns.popitem()
            for turn in turns:
                if turn.delegation is not None:
                    gone = TargetDied(turn.agent, "it was deleted", why="agentDeleted")
                    await self._delegations.settle(turn.delegation, gone)
                await self._turn_record.forget(turn.id)

    async def _take_over(
        self, member: Member, session: UnfinishedSession, begun: UnfinishedTurn | None, *, is_ended: bool = False
    ) -> None:
        agent = member.agent
        child, opened = self._processes.find(session), self._open(begun, session)
        reason, fields = "the keeper of its processes has ended", _fields("endedWithKeeper")
        try:
            if is_ended:
                reason, fields = ENDED, _fields("strayEnded")
            elif self._processes.is_ours(session):
                reason, fields = "its process is not there any more", _fields("endedUnseen")
                if await self._launcher.take_over(member, session, opened, child=child):
                    return
        except Lost:
            # A keeper that does not answer: nothing is known of its agents. Those of one that died are told by the
            # next one's name; else the project does not open, and they are let alone.
            if not await self._processes.went_with_keeper(session):
                raise
            reason, fields = "the keeper of its processes has ended", _fields("endedWithKeeper")
        except IdeaError as error:
            reason, fields = str(error), {**error.fields(), "code": error.code}
            await self._processes.end(session)
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

    def _open(self, begun: UnfinishedTurn | None, session: UnfinishedSession) -> OpenTurn | None:
        """The turn as this session goes on with it; None if it came to its end."""
        if begun is None or begun.begun is None or is_given_up(begun.begun, self._processes.find(session)):
            return None
        return OpenTurn(begun.id, self._text(begun), begun.begun, is_replayed=True)

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
            waits_for_limit=turn.waits_for_limit,
            left=turn,
        )
        known = self._delegations.find(turn.delegation) if turn.delegation is not None else None
        if known is not None and known.state.is_open:
            self._open_asks.add_left(member, waiting)
        return waiting


def _fields(why: Why) -> dict[str, object]:
    return Lost("Its process", why=why).fields() | {"code": Lost.code}
