"""Which file is right when two claim one id, or names that could be taken for each other: the one that had it first."""

from collections.abc import Callable, Sequence

from idea.domain.agent_names import Mistakable, TakenNames, names_of
from idea.domain.agents import Agent, BrokenAgent
from idea.domain.ids import AgentId, AgentSlug

FindLine = Callable[[AgentSlug, str], int | None]
"""Where a key stands in an agent's file."""


class AgentClaims:
    """Remembers who had what; of those that are new together, the first is right."""

    def __init__(self, *, line_of: FindLine) -> None:
        self._line_of = line_of
        self._owners: dict[AgentId, AgentSlug] = {}
        self._settled: dict[AgentId, tuple[str, ...]] = {}

    def settle(self, agents: Sequence[Agent]) -> tuple[Sequence[Agent], Sequence[BrokenAgent]]:
        """Those that are right, as they came, and those that have to give way."""
        unique, twins = self._without_twins(agents)
        apart, alike = self._told_apart(unique)
        return apart, [*twins, *alike]

    def note(self, agent: Agent) -> None:
        """It was given what it has."""
        self._owners[agent.id] = agent.slug
        self._settled[agent.id] = names_of(agent)

    def _without_twins(self, agents: Sequence[Agent]) -> tuple[Sequence[Agent], Sequence[BrokenAgent]]:
        owners: dict[AgentId, AgentSlug] = {}
        slugs = {(agent.id, agent.slug) for agent in agents}
        for agent in agents:
            earlier = self._owners.get(agent.id)
            owners.setdefault(agent.id, earlier if earlier and (agent.id, earlier) in slugs else agent.slug)
        self._owners = owners
        unique = [agent for agent in agents if owners[agent.id] == agent.slug]
        twins = [self._twin(agent, f"{owners[agent.id]}.md") for agent in agents if owners[agent.id] != agent.slug]
        return unique, twins

    def _told_apart(self, agents: Sequence[Agent]) -> tuple[Sequence[Agent], Sequence[BrokenAgent]]:
        first = sorted(agents, key=lambda agent: self._settled.get(agent.id) != names_of(agent))
        taken, settled, alike = TakenNames(), dict[AgentId, tuple[str, ...]](), list[BrokenAgent]()
        for agent in first:
            clash = taken.find(*names_of(agent))
            if clash is None:
                taken.add(agent)
                settled[agent.id] = names_of(agent)
            else:
                alike.append(self._mistakable(agent, clash))
        self._settled = settled
        return [agent for agent in agents if agent.id in settled], alike

    def _twin(self, agent: Agent, file: str) -> BrokenAgent:
        reason = f"it has the same id as {file}; remove its id and a new one is made"
        return BrokenAgent(agent.slug, self._line_of(agent.slug, "id"), reason, "agentIdTwice", {"file": file})

    def _mistakable(self, agent: Agent, clash: Mistakable) -> BrokenAgent:
        # The file's own name stands in no line.
        line = self._line_of(agent.slug, "name") if clash.name == agent.name else None
        return BrokenAgent(agent.slug, line, clash.explain(), "agentNameTaken", clash.fields())
