"""The one place that says whether each agent can take a prompt, and what makes us believe so."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime

from idea.application.ports import Clock
from idea.domain.events import AgentReadinessChanged, Event
from idea.domain.ids import AgentId, ProjectId
from idea.domain.readiness import BeliefSource, Readiness, ReadinessReason, ReadinessState


class Beliefs:
    """The readiness of every agent of one project; each change is published once."""

    def __init__(self, project: ProjectId, *, clock: Clock, publish: Callable[[Event], None]) -> None:
        self._project = project
        self._clock = clock
        self._publish = publish
        self._readiness: dict[AgentId, Readiness] = {}
        self._held: dict[AgentId, Readiness] = {}
        """Whose CLI waits, whatever it said last: true before all else that is believed of one that runs."""
        self._watchers: list[Callable[[AgentId], None]] = []

    def watch(self, on_change: Callable[[AgentId], None]) -> None:
        """`on_change` hears of each change, after it was published."""
        self._watchers.append(on_change)

    def get(self, agent: AgentId) -> Readiness:
        """An agent nobody launched yet counts as exited, without a code."""
        return self._held.get(agent) or self._find(agent)

    def _find(self, agent: AgentId) -> Readiness:
        known = self._readiness.get(agent)
        if known is None:
            known = self._readiness[agent] = Readiness(
                ReadinessState.EXITED, ReadinessReason.NEVER_LAUNCHED, BeliefSource.KEEPER, self._clock.now()
            )
        return known

    def believe(
        self,
        agent: AgentId,
        state: ReadinessState,
        reason: ReadinessReason,
        source: BeliefSource,
        *,
        detail: str = "",
        until: datetime | None = None,
        exit_code: int | None = None,
        fields: Mapping[str, object] | None = None,
    ) -> None:
        """`since` moves only when the state does."""
        shown, old = self.get(agent), self._find(agent)
        now = self._clock.now()
        new = Readiness(state, reason, source, now, detail=detail, until=until, exit_code=exit_code)
        new = replace(new, fields=fields or {})
        if old.state is state:
            new = replace(new, since=old.since)
        self._readiness[agent] = new
        if state is ReadinessState.EXITED:
            self._held.pop(agent, None)
        self._tell_if_other(agent, shown)

    def hold(self, agent: AgentId, detail: str) -> None:
        """What it writes cannot be put by, for this reason of the system; empty: it goes on. Idempotent."""
        shown = self.get(agent)
        if detail and self._find(agent).state is not ReadinessState.EXITED:
            now = self._clock.now() if agent not in self._held else self._held[agent].since
            state, reason = ReadinessState.STALLED, ReadinessReason.OUTPUT_HELD
            self._held[agent] = Readiness(state, reason, BeliefSource.KEEPER, now, detail=detail)
        else:
            self._held.pop(agent, None)
        self._tell_if_other(agent, shown)

    def _tell_if_other(self, agent: AgentId, shown: Readiness) -> None:
        new = self.get(agent)
        if new != shown:
            self._publish(AgentReadinessChanged(self._project, agent, new))
            for watcher in self._watchers:
                watcher(agent)

    def forget(self, agent: AgentId) -> None:
        self._readiness.pop(agent, None)
        self._held.pop(agent, None)
