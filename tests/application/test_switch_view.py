"""One conversation in two views: it goes on in the other one, between turns, or the switch is refused with why."""

from datetime import timedelta

import pytest

from idea.application.commands import AskAgent, LaunchAgent, SendMessage, StopAgent, SwitchView
from idea.domain.conversation import ItemKind
from idea.domain.errors import Conflict, Invalid
from idea.domain.ids import ConversationId, NodeId
from idea.domain.layouts import View
from idea.domain.readiness import BeliefSource, ReadinessReason
from idea.domain.replies import ConversationIdentified, Final
from idea.domain.sessions import SessionKind
from tests.desk import HUMAN, Desk
from tests.fakes.agents import make_agent
from tests.fakes.clock import NOON
from tests.fakes.processes import FakeProcess

CELL = NodeId("cell")
TO_CHAT, TO_TERMINAL = SwitchView("qa", CELL, View.CHAT), SwitchView("qa", CELL, View.TERMINAL)


def status(state: str) -> str:
    return f"\x1b]7501;state={state}:app=fake\x1b\\"


async def talk(desk: Desk) -> FakeProcess:
    """One turn in the chat, after which the conversation has a name."""
    await desk.dispatch(HUMAN, LaunchAgent("qa", CELL, View.CHAT))
    await desk.dispatch(HUMAN, SendMessage("qa", "hi"))
    process = await desk.keeper.process("qa")
    await process.prompts.get()
    process.say(ConversationIdentified(ConversationId("c1")), Final("hello"))
    await desk.until(lambda: any(item.kind is ItemKind.ANSWER for item in desk.records.items))
    await desk.until(lambda: desk.look("qa").live_turn is None)
    return process


async def test_the_conversation_goes_to_the_terminal_and_back_and_the_chat_says_so() -> None:
    desk = Desk(make_agent("qa", profile="choosing"))
    async with desk.open():
        chat = await talk(desk)
        there = await desk.dispatch(HUMAN, TO_TERMINAL)
        terminal = await desk.keeper.process("qa", nth=2)
        back = await desk.dispatch(HUMAN, TO_CHAT)
        again = await desk.keeper.process("qa", nth=3)

    assert (there.kind, there.node_id, there.conversation) == (SessionKind.PTY, CELL, "c1")
    assert back.kind is SessionKind.STRUCTURED
    assert chat.has_ended
    assert terminal.has_ended
    assert terminal.spec.argv[-2:] == again.spec.argv[-2:] == ("--resume", "c1")
    assert [item.kind for item in desk.records.items] == [ItemKind.PROMPT, ItemKind.ANSWER, ItemKind.MARK]
    assert desk.records.items[-1].fields == {"mark": "terminal"}


async def test_a_view_that_is_shown_already_is_left_alone() -> None:
    desk = Desk(make_agent("qa", profile="choosing"))
    async with desk.open():
        first = await desk.dispatch(HUMAN, LaunchAgent("qa", CELL, View.CHAT))
        assert await desk.dispatch(HUMAN, TO_CHAT) == first

    assert len(desk.keeper.spawned) == 1


async def test_a_turn_that_runs_is_not_cut_off() -> None:
    desk = Desk(make_agent("qa", profile="choosing"))
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.dispatch(HUMAN, AskAgent("qa", "hi")))
        process = await desk.keeper.process("qa")
        await process.prompts.get()
        with pytest.raises(Conflict) as refused:
            await desk.dispatch(HUMAN, TO_TERMINAL)
        process.say(Final("done"))
        answered = await asking

    assert refused.value.why == "turnRuns"
    assert answered.reply == "done"


@pytest.mark.parametrize("state", ["working", "blocked"])
async def test_nor_is_what_a_terminal_says_it_works_on(state: str) -> None:
    desk = Desk(make_agent("qa", profile="choosing"))
    async with desk.open():
        await desk.dispatch(HUMAN, LaunchAgent("qa", CELL, View.TERMINAL))
        process = await desk.keeper.process("qa")
        process.show(status(state))
        await desk.until(lambda: desk.look("qa").readiness.source is BeliefSource.TERMINAL)
        with pytest.raises(Conflict) as refused:
            await desk.dispatch(HUMAN, TO_CHAT)

    assert refused.value.why == "turnRuns"
    assert len(desk.keeper.spawned) == 1


async def test_a_view_in_which_the_cli_cannot_go_on_is_refused_before_anything_is_ended() -> None:
    desk = Desk(make_agent("qa", profile="forgetful"))
    async with desk.open():
        process = await talk(desk)
        with pytest.raises(Invalid) as refused:
            await desk.dispatch(HUMAN, TO_TERMINAL)
        assert not process.has_ended

    assert refused.value.why == "cannotResumeInView"


async def test_a_conversation_begun_in_a_terminal_is_remembered_once_its_cli_keeps_it() -> None:
    desk = Desk(make_agent("qa", profile="choosing"))
    async with desk.open():
        first = await desk.dispatch(HUMAN, LaunchAgent("qa", CELL, View.TERMINAL))
        assert first.conversation is not None
        process = await desk.keeper.process("qa")
        before = desk.look("qa").conversation
        process.show(status("working"))
        await desk.until(lambda: desk.look("qa").readiness.source is BeliefSource.TERMINAL)
        desk.earlier.add(first.conversation)
        process.show(status("idle"))
        await desk.until(lambda: desk.look("qa").conversation == first.conversation)
        await desk.dispatch(HUMAN, StopAgent("qa"))
        await desk.dispatch(HUMAN, TO_CHAT)

    assert before is None
    resumed = desk.keeper.spawned[-1]
    assert resumed.spec.argv[-2:] == ("--resume", first.conversation)
    # All of it was said elsewhere, and the chat says that.
    assert [item.fields for item in desk.records.items] == [{"mark": "terminal"}]


async def test_one_in_which_nothing_was_said_is_nothing_to_go_on_with() -> None:
    desk = Desk(make_agent("qa", profile="choosing"))
    async with desk.open():
        await desk.dispatch(HUMAN, LaunchAgent("qa", CELL, View.TERMINAL))
        await desk.dispatch(HUMAN, TO_CHAT)

    assert "--resume" not in desk.keeper.spawned[-1].spec.argv
    assert desk.records.items == []


async def test_a_cli_that_names_its_conversations_itself_is_looked_up() -> None:
    desk = Desk(make_agent("qa", profile="finding"), make_agent("other", profile="finding"))
    desk.records.conversations[make_agent("other").id] = ConversationId("others")
    desk.earlier.add("old", at=NOON - timedelta(hours=1))
    async with desk.open():
        await desk.dispatch(HUMAN, LaunchAgent("qa", CELL, View.TERMINAL))
        desk.earlier.add("others")
        desk.earlier.add("its-own")
        await desk.dispatch(HUMAN, TO_CHAT)

    assert desk.keeper.spawned[-1].spec.argv[-2:] == ("--resume", "its-own")


async def test_two_that_it_could_be_are_not_guessed_between() -> None:
    desk = Desk(make_agent("qa", profile="finding"))
    async with desk.open():
        await desk.dispatch(HUMAN, LaunchAgent("qa", CELL, View.TERMINAL))
        process = await desk.keeper.process("qa")
        desk.earlier.add("one")
        desk.earlier.add("two")
        with pytest.raises(Conflict) as refused:
            await desk.dispatch(HUMAN, TO_CHAT)
        assert not process.has_ended

    assert refused.value.why == "conversationUnclear"


async def test_a_terminal_that_refuses_says_it_with_its_last_screen() -> None:
    desk = Desk(make_agent("qa", profile="choosing"))
    desk.records.conversations[make_agent("qa").id] = ConversationId("gone")
    async with desk.open():
        await desk.dispatch(HUMAN, LaunchAgent("qa", CELL, View.TERMINAL))
        process = await desk.keeper.process("qa")
        # Wider than the terminal, which breaks it where it ends.
        process.show(f"{'.' * 66} \x1b[31mNo conversation found with session ID: gone\x1b[0m")
        process.exit(1)
        await desk.until(lambda: desk.look("qa").session is None)
        state = desk.look("qa")

    assert state.readiness.reason is ReadinessReason.CONVERSATION_REFUSED
    assert state.readiness.detail.endswith("with session ID: gone")
    assert state.conversation == "gone"
