"""Asks that are open, without the turns that answer them: who waits for each, and when it is taken back."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from idea.application.record.delegations import Delegations
from idea.application.supervisor import Supervisor
from idea.application.team.mailbox import WaitingTurn
from idea.application.team.team import Team
from idea.application.turns.open_asks import OpenAsk, OpenAsks
from idea.domain.delegation import Requester, Source
from idea.domain.errors import Cancelled
from idea.domain.events import DelegationChanged, Event
from idea.domain.ids import DelegationId, ProjectId, TurnId
from idea.domain.settings import Settings
from tests.fakes.agents import make_agent
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.records import FakeRecords
from tests.patience import PATIENCE_S

MAIN, QA = (make_agent(slug) for slug in ("main", "qa"))


class Shop:
    """The open asks without the turns that answer them, as if an earlier server had begun those."""

    def __init__(self) -> None:
        project = ProjectId("p")
        self.records = FakeRecords()
        self.settled: asyncio.Queue[DelegationId] = asyncio.Queue()
        self.delegations = Delegations(project, records=self.records, clock=FakeClock(), publish=self._publish)
        self._supervisor = Supervisor("shop")
        self.open_asks = OpenAsks(
            delegations=self.delegations, settings=Settings, supervisor=self._supervisor, clock=FakeClock()
        )
        self._qa = Team(project, publish=lambda _: None).put(QA)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[asyncio.TaskGroup]:
        ready = asyncio.Event()
        async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
            tasks.create_task(self._supervisor.run(ready=ready))
            await ready.wait()
            yield tasks
            self._supervisor.close()

    def _publish(self, event: Event) -> None:
        if isinstance(event, DelegationChanged) and not event.delegation.state.is_open:
            self.settled.put_nowait(event.delegation.id)

    def ask(self, name: str, source: Source = Source.MCP) -> OpenAsk:
        requester = Requester(source, MAIN.id if source is Source.MCP else None)
        delegation = self.delegations.add(
            DelegationId(name),
            requester=requester,
            requester_name="Main",
            target=QA.id,
            target_name=QA.name,
            message="Do the tests pass?",
            depth=1,
        )
        waiting = WaitingTurn(
            turn=TurnId(f"turn of {name}"),
            requester=requester,
            requester_name="Main",
            delegation=delegation.id,
            text="Do the tests pass?",
            message="Do the tests pass?",
            limit_s=None,
            since=NOON,
        )
        # Its turn runs.
        waiting.left_queue.set()
        return self.open_asks.add(self._qa, waiting)


async def test_a_server_that_lets_go_leaves_its_asks_to_the_next_one() -> None:
    shop = Shop()
    async with shop.open() as tasks:
        ask = shop.ask("d1")
        attending = tasks.create_task(shop.open_asks.attend(ask))
        await asyncio.sleep(0)
        shop.open_asks.let_go()
        attending.cancel()
        await asyncio.wait([attending])

    assert shop.delegations.get(ask.delegation).state.is_open
    assert not ask.waiting.settled.done()


async def test_an_open_ask_of_an_earlier_server_is_joined() -> None:
    shop = Shop()
    async with shop.open() as tasks:
        ask = shop.ask("d1")
        joining = [tasks.create_task(shop.open_asks.attend(ask)) for _ in range(3)]
        await asyncio.sleep(0)
        await shop.delegations.settle(ask.delegation, "done")
        ask.waiting.settle("done")
        answers = [await each for each in joining]

    assert [answer.reply for answer in answers] == ["done"] * 3
    assert shop.open_asks.find(ask.delegation) is None


async def test_what_nobody_waits_for_settles_all_the_same() -> None:
    shop = Shop()
    async with shop.open():
        ask = shop.ask("d1")
        ask.waiting.settle(Cancelled("QA", "stop"))
        assert await shop.settled.get() == ask.delegation

    assert shop.records.delegations["d1"].outcome == "CANCELLED"
    assert shop.open_asks.find(ask.delegation) is None


async def test_what_no_bridge_came_back_for_is_taken_back() -> None:
    shop = Shop()
    async with shop.open() as tasks:
        claimed, unclaimed, human = shop.ask("d1"), shop.ask("d2"), shop.ask("d3", Source.CLI)
        attending = tasks.create_task(shop.open_asks.attend(claimed))
        await asyncio.sleep(0)
        shop.open_asks.take_back_unclaimed()
        assert await shop.settled.get() == unclaimed.delegation
        await shop.delegations.settle(claimed.delegation, "done")
        claimed.waiting.settle("done")
        await attending

    assert isinstance(unclaimed.waiting.settled.exception(), Cancelled)
    assert not human.waiting.settled.done()
