"""A terminal may go over to another conversation: its hooks name it, or it grows with the terminal's turn."""

from datetime import timedelta

import pytest

from idea.application.commands import LaunchAgent, StopAgent, SwitchView
from idea.domain.events import SessionChanged
from idea.domain.ids import ConversationId, NodeId
from idea.domain.layouts import View
from idea.domain.readiness import ReadinessState
from idea.domain.terminal_signs import RanHook
from tests.desk import HUMAN, Desk
from tests.fakes.agents import make_agent
from tests.fakes.clock import NOON
from tests.fakes.processes import FakeProcess

CELL = NodeId("cell")
QA, OTHER = make_agent("qa", profile="telling"), make_agent("other", profile="telling")


def status(state: str) -> str:
    return f"\x1b]7501;state={state}:app=fake\x1b\\"


async def work(desk: Desk, process: FakeProcess, *grown: str) -> None:
    """One turn of its terminal, with which these conversations grow."""
    desk.clock.move(60)
    process.show(status("working"))
    await desk.until(lambda: desk.look("qa").readiness.state is ReadinessState.WORKING)
    desk.clock.move(60)
    for conversation in grown:
        desk.earlier.add(conversation, at=desk.clock.now())
    process.show(status("idle"))
    await desk.until(lambda: desk.look("qa").readiness.state is ReadinessState.IDLE)


def ran(conversation: str) -> RanHook:
    return RanHook("Stop", {"session_id": conversation})


async def test_the_one_that_the_terminal_went_over_to_is_gone_on_with() -> None:
    desk = Desk(QA)
    desk.records.conversations[QA.id] = ConversationId("first")
    desk.earlier.add("first")
    async with desk.open():
        await desk.dispatch(HUMAN, LaunchAgent("qa", CELL, View.TERMINAL))
        desk.hooks.hear(QA.id, ran("second"))
        session = desk.look("qa").session
        assert session is not None
        assert (session.conversation, desk.look("qa").conversation) == ("second", "first")

        # Nothing was said in it before; now something was.
        desk.earlier.add("second")
        await desk.dispatch(HUMAN, SwitchView("qa", CELL, View.CHAT))

    assert desk.keeper.spawned[-1].spec.argv[-2:] == ("--resume", "second")


async def test_one_that_has_words_in_it_already_is_remembered_at_once() -> None:
    desk = Desk(QA)
    desk.earlier.add("resumed-there")
    async with desk.open():
        await desk.dispatch(HUMAN, LaunchAgent("qa", CELL, View.TERMINAL))
        desk.hooks.hear(QA.id, ran("resumed-there"))
        await desk.until(lambda: desk.look("qa").conversation == "resumed-there")

    assert desk.records.conversations[QA.id] == "resumed-there"


@pytest.mark.parametrize("named", ["others", "--skip-permissions", "a" * 200, "", "../x"])
async def test_another_agents_and_what_is_no_id_are_not_gone_over_to(named: str) -> None:
    desk = Desk(QA, OTHER)
    desk.records.conversations[OTHER.id] = ConversationId("others")
    desk.earlier.add(named, at=NOON - timedelta(hours=1))
    async with desk.open():
        await desk.dispatch(HUMAN, LaunchAgent("qa", CELL, View.TERMINAL))
        before = len(desk.seen(SessionChanged))
        desk.hooks.hear(QA.id, ran(named))
        told = len(desk.seen(SessionChanged)) - before
        await desk.dispatch(HUMAN, StopAgent("qa"))

    assert told == 0
    assert desk.records.conversations.get(QA.id) != named


async def test_what_comes_while_the_project_closes_is_no_fault() -> None:
    desk = Desk(QA)
    async with desk.open():
        await desk.dispatch(HUMAN, LaunchAgent("qa", CELL, View.TERMINAL))
    desk.hooks.hear(QA.id, ran("late"))

    session = desk.look("qa").session
    assert session is not None
    assert session.conversation == "late"


async def test_what_was_told_while_no_server_was_there_is_heard_at_the_next_start() -> None:
    desk = Desk(QA)
    async with desk.open():
        await desk.dispatch(HUMAN, LaunchAgent("qa", CELL, View.TERMINAL))
        desk.kill()
    following = Desk(QA, before=desk)
    following.run_directories.last_hooks[QA.slug] = ran("meanwhile")
    following.earlier.add("meanwhile")
    async with following.open():
        await following.until(lambda: following.look("qa").conversation == "meanwhile")


async def begin(desk: Desk) -> FakeProcess:
    """A terminal in the conversation `first`."""
    await desk.dispatch(HUMAN, LaunchAgent("qa", CELL, View.TERMINAL))
    process = await desk.keeper.process("qa")
    await work(desk, process, "first")
    await desk.until(lambda: desk.look("qa").conversation == "first")
    return process


async def test_without_hooks_the_one_that_grew_with_a_turn_is_the_terminals() -> None:
    desk = Desk(make_agent("qa", profile="finding"))
    async with desk.open():
        process = await begin(desk)
        await work(desk, process, "second")
        await desk.until(lambda: desk.look("qa").conversation == "second")


async def test_where_another_grew_too_it_is_still_the_known_one() -> None:
    desk = Desk(make_agent("qa", profile="finding"))
    async with desk.open():
        process = await begin(desk)
        desk.earlier.conversations.clear()
        await work(desk, process, "somebody-elses", "first")
        await desk.dispatch(HUMAN, SwitchView("qa", CELL, View.CHAT))

    assert desk.keeper.spawned[-1].spec.argv[-2:] == ("--resume", "first")
