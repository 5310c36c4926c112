"""A terminal's CLI tells by its hooks which conversation it is in: what the agent goes on with later."""

from datetime import timedelta

import pytest

from idea.application.commands import LaunchAgent, StopAgent, SwitchView
from idea.domain.events import SessionChanged
from idea.domain.ids import ConversationId, NodeId
from idea.domain.layouts import View
from idea.domain.terminal_signs import RanHook
from tests.desk import HUMAN, Desk
from tests.fakes.agents import make_agent
from tests.fakes.clock import NOON

CELL = NodeId("cell")
QA, OTHER = make_agent("qa", profile="telling"), make_agent("other", profile="telling")


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
