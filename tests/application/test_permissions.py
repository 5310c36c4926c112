"""A permission request waits for a person, and for nobody else."""

import pytest

from idea.application.commands import AskAgent
from idea.domain.errors import NotFound
from idea.domain.events import PermissionAsked, PermissionSettled
from idea.domain.ids import RequestId
from idea.domain.readiness import ReadinessState
from idea.domain.replies import Decision, Final, PermissionRequested
from tests.desk import HUMAN, Desk
from tests.fakes import make_agent

QA = make_agent("qa")
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
