"""An agent goes on with a conversation that its CLI kept, and with no other agent's."""

import pytest

from idea.application.commands import AskAgent, AttachConversation, LaunchAgent, ListConversations
from idea.domain.errors import Conflict, Invalid, NotFound
from idea.domain.ids import ConversationId, NodeId
from idea.domain.layouts import View
from idea.domain.replies import Final
from tests.desk import HUMAN, Desk
from tests.fakes.agents import make_agent

CELL = NodeId("cell")
FOUND = ConversationId("found")
QA, OTHER = make_agent("qa", profile="choosing"), make_agent("other", profile="choosing")


async def test_a_chosen_conversation_is_resumed_in_the_cell() -> None:
    desk = Desk(QA)
    desk.earlier.add(FOUND, words="the invoice page")
    async with desk.open():
        listed = await desk.dispatch(HUMAN, ListConversations("qa"))
        await desk.dispatch(HUMAN, AttachConversation("qa", FOUND, CELL, View.CHAT))
        session = desk.look("qa").session

    assert [one.first_words for one in listed] == ["the invoice page"]
    assert session is not None
    assert session.node_id == CELL
    assert desk.keeper.spawned[0].spec.argv[-2:] == ("--resume", FOUND)
    assert desk.records.conversations[QA.id] == FOUND
    assert desk.run_directories.earlier[QA.slug] == ""


async def test_one_that_runs_goes_on_with_it_in_its_own_cell() -> None:
    desk = Desk(QA)
    desk.earlier.add(FOUND)
    async with desk.open():
        await desk.dispatch(HUMAN, LaunchAgent("qa", CELL, View.CHAT))
        await desk.dispatch(HUMAN, AttachConversation("qa", FOUND))
        session = desk.look("qa").session

    assert session is not None
    assert session.node_id == CELL
    assert desk.keeper.spawned[0].has_ended
    assert desk.keeper.spawned[1].spec.argv[-2:] == ("--resume", FOUND)


async def test_without_a_cell_it_waits_for_the_next_start() -> None:
    desk = Desk(QA)
    desk.earlier.add(FOUND)
    async with desk.open():
        await desk.dispatch(HUMAN, AttachConversation("qa", FOUND))
        assert desk.look("qa").conversation == FOUND

    assert desk.keeper.spawned == []


async def test_what_is_not_in_the_list_is_not_taken() -> None:
    desk = Desk(QA)
    async with desk.open():
        with pytest.raises(NotFound):
            await desk.dispatch(HUMAN, AttachConversation("qa", ConversationId("../../etc/passwd")))

    assert desk.records.conversations == {}


async def test_another_agents_conversation_stays_that_agents() -> None:
    desk = Desk(QA, OTHER)
    desk.records.conversations[OTHER.id] = FOUND
    desk.earlier.add(FOUND)
    async with desk.open():
        with pytest.raises(Conflict) as refused:
            await desk.dispatch(HUMAN, AttachConversation("qa", FOUND))

    assert refused.value.why == "conversationTaken"


async def test_a_turn_that_runs_is_not_cut_off() -> None:
    desk = Desk(QA)
    desk.earlier.add(FOUND)
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.dispatch(HUMAN, AskAgent("qa", "hi")))
        process = await desk.keeper.process("qa")
        await process.prompts.get()
        with pytest.raises(Conflict) as refused:
            await desk.dispatch(HUMAN, AttachConversation("qa", FOUND, CELL, View.CHAT))
        process.say(Final("done"))
        await asking

    assert refused.value.why == "turnRuns"


async def test_a_cli_that_nobody_can_read_lists_nothing() -> None:
    desk = Desk(make_agent("qa"))
    async with desk.open():
        with pytest.raises(Invalid) as refused:
            await desk.dispatch(HUMAN, ListConversations("qa"))

    assert refused.value.why == "conversationsUnknown"
