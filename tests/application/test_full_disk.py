"""The record cannot be written for a while: agents go on, nobody waits for ever, and it catches up."""

import asyncio
from functools import partial

from idea.application.commands import AskAgent, SendMessage
from idea.application.record.lasting_record import LastingWrites
from idea.application.supervisor import Supervisor
from idea.domain.delegation import Delegation, DelegationState
from idea.domain.errors import Closed, Conflict, IdeaError, TurnFailed
from idea.domain.notices import NoticePosted
from idea.domain.readiness import ReadinessState
from idea.domain.replies import Final, TextDelta
from tests.desk import HUMAN, Desk
from tests.fakes.agents import make_agent

QA = make_agent("qa")
FULL = Conflict("The project's record could not be written: the disk is full.")


async def answer(desk: Desk, tasks: asyncio.TaskGroup, message: str, reply: str) -> Delegation | IdeaError:
    asking = tasks.create_task(desk.outcome(AskAgent("qa", message)))
    qa = await desk.keeper.process("qa")
    await qa.prompts.get()
    qa.say(Final(reply))
    return await asking


async def test_a_turn_that_ends_on_a_full_disk_is_answered_and_the_next_one_is_taken() -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        first = tasks.create_task(desk.outcome(AskAgent("qa", "one")))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        second = tasks.create_task(desk.outcome(AskAgent("qa", "two")))
        await desk.until(lambda: desk.queue("qa") == 1)
        desk.records.trouble = FULL
        qa.say(Final("first"))
        answered = await first
        assert "two" in await qa.prompts.get()
        qa.say(Final("second"))
        also_answered = await second

        assert desk.look("qa").readiness.state is ReadinessState.IDLE

    assert [getattr(each, "reply", None) for each in (answered, also_answered)] == ["first", "second"]
    (notice,) = desk.seen(NoticePosted)
    assert (notice.code, notice.fields["code"], notice.fields["isKept"]) == ("fileTrouble", FULL.code, True)


async def test_an_ask_and_a_message_are_taken_on_a_full_disk_and_none_stays_open() -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        desk.records.trouble = FULL
        await answer(desk, tasks, "one", "1")
        await desk.dispatch(HUMAN, SendMessage("qa", "hello"))
        qa = await desk.keeper.process("qa")
        assert await qa.prompts.get() == "hello"

        assert [known.state for known in desk.project.state().delegations] == [DelegationState.ANSWERED]


async def test_what_could_not_be_written_is_written_with_the_next_thing_that_can() -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        desk.records.trouble = FULL
        delegation = await answer(desk, tasks, "one", "1")
        desk.records.trouble = None
        await answer(desk, tasks, "two", "2")

    assert isinstance(delegation, Delegation)
    assert desk.records.delegations[delegation.id] == delegation
    items = await desk.records.list_items(QA.id, before_seq=None, limit=9)
    assert [(item.seq, item.text) for item in items] == [(1, "one"), (2, "1"), (3, "two"), (4, "2")]


async def test_it_is_tried_again_by_itself_and_told_once_as_long_as_it_fails() -> None:
    told: list[IdeaError | None] = []
    written: list[str] = []
    trouble: IdeaError | None = FULL

    async def write(what: str) -> None:
        if trouble is not None:
            raise trouble
        written.append(what)

    supervisor = Supervisor("test")
    async with asyncio.TaskGroup() as tasks:
        ready = asyncio.Event()
        tasks.create_task(supervisor.run(ready=ready))
        await ready.wait()
        done = asyncio.Event()

        def tell(error: IdeaError | None) -> None:
            told.append(error)
            if error is None:
                done.set()

        writes = LastingWrites(supervisor=supervisor, on_failing=tell, retry_s=0.001)
        await writes.write("one", partial(write, "one, earlier"))
        await writes.write("two", partial(write, "two"))
        await writes.write("one", partial(write, "one"))
        trouble = None
        await done.wait()
        supervisor.close()

    assert told == [FULL, None]
    assert sorted(written) == ["one", "two"]


async def test_what_is_kept_is_tried_a_last_time_at_the_end() -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        desk.records.trouble = FULL
        await answer(desk, tasks, "one", "1")
        desk.records.trouble = None
        await desk.end.leave()

    assert [item.text for item in await desk.records.list_items(QA.id, before_seq=None, limit=9)] == ["one", "1"]


async def test_an_ask_cancelled_while_it_is_recorded_is_settled() -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        desk.records.may_write.clear()
        asking = tasks.create_task(desk.dispatch(HUMAN, AskAgent("qa", "one")))
        await desk.until(lambda: bool(desk.project.state().delegations))
        asking.cancel()
        await asyncio.wait([asking])
        desk.records.may_write.set()
        await desk.until(lambda: desk.project.state().delegations[0].outcome == "CANCELLED")


async def test_a_fault_while_a_turn_is_recorded_costs_that_record_alone() -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        desk.records.trouble = ValueError("no such value")

        assert getattr(await answer(desk, tasks, "one", "1"), "reply", None) == "1"


async def test_a_fault_in_the_middle_of_a_turn_ends_its_session_and_the_next_turn_is_taken() -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.outcome(AskAgent("qa", "one")))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        qa.say(TextDelta(7))  # type: ignore[arg-type]  # no engine says so; it stands for any fault of ours
        failed = await asking
        again = tasks.create_task(desk.outcome(AskAgent("qa", "two")))
        qa = await desk.keeper.process("qa", nth=2)
        await qa.prompts.get()
        qa.say(Final("2"))

        assert getattr(await again, "reply", None) == "2"

    assert isinstance(failed, TurnFailed)
    assert [known.outcome for known in desk.records.delegations.values()] == ["TURN_FAILED", "ANSWERED"]


async def test_an_ask_whose_target_is_removed_while_it_is_recorded_does_not_wait() -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        desk.records.may_write.clear()
        asking = tasks.create_task(desk.outcome(AskAgent("qa", "one")))
        await desk.until(lambda: bool(desk.project.state().delegations))
        await desk.project.delete_agent(QA.id)
        desk.records.may_write.set()

        assert isinstance(await asking, Closed)
