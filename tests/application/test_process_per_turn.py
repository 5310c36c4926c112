"""A CLI of one process a turn: what its agent is taken for when a process ends before its turn does."""

import pytest

from idea.application.commands import AskAgent
from idea.application.structured import engine_processes
from idea.domain.errors import EngineFailed, TargetDied, TurnFailed
from idea.domain.readiness import ReadinessState
from idea.domain.replies import Failed, FailureKind, Final
from tests.desk import HUMAN, Desk
from tests.fakes.agents import make_agent

CODEX = make_agent("codex", profile="per-turn")


async def test_after_a_killed_process_the_agent_is_idle_and_takes_the_next_message() -> None:
    desk = Desk(CODEX)
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.outcome(AskAgent("codex", "go")))
        process = await desk.keeper.process("codex")
        await process.prompts.get()
        process.exit(None, 9)
        assert isinstance(await asking, TargetDied)
        assert desk.look("codex").readiness.state is ReadinessState.IDLE
        assert desk.look("codex").live_turn is None

        again = tasks.create_task(desk.dispatch(HUMAN, AskAgent("codex", "once more")))
        process = await desk.keeper.process("codex", nth=2)
        await process.prompts.get()
        process.say(Final("here"))
        process.exit(0)
        assert (await again).reply == "here"


async def test_after_a_process_that_could_not_start_the_agent_is_idle() -> None:
    desk = Desk(CODEX)
    async with desk.open():
        desk.keeper.refusal = EngineFailed("Codex", "it cannot be started")
        assert isinstance(await desk.outcome(AskAgent("codex", "go")), TargetDied)
        assert desk.look("codex").readiness.state is ReadinessState.IDLE


async def test_a_cli_that_gives_up_is_quoted_to_whoever_asked() -> None:
    desk = Desk(CODEX)
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.outcome(AskAgent("codex", "go")))
        process = await desk.keeper.process("codex")
        await process.prompts.get()
        process.say(Failed(FailureKind.ENGINE, "Error in line 15", "Error in line 15\nfoo = [\n"))
        process.exit(1)
        failure = await asking

    assert isinstance(failure, TurnFailed)
    assert failure.fields()["tail"] == "Error in line 15\nfoo = [\n"


async def test_one_that_stays_when_its_turn_is_over_is_ended_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_processes, "LINGER_S", 0.01)
    desk = Desk(CODEX)
    async with desk.open() as tasks:
        first = tasks.create_task(desk.dispatch(HUMAN, AskAgent("codex", "go")))
        lingering = await desk.keeper.process("codex")
        await lingering.prompts.get()
        lingering.is_deaf = True
        lingering.say(Final("done"))
        assert (await first).reply == "done"

        second = tasks.create_task(desk.dispatch(HUMAN, AskAgent("codex", "and again")))
        process = await desk.keeper.process("codex", nth=2)
        await process.prompts.get()
        process.say(Final("done again"))
        process.exit(0)
        assert (await second).reply == "done again"

    assert lingering.has_ended
