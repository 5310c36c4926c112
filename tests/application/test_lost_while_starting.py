"""An agent whose keeper is killed while it starts: nothing was given to its CLI yet, so the next keeper gets it all."""

import pytest

from idea.application.commands import AskAgent, LaunchAgent
from idea.domain.delegation import Delegation
from idea.domain.errors import Lost, TargetDied
from idea.domain.layouts import View
from idea.domain.readiness import ReadinessReason, ReadinessState
from idea.domain.replies import EngineReady, Final
from tests.desk import Desk
from tests.fakes.agents import make_agent

QA = make_agent("qa")


async def test_its_message_goes_to_the_one_that_the_next_keeper_starts() -> None:
    desk = Desk(QA)
    desk.keeper.is_ready_at_once = False
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.outcome(AskAgent("qa", "look")))
        first = await desk.keeper.process("qa")
        first.lose()
        second = await desk.keeper.process("qa", nth=2)
        second.say(EngineReady())
        assert "look" in await second.prompts.get()
        second.say(Final("seen"))
        answered = await asking

    assert isinstance(answered, Delegation)
    assert answered.reply == "seen"
    assert first.prompts.empty()


@pytest.mark.parametrize("view", View)
async def test_a_person_who_launches_it_is_told_and_offered_to_resume_it(view: View) -> None:
    desk = Desk(QA)
    desk.keeper.refusal = Lost("The keeper")
    async with desk.open():
        refused = await desk.outcome(LaunchAgent("qa", None, view))
        readiness = desk.look("qa").readiness

    assert isinstance(refused, Lost)
    assert refused.fields() == {"why": "endedWithKeeper"}
    assert (readiness.state, readiness.reason) == (ReadinessState.EXITED, ReadinessReason.KEEPER_LOST)
    assert [offer.agent for offer in desk.project.state().resumable] == [QA.id]


async def test_a_process_of_one_turn_that_cannot_start_for_it_is_not_said_to_be_missing() -> None:
    desk = Desk(make_agent("qa", profile="per-turn"))
    async with desk.open():
        desk.keeper.refusal = Lost("The keeper")
        failure = await desk.outcome(AskAgent("qa", "look"))

    assert isinstance(failure, TargetDied)
    assert failure.fields()["why"] == "endedWithKeeper"
