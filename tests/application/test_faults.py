"""A fault of our own in an agent's session costs the turn it is in, and nothing after it."""

import pytest

from idea.application.commands import AskAgent
from idea.domain.agents import Agent
from idea.domain.errors import TurnFailed
from idea.domain.readiness import ReadinessState
from idea.domain.replies import Final
from tests.desk import HUMAN, Desk
from tests.fakes.agents import make_agent


@pytest.mark.parametrize("agent", [make_agent("qa"), make_agent("qa", profile="per-turn")])
async def test_whoever_waits_is_told_and_the_next_message_starts_the_agent_again(agent: Agent) -> None:
    desk = Desk(agent)
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.outcome(AskAgent("qa", "look")))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        # The engine of these tests takes numbers only, and stumbles.
        qa.show("no number")
        failure = await asking

        assert isinstance(failure, TurnFailed)
        assert failure.fields()["why"] == "faultOfIdea"
        await desk.until(lambda: desk.look("qa").readiness.state is ReadinessState.EXITED)
        assert qa.has_ended
        again = tasks.create_task(desk.dispatch(HUMAN, AskAgent("qa", "once more")))
        qa = await desk.keeper.process("qa", nth=2)
        await qa.prompts.get()
        qa.say(Final("here"))
        qa.exit(0)
        assert (await again).reply == "here"
