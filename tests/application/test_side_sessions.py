"""An ask to an agent in a terminal is answered beside it, and the terminal knows nothing of it."""

import asyncio
from dataclasses import replace

import pytest

from idea.application.commands import (
    AskAgent,
    AttachConversation,
    LaunchAgent,
    ListConversations,
    SendMessage,
    StopAgent,
    SwitchView,
)
from idea.application.turns.turn_drain import INTERRUPT_GRACE_S
from idea.domain.agents import Agent
from idea.domain.conversation import ItemKind
from idea.domain.errors import (
    Cancelled,
    Conflict,
    DelegationCycle,
    EngineFailed,
    Invalid,
    TargetDied,
    TargetRateLimited,
    Timeout,
)
from idea.domain.events import AgentReadinessChanged, PermissionAsked, SessionChanged
from idea.domain.ids import ConversationId, NodeId, RequestId
from idea.domain.layouts import View
from idea.domain.notices import NoticePosted
from idea.domain.replies import (
    ConversationIdentified,
    Decision,
    EngineReady,
    Failed,
    FailureKind,
    Final,
    PermissionRequested,
    RateLimited,
    ResumeRefused,
)
from idea.domain.sessions import SessionKind, SessionRole
from tests.application.conftest import LoopTime
from tests.desk import HUMAN, Desk
from tests.fakes.agents import make_agent
from tests.fakes.clock import NOON
from tests.fakes.processes import FakeProcess

QA, MAIN = make_agent("qa"), make_agent("main", profile="finding")
PER_TURN = make_agent("qa", profile="per-turn")
CELL = NodeId("left")
C1, C2 = ConversationId("c1"), ConversationId("c2")
IN_TERMINAL = LaunchAgent("qa", CELL, View.TERMINAL)
SIDE = SessionRole.SIDE


async def _terminal(desk: Desk) -> FakeProcess:
    await desk.dispatch(HUMAN, IN_TERMINAL)
    return await desk.keeper.process("qa")


async def _is_alone(desk: Desk) -> None:
    await desk.until(lambda: desk.look("qa").side_session is None)


@pytest.mark.parametrize("agent", [QA, PER_TURN], ids=["one process", "a process per turn"])
async def test_an_ask_is_answered_beside_the_terminal_which_is_let_alone(agent: Agent) -> None:
    desk = Desk(agent, MAIN)
    async with desk.open() as tasks:
        terminal = await _terminal(desk)
        before = desk.look("qa")
        told = len(desk.seen(AgentReadinessChanged))
        asking = tasks.create_task(desk.dispatch(desk.requester("main"), AskAgent("qa", "are the tests green?")))
        side = await desk.keeper.process("qa", nth=2)
        await side.prompts.get()
        during = desk.look("qa")
        side.say(ConversationIdentified(C1), Final("all 212 pass"))
        if agent is PER_TURN:
            side.exit(0)
        answered = await asking
        await _is_alone(desk)
        after = desk.look("qa")

    assert answered.reply == "all 212 pass"
    assert during.side_session is not None
    assert (during.side_session.role, during.side_session.kind) == (SIDE, SessionKind.STRUCTURED)
    assert during.side_session.node_id is None
    assert during.session == before.session == after.session
    assert not terminal.is_written_to.is_set()
    assert not terminal.has_ended
    assert side.has_ended
    assert len(desk.seen(AgentReadinessChanged)) == told
    assert (after.conversation, desk.records.side_conversations[QA.id]) == (None, C1)
    assert {key: one.spawn_id for key, one in desk.work.sessions.items()} == {
        (QA.id, SessionRole.MAIN): terminal.spec.spawn_id
    }
    prompt = next(item for item in desk.records.items if item.kind is ItemKind.PROMPT)
    assert prompt.fields == {"beside": "terminal"}
    assert side.spec.lock is None


async def test_asks_that_wait_share_one_session_and_the_next_ask_goes_on_with_its_conversation() -> None:
    desk = Desk(QA, MAIN)
    async with desk.open() as tasks:
        await _terminal(desk)
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
        await _is_alone(desk)
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
        await _terminal(desk)
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
        await _is_alone(desk)

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
        await _terminal(desk)
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


@pytest.mark.parametrize("own", [False, None], ids=["its file", "its profile"])
async def test_an_agent_that_is_kept_to_its_terminal_refuses(own: bool | None) -> None:
    profile = "scripted" if own is False else "alone"
    desk = Desk(replace(make_agent("qa", profile=profile), allow_structured_alongside_pty=own), MAIN)
    async with desk.open():
        await _terminal(desk)
        refused = await desk.outcome(AskAgent("qa", "hi"), desk.requester("main"))

    assert isinstance(refused, Invalid)
    assert refused.fields()["why"] == "aloneInTerminal"
    assert len(desk.keeper.spawned) == 1


async def test_what_a_person_writes_is_for_the_terminal_alone() -> None:
    desk = Desk(QA, MAIN)
    async with desk.open():
        await _terminal(desk)
        refused = await desk.outcome(SendMessage("qa", "hi"))

    assert isinstance(refused, Invalid)
    assert refused.fields()["why"] == "runsAsTerminal"
    assert len(desk.keeper.spawned) == 1


async def test_what_its_terminal_asks_is_no_part_of_the_turn_beside_it() -> None:
    """Main waits for QA's side, and QA's terminal asks Main: nobody waits for itself."""
    desk = Desk(QA, MAIN)
    async with desk.open() as tasks:
        await _terminal(desk)
        writing = tasks.create_task(desk.dispatch(HUMAN, SendMessage("main", "ask QA")))
        main = await desk.keeper.process("main")
        await main.prompts.get()
        await writing
        asking = tasks.create_task(desk.dispatch(desk.requester("main"), AskAgent("qa", "the facts?")))
        side = await desk.keeper.process("qa", nth=2)
        await side.prompts.get()
        beside = desk.team.find_turn(QA.id, SIDE)
        assert desk.team.find_turn(QA.id) is None
        from_terminal = tasks.create_task(desk.dispatch(desk.requester("qa"), AskAgent("main", "a word?")))
        await desk.until(lambda: desk.queue("main") == 1)
        asked = desk.project.state().delegations[-1]
        circle = await desk.outcome(AskAgent("main", "and you?"), replace(desk.requester("qa"), turn=beside))
        itself = await desk.outcome(AskAgent("qa", "and me?"), desk.requester("qa"))
        side.say(Final("here they are"))
        await asking
        main.say(Final("done"))
        await main.prompts.get()
        main.say(Final("a word"))
        assert (await from_terminal).reply == "a word"

    assert beside is not None
    assert (asked.depth, asked.requester.turn) == (1, None)
    assert isinstance(circle, DelegationCycle)
    assert isinstance(itself, DelegationCycle)


async def test_its_permission_requests_are_a_persons_to_answer() -> None:
    desk = Desk(QA, MAIN)
    choices = (Decision.ALLOW_ONCE, Decision.DENY)
    request = PermissionRequested(RequestId("r1"), "Bash", "Run a command", "make", choices)
    async with desk.open() as tasks:
        await _terminal(desk)
        readiness = desk.look("qa").readiness
        asking = tasks.create_task(desk.dispatch(desk.requester("main"), AskAgent("qa", "hi")))
        side = await desk.keeper.process("qa", nth=2)
        await side.prompts.get()
        side.say(request)
        await desk.until(lambda: bool(desk.seen(PermissionAsked)))
        assert desk.look("qa").readiness == readiness
        await desk.project.decide_permission(QA.id, request.request_id, Decision.ALLOW_ONCE)
        assert await side.answers.get() == "r1 allowOnce"
        side.say(Final("made"))
        assert (await asking).reply == "made"


async def test_a_limit_and_an_end_are_the_askers_to_know_and_not_the_terminals() -> None:
    desk = Desk(QA, MAIN)
    async with desk.open() as tasks:
        await _terminal(desk)
        readiness = desk.look("qa").readiness
        limited = tasks.create_task(desk.outcome(AskAgent("qa", "hi"), desk.requester("main")))
        side = await desk.keeper.process("qa", nth=2)
        await side.prompts.get()
        side.say(RateLimited(None), Failed(FailureKind.LIMITED, "used up"))
        assert isinstance(await limited, TargetRateLimited)
        await _is_alone(desk)
        died = tasks.create_task(desk.outcome(AskAgent("qa", "hi"), desk.requester("main")))
        side = await desk.keeper.process("qa", nth=3)
        await side.prompts.get()
        side.exit(None, 9)
        assert isinstance(await died, TargetDied)
        await _is_alone(desk)
        desk.keeper.refusal = EngineFailed("QA", "no such program", tail="the last line")
        unable = await desk.outcome(AskAgent("qa", "hi"), desk.requester("main"))
        after = desk.look("qa")

    assert isinstance(unable, EngineFailed)
    assert (unable.reason, unable.tail) == ("no such program", "the last line")
    assert after.readiness == readiness
    assert after.session is not None
    assert desk.project.state().resumable == ()


async def test_a_stop_of_the_turn_or_the_end_of_its_time_leaves_the_terminal(loop_time: LoopTime) -> None:
    desk = Desk(QA, MAIN)
    async with desk.open() as tasks:
        terminal = await _terminal(desk)
        asking = tasks.create_task(desk.outcome(AskAgent("qa", "hi", timeout_s=1), desk.requester("main")))
        side = await desk.keeper.process("qa", nth=2)
        await side.prompts.get()
        loop_time.move(1)
        assert isinstance(await asking, Timeout)
        await side.interrupts.get()
        # It does not hear that; then its session is ended, and its session alone.
        loop_time.move(INTERRUPT_GRACE_S + 1)
        await _is_alone(desk)

    assert side.has_ended
    assert not terminal.has_ended


async def test_stopping_the_agent_ends_both() -> None:
    desk = Desk(QA, MAIN)
    async with desk.open() as tasks:
        terminal = await _terminal(desk)
        asking = tasks.create_task(desk.outcome(AskAgent("qa", "hi"), desk.requester("main")))
        side = await desk.keeper.process("qa", nth=2)
        await side.prompts.get()
        await desk.dispatch(HUMAN, StopAgent("qa"))
        assert isinstance(await asking, Cancelled)

    assert terminal.has_ended
    assert side.has_ended
    assert desk.work.sessions == {}
    assert desk.locks.held == set()


async def test_a_turn_goes_on_when_its_terminal_ends_and_a_chat_is_opened() -> None:
    desk = Desk(QA, MAIN)
    async with desk.open() as tasks:
        terminal = await _terminal(desk)
        asking = tasks.create_task(desk.dispatch(desk.requester("main"), AskAgent("qa", "hi")))
        side = await desk.keeper.process("qa", nth=2)
        await side.prompts.get()
        assert isinstance(await desk.outcome(SwitchView("qa", CELL, View.CHAT)), Conflict)
        terminal.exit(0)
        await desk.until(lambda: desk.look("qa").session is None)
        await desk.dispatch(HUMAN, LaunchAgent("qa", CELL, View.CHAT))
        chat = await desk.keeper.process("qa", nth=3)
        writing = tasks.create_task(desk.dispatch(HUMAN, SendMessage("qa", "good morning")))
        await desk.until(lambda: desk.queue("qa") == 1)
        assert desk.look("qa").readiness.state == "idle"
        side.say(Final("beside"))
        assert (await asking).reply == "beside"
        assert await chat.prompts.get() == "good morning"
        assert desk.look("qa").side_session is None
        await writing
        chat.say(Final("morning"))

    assert side.has_ended


async def test_a_killed_server_leaves_the_turn_and_its_answer_comes_once() -> None:
    desk = Desk(QA, MAIN)
    async with desk.open() as tasks:
        terminal = await _terminal(desk)
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
        terminal = await _terminal(desk)
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
        terminal = await _terminal(desk)
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


async def test_its_conversation_is_neither_the_terminals_nor_one_to_attach() -> None:
    finding = make_agent("qa", profile="finding")
    desk = Desk(finding, MAIN)
    async with desk.open() as tasks:
        terminal = await _terminal(desk)
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
        terminal = await _terminal(desk)
        desk.earlier.add(C1, at=NOON)
        await desk.project.delete_agent(MAIN.id)
        terminal.exit(0)
        await desk.until(lambda: desk.look("qa").session is None)
        assert desk.look("qa").conversation is None


async def test_everybody_is_told_of_it_and_it_is_offered_nowhere() -> None:
    desk = Desk(QA, MAIN)
    async with desk.open() as tasks:
        await _terminal(desk)
        asking = tasks.create_task(desk.outcome(AskAgent("qa", "hi"), desk.requester("main")))
        side = await desk.keeper.process("qa", nth=2)
        await side.prompts.get()
        side.lose()
        assert isinstance(await asking, TargetDied)
        await _is_alone(desk)
        told = [event.side is not None for event in desk.seen(SessionChanged) if event.agent == QA.id]

    assert True in told
    assert told[-1] is False
    assert desk.project.state().resumable == ()
    assert {event.session.kind for event in desk.seen(SessionChanged) if event.session} == {SessionKind.PTY}


async def test_a_taken_back_ask_ends_what_was_started_for_it() -> None:
    desk = Desk(QA, MAIN)
    async with desk.open() as tasks:
        await _terminal(desk)
        asking = tasks.create_task(desk.dispatch(desk.requester("main"), AskAgent("qa", "hi")))
        side = await desk.keeper.process("qa", nth=2)
        await side.prompts.get()
        asking.cancel()
        await side.interrupts.get()
        side.say(Failed(FailureKind.INTERRUPTED, "stopped"))
        await _is_alone(desk)
        with pytest.raises(asyncio.CancelledError):
            await asking

    assert side.has_ended
