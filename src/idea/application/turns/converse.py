"""A human's own messages to an agent, and their way to stop or take back a turn."""

from idea.application.ports import Clock, NewId
from idea.application.record.turn_record import TurnRecord
from idea.application.sessions.approved_files import ApprovedFiles
from idea.application.sessions.live_sessions import LiveSessions
from idea.application.sessions.passage import judge_role
from idea.application.team.mailbox import WaitingTurn
from idea.application.team.team import Team
from idea.domain.agents import Agent
from idea.domain.delegation import Requester
from idea.domain.errors import Cancelled, Conflict, Invalid, NotFound
from idea.domain.ids import AgentId, TurnId
from idea.domain.unfinished import turn_of_message


class Converse:
    """The same queue as everybody's."""

    def __init__(
        self,
        *,
        team: Team,
        live: LiveSessions,
        approved: ApprovedFiles,
        turns: TurnRecord,
        clock: Clock,
        new_id: NewId,
    ) -> None:
        self._team = team
        self._live = live
        self._approved = approved
        self._turns = turns
        self._clock = clock
        self._new_id = new_id

    async def send(self, requester: Requester, agent: str, message: str, *, message_id: str | None = None) -> TurnId:
        """Into the queue. A message that is sent again is the turn that it became at first.

        Raises:
            NotFound: there is no such agent, or no profile of the name that its file gives.
            Invalid: nothing is said, or the agent runs as a terminal.
            TrustRequired: the agent would have to be started, which waits for an approval.
            Conflict: its file is broken, or the queue is full.
        """
        if not message.strip():
            raise Invalid("The message is empty.", why="messageEmpty")
        member = self._team.resolve(agent)
        known = member.agent
        turn = TurnId(self._new_id()) if message_id is None else turn_of_message(known.id, message_id, message)
        async with member.arrivals:
            if message_id is not None and await self._is_taken(known.id, turn):
                return turn
            return await self._take(requester, known, turn, message)

    async def _take(self, requester: Requester, known: Agent, turn: TurnId, message: str) -> TurnId:
        if self._live.find(known.id) is None:
            # Its launch would find the same, but by then the message is a turn on record, which failed.
            await self._approved.read(known)
        # Looked up again: it may have been removed meanwhile.
        member = self._team.resolve(known.id)
        # Sent twice in the same moment.
        if self._turns.has(turn):
            return turn
        judge_role(member, self._live.find(member.agent.id), delegation=None)
        waiting = WaitingTurn(
            turn=turn,
            requester=requester,
            requester_name=self._team.name_of(requester),
            delegation=None,
            text=message,
            message=message,
            limit_s=None,
            since=self._clock.now(),
        )
        member.mailbox.put(waiting)
        # Whoever sent it may rely on it from now on, whatever becomes of this server.
        await self._turns.queue(member.agent.id, waiting)
        return waiting.turn

    async def _is_taken(self, agent: AgentId, turn: TurnId) -> bool:
        """It waits, is worked on, or had an end. One that was taken out of the queue is as if never sent."""
        return self._turns.has(turn) or (await self._turns.on_record(agent, turn)).has_prompt

    def interrupt(self, agent: str, turn: TurnId) -> None:
        """Stop the running turn. Raises `Conflict` if another one, or none, runs by now."""
        member = self._team.resolve(agent)
        running = member.running
        if running is None or running.live.id != turn:
            raise Conflict("This turn has ended already.", why="turnEnded")
        running.request_stop(Cancelled(member.agent.name, "user"))

    def cancel(self, agent: str, turn: TurnId) -> str:
        """Take a waiting turn out of the queue; its message. Raises `NotFound` if it does not wait."""
        member = self._team.resolve(agent)
        waiting = member.mailbox.find(turn)
        if waiting is None:
            raise NotFound("waiting turn", turn)
        member.mailbox.remove(waiting, Cancelled(member.agent.name, "user"))
        return waiting.message
