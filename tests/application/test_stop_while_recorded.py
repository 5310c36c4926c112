"""A turn that is stopped while its beginning is written down: its CLI never gets it, and nobody starts anew."""

import asyncio

import pytest

from idea.application.commands import AskAgent, StopAgent
from idea.domain.errors import IdeaError
from idea.domain.events import TurnEnded
from idea.domain.unfinished import UnfinishedTurn
from tests.desk import HUMAN, Desk
from tests.fakes.agents import make_agent


@pytest.mark.parametrize("profile", ["scripted", "per-turn"])
async def test_it_stays_stopped(monkeypatch: pytest.MonkeyPatch, profile: str) -> None:
    desk = Desk(make_agent("qa", profile=profile))
    save_turn = desk.work.save_turn
    is_begun, may_go_on = asyncio.Event(), asyncio.Event()

    async def slow_at_the_beginning(turn: UnfinishedTurn) -> None:
        if turn.begun is not None:
            is_begun.set()
            await may_go_on.wait()
        await save_turn(turn)

    monkeypatch.setattr(desk.work, "save_turn", slow_at_the_beginning)
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.outcome(AskAgent("qa", "go")))
        await is_begun.wait()
        await desk.dispatch(HUMAN, StopAgent("qa"))
        may_go_on.set()
        outcome = await asking
        await desk.until(lambda: bool(desk.seen(TurnEnded)))

        assert isinstance(outcome, IdeaError)
        assert outcome.code == "CANCELLED"
        assert desk.look("qa").session is None
        assert [process for process in desk.keeper.spawned if not process.prompts.empty()] == []
        assert len(desk.keeper.spawned) <= 1
