"""A person's message that is sent again, because its sender does not know whether it arrived: one turn."""

import asyncio

import pytest

from idea.application.commands import AskAgent, CancelQueued, SendMessage
from idea.application.ports import FromFiles
from idea.domain.agents import Agent
from idea.domain.conversation import ItemKind
from idea.domain.events import ConversationAppended, TurnEnded
from idea.domain.ids import AgentSlug
from idea.domain.replies import Final
from tests.desk import HUMAN, Desk
from tests.fakes.agents import make_agent

QA = make_agent("qa")
HELLO = SendMessage("qa", "Hello", message_id="m1")


def prompts(desk: Desk) -> list[str]:
    appended = [event.item for event in desk.seen(ConversationAppended)]
    return [item.text for item in appended if item.kind is ItemKind.PROMPT]


async def test_a_message_that_is_sent_again_is_the_turn_that_it_became() -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        hanging = tasks.create_task(desk.outcome(AskAgent("qa", "hang")))
        process = await desk.keeper.process("qa")
        await process.prompts.get()
        first = await desk.dispatch(HUMAN, HELLO)

        assert await desk.dispatch(HUMAN, HELLO) == first
        assert await desk.dispatch(HUMAN, SendMessage("qa", "Hello", message_id="m2")) != first
        assert await desk.dispatch(HUMAN, SendMessage("qa", "Hello")) != first
        assert await desk.dispatch(HUMAN, SendMessage("qa", "Goodbye", message_id="m1")) != first
        assert len(desk.project.list_waiting(QA.id, after=0, limit=10)) == 4

        # Taken out of the queue by a person, it may be sent anew.
        assert await tasks.create_task(desk.dispatch(HUMAN, CancelQueued("qa", first))) == "Hello"
        assert len(desk.project.list_waiting(QA.id, after=0, limit=10)) == 3
        assert await desk.dispatch(HUMAN, HELLO) == first
        assert len(desk.project.list_waiting(QA.id, after=0, limit=10)) == 4
        hanging.cancel()


@pytest.mark.parametrize("following", [SendMessage("qa", "two"), AskAgent("qa", "two")])
async def test_a_message_that_is_judged_for_longer_keeps_its_place(
    monkeypatch: pytest.MonkeyPatch, following: SendMessage | AskAgent
) -> None:
    desk = Desk(QA)
    read, is_read, may_go_on = desk.store.read, asyncio.Event(), asyncio.Event()

    async def slow_at_first(slug: AgentSlug) -> FromFiles[Agent]:
        if not is_read.is_set():
            is_read.set()
            await may_go_on.wait()
        return await read(slug)

    async with desk.open() as tasks:
        monkeypatch.setattr(desk.store, "read", slow_at_first)
        tasks.create_task(desk.dispatch(HUMAN, SendMessage("qa", "one")))
        await is_read.wait()
        second = tasks.create_task(desk.outcome(following))
        for _ in range(50):
            # It must not get further, so no event tells when. With nothing that holds it up it is through by then.
            await asyncio.sleep(0)
        may_go_on.set()
        process = await desk.keeper.process("qa")

        assert await process.prompts.get() == "one"
        second.cancel()


async def test_a_message_whose_turn_has_ended_is_no_second_turn_also_for_the_next_server() -> None:
    desk = Desk(QA)
    async with desk.open():
        first = await desk.dispatch(HUMAN, HELLO)
        process = await desk.keeper.process("qa")
        await process.prompts.get()
        process.say(Final("Hello yourself"))
        await desk.until(lambda: bool(desk.seen(TurnEnded)))
        assert await desk.dispatch(HUMAN, HELLO) == first
        desk.kill()

    after = Desk(QA, before=desk)
    async with after.open():
        assert await after.dispatch(HUMAN, HELLO) == first
        assert after.queue("qa") == 0

    assert prompts(desk) == ["Hello"]
    assert prompts(after) == []


async def test_a_message_that_is_sent_twice_in_one_moment_is_one_turn() -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        both = [tasks.create_task(desk.dispatch(HUMAN, HELLO)) for _ in range(2)]
        await asyncio.wait(both)
        await (await desk.keeper.process("qa")).prompts.get()

        assert both[0].result() == both[1].result()
        assert desk.queue("qa") == 0
