"""A CLI that does not go on with the agent's conversation: nobody takes what it says for the agent's answer."""

import pytest

from idea.application.commands import AskAgent, LaunchAgent, SendMessage
from idea.domain.agents import Agent
from idea.domain.conversation import ItemKind
from idea.domain.errors import Conflict, ConversationRefused
from idea.domain.ids import ConversationId
from idea.domain.layouts import View
from idea.domain.readiness import ReadinessReason, ReadinessState
from idea.domain.replies import ConversationIdentified, Final, ResumeRefused
from idea.domain.sessions import Opening
from tests.desk import HUMAN, Desk
from tests.fakes.agents import make_agent

QA = make_agent("qa")
PER_TURN = make_agent("qa", profile="per-turn")
OLD, OTHER = ConversationId("old"), ConversationId("other")


def _desk(agent: Agent = QA) -> Desk:
    desk = Desk(agent)
    desk.records.conversations[QA.id] = OLD
    return desk


async def test_a_refusal_fails_the_ask_and_the_conversation_stays_the_agents() -> None:
    desk = _desk()
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.outcome(AskAgent("qa", "hi")))
        process = await desk.keeper.process("qa")
        await process.prompts.get()
        process.say(ResumeRefused(OLD, "No conversation found"))
        process.exit(1)
        refused = await asking
        await desk.until(lambda: desk.look("qa").session is None)
        state = desk.look("qa")

    assert isinstance(refused, ConversationRefused)
    assert (refused.conversation, refused.reason) == (OLD, "No conversation found")
    assert state.conversation == OLD
    assert (state.readiness.state, state.readiness.reason) == (
        ReadinessState.EXITED,
        ReadinessReason.CONVERSATION_REFUSED,
    )
    assert state.readiness.detail == "No conversation found"


async def test_a_cli_that_takes_up_another_conversation_is_ended_and_not_listened_to() -> None:
    desk = _desk()
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.outcome(AskAgent("qa", "hi")))
        process = await desk.keeper.process("qa")
        await process.prompts.get()
        process.say(ConversationIdentified(OTHER), Final("I am somebody else"))
        refused = await asking
        await desk.until(lambda: desk.look("qa").session is None)
        state = desk.look("qa")

    assert isinstance(refused, ConversationRefused)
    assert refused.other == OTHER
    assert process.has_ended
    assert state.conversation == OLD
    assert state.readiness.reason is ReadinessReason.OTHER_CONVERSATION


async def test_a_conversation_that_goes_on_as_asked_may_change_its_name_later() -> None:
    desk = _desk()
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.dispatch(HUMAN, AskAgent("qa", "hi")))
        process = await desk.keeper.process("qa")
        await process.prompts.get()
        process.say(ConversationIdentified(OLD), ConversationIdentified(OTHER), Final("cleared"))
        answered = await asking

    assert answered.reply == "cleared"
    assert desk.records.conversations[QA.id] == OTHER


async def test_an_engine_with_a_process_per_turn_does_not_go_on_after_a_refusal() -> None:
    desk = _desk(PER_TURN)
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.outcome(AskAgent("qa", "hi")))
        process = await desk.keeper.process("qa")
        process.say(ResumeRefused(OLD, "no rollout found"))
        process.exit(1)
        assert isinstance(await asking, ConversationRefused)
        await desk.until(lambda: desk.look("qa").session is None)
        state = desk.look("qa")

    assert state.readiness.reason is ReadinessReason.CONVERSATION_REFUSED
    assert desk.locks.held == set()


async def test_a_fresh_start_is_told_the_end_of_the_transcript_and_the_transcript_says_so() -> None:
    desk = _desk()
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.dispatch(HUMAN, AskAgent("qa", "are the tests green?")))
        first = await desk.keeper.process("qa")
        await first.prompts.get()
        first.say(ConversationIdentified(OLD), Final("All 212 pass.\n## Not a heading"))
        await asking
        first.exit(0)
        await desk.until(lambda: desk.look("qa").session is None)
        await desk.dispatch(HUMAN, LaunchAgent("qa", None, View.CHAT, opening=Opening.PRIMED))
        second = await desk.keeper.process("qa", nth=2)
        marks = [item for item in desk.records.items if item.kind is ItemKind.MARK]
        conversation = desk.look("qa").conversation

    told = desk.run_directories.earlier[QA.slug]
    assert "> are the tests green?" in told
    assert "> All 212 pass.\n> ## Not a heading" in told
    assert "--resume" not in second.spec.argv
    assert [mark.fields for mark in marks] == [{"mark": "primed"}]
    assert conversation is None


async def test_an_empty_start_tells_the_agent_nothing_of_before() -> None:
    desk = _desk()
    async with desk.open():
        await desk.dispatch(HUMAN, LaunchAgent("qa", None, View.CHAT, opening=Opening.EMPTY))

    assert desk.run_directories.earlier[QA.slug] == ""
    assert desk.records.conversations[QA.id] is None


async def test_without_a_transcript_there_is_nothing_to_be_told() -> None:
    desk = _desk()
    async with desk.open():
        with pytest.raises(Conflict) as refused:
            await desk.dispatch(HUMAN, LaunchAgent("qa", None, View.CHAT, opening=Opening.PRIMED))

    assert refused.value.why == "noTranscript"
    assert desk.keeper.spawned == []
    assert desk.records.conversations[QA.id] == OLD


async def test_a_message_of_the_person_shows_the_refusal_in_its_conversation() -> None:
    desk = _desk()
    async with desk.open():
        await desk.dispatch(HUMAN, SendMessage("qa", "hi"))
        process = await desk.keeper.process("qa")
        await process.prompts.get()
        process.say(ResumeRefused(OLD, "No conversation found"))
        process.exit(1)
        await desk.until(lambda: any(item.kind is ItemKind.FAILURE for item in desk.records.items))
        failure = desk.records.items[-1]

    assert failure.outcome == "CONVERSATION_REFUSED"
    assert failure.fields["reason"] == "No conversation found"
