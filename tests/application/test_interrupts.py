"""A turn that somebody wants to end, and a CLI that does not hear it at once."""

from idea.application.commands import InterruptTurn, SendMessage
from idea.domain.events import TurnEnded
from idea.domain.replies import Failed, FailureKind
from tests.desk import HUMAN, Desk
from tests.fakes.agents import make_agent

PER_TURN = make_agent("codex", profile="per-turn")


async def test_a_cli_that_takes_signals_is_asked_again_until_its_turn_is_over() -> None:
    """Takes the second between two signals."""
    desk = Desk(PER_TURN)
    async with desk.open():
        turn = await desk.dispatch(HUMAN, SendMessage("codex", "go"))
        codex = await desk.keeper.process("codex")
        await codex.prompts.get()

        await desk.dispatch(HUMAN, InterruptTurn("codex", turn))
        await codex.interrupts.get()
        assert desk.seen(TurnEnded) == []
        await codex.interrupts.get()
        codex.say(Failed(FailureKind.INTERRUPTED, "The turn was interrupted."))
        codex.exit()
        await desk.until(lambda: bool(desk.seen(TurnEnded)))

    assert codex.interrupts.empty()
    assert len(desk.keeper.spawned) == 1
