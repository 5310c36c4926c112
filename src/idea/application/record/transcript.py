"""The record of what was said to and by the agents of one project, numbered per agent."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from idea.application.ports import Clock, Records
from idea.domain.conversation import Item, ItemKind
from idea.domain.delegation import Delegation
from idea.domain.events import ConversationAppended, Event
from idea.domain.ids import AgentId, DelegationId, ProjectId, TurnId
from idea.domain.replies import ToolActivity

LOOKED_AT: Final = 200
"""Items of an agent among which the answer of its last turn is looked for: it is the newest but for marks."""


class Transcript:
    """An item is published when it is committed. Announcements and partial text never come here.

    What cannot be committed for the moment is published too: `records` takes care that it will be.
    """

    def __init__(self, project: ProjectId, *, records: Records, clock: Clock, publish: Callable[[Event], None]) -> None:
        self._project = project
        self._records = records
        self._clock = clock
        self._publish = publish
        self._last_seq: dict[AgentId, int] = {}

    async def load(self, agents: Sequence[AgentId]) -> None:
        """Learn where each agent's numbers stand; must precede the agent's first item."""
        for agent in agents:
            if agent not in self._last_seq:
                self._last_seq[agent] = await self._records.last_seq(agent)

    def has_items(self, agent: AgentId) -> bool:
        return self._last_seq.get(agent, 0) > 0

    async def append(
        self,
        agent: AgentId,
        turn: TurnId,
        kind: ItemKind,
        text: str,
        *,
        author: str,
        delegation: DelegationId | None = None,
        tool: ToolActivity | None = None,
        outcome: str | None = None,
        fields: Mapping[str, object] | None = None,
    ) -> None:
        seq = self._last_seq[agent] = self._last_seq[agent] + 1
        item = Item(
            seq=seq,
            agent=agent,
            turn=turn,
            kind=kind,
            text=text,
            at=self._clock.now(),
            author=author,
            delegation=delegation,
            tool=tool,
            outcome=outcome,
            fields=fields or {},
        )
        await self._records.append(item)
        self._publish(ConversationAppended(self._project, item))

    async def append_asked(self, delegation: Delegation) -> None:
        """What an agent asks of another one stands in its own turn too; a person's ask has none."""
        requester = delegation.requester
        if requester.agent is not None and requester.turn is not None:
            await self.append(
                requester.agent,
                requester.turn,
                ItemKind.ASKED,
                delegation.message,
                author=requester.agent,
                delegation=delegation.id,
            )

    async def list_items(self, agent: AgentId, *, before_seq: int | None, limit: int) -> Sequence[Item]:
        return await self._records.list_items(agent, before_seq=before_seq, limit=limit)

    async def find_answer(self, agent: AgentId, turn: TurnId) -> str | None:
        """Among the newest items, since a turn that somebody still asks for was the agent's last."""
        newest = await self._records.list_items(agent, before_seq=None, limit=LOOKED_AT)
        return next((item.text for item in newest if item.turn == turn and item.kind is ItemKind.ANSWER), None)
