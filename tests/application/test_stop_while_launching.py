"""A turn can be seen and stopped from the moment it leaves the queue, also while its agent is still being launched."""

import pytest

from idea.application.commands import AskAgent, InterruptTurn, SendMessage, StopAgent
from idea.domain.conversation import ItemKind
from idea.domain.errors import Cancelled
from idea.domain.events import TurnEnded, TurnStarted
from idea.domain.readiness import ReadinessReason, ReadinessState
from idea.domain.replies import EngineReady, Final
from tests.desk import HUMAN, Desk
from tests.fakes.agents import make_agent

QA = make_agent("qa")


async def test_a_turn_whose_agent_is_being_launched_is_shown_and_can_be_stopped() -> None:
    desk = Desk(QA)
    desk.keeper.is_ready_at_once = False
    async with desk.open():
        turn = await desk.dispatch(HUMAN, SendMessage("qa", "never sent"))
        await desk.until(lambda: bool(desk.seen(TurnStarted)))
        shown = desk.look("qa").live_turn
        assert shown is not None
        assert shown.id == turn

        await desk.dispatch(HUMAN, InterruptTurn("qa", turn))
        process = await desk.keeper.process("qa")
        process.say(EngineReady())
        await desk.until(lambda: bool(desk.seen(TurnEnded)))

    assert process.prompts.empty()
    assert [event.outcome for event in desk.seen(TurnEnded)] == ["CANCELLED"]
    assert [item.kind for item in desk.records.items] == [ItemKind.PROMPT, ItemKind.FAILURE]
    assert (desk.records.items[1].outcome, desk.records.items[1].fields) == (
        "CANCELLED",
        {"by": "user", "given": False},
    )


async def test_the_agent_launched_for_a_stopped_turn_takes_the_next_one() -> None:
    desk = Desk(QA)
    desk.keeper.is_ready_at_once = False
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.outcome(AskAgent("qa", "never sent")))
        await desk.until(lambda: desk.look("qa").live_turn is not None)
        waiting = tasks.create_task(desk.outcome(AskAgent("qa", "sent")))
        turn = desk.look("qa").live_turn
        assert turn is not None
        await desk.dispatch(HUMAN, InterruptTurn("qa", turn.id))
        assert isinstance(await asking, Cancelled)

        process = await desk.keeper.process("qa")
        process.say(EngineReady())
        assert "sent" in await process.prompts.get()
        process.say(Final("done"))
        assert getattr(await waiting, "reply", None) == "done"

    assert len(desk.keeper.spawned) == 1


@pytest.mark.parametrize("is_hung_up", [True, False])
async def test_a_turn_that_ended_before_its_message_was_sent_leaves_an_idle_agent(is_hung_up: bool) -> None:
    desk = Desk(QA)
    desk.keeper.is_ready_at_once = False
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.outcome(AskAgent("qa", "never sent")))
        await desk.until(lambda: bool(desk.seen(TurnStarted)))
        if is_hung_up:
            asking.cancel()
        else:
            await desk.dispatch(HUMAN, InterruptTurn("qa", desk.seen(TurnStarted)[0].turn))
        (await desk.keeper.process("qa")).say(EngineReady())
        await desk.until(lambda: bool(desk.seen(TurnEnded)))
        assert desk.look("qa").readiness.state is ReadinessState.IDLE
        assert desk.look("qa").live_turn is None


async def test_a_stop_that_comes_while_the_process_is_being_made_ends_it() -> None:
    desk = Desk(QA)
    desk.keeper.may_spawn.clear()
    desk.keeper.is_ready_at_once = False
    async with desk.open() as tasks:
        await desk.dispatch(HUMAN, SendMessage("qa", "begun"))
        await desk.until(lambda: desk.look("qa").session is not None)
        await desk.dispatch(HUMAN, SendMessage("qa", "waiting"))
        stopping = tasks.create_task(desk.outcome(StopAgent("qa")))
        await desk.until(lambda: desk.queue("qa") == 0)

        desk.keeper.may_spawn.set()
        await stopping
        assert desk.look("qa").session is None
        assert desk.look("qa").readiness.reason is ReadinessReason.STOPPED

    (process,) = desk.keeper.spawned
    assert (await process.wait()).signal == 15
