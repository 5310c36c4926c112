"""What becomes of an ask whose turn, or whose target, ends without an answer."""

import pytest

from idea.application.commands import AskAgent, SendMessage, StopAgent
from idea.domain.conversation import ItemKind
from idea.domain.errors import (
    Cancelled,
    IdeaError,
    TargetDied,
    TargetRateLimited,
    TargetReturnedNoReply,
    Timeout,
    TurnFailed,
)
from idea.domain.events import TurnEnded, TurnStarted
from idea.domain.readiness import ReadinessState
from idea.domain.replies import Failed, FailureKind, Final, RateLimited
from tests.application.conftest import LoopTime
from tests.desk import HUMAN, Desk
from tests.fakes.agents import make_agent
from tests.fakes.clock import NOON

QA = make_agent("qa")


async def test_a_turn_over_its_limit_is_interrupted_and_its_late_text_is_nobodys_answer(loop_time: LoopTime) -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.outcome(AskAgent("qa", "slow", timeout_s=5)))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        loop_time.move(5)
        timeout = await asking
        await qa.interrupts.get()
        following = tasks.create_task(desk.dispatch(HUMAN, AskAgent("qa", "next")))
        await desk.until(lambda: desk.queue("qa") == 1)
        assert qa.prompts.empty()

        qa.say(Final("too late"))
        assert "next" in await qa.prompts.get()
        qa.say(Final("in time"))
        assert (await following).reply == "in time"

    assert isinstance(timeout, Timeout)
    assert not timeout.is_queued
    assert len(desk.keeper.spawned) == 1
    assert "too late" in [item.text for item in desk.records.items]


async def test_waiting_too_long_in_the_queue_is_a_timeout_of_its_own() -> None:
    desk = Desk(QA)
    desk.settings.settings = type(desk.settings.settings)(queue_wait_s=1)
    async with desk.open() as tasks:
        first = tasks.create_task(desk.dispatch(HUMAN, AskAgent("qa", "one")))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()

        with pytest.raises(Timeout) as timeout:
            await desk.dispatch(HUMAN, AskAgent("qa", "two"))

        assert timeout.value.is_queued
        qa.say(Final("ok"))
        await first
        assert qa.prompts.empty()


async def test_a_cancelled_ask_leaves_the_queue() -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        first = tasks.create_task(desk.dispatch(HUMAN, AskAgent("qa", "one")))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        second = tasks.create_task(desk.dispatch(HUMAN, AskAgent("qa", "two")))
        third = tasks.create_task(desk.dispatch(HUMAN, AskAgent("qa", "three")))
        await desk.until(lambda: desk.queue("qa") == 2)

        second.cancel()
        qa.say(Final("1"))
        await first
        assert "three" in await qa.prompts.get()
        qa.say(Final("3"))
        assert (await third).reply == "3"

    outcomes = [delegation.outcome for delegation in desk.records.delegations.values()]
    assert outcomes == ["ANSWERED", "CANCELLED", "ANSWERED"]


async def test_cancelling_a_running_ask_interrupts_its_turn() -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.dispatch(HUMAN, AskAgent("qa", "one")))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        await desk.until(lambda: desk.team.find_turn(QA.id) is not None)
        asking.cancel()
        await qa.interrupts.get()
        qa.say(Failed(FailureKind.INTERRUPTED, "stopped"))
        await desk.until(lambda: desk.look("qa").readiness.state is ReadinessState.IDLE)

    assert [delegation.outcome for delegation in desk.records.delegations.values()] == ["CANCELLED"]


@pytest.mark.parametrize(
    ("events", "error"),
    [
        ((Final(""),), TargetReturnedNoReply),
        ((Final("  \n"),), TargetReturnedNoReply),
        ((Failed(FailureKind.ENGINE, "overloaded"),), TurnFailed),
        ((Failed(FailureKind.INTERRUPTED, "esc"),), Cancelled),
        ((RateLimited(NOON), Failed(FailureKind.LIMITED, "5-hour limit")), TargetRateLimited),
    ],
)
async def test_a_turn_without_an_answer_says_what_became_of_it(
    events: tuple[object, ...], error: type[IdeaError]
) -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.outcome(AskAgent("qa", "hi")))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        qa.say(*events)  # type: ignore[arg-type]  # the table mixes kinds
        assert type(await asking) is error

    assert desk.seen(TurnEnded)[-1].outcome == error.code


@pytest.mark.parametrize("what_lingers", ["a grandchild", "the secret's file"])
async def test_an_ask_that_waits_while_its_target_dies_is_taken_by_the_next_process(what_lingers: str) -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.outcome(AskAgent("qa", "one")))
        waiting = tasks.create_task(desk.outcome(AskAgent("qa", "two")))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        is_gone = qa.tree_is_gone if what_lingers == "a grandchild" else desk.run_directories.may_retire
        is_gone.clear()
        qa.exit(3)
        assert isinstance(await asking, TargetDied)

        await desk.until(lambda: len(desk.seen(TurnStarted)) == 2)
        is_gone.set()
        again = await desk.keeper.process("qa", nth=2)
        assert "two" in await again.prompts.get()
        again.say(Final("done"))
        assert getattr(await waiting, "reply", None) == "done"


async def test_a_target_that_dies_is_told_and_started_again_for_the_next() -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.outcome(AskAgent("qa", "one")))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        qa.exit(3)
        died = await asking
        assert isinstance(died, TargetDied)
        assert died.fields().items() >= {"why": "ended", "code": 3, "signal": None}.items()

        again = tasks.create_task(desk.outcome(AskAgent("qa", "two")))
        qa = await desk.keeper.process("qa", nth=2)
        await qa.prompts.get()
        qa.say(Final("back"))
        assert getattr(await again, "reply", None) == "back"


async def test_a_message_that_a_cli_took_just_before_it_died_is_not_given_to_the_next_one() -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        first = tasks.create_task(desk.outcome(AskAgent("qa", "one")))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        qa.say(Final("done"))
        await first
        qa.is_written_to.clear()
        qa.may_read.clear()
        asking = tasks.create_task(desk.outcome(AskAgent("qa", "crash")))
        await qa.is_written_to.wait()

        # Both are known in the same moment, the end first.
        qa.exit(None, 9)
        qa.may_read.set()

        assert isinstance(await asking, TargetDied)
    assert len(desk.keeper.spawned) == 1


async def test_stopping_an_agent_settles_what_runs_and_what_waits() -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        asks = [tasks.create_task(desk.outcome(AskAgent("qa", "one")))]
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        asks.append(tasks.create_task(desk.outcome(AskAgent("qa", "two"))))
        await desk.until(lambda: desk.queue("qa") == 1)

        report = await desk.dispatch(HUMAN, StopAgent("qa"))
        outcomes = [await ask for ask in asks]

    assert [type(outcome) for outcome in outcomes] == [Cancelled, Cancelled]
    assert report.exit is not None
    assert report.exit.code == 0
    assert len(desk.keeper.spawned) == 1
    assert desk.locks.held == set()


async def test_a_persons_messages_that_waited_when_the_agent_was_stopped_are_kept_with_what_became_of_them() -> None:
    desk = Desk(QA)
    async with desk.open():
        await desk.dispatch(HUMAN, SendMessage("qa", "one"))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        for text in ("two", "three"):
            await desk.dispatch(HUMAN, SendMessage("qa", text))

        await desk.dispatch(HUMAN, StopAgent("qa"))
        await desk.until(lambda: sum(item.kind is ItemKind.FAILURE for item in desk.records.items) == 3)

    kept = [(item.kind, item.text) for item in desk.records.items if item.kind is ItemKind.PROMPT]
    assert kept == [(ItemKind.PROMPT, text) for text in ("one", "two", "three")]
    failures = [item for item in desk.records.items if item.kind is ItemKind.FAILURE]
    assert {item.outcome for item in failures} == {"CANCELLED"}
    assert [item.fields.get("given") for item in failures] == [None, False, False]
    assert (desk.queue("qa"), len(desk.keeper.spawned)) == (0, 1)
