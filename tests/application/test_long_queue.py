"""A queue that nobody works off: what is told of it stays small, and emptying it is one change."""

from idea.application.commands import AskAgent, SendMessage, StopAgent
from idea.application.team.mailbox import SHOWN
from idea.domain.events import QueueChanged
from tests.desk import HUMAN, Desk
from tests.fakes.agents import make_agent

QA = make_agent("qa")
MANY = SHOWN + 10


async def test_a_long_queue_is_told_by_its_first_turns_and_its_length_and_emptied_at_one_stroke() -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.outcome(AskAgent("qa", "hang")))
        await (await desk.keeper.process("qa")).prompts.get()
        for number in range(MANY):
            await desk.dispatch(HUMAN, SendMessage("qa", f"message {number}\nand its second line"))
        longest = desk.seen(QueueChanged)[-1]
        behind = desk.project.list_waiting(QA.id, after=SHOWN, limit=MANY)
        beyond = desk.project.list_waiting(QA.id, after=MANY, limit=1)
        told_before = len(desk.seen(QueueChanged))
        await desk.dispatch(HUMAN, StopAgent("qa"))
        await asking
        told_after = desk.seen(QueueChanged)[told_before:]

    assert (len(longest.waiting), longest.length) == (SHOWN, MANY)
    assert ([turn.position for turn in behind], beyond) == (list(range(SHOWN + 1, MANY + 1)), ())
    assert (longest.waiting[-1].position, longest.waiting[-1].preview) == (SHOWN, f"message {SHOWN - 1}")
    assert [(event.waiting, event.length) for event in told_after] == [((), 0)]
