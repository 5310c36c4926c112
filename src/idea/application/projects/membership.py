"""Who is of the team: what begins when an agent appears, and ends when it is removed."""

import asyncio
from collections.abc import Callable
from functools import partial

from idea.application.beliefs import Beliefs
from idea.application.ports import Records
from idea.application.record.transcript import Transcript
from idea.application.restart.restore import Restore
from idea.application.sessions.agent_stopper import AgentStopper
from idea.application.sessions.live_sessions import LiveSessions
from idea.application.supervisor import Supervisor
from idea.application.team.team import Member, Team
from idea.application.turns.turn_runner import TurnRunner
from idea.domain.agents import Agent
from idea.domain.errors import Closed
from idea.domain.events import AgentRemoved, AgentSaved, Event
from idea.domain.ids import AgentId, ProjectId
from idea.domain.sessions import SessionRole


class Membership:
    """Every agent of the team has one turn worker, from its appearance to its removal."""

    def __init__(
        self,
        project: ProjectId,
        *,
        team: Team,
        live: LiveSessions,
        beliefs: Beliefs,
        records: Records,
        transcript: Transcript,
        restore: Restore,
        turns: TurnRunner,
        stopper: AgentStopper,
        supervisor: Supervisor,
        publish: Callable[[Event], None],
    ) -> None:
        self._project = project
        self._team = team
        self._live = live
        self._beliefs = beliefs
        self._records = records
        self._transcript = transcript
        self._restore = restore
        self._turns = turns
        self._stopper = stopper
        self._supervisor = supervisor
        self._publish = publish
        self._workers: dict[AgentId, asyncio.Task[None]] = {}

    async def put(self, agent: Agent) -> None:
        """As it is from now on; one that is not of the team joins it."""
        known = self._team.find(agent.id)
        if known is not None and known.agent == agent:
            return
        await self._transcript.load([agent.id])
        member = self._team.put(agent)
        if known is None:
            await self._begin(member)
        self._publish(AgentSaved(self._project, agent))

    async def _begin(self, member: Member) -> None:
        agent = member.agent
        member.conversation = await self._records.find_conversation(agent.id)
        member.side_conversation = await self._records.find_conversation(agent.id, role=SessionRole.SIDE)
        await self._restore.take_up(member)
        worker = self._supervisor.start(partial(self._turns.run, member), name=f"turns-{agent.slug}")
        # However it ends, also before it began: nobody may wait for a worker that is gone.
        worker.add_done_callback(lambda _: member.mailbox.close(Closed(member.agent.name)))
        self._workers[agent.id] = worker

    async def forget_conversations(self, member: Member) -> None:
        """The next launch of either of its sessions begins anew."""
        member.conversation = member.side_conversation = None
        for role in SessionRole:
            await self._records.save_conversation(member.agent.id, None, role=role)

    async def remove(self, member: Member) -> None:
        """Its sessions are ended. Raises `EngineFailed` when something of one resists; it stays of the team then."""
        agent = member.agent
        deleted = Closed(agent.name, is_deleted=True)
        # Before it is stopped: whoever asks meanwhile would start it again.
        member.mailbox.close(deleted)
        await self._stopper.stop(member, because=deleted)
        self._workers.pop(agent.id).cancel()
        self._team.remove(agent.id)
        self._beliefs.forget(agent.id)
        self._live.forget(agent.id)
        self._publish(AgentRemoved(self._project, agent.id))
