"""An agent is believed limited until the time that its CLI named, and no longer."""

import asyncio
from datetime import timedelta

from idea.application.commands import AskAgent
from idea.domain.readiness import ReadinessReason, ReadinessState
from idea.domain.replies import Failed, FailureKind, Final, RateLimited
from tests.desk import HUMAN, Desk
from tests.fakes.agents import make_agent
from tests.fakes.clock import NOON
from tests.fakes.processes import FakeProcess

QA = make_agent("qa")


async def be_limited(desk: Desk, tasks: asyncio.TaskGroup) -> FakeProcess:
    """Until a minute after noon."""
    asking = tasks.create_task(desk.outcome(AskAgent("qa", "hi")))
    process = await desk.keeper.process("qa")
    await process.prompts.get()
    process.say(RateLimited(NOON + timedelta(minutes=1)), Failed(FailureKind.LIMITED, "the limit is reached"))
    await asking
    return process


async def test_it_may_be_asked_again_when_the_time_has_come() -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        await be_limited(desk, tasks)
        await desk.clock.asleep.wait()
        limited = desk.look("qa").readiness
        desk.clock.move(59)
        still = desk.look("qa").readiness
        desk.clock.move(1)
        await desk.until(lambda: desk.look("qa").readiness.state is ReadinessState.IDLE)

        assert desk.look("qa").readiness.reason is ReadinessReason.LIMIT_OVER
    assert limited.state is still.state is ReadinessState.RATE_LIMITED
    assert limited.until == NOON + timedelta(minutes=1)


async def test_a_turn_that_succeeds_earlier_ends_it_too() -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        process = await be_limited(desk, tasks)
        again = tasks.create_task(desk.dispatch(HUMAN, AskAgent("qa", "and now?")))
        await process.prompts.get()
        process.say(Final("yes"))
        await again
        desk.clock.move(120)

        assert desk.look("qa").readiness.reason is ReadinessReason.READY
