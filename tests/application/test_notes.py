"""What a CLI says that it waits for shows with its agent, and explains a turn that took too long."""

from idea.application.commands import AskAgent
from idea.domain.errors import Timeout
from idea.domain.replies import Final, Heartbeat, TextDelta
from tests.application.conftest import LoopTime
from tests.desk import HUMAN, Desk
from tests.fakes.agents import make_agent

QA = make_agent("qa")
RETRY = "The model cannot be reached: authentication failed (401). Retry 3 of 10."


async def test_a_note_shows_until_the_cli_goes_on() -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.dispatch(HUMAN, AskAgent("qa", "hello")))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        qa.say(Heartbeat(RETRY), Heartbeat())
        await desk.until(lambda: desk.look("qa").readiness.detail == RETRY)

        qa.say(TextDelta("Here"))
        await desk.until(lambda: desk.look("qa").readiness.detail == "human")
        qa.say(Final("Here I am."))
        assert (await asking).reply == "Here I am."


async def test_a_time_out_says_what_the_cli_was_waiting_for(loop_time: LoopTime) -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.outcome(AskAgent("qa", "hello", timeout_s=1)))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        qa.say(Heartbeat(RETRY))
        await desk.until(lambda: desk.look("qa").readiness.detail == RETRY)
        loop_time.move(1)
        timeout = await asking
        qa.say(Final("too late"))

    assert isinstance(timeout, Timeout)
    assert timeout.note == RETRY
    assert RETRY in str(timeout)
