"""An ask to an agent in a terminal is answered beside it, and the terminal knows nothing of it."""

import asyncio
from dataclasses import replace

import pytest

from idea.application.commands import AskAgent, LaunchAgent, SendMessage, StopAgent, SwitchView
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
from idea.domain.ids import RequestId
from idea.domain.layouts import View
from idea.domain.replies import (
    ConversationIdentified,
    Decision,
    Failed,
    FailureKind,
    Final,
    PermissionRequested,
    RateLimited,
)
from idea.domain.sessions import SessionKind, SessionRole
from tests.application.beside import C1, CELL, MAIN, PER_TURN, QA, SIDE, is_alone, open_terminal
from tests.application.conftest import LoopTime
from tests.desk import HUMAN, Desk
from tests.fakes.agents import make_agent


@pytest.mark.parametrize("agent", [QA, PER_TURN], ids=["one process", "a process per turn"])
async def test_an_ask_is_answered_beside_the_terminal_which_is_let_alone(agent: Agent) -> None:
    desk = Desk(agent, MAIN)
    async with desk.open() as tasks:
        terminal = await open_terminal(desk)
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
        await is_alone(desk)
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


@pytest.mark.parametrize("own", [False, None], ids=["its file", "its profile"])
async def test_an_agent_that_is_kept_to_its_terminal_refuses(own: bool | None) -> None:
    profile = "scripted" if own is False else "alone"
    desk = Desk(replace(make_agent("qa", profile=profile), allow_structured_alongside_pty=own), MAIN)
    async with desk.open():
        await open_terminal(desk)
        refused = await desk.outcome(AskAgent("qa", "hi"), desk.requester("main"))

    assert isinstance(refused, Invalid)
    assert refused.fields()["why"] == "aloneInTerminal"
    assert len(desk.keeper.spawned) == 1


async def test_what_a_person_writes_is_for_the_terminal_alone() -> None:
    desk = Desk(QA, MAIN)
    async with desk.open():
        await open_terminal(desk)
        refused = await desk.outcome(SendMessage("qa", "hi"))

    assert isinstance(refused, Invalid)
    assert refused.fields()["why"] == "runsAsTerminal"
    assert len(desk.keeper.spawned) == 1


async def test_what_its_terminal_asks_is_no_part_of_the_turn_beside_it() -> None:
    """Main waits for QA's side, and QA's terminal asks Main: nobody waits for itself."""
    desk = Desk(QA, MAIN)
    async with desk.open() as tasks:
        await open_terminal(desk)
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
        await open_terminal(desk)
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
        await open_terminal(desk)
        readiness = desk.look("qa").readiness
        limited = tasks.create_task(desk.outcome(AskAgent("qa", "hi"), desk.requester("main")))
        side = await desk.keeper.process("qa", nth=2)
        await side.prompts.get()
        side.say(RateLimited(None), Failed(FailureKind.LIMITED, "used up"))
        assert isinstance(await limited, TargetRateLimited)
        await is_alone(desk)
        died = tasks.create_task(desk.outcome(AskAgent("qa", "hi"), desk.requester("main")))
        side = await desk.keeper.process("qa", nth=3)
        await side.prompts.get()
        side.exit(None, 9)
        assert isinstance(await died, TargetDied)
        await is_alone(desk)
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
        terminal = await open_terminal(desk)
        asking = tasks.create_task(desk.outcome(AskAgent("qa", "hi", timeout_s=1), desk.requester("main")))
        side = await desk.keeper.process("qa", nth=2)
        await side.prompts.get()
        loop_time.move(1)
        assert isinstance(await asking, Timeout)
        await side.interrupts.get()
        # It does not hear that; then its session is ended, and its session alone.
        loop_time.move(INTERRUPT_GRACE_S + 1)
        await is_alone(desk)

    assert side.has_ended
    assert not terminal.has_ended


async def test_stopping_the_agent_ends_both() -> None:
    desk = Desk(QA, MAIN)
    async with desk.open() as tasks:
        terminal = await open_terminal(desk)
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
        terminal = await open_terminal(desk)
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


async def test_everybody_is_told_of_it_and_it_is_offered_nowhere() -> None:
    desk = Desk(QA, MAIN)
    async with desk.open() as tasks:
        await open_terminal(desk)
        asking = tasks.create_task(desk.outcome(AskAgent("qa", "hi"), desk.requester("main")))
        side = await desk.keeper.process("qa", nth=2)
        await side.prompts.get()
        side.lose()
        assert isinstance(await asking, TargetDied)
        await is_alone(desk)
        told = [event.side is not None for event in desk.seen(SessionChanged) if event.agent == QA.id]

    assert True in told
    assert told[-1] is False
    assert desk.project.state().resumable == ()
    assert {event.session.kind for event in desk.seen(SessionChanged) if event.session} == {SessionKind.PTY}


async def test_a_taken_back_ask_ends_what_was_started_for_it() -> None:
    desk = Desk(QA, MAIN)
    async with desk.open() as tasks:
        await open_terminal(desk)
        asking = tasks.create_task(desk.dispatch(desk.requester("main"), AskAgent("qa", "hi")))
        side = await desk.keeper.process("qa", nth=2)
        await side.prompts.get()
        asking.cancel()
        await side.interrupts.get()
        side.say(Failed(FailureKind.INTERRUPTED, "stopped"))
        await is_alone(desk)
        with pytest.raises(asyncio.CancelledError):
            await asking

    assert side.has_ended
