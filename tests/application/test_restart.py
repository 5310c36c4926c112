"""A server that is killed in the middle of something, and the next one, which goes on: nothing lost, or done twice."""

import asyncio
from dataclasses import replace
from itertools import count

import pytest

from idea.application.commands import AskAgent, LaunchAgent, SendMessage
from idea.application.ports import EngineLifetime
from idea.application.structured.engine_output import EngineOutput, SessionEvent
from idea.domain.agents import Agent
from idea.domain.conversation import ItemKind
from idea.domain.delegation import DelegationState, Requester, Source
from idea.domain.events import PermissionAsked, TurnEnded
from idea.domain.ids import ConversationId, NodeId, RequestId
from idea.domain.layouts import View
from idea.domain.readiness import ReadinessState
from idea.domain.replies import (
    Announcement,
    ConversationIdentified,
    Decision,
    EngineReady,
    Final,
    PermissionRequested,
    TextDelta,
    ToolActivity,
    ToolPhase,
)
from idea.domain.sessions import SessionRole, SpawnSpec
from tests.desk import HUMAN, Desk
from tests.fakes.agents import make_agent
from tests.fakes.engines import FakeEngine
from tests.fakes.processes import FakeKeeper, FakeProcess
from tests.patience import PATIENCE_S

QA = make_agent("qa")
PER_TURN = make_agent("qa", profile="per-turn")
KINDS = [QA, PER_TURN]


def _tool(number: int) -> ToolActivity:
    return ToolActivity(f"c{number}", "Bash", f"tool {number}", ToolPhase.ENDED)


def _said(desk: Desk) -> list[tuple[ItemKind, str]]:
    return [(item.kind, item.text) for item in desk.records.items]


@pytest.mark.parametrize("agent", KINDS)
async def test_a_turn_goes_on_and_what_is_on_record_is_not_recorded_again(agent: Agent) -> None:
    desk = Desk(agent)
    async with desk.open():
        await desk.dispatch(HUMAN, SendMessage("qa", "look"))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        qa.say(_tool(1), Announcement("half way"), TextDelta("so f"))
        await desk.until(lambda: (live := desk.look("qa").live_turn) is not None and live.text == "so f")
        desk.kill()

    after = Desk(before=desk)
    async with after.open():
        await after.until(lambda: (live := after.look("qa").live_turn) is not None and live.text == "so f")
        live = after.look("qa").live_turn
        assert live is not None
        assert [text for _, text in live.announcements] == ["half way"]
        qa.say(_tool(2), Final("done"))
        await after.until(lambda: bool(after.seen(TurnEnded)))
        await after.until(lambda: after.look("qa").live_turn is None)

        assert after.work.turns == {}
        assert qa.prompts.empty()

    assert _said(after) == [
        (ItemKind.PROMPT, "look"),
        (ItemKind.TOOL, "tool 1"),
        (ItemKind.TOOL, "tool 2"),
        (ItemKind.ANSWER, "done"),
    ]


@pytest.mark.parametrize("agent", KINDS)
async def test_an_answer_that_came_while_no_server_was_there_settles_the_ask(agent: Agent) -> None:
    desk = Desk(agent)
    async with desk.open() as tasks:
        tasks.create_task(desk.outcome(AskAgent("qa", "look")))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        desk.kill()
    qa.say(_tool(1), Final("done"))

    after = Desk(before=desk)
    async with after.open():
        await after.until(lambda: bool(after.seen(TurnEnded)))

    [delegation] = after.records.delegations.values()
    assert (delegation.state, delegation.reply) == (DelegationState.ANSWERED, "done")


async def test_an_answer_whose_ask_could_not_be_settled_on_record_settles_it_after_the_restart() -> None:
    """The disk took the answer and refused the rest, until the server was killed."""
    desk = Desk(QA)
    async with desk.open() as tasks:
        tasks.create_task(desk.outcome(AskAgent("qa", "look")))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        turns, delegations = dict(desk.work.turns), dict(desk.records.delegations)
        qa.say(Final("done"))
        await desk.until(lambda: bool(desk.seen(TurnEnded)) and not desk.work.turns)
        desk.kill()
    desk.work.turns.update(turns)
    desk.records.delegations.update(delegations)

    after = Desk(before=desk)
    async with after.open():
        await after.until(lambda: not after.work.turns)

    [delegation] = after.records.delegations.values()
    assert (delegation.state, delegation.reply) == (DelegationState.ANSWERED, "done")
    assert after.work.turns == {}


async def test_messages_that_waited_keep_their_order() -> None:
    desk = Desk(QA)
    async with desk.open():
        for text in ("one", "two", "three"):
            await desk.dispatch(HUMAN, SendMessage("qa", text))
        qa = await desk.keeper.process("qa")
        assert await qa.prompts.get() == "one"
        desk.kill()

    after = Desk(before=desk)
    async with after.open():
        assert [each.preview for each in after.look("qa").queue] == ["two", "three"]
        for number, following in enumerate(("two", "three", None), start=1):
            qa.say(Final(f"answer {number}"))
            if following is not None:
                assert await qa.prompts.get() == following
        await after.until(lambda: len(after.seen(TurnEnded)) == 3)

    assert [text for kind, text in _said(after) if kind is ItemKind.ANSWER] == ["answer 1", "answer 2", "answer 3"]


async def test_a_permission_request_waits_again_and_one_that_was_answered_does_not() -> None:
    asked = [PermissionRequested(RequestId(f"r{number}"), "Bash", "rm", "rm") for number in (1, 2)]
    desk = Desk(QA)
    async with desk.open():
        await desk.dispatch(HUMAN, SendMessage("qa", "look"))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        qa.say(*asked)
        await desk.until(lambda: len(desk.seen(PermissionAsked)) == 2)
        await desk.project.decide_permission(QA.id, RequestId("r1"), Decision.ALLOW_ONCE)
        assert await qa.answers.get() == "r1 allowOnce"
        desk.kill()

    after = Desk(before=desk)
    async with after.open():
        await after.until(lambda: bool(after.seen(PermissionAsked)))
        await after.project.decide_permission(QA.id, RequestId("r2"), Decision.DENY)
        assert await qa.answers.get() == "r2 deny"
        qa.say(Final("done"))
        await after.until(lambda: bool(after.seen(TurnEnded)))

    assert [event.request.request_id for event in after.seen(PermissionAsked)] == ["r2"]


async def test_an_agent_at_rest_is_found_at_rest_in_its_cell_and_with_its_conversation() -> None:
    desk = Desk(QA)
    async with desk.open():
        await desk.dispatch(HUMAN, LaunchAgent("qa", NodeId("left"), View.CHAT))
        qa = await desk.keeper.process("qa")
        qa.say(ConversationIdentified(ConversationId("c1")))
        await desk.until(lambda: desk.work.sessions[QA.id, SessionRole.MAIN].session.conversation == "c1")
        desk.kill()

    after = Desk(before=desk)
    async with after.open():
        found = after.look("qa")
        assert found.session is not None
        assert (found.session.node_id, found.session.conversation) == ("left", "c1")
        assert found.readiness.state is ReadinessState.IDLE
    assert len(after.keeper.spawned) == 1


async def _work(desk: Desk, qa: FakeProcess, message: str, answer: str) -> None:
    await desk.dispatch(HUMAN, SendMessage("qa", message))
    assert await qa.prompts.get() == message
    qa.say(Final(answer))
    await desk.until(lambda: not desk.work.turns)


async def test_a_turn_begun_after_a_restart_is_found_by_the_server_after_that() -> None:
    desk = Desk(QA)
    async with desk.open():
        await desk.dispatch(HUMAN, LaunchAgent("qa", None, View.CHAT))
        qa = await desk.keeper.process("qa")
        await _work(desk, qa, "one", "first")
        desk.kill()
    # Nothing is left to be read of its output.
    second = Desk(before=desk)
    async with second.open():
        await second.dispatch(HUMAN, SendMessage("qa", "two"))
        assert await qa.prompts.get() == "two"
        second.kill()

    third = Desk(before=second)
    async with third.open():
        qa.say(Final("done"))
        await third.until(lambda: bool(third.seen(TurnEnded)))

    assert [event.outcome for event in third.seen(TurnEnded)] == ["ANSWERED"]
    assert [text for kind, text in _said(third) if kind is ItemKind.ANSWER] == ["first", "done"]


async def test_the_rest_of_a_turn_is_not_taken_for_the_next_ones() -> None:
    desk = Desk(QA)
    async with desk.open():
        await desk.dispatch(HUMAN, LaunchAgent("qa", None, View.CHAT))
        qa = await desk.keeper.process("qa")
        before = qa.acknowledged_bytes
        await _work(desk, qa, "one", "first")
        await desk.dispatch(HUMAN, SendMessage("qa", "two"))
        assert await qa.prompts.get() == "two"
        desk.kill()
    # As if the kill had come before the keeper heard what it may forget, and before the second message was handed over.
    qa.acknowledged_bytes = before
    [turn] = desk.work.turns.values()
    desk.work.turns[turn.id] = replace(turn, begun=None)
    qa.write_ids.clear()

    after = Desk(before=desk)
    async with after.open():
        assert await qa.prompts.get() == "two"
        qa.say(Final("second"))
        await after.until(lambda: bool(after.seen(TurnEnded)))

    assert [text for kind, text in _said(after) if kind is ItemKind.ANSWER] == ["first", "second"]


async def test_a_cli_that_was_starting_is_waited_for_before_it_gets_a_message() -> None:
    desk = Desk(QA)
    desk.keeper.is_ready_at_once = False
    async with desk.open():
        await desk.dispatch(HUMAN, SendMessage("qa", "look"))
        qa = await desk.keeper.process("qa")
        desk.kill()

    after = Desk(before=desk)
    async with after.open():
        await after.until(lambda: after.look("qa").live_turn is not None)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await qa.prompts.get()
        qa.say(EngineReady())
        assert await qa.prompts.get() == "look"
        qa.say(Final("done"))
        await after.until(lambda: bool(after.seen(TurnEnded)))

    assert [event.outcome for event in after.seen(TurnEnded)] == ["ANSWERED"]
    assert len(after.keeper.spawned) == 1


async def test_who_works_on_a_turn_was_ready_also_where_that_is_not_on_record() -> None:
    desk = Desk(QA)
    async with desk.open():
        await desk.dispatch(HUMAN, SendMessage("qa", "one"))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        desk.kill()
    desk.work.sessions[QA.id, SessionRole.MAIN] = replace(desk.work.sessions[QA.id, SessionRole.MAIN], is_ready=False)

    after = Desk(before=desk)
    async with after.open():
        qa.say(Final("first"))
        await _work(after, qa, "two", "second")

    assert [text for kind, text in _said(after) if kind is ItemKind.ANSWER] == ["first", "second"]


async def test_a_message_that_a_dead_cli_did_not_take_goes_to_the_next_one_also_under_the_next_server() -> None:
    desk = Desk(QA)
    async with desk.open():
        await desk.dispatch(HUMAN, LaunchAgent("qa", None, View.CHAT))
        dying = await desk.keeper.process("qa")
        await _work(desk, dying, "one", "first")
        # It has ended, but its session has not: the message is on record as begun, and then not taken.
        dying.tree_is_gone.clear()
        dying.exit(9)
        await desk.dispatch(HUMAN, SendMessage("qa", "two"))
        await desk.until(lambda: desk.look("qa").live_turn is not None)
        desk.keeper.may_spawn.clear()
        dying.tree_is_gone.set()
        await desk.until(lambda: desk.look("qa").readiness.state is ReadinessState.STARTING)
        desk.kill()
    desk.keeper.may_spawn.set()

    after = Desk(before=desk)
    async with after.open():
        qa = await after.keeper.process("qa", nth=2)
        assert await qa.prompts.get() == "two"
        qa.say(Final("second"))
        await after.until(lambda: bool(after.seen(TurnEnded)))

    assert [text for kind, text in _said(after) if kind is ItemKind.ANSWER] == ["first", "second"]


async def test_output_is_kept_until_what_it_said_of_the_session_is_on_record() -> None:
    keeper, is_saved, is_told = FakeKeeper(), asyncio.Event(), asyncio.Event()
    process = await keeper.spawn(SpawnSpec("s1", ("/bin/scripted", "qa"), "/", {}, None))

    async def save(event: SessionEvent) -> None:
        is_told.set()
        await is_saved.wait()

    output = EngineOutput("QA", FakeEngine(keeper.lexicon, EngineLifetime.SESSION), on_event=save)
    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
        tasks.create_task(output.read(process, None))
        process.exit()
        await is_told.wait()
        assert process.acknowledged_bytes == 0
        is_saved.set()

    assert process.acknowledged_bytes > 0


async def test_an_ask_that_its_requesters_turn_does_not_tell_of_is_noted_there() -> None:
    main = make_agent("main")
    desk = Desk(main, QA)
    async with desk.open() as tasks:
        await desk.dispatch(HUMAN, SendMessage("main", "look"))
        process = await desk.keeper.process("main")
        await process.prompts.get()
        [turn] = desk.work.turns
        requester = Requester(Source.MCP, main.id, turn)
        tasks.create_task(desk.outcome(AskAgent("qa", "Does it work?"), requester))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        desk.kill()
    [delegation] = desk.records.delegations
    desk.records.items = [item for item in desk.records.items if item.kind is not ItemKind.ASKED]

    for life in range(2):
        desk = Desk(before=desk)
        async with desk.open():
            asked = [item for item in desk.records.items if item.kind is ItemKind.ASKED]
            assert [(item.agent, item.turn, item.delegation) for item in asked] == [(main.id, turn, delegation)], life
            desk.kill()


async def _answer_prompts(keeper: FakeKeeper, prompts: list[str]) -> None:
    """The CLI of one agent, whatever becomes of the servers: a tool and an answer for each message."""
    for number in count(1):
        process = await keeper.process("qa", nth=number)
        while True:
            text = await process.prompts.get()
            prompts.append(text)
            process.say(_tool(len(prompts)), Final(f"re: {text}"))
            if process.spec.env.get("IS_PER_TURN"):
                process.exit(0)
                break


@pytest.mark.parametrize("agent", KINDS)
@pytest.mark.parametrize("writes", range(14))
async def test_wherever_it_is_killed_each_turn_that_was_accepted_is_done_once(agent: Agent, writes: int) -> None:
    desk = Desk(agent)
    desk.records.writes_left = writes
    prompts: list[str] = []
    accepted: list[str] = []

    async def send() -> None:
        for text in ("one", "two"):
            await desk.dispatch(HUMAN, SendMessage("qa", text))
            accepted.append(text)

    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
        answering = tasks.create_task(_answer_prompts(desk.keeper, prompts))
        async with desk.open() as requests:
            sending = requests.create_task(send())
            await desk.records.died.wait()
            sending.cancel()
        after = Desk(before=desk)
        async with after.open():
            await after.until(lambda: not after.work.turns and after.look("qa").live_turn is None)
        answering.cancel()

    said = _said(after)
    assert prompts == [text for kind, text in said if kind is ItemKind.PROMPT]
    assert [text for kind, text in said if kind is ItemKind.ANSWER] == [f"re: {text}" for text in prompts]
    assert [text for kind, text in said if kind is ItemKind.TOOL] == [f"tool {n + 1}" for n in range(len(prompts))]
    assert prompts[: len(accepted)] == accepted
