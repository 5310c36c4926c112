"""A permission request waits for a person, and for nobody else."""

import asyncio
from dataclasses import replace

import pytest

from idea.application.commands import AskAgent
from idea.domain.errors import NotFound, Timeout
from idea.domain.events import PermissionAsked, PermissionSettled
from idea.domain.ids import RequestId
from idea.domain.readiness import ReadinessState
from idea.domain.replies import Decision, Final, PermissionRequested
from tests.application.conftest import LoopTime
from tests.desk import HUMAN, Desk
from tests.fakes.agents import make_agent
from tests.fakes.processes import FakeProcess

QA, MAIN, OTHER = (make_agent(slug) for slug in ("qa", "main", "other"))
LIMIT_S = 1
REQUEST = PermissionRequested(RequestId("r1"), "Bash", "run a command", "npm i left-pad")


async def test_a_persons_answer_reaches_the_engine_once() -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.dispatch(HUMAN, AskAgent("qa", "go")))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        qa.say(REQUEST)
        await desk.until(lambda: desk.project.state().permissions != ())
        assert desk.look("qa").readiness.state is ReadinessState.WAITING_PERMISSION

        await desk.project.decide_permission(QA.id, RequestId("r1"), Decision.ALLOW_ONCE)
        assert await qa.answers.get() == "r1 allowOnce"
        with pytest.raises(NotFound):
            await desk.project.decide_permission(QA.id, RequestId("r1"), Decision.DENY)
        assert desk.look("qa").readiness.state is ReadinessState.WORKING
        qa.say(Final("done"))
        await asking
        # Nothing goes on to wait for its time.
        assert [task for task in asyncio.all_tasks() if task.get_name().endswith("permission-expiry")] == []

    assert qa.answers.empty()


async def test_an_unanswered_request_is_denied_after_its_time() -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.dispatch(HUMAN, AskAgent("qa", "go")))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        qa.say(REQUEST)
        await desk.clock.asleep.wait()
        desk.clock.move(600)
        assert await qa.answers.get() == "r1 deny"
        qa.say(Final("then not"))
        await asking

    asked, settled = desk.seen(PermissionAsked)[0], desk.seen(PermissionSettled)[0]
    assert (asked.expires_at - asked.at).total_seconds() == 600
    assert (settled.decision, settled.by) == (Decision.DENY, "timeout")


async def test_a_request_ends_with_its_turn() -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.dispatch(HUMAN, AskAgent("qa", "go")))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        qa.say(REQUEST, Final("changed my mind"))
        await asking
        assert desk.project.state().permissions == ()

    assert desk.seen(PermissionSettled)[0].by == "turnEnded"


async def ask_a_person(desk: Desk, tasks: asyncio.TaskGroup) -> FakeProcess:
    """QA is asked and asks a person; its turn is not what takes too long."""
    tasks.create_task(desk.outcome(AskAgent("qa", "go", timeout_s=3 * LIMIT_S)))
    qa = await desk.keeper.process("qa")
    await qa.prompts.get()
    qa.say(REQUEST)
    await desk.until(lambda: desk.project.state().permissions != ())
    return qa


async def test_neither_who_waits_for_a_person_nor_who_waits_for_that_agent_is_slow(loop_time: LoopTime) -> None:
    desk = Desk(MAIN, QA, OTHER)
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.outcome(AskAgent("main", "go", timeout_s=LIMIT_S)))
        main = await desk.keeper.process("main")
        await main.prompts.get()
        ask = AskAgent("qa", "go", timeout_s=LIMIT_S)
        delegated = tasks.create_task(desk.outcome(ask, desk.requester("main")))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        qa.say(REQUEST)
        await desk.until(lambda: desk.project.state().permissions != ())
        assert desk.team.find_wait("qa") == desk.team.find_wait("Main") == "Qa: run a command"

        # A third one is slow when the time of all three has passed.
        slow = tasks.create_task(desk.outcome(AskAgent("other", "go", timeout_s=LIMIT_S)))
        await (await desk.keeper.process("other")).prompts.get()
        loop_time.move(2 * LIMIT_S)
        assert isinstance(await slow, Timeout)
        assert not asking.done()
        assert not delegated.done()
        desk.clock.move(600)
        assert await qa.answers.get() == "r1 deny"
        assert desk.team.find_wait("main") == ""
        qa.say(Final("then not"))
        assert getattr(await delegated, "reply", None) == "then not"
        main.say(Final("qa may not"))
        assert getattr(await asking, "reply", None) == "qa may not"


async def test_after_the_answer_the_time_goes_on_and_its_end_tells_of_the_person(loop_time: LoopTime) -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.outcome(AskAgent("qa", "go", timeout_s=LIMIT_S)))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        qa.say(REQUEST)
        await desk.until(lambda: desk.project.state().permissions != ())
        loop_time.move(2 * LIMIT_S)
        await desk.project.decide_permission(QA.id, RequestId("r1"), Decision.DENY)
        await desk.until(lambda: desk.look("qa").readiness.state is ReadinessState.WORKING)
        assert not asking.done()
        loop_time.move(LIMIT_S)
        timeout = await asking
        await qa.interrupts.get()
        qa.say(Final("too late"))

    assert isinstance(timeout, Timeout)
    assert timeout.fields()["asked"] == "Qa: run a command"


async def test_after_the_answer_silence_is_the_agents_own_again(loop_time: LoopTime) -> None:
    desk = Desk(QA)
    desk.settings.settings = replace(desk.settings.settings, stalled_after_s=LIMIT_S)
    async with desk.open() as tasks:
        qa = await ask_a_person(desk, tasks)
        await desk.project.decide_permission(QA.id, RequestId("r1"), Decision.ALLOW_ONCE)
        await desk.until(lambda: desk.look("qa").readiness.state is ReadinessState.WORKING)
        loop_time.move(LIMIT_S)
        await desk.until(lambda: desk.look("qa").readiness.state is ReadinessState.STALLED)
        qa.say(Final("done"))


async def test_who_waited_in_the_queue_learns_that_a_person_was_asked(loop_time: LoopTime) -> None:
    desk = Desk(QA)
    desk.settings.settings = replace(desk.settings.settings, queue_wait_s=1)
    async with desk.open() as tasks:
        qa = await ask_a_person(desk, tasks)
        waiting = tasks.create_task(desk.outcome(AskAgent("qa", "and this")))
        await desk.until(lambda: desk.queue("qa") == 1)
        loop_time.move(desk.settings.settings.queue_wait_s)
        timeout = await waiting
        qa.say(Final("done"))

    assert isinstance(timeout, Timeout)
    assert timeout.is_queued
    assert timeout.fields()["asked"] == "Qa: run a command"


async def test_a_person_who_hangs_up_while_the_engine_is_told_leaves_no_turn_standing_still() -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        qa = await ask_a_person(desk, tasks)
        qa.may_read.clear()
        qa.is_written_to.clear()
        deciding = tasks.create_task(desk.project.decide_permission(QA.id, RequestId("r1"), Decision.DENY))
        await qa.is_written_to.wait()
        deciding.cancel()
        await desk.until(lambda: desk.team.find_wait("qa") == "")
        qa.may_read.set()
        qa.say(Final("done"))
