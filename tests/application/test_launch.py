"""Who may start an agent where, and what a view of a running one is bound to."""

from dataclasses import replace

import pytest

from idea.application.commands import AskAgent, DetachCell, LaunchAgent, ListAgents, StopAgent
from idea.domain.agents import BrokenAgent
from idea.domain.errors import AgentAlreadyRunning, Conflict, EngineFailed, TrustRequired
from idea.domain.events import AgentReadinessChanged
from idea.domain.ids import AgentId, ConversationId, NodeId
from idea.domain.layouts import View
from idea.domain.readiness import ReadinessReason, ReadinessState
from idea.domain.replies import ConversationIdentified
from idea.domain.sessions import Opening
from idea.domain.trust import TrustVerdict
from tests.desk import HUMAN, Desk
from tests.fakes.agents import make_agent

QA = make_agent("qa")
LEFT, RIGHT = NodeId("left"), NodeId("right")


async def test_a_running_agent_is_not_started_again_in_another_cell() -> None:
    desk = Desk(QA)
    async with desk.open():
        await desk.dispatch(HUMAN, LaunchAgent("qa", LEFT, View.CHAT))
        with pytest.raises(AgentAlreadyRunning) as refused:
            await desk.dispatch(HUMAN, LaunchAgent("qa", RIGHT, View.CHAT))

    assert (refused.value.agent, refused.value.node_id) == (QA.id, LEFT)
    assert len(desk.keeper.spawned) == 1


async def test_a_reattach_moves_the_view_and_starts_nothing() -> None:
    desk = Desk(QA)
    async with desk.open():
        first = await desk.dispatch(HUMAN, LaunchAgent("qa", LEFT, View.CHAT))
        same = await desk.dispatch(HUMAN, LaunchAgent("qa", LEFT, View.CHAT))
        moved = await desk.dispatch(HUMAN, LaunchAgent("qa", RIGHT, View.CHAT, is_reattach=True))

    assert first == same
    assert (moved.id, moved.node_id) == (first.id, RIGHT)
    assert len(desk.keeper.spawned) == 1


async def test_a_background_launch_is_idempotent_and_can_be_shown_later() -> None:
    desk = Desk(QA)
    async with desk.open():
        first = await desk.dispatch(HUMAN, LaunchAgent("qa", None, View.CHAT))
        again = await desk.dispatch(HUMAN, LaunchAgent("qa", None, View.CHAT))
        shown = await desk.dispatch(HUMAN, LaunchAgent("qa", LEFT, View.CHAT))
        await desk.dispatch(HUMAN, DetachCell(QA.id, RIGHT))
        assert desk.look("qa").session == shown
        await desk.dispatch(HUMAN, DetachCell(QA.id, LEFT))
        hidden = desk.look("qa").session

    assert first == again
    assert shown.node_id == LEFT
    assert hidden is not None
    assert hidden.node_id is None


async def test_the_other_view_of_a_running_agent_is_a_conflict() -> None:
    desk = Desk(QA)
    async with desk.open():
        await desk.dispatch(HUMAN, LaunchAgent("qa", LEFT, View.CHAT))
        with pytest.raises(Conflict):
            await desk.dispatch(HUMAN, LaunchAgent("qa", LEFT, View.TERMINAL))
        with pytest.raises(Conflict):
            await desk.dispatch(HUMAN, LaunchAgent("qa", LEFT, View.CHAT, opening=Opening.EMPTY))


async def test_a_conversation_is_resumed_unless_a_fresh_start_is_asked_for() -> None:
    desk = Desk(QA)
    async with desk.open():
        await desk.dispatch(HUMAN, LaunchAgent("qa", None, View.CHAT))
        first = await desk.keeper.process("qa")
        first.say(ConversationIdentified(ConversationId("c1")))
        await desk.until(lambda: desk.records.conversations != {})
        await desk.dispatch(HUMAN, StopAgent("qa"))
        await desk.dispatch(HUMAN, LaunchAgent("qa", None, View.CHAT))
        await desk.dispatch(HUMAN, StopAgent("qa"))
        await desk.dispatch(HUMAN, LaunchAgent("qa", None, View.CHAT, opening=Opening.EMPTY))

    resumed, fresh = desk.keeper.spawned[1:]
    assert resumed.spec.argv[-2:] == ("--resume", "c1")
    assert "--resume" not in fresh.spec.argv


async def test_a_cli_that_ends_before_it_is_ready_fails_the_launch() -> None:
    desk = Desk(QA)
    desk.keeper.is_ready_at_once = False
    async with desk.open() as tasks:
        launching = tasks.create_task(desk.outcome(LaunchAgent("qa", LEFT, View.CHAT)))
        process = await desk.keeper.process("qa")
        process.exit(2)
        assert isinstance(await launching, EngineFailed)
        state = desk.look("qa")

    assert state.session is None
    assert (state.readiness.state, state.readiness.exit_code) == (ReadinessState.EXITED, 2)
    assert state.readiness.reason is ReadinessReason.LAUNCH_FAILED
    assert desk.locks.held == set()


async def test_a_list_tells_how_each_agent_is() -> None:
    desk = Desk(QA, make_agent("main"))
    async with desk.open():
        await desk.dispatch(HUMAN, LaunchAgent("qa", LEFT, View.CHAT))
        main, qa = await desk.dispatch(HUMAN, ListAgents())

    assert (main.agent.slug, main.readiness.state, main.session) == ("main", ReadinessState.EXITED, None)
    assert qa.readiness.state is ReadinessState.IDLE
    assert qa.session is not None


async def test_what_the_file_says_is_launched_and_not_what_the_team_remembers() -> None:
    desk = Desk(QA)
    async with desk.open():
        desk.store.agents[QA.slug] = replace(QA, profile="per-turn")
        await desk.dispatch(HUMAN, LaunchAgent("qa", None, View.CHAT))

    starting = [event.readiness for event in desk.seen(AgentReadinessChanged)]
    assert [one.detail for one in starting if one.state is ReadinessState.STARTING] == ["Per turn"]


async def test_an_agent_whose_file_is_broken_by_now_is_not_launched_from_memory() -> None:
    desk = Desk(QA)
    async with desk.open():
        desk.store.broken = (BrokenAgent(QA.slug, 1, "it is not valid YAML", "agentNotYaml"),)
        with pytest.raises(Conflict):
            await desk.dispatch(HUMAN, LaunchAgent("qa", LEFT, View.CHAT))

    assert desk.keeper.spawned == []


async def test_an_agent_whose_file_is_another_agents_by_now_is_not_launched() -> None:
    desk = Desk(QA)
    async with desk.open():
        desk.store.agents[QA.slug] = replace(QA, id=AgentId("id-another"))
        with pytest.raises(Conflict):
            await desk.dispatch(HUMAN, LaunchAgent("qa", LEFT, View.CHAT))

    assert desk.keeper.spawned == []


async def test_a_cli_that_starts_anew_for_each_turn_asks_for_trust_each_time() -> None:
    desk = Desk(make_agent("qa", profile="per-turn"))
    async with desk.open():
        await desk.dispatch(HUMAN, LaunchAgent("qa", None, View.CHAT))
        desk.trust.verdict = TrustVerdict(is_trusted=False, subject_hash="new", items=())
        with pytest.raises(TrustRequired) as refused:
            await desk.dispatch(HUMAN, AskAgent("qa", "go on"))

    assert refused.value.subject_hash == "new"
    assert desk.keeper.spawned == []
