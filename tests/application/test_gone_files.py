"""A file that goes away for a moment takes nothing of its agent's work along."""

from idea.application.commands import AskAgent
from idea.application.projects.team_files import GONE_S
from idea.domain.errors import Closed
from idea.domain.events import AgentRemoved
from idea.domain.ids import AgentSlug
from idea.domain.replies import Final
from tests.desk import Desk
from tests.fakes.agents import make_agent

QA = make_agent("qa")


async def test_an_agent_whose_file_is_back_in_a_moment_goes_on_with_its_turn() -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.outcome(AskAgent("qa", "one")))
        process = await desk.keeper.process("qa")
        await process.prompts.get()
        desk.store.agents.clear()
        desk.clock.asleep.clear()
        await desk.files.reload()
        await desk.clock.asleep.wait()
        desk.clock.move(GONE_S / 2)
        desk.store.agents[AgentSlug("qa")] = QA
        await desk.files.reload()
        desk.clock.move(GONE_S)
        process.say(Final("done"))

        assert getattr(await asking, "reply", None) == "done"

    assert desk.seen(AgentRemoved) == []


async def test_an_agent_whose_file_stays_away_is_stopped_after_a_while() -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.outcome(AskAgent("qa", "one")))
        await (await desk.keeper.process("qa")).prompts.get()
        desk.store.agents.clear()
        desk.clock.asleep.clear()
        await desk.files.reload()
        await desk.clock.asleep.wait()
        assert desk.seen(AgentRemoved) == []
        desk.clock.move(GONE_S)

        assert isinstance(await asking, Closed)
        await desk.until(lambda: bool(desk.seen(AgentRemoved)))


async def test_an_agent_that_does_nothing_goes_with_its_file_at_once() -> None:
    desk = Desk(QA)
    async with desk.open():
        desk.store.agents.clear()
        await desk.files.reload()

        assert len(desk.seen(AgentRemoved)) == 1
