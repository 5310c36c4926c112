"""Which conversation an agent goes on with beside its terminal."""

import pytest

from idea.application.commands import AskAgent, AttachConversation, ListConversations, SwitchView
from idea.domain.agents import Agent
from idea.domain.conversation import ItemKind
from idea.domain.errors import Conflict
from idea.domain.ids import ConversationId
from idea.domain.layouts import View
from idea.domain.replies import ConversationIdentified, EngineReady, Final, ResumeRefused
from tests.application.beside import C1, C2, CELL, MAIN, PER_TURN, QA, is_alone, open_terminal
from tests.desk import HUMAN, Desk
from tests.fakes.agents import make_agent
from tests.fakes.clock import NOON


async def test_asks_that_wait_share_one_session_and_the_next_ask_goes_on_with_its_conversation() -> None:
    desk = Desk(QA, MAIN)
    async with desk.open() as tasks:
        await open_terminal(desk)
        first = tasks.create_task(desk.dispatch(desk.requester("main"), AskAgent("qa", "one")))
        side = await desk.keeper.process("qa", nth=2)
        await side.prompts.get()
        second = tasks.create_task(desk.dispatch(HUMAN, AskAgent("qa", "two")))
        await desk.until(lambda: desk.queue("qa") == 1)
        side.say(ConversationIdentified(C1), Final("first"))
        assert (await first).reply == "first"
        assert "two" in await side.prompts.get()
        side.say(Final("second"))
        assert (await second).reply == "second"
        await is_alone(desk)
        third = tasks.create_task(desk.dispatch(HUMAN, AskAgent("qa", "three")))
        later = await desk.keeper.process("qa", nth=3)
        await later.prompts.get()
        later.say(ConversationIdentified(C1), Final("third"))
        assert (await third).reply == "third"

    assert "--resume" not in side.spec.argv
    assert later.spec.argv[-2:] == ("--resume", C1)


async def test_a_new_conversation_is_told_what_was_said_but_not_what_is_asked_now() -> None:
    desk = Desk(QA, MAIN)
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.dispatch(HUMAN, AskAgent("qa", "is the page ready?")))
        chat = await desk.keeper.process("qa")
        await chat.prompts.get()
        chat.say(ConversationIdentified(C1), Final("not yet"))
        await asking
        await desk.dispatch(HUMAN, SwitchView("qa", CELL, View.TERMINAL))
        beside = tasks.create_task(desk.dispatch(desk.requester("main"), AskAgent("qa", "and now?")))
        side = await desk.keeper.process("qa", nth=3)
        await side.prompts.get()
        side.say(ConversationIdentified(C2), Final("now it is"))
        await beside

    told = desk.run_directories.side_earlier[QA.slug]
    assert "> is the page ready?" in told
    assert "> not yet" in told
    assert "and now?" not in told
    assert QA.slug not in desk.run_directories.earlier
    assert (desk.records.conversations[QA.id], desk.records.side_conversations[QA.id]) == (C1, C2)


@pytest.mark.parametrize("agent", [QA, PER_TURN], ids=["one process", "a process per turn"])
@pytest.mark.parametrize("words", [ResumeRefused(C1, "No conversation found"), ConversationIdentified(C2)], ids=repr)
async def test_a_refused_conversation_is_begun_anew_in_the_same_turn(
    agent: Agent, words: ResumeRefused | ConversationIdentified
) -> None:
    desk = Desk(agent, MAIN)
    desk.records.side_conversations[QA.id] = C1
    async with desk.open() as tasks:
        await open_terminal(desk)
        asking = tasks.create_task(desk.dispatch(desk.requester("main"), AskAgent("qa", "hi")))
        refusing = await desk.keeper.process("qa", nth=2)
        await refusing.prompts.get()
        # What it says afterwards is nobody's answer.
        refusing.say(words, Final("I am somebody else"))
        refusing.exit(1)
        anew = await desk.keeper.process("qa", nth=3)
        assert "hi" in await anew.prompts.get()
        anew.say(ConversationIdentified(ConversationId("c3")), Final("here I am"))
        anew.exit(0)
        assert (await asking).reply == "here I am"
        await is_alone(desk)

    assert "--resume" in refusing.spec.argv
    assert "--resume" not in anew.spec.argv
    assert desk.records.side_conversations[QA.id] == "c3"
    assert [item.fields for item in desk.records.items if item.kind is ItemKind.MARK] == [{"mark": "beside"}]
    assert [item.text for item in desk.records.items if item.kind is ItemKind.ANSWER] == ["here I am"]
    assert [item.text for item in desk.records.items if item.kind is ItemKind.PROMPT] == ["hi"]


async def test_a_conversation_that_is_refused_at_the_start_is_begun_anew() -> None:
    desk = Desk(QA, MAIN)
    desk.records.side_conversations[QA.id] = C1
    async with desk.open() as tasks:
        await open_terminal(desk)
        desk.keeper.is_ready_at_once = False
        asking = tasks.create_task(desk.dispatch(desk.requester("main"), AskAgent("qa", "hi")))
        refusing = await desk.keeper.process("qa", nth=2)
        refusing.say(ResumeRefused(C1, "No conversation found"))
        refusing.exit(1)
        anew = await desk.keeper.process("qa", nth=3)
        anew.say(EngineReady())
        await anew.prompts.get()
        anew.say(Final("here I am"))
        assert (await asking).reply == "here I am"

    assert desk.records.side_conversations[QA.id] is None


async def test_its_conversation_is_neither_the_terminals_nor_one_to_attach() -> None:
    finding = make_agent("qa", profile="finding")
    desk = Desk(finding, MAIN)
    async with desk.open() as tasks:
        terminal = await open_terminal(desk)
        desk.earlier.add("terminals", at=NOON)
        desk.clock.move(60)
        asking = tasks.create_task(desk.dispatch(desk.requester("main"), AskAgent("qa", "hi")))
        side = await desk.keeper.process("qa", nth=2)
        await side.prompts.get()
        desk.earlier.add("beside", at=desk.clock.now())
        # It ends while nobody has been told yet whose the second one is.
        terminal.exit(0)
        await desk.until(lambda: desk.look("qa").session is None)
        assert desk.look("qa").conversation == "terminals"
        side.say(ConversationIdentified(ConversationId("beside")), Final("hello"))
        await asking
        listed = await desk.dispatch(HUMAN, ListConversations("qa"))
        taken = await desk.outcome(AttachConversation("main", ConversationId("beside"), None, View.CHAT))

    assert [one.id for one in listed] == ["terminals"]
    assert isinstance(taken, Conflict)
    assert taken.fields()["why"] == "conversationTaken"


async def test_what_a_deleted_agent_left_behind_is_not_taken_for_a_terminals() -> None:
    finding = make_agent("qa", profile="finding")
    desk = Desk(finding, MAIN)
    desk.records.side_conversations[MAIN.id] = C1
    async with desk.open():
        terminal = await open_terminal(desk)
        desk.earlier.add(C1, at=NOON)
        await desk.project.delete_agent(MAIN.id)
        terminal.exit(0)
        await desk.until(lambda: desk.look("qa").session is None)
        assert desk.look("qa").conversation is None
