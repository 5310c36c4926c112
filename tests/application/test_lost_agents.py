"""What a server left and the next one does not find any more, and who is told."""

import pytest

from idea.application.commands import AskAgent, LaunchAgent, SendMessage
from idea.domain.agents import BrokenAgent
from idea.domain.delegation import DelegationState
from idea.domain.errors import Lost
from idea.domain.events import TurnEnded
from idea.domain.layouts import View
from idea.domain.notices import NoticePosted
from idea.domain.readiness import ReadinessReason
from idea.domain.replies import Final
from tests.desk import HUMAN, Desk
from tests.fakes.agents import make_agent

QA = make_agent("qa")


async def test_with_its_keeper_an_agent_is_lost_and_its_asker_told() -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        tasks.create_task(desk.outcome(AskAgent("qa", "look")))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        desk.kill()

    after = Desk(before=desk)
    after.keeper.name = "keeper-2"
    async with after.open():
        await after.until(lambda: bool(after.seen(TurnEnded)))

        assert after.look("qa").readiness.reason is ReadinessReason.LOST
        assert [notice.code for notice in after.seen(NoticePosted)] == ["sessionLost"]

        await after.dispatch(HUMAN, LaunchAgent("qa", None, View.CHAT))
        assert after.project.notices.list() == (), "it runs again"
    [delegation] = after.records.delegations.values()
    assert (delegation.state, delegation.outcome) == (DelegationState.FAILED, "TARGET_DIED")


async def test_those_that_ended_alike_are_told_in_one_notice_that_is_the_same_in_every_language() -> None:
    desk = Desk(make_agent("main"), QA)
    async with desk.open():
        for name in ("main", "qa"):
            await desk.dispatch(HUMAN, SendMessage(name, "look"))
            await (await desk.keeper.process(name)).prompts.get()
        desk.kill()

    after = Desk(before=desk)
    after.keeper.name = "keeper-2"
    async with after.open():
        [notice] = after.seen(NoticePosted)
        main, qa = after.look("main"), after.look("qa")

    assert (notice.code, notice.slug) == ("sessionLost", None)
    assert notice.fields["why"] == main.readiness.fields["why"] == "endedWithKeeper"
    assert notice.fields["agents"] == [main.agent.id, qa.agent.id]


async def test_a_keeper_that_does_not_answer_costs_no_agent() -> None:
    desk = Desk(QA)
    async with desk.open():
        await desk.dispatch(HUMAN, SendMessage("qa", "look"))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        desk.kill()

    desk.keeper.silence = Lost("The keeper")
    with pytest.RaisesGroup(pytest.RaisesExc(Lost)):
        async with Desk(before=desk).open():
            raise AssertionError("it opens")
    desk.keeper.silence = None
    assert not qa.has_ended

    after = Desk(before=desk)
    async with after.open():
        qa.say(Final("done"))
        await after.until(lambda: bool(after.seen(TurnEnded)))
    assert [event.outcome for event in after.seen(TurnEnded)] == ["ANSWERED"]


async def test_a_session_of_an_agent_that_was_deleted_meanwhile_is_ended() -> None:
    desk = Desk(QA)
    async with desk.open():
        await desk.dispatch(HUMAN, SendMessage("qa", "look"))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        desk.kill()
    desk.store.agents.clear()

    after = Desk(before=desk)
    async with after.open():
        assert (await qa.wait()).signal == 15
        assert (after.work.sessions, after.work.turns) == ({}, {})


async def test_an_agent_whose_file_is_broken_at_the_start_is_let_alone_and_taken_up_once_it_is_mended() -> None:
    desk = Desk(QA)
    async with desk.open():
        await desk.dispatch(HUMAN, SendMessage("qa", "look"))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        desk.kill()
    desk.store.agents.clear()
    desk.store.broken = (BrokenAgent(QA.slug, 1, "it is not valid YAML", "agentNotYaml"),)

    after = Desk(before=desk)
    async with after.open():
        assert (list(after.project.state().agents), list(after.end.live_agents())) == ([], [QA.id])
        after.store.agents[QA.slug], after.store.broken = QA, ()
        await after.files.reload()
        qa.say(Final("done"))
        await after.until(lambda: bool(after.seen(TurnEnded)))

    assert [event.outcome for event in after.seen(TurnEnded)] == ["ANSWERED"]
    assert len(after.keeper.spawned) == 1
