"""An ask that waits for the end of its target's limit is settled once, by the turn that comes then."""

import asyncio
from datetime import datetime, timedelta

from idea.application.commands import AskAgent
from idea.domain.conversation import ItemKind
from idea.domain.delegation import Delegation, DelegationState
from idea.domain.errors import TargetRateLimited
from idea.domain.replies import Failed, FailureKind, Final, RateLimited
from tests.desk import HUMAN, Desk
from tests.fakes.agents import make_agent
from tests.fakes.clock import NOON
from tests.fakes.processes import FakeProcess

QA, MAIN = make_agent("qa"), make_agent("main")
RESET = NOON + timedelta(minutes=1)
PATIENT = AskAgent("qa", "hi", waits_for_limit=True)


async def be_limited(process: FakeProcess, until: datetime | None = RESET) -> None:
    await process.prompts.get()
    process.say(RateLimited(until), Failed(FailureKind.LIMITED, "the limit is reached"))


async def queued_again(desk: Desk) -> FakeProcess:
    """The first turn of an ask has come to nothing."""
    process = await desk.keeper.process("qa")
    await be_limited(process)
    await desk.clock.asleep.wait()
    await desk.until(lambda: desk.look("qa").live_turn is None and desk.queue("qa") == 1)
    return process


def is_held(desk: Desk) -> bool:
    """The clock of Main's turn."""
    (running,) = (member.running for member in desk.team.members() if member.agent == MAIN)
    assert running is not None
    return running.clock.is_held


async def test_it_is_given_again_when_the_limit_is_over() -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.dispatch(HUMAN, PATIENT))
        process = await queued_again(desk)
        (waiting,) = desk.project.state().delegations
        assert waiting.state is DelegationState.QUEUED

        desk.clock.move(61)
        await process.prompts.get()
        process.say(Final("now I can"))
        answered = await asking

    assert (answered.reply, answered.id) == ("now I can", waiting.id)
    kinds = [item.kind for item in desk.records.items]
    assert kinds == [ItemKind.PROMPT, ItemKind.FAILURE, ItemKind.PROMPT, ItemKind.ANSWER]
    assert desk.work.turns == {}


async def test_others_do_not_wait_with_it() -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.outcome(PATIENT))
        process = await queued_again(desk)
        impatient = tasks.create_task(desk.outcome(AskAgent("qa", "and me?")))
        await be_limited(process)

        assert isinstance(await impatient, TargetRateLimited)
        assert not asking.done()
        asking.cancel()


async def test_without_a_time_to_wait_for_it_is_refused() -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        for until in (None, NOON):
            asking = tasks.create_task(desk.outcome(PATIENT))
            process = await desk.keeper.process("qa")
            await be_limited(process, until)

            assert isinstance(await asking, TargetRateLimited)


async def test_one_that_is_taken_back_meanwhile_is_never_given_again() -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.dispatch(HUMAN, PATIENT))
        process = await queued_again(desk)
        asking.cancel()
        await asyncio.wait([asking])
        await desk.until(lambda: desk.project.state().delegations[0].outcome == "CANCELLED")
        desk.clock.move(61)
        following = tasks.create_task(desk.dispatch(HUMAN, AskAgent("qa", "something else")))

        assert "something else" in await process.prompts.get()
        process.say(Final("done"))
        await following


async def test_the_turn_of_who_asked_stands_still_so_long() -> None:
    desk = Desk(MAIN, QA)
    async with desk.open() as tasks:
        tasks.create_task(desk.outcome(AskAgent("main", "ask QA")))
        main = await desk.keeper.process("main")
        await main.prompts.get()
        asking = tasks.create_task(desk.dispatch(desk.requester("main"), PATIENT))
        process = await queued_again(desk)
        assert is_held(desk)

        desk.clock.move(61)
        await process.prompts.get()
        process.say(Final("now"))
        assert (await asking).reply == "now"
        assert not is_held(desk)
        main.say(Final("done"))


async def test_the_next_server_gives_it_again_too() -> None:
    desk = Desk(MAIN, QA)
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.outcome(PATIENT))
        process = await queued_again(desk)
        desk.kill()
        asking.cancel()

    after = Desk(MAIN, QA, before=desk)
    async with after.open():
        await be_limited(process, NOON + timedelta(hours=1))
        await after.clock.asleep.wait()
        await after.until(lambda: after.queue("qa") == 1)
        after.clock.move(3601)
        await process.prompts.get()
        process.say(Final("at last"))
        await after.until(lambda: after.project.state().delegations[0].state is DelegationState.ANSWERED)

    settled: Delegation = after.records.delegations[after.project.state().delegations[0].id]
    assert settled.reply == "at last"
