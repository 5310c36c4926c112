"""What a killed server leaves beside a terminal, and the next one goes on with or ends."""

from idea.application.commands import AskAgent
from idea.domain.conversation import ItemKind
from idea.domain.notices import NoticePosted
from idea.domain.replies import ConversationIdentified, Final
from idea.domain.sessions import SessionKind, SessionRole
from tests.application.beside import C1, MAIN, QA, open_terminal
from tests.desk import Desk


async def test_a_killed_server_leaves_the_turn_and_its_answer_comes_once() -> None:
    desk = Desk(QA, MAIN)
    async with desk.open() as tasks:
        terminal = await open_terminal(desk)
        asking = tasks.create_task(desk.outcome(AskAgent("qa", "hi"), desk.requester("main")))
        side = await desk.keeper.process("qa", nth=2)
        await side.prompts.get()
        side.say(ConversationIdentified(C1))
        await desk.until(lambda: desk.records.side_conversations.get(QA.id) == C1)
        desk.kill()
        asking.cancel()
    after = Desk(QA, MAIN, before=desk)
    side.say(Final("all the same"))
    async with after.open():
        await after.until(lambda: any(one.reply for one in after.project.state().delegations))
        await after.until(lambda: after.look("qa").side_session is None)
        state = after.look("qa")

    assert [item.text for item in after.records.items if item.kind is ItemKind.ANSWER] == ["all the same"]
    assert state.session is not None
    assert state.session.kind is SessionKind.PTY
    assert not terminal.has_ended
    assert side.has_ended
    assert [role for _, role in after.work.sessions] == [SessionRole.MAIN]
    assert len(after.keeper.spawned) == 2


async def test_a_side_session_without_a_turn_is_ended_by_the_next_server() -> None:
    desk = Desk(QA, MAIN)
    async with desk.open() as tasks:
        terminal = await open_terminal(desk)
        desk.keeper.is_ready_at_once = False
        asking = tasks.create_task(desk.outcome(AskAgent("qa", "hi")))
        starting = await desk.keeper.process("qa", nth=2)
        desk.kill()
        asking.cancel()
    after = Desk(QA, MAIN, before=desk)
    after.keeper.is_ready_at_once = True
    async with after.open():
        side = await after.keeper.process("qa", nth=3)
        await side.prompts.get()
        side.say(Final("here"))
        await after.until(lambda: any(one.reply == "here" for one in after.project.state().delegations))

    assert starting.has_ended
    assert not terminal.has_ended


async def test_one_that_is_on_no_record_is_ended_and_the_terminal_goes_on() -> None:
    desk = Desk(QA, MAIN)
    async with desk.open() as tasks:
        terminal = await open_terminal(desk)
        asking = tasks.create_task(desk.outcome(AskAgent("qa", "hi"), desk.requester("main")))
        side = await desk.keeper.process("qa", nth=2)
        await side.prompts.get()
        desk.kill()
        asking.cancel()
    desk.work.turns.clear()
    desk.work.sessions.clear()
    after = Desk(QA, MAIN, before=desk)
    async with after.open():
        state = after.look("qa")

    assert side.has_ended
    assert not terminal.has_ended
    assert state.session is not None
    assert state.session.kind is SessionKind.PTY
    assert [notice.fields["why"] for notice in after.seen(NoticePosted)] == ["strayEnded", "strayTakenUp"]
