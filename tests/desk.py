"""The whole application of one project on fakes, for tests that drive it through `dispatch`."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from idea.adapters.patterns import matches
from idea.adapters.screen.choice import AvailableScreens
from idea.application.commands import Command
from idea.application.event_log import EventLog
from idea.application.ports import ProjectPaths
from idea.application.state import AgentState
from idea.application.supervisor import Supervisor
from idea.application.terminals.terminal_order import TerminalOrder
from idea.bootstrap.assemble import assemble_project
from idea.bootstrap.project_ports import ProjectPorts
from idea.domain.agents import Agent
from idea.domain.delegation import Requester, Source
from idea.domain.errors import Closed, IdeaError
from idea.domain.events import Event
from idea.domain.ids import AgentSlug, ProjectId
from tests.fakes.agents import FakeAgentStore, FakeProfiles
from tests.fakes.clock import FakeClock, Numbers
from tests.fakes.engines import FakeEngines
from tests.fakes.files import FakeLayoutStore, FakeSettingsStore, FakeSharedLayoutStore, FakeStoppedAgents, FakeTrust
from tests.fakes.launches import FakeEarlier, FakeRunDirectories
from tests.fakes.processes import FakeKeeper, FakeLocks
from tests.fakes.records import FakeRecords, FakeUnfinishedWork
from tests.patience import PATIENCE_S

E = TypeVar("E")
R = TypeVar("R")
HUMAN = Requester(Source.CLI)


class Desk:
    """`dispatch` is the door; the fakes are open for arranging and for looking."""

    def __init__(self, *agents: Agent, before: "Desk | None" = None) -> None:
        """`before` was killed: what outlives a server is taken over from it."""
        self.keeper = FakeKeeper()
        self.clock = FakeClock()
        self._numbers = Numbers()
        self.trust = FakeTrust()
        self.locks = FakeLocks()
        self.earlier = FakeEarlier()
        self.records = FakeRecords()
        self.work = FakeUnfinishedWork(self.records)
        self.run_directories = FakeRunDirectories()
        self.store = FakeAgentStore(*agents)
        self.settings = FakeSettingsStore()
        self.layouts = FakeLayoutStore()
        self.shared_layouts = FakeSharedLayoutStore()
        self.stopped = FakeStoppedAgents()
        if before is not None:
            self.keeper, self.records, self.work = before.keeper, before.records, before.work
            self.store, self.clock, self._numbers = before.store, before.clock, before._numbers
            self.settings, self.layouts, self.shared_layouts = before.settings, before.layouts, before.shared_layouts
            self.records.trouble, self.records.writes_left = None, None
        self.events: list[Event] = []
        self.log = EventLog("epoch")
        self._happened = asyncio.Event()
        self._supervisor = Supervisor("desk")
        root = Path("/project")
        assembled = assemble_project(
            ProjectPaths(ProjectId("p"), root, root / ".ideai", root / "run", root / "state", root / "sock"),
            ProjectPorts(
                keeper=self.keeper,
                engines=FakeEngines(self.keeper),
                matches=matches,
                screens=AvailableScreens(),
                profiles=FakeProfiles(),
                trust=self.trust,
                run_directories=self.run_directories,
                locks=self.locks,
                records=self.records,
                work=self.work,
                agents=self.store,
                settings=self.settings,
                layouts=self.layouts,
                shared_layouts=self.shared_layouts,
                earlier=self.earlier,
                stopped=self.stopped,
                clock=self.clock,
                new_id=self._numbers,
            ),
            is_demo=False,
            order=TerminalOrder(),
            supervisor=self._supervisor,
            publish=self._publish,
        )
        self.project, self.team, self.open_asks = assembled.project, assembled.team, assembled.open_asks
        self.start, self.files, self.end = assembled.start, assembled.files, assembled.end
        self.hooks = assembled.hooks
        self.dispatch = self.project.dispatch

    async def until(self, is_true: Callable[[], bool]) -> None:
        """Looks again after each event, since every change publishes one."""
        while not is_true():
            self._happened.clear()
            await self._happened.wait()

    async def outcome(self, command: Command[R], requester: Requester = HUMAN) -> R | IdeaError:
        """As a task of the test's own: a refusal is a result and takes no other task along."""
        try:
            return await self.dispatch(requester, command)
        except IdeaError as error:
            return error

    def look(self, slug: str) -> AgentState:
        return next(state for state in self.project.state().agents if state.agent.slug == slug)

    def queue(self, slug: str) -> int:
        return self.look(slug).queue_length

    def _publish(self, event: Event) -> None:
        self.events.append(event)
        self._happened.set()
        self.log.publish(event)

    def seen(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    def requester(self, slug: str) -> Requester:
        """As the agents' door stamps it: the agent, in the turn it is in."""
        agent = self.store.agents[AgentSlug(slug)]
        return Requester(Source.MCP, agent.id, self.team.find_turn(agent.id))

    def kill(self) -> None:
        """What this server does from now on reaches no record any more."""
        self.records.trouble = Closed("The project's record")

    @asynccontextmanager
    async def open(self) -> AsyncIterator[asyncio.TaskGroup]:
        """A task group for the test's own requests; everything is bounded."""
        ready = asyncio.Event()
        async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
            tasks.create_task(self._supervisor.run(ready=ready), name="desk")
            await ready.wait()
            await self.start.load()
            self.start.begin()
            try:
                yield tasks
            finally:
                self._supervisor.close()
