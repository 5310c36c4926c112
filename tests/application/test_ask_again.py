"""An ask that is made again, under the name of the call that made it: joined, never repeated."""

import asyncio

import pytest

from idea.application.commands import AskAgent, SendMessage
from idea.application.record.delegations import LOADED, SHOWN, Delegations
from idea.application.turns.open_asks import RETURN_S
from idea.domain.delegation import Delegation, DelegationState, Requester, Source, delegation_of_call
from idea.domain.errors import Closed, Conflict, IdeaError, Recorded, TargetDied, TurnFailed
from idea.domain.events import TurnEnded
from idea.domain.ids import DelegationId, ProjectId, TurnId
from idea.domain.replies import Failed, FailureKind, Final
from tests.desk import HUMAN, Desk
from tests.fakes.agents import make_agent
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.processes import FakeProcess
from tests.fakes.records import FakeRecords
from tests.patience import PATIENCE_S

MAIN, QA = (make_agent(slug) for slug in ("main", "qa"))
CALL = "instance:7"
ASK = AskAgent("qa", "Do the tests pass?", call=CALL)


async def ask_first(desk: Desk, tasks: asyncio.TaskGroup) -> tuple[asyncio.Task[Delegation | IdeaError], FakeProcess]:
    """The call, as it is made for the first time; QA has its message."""
    asking = tasks.create_task(desk.outcome(ASK, desk.requester("main")))
    qa = await desk.keeper.process("qa")
    await qa.prompts.get()
    return asking, qa


async def test_two_calls_of_one_name_share_one_turn_and_its_answer() -> None:
    desk = Desk(MAIN, QA)
    async with desk.open() as tasks:
        first, qa = await ask_first(desk, tasks)
        second = tasks.create_task(desk.outcome(ASK, desk.requester("main")))
        await asyncio.sleep(0)
        qa.say(Final("212 passed"))
        answers = [await first, await second]
        assert qa.prompts.empty()

    assert isinstance(answers[0], Delegation)
    assert answers[0].reply == "212 passed"
    assert answers[0] == answers[1]
    assert len(desk.records.delegations) == 1


async def test_a_failure_reaches_every_call_of_the_name() -> None:
    desk = Desk(MAIN, QA)
    async with desk.open() as tasks:
        first, qa = await ask_first(desk, tasks)
        second = tasks.create_task(desk.outcome(ASK, desk.requester("main")))
        await asyncio.sleep(0)
        qa.say(Failed(FailureKind.ENGINE, "overloaded"))
        outcomes = [await first, await second]

    assert all(isinstance(outcome, TurnFailed) for outcome in outcomes)


async def test_the_ask_is_taken_back_when_its_last_caller_leaves() -> None:
    desk = Desk(MAIN, QA)
    async with desk.open() as tasks:
        first, qa = await ask_first(desk, tasks)
        second = tasks.create_task(desk.outcome(ASK, desk.requester("main")))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.wait([first])
        assert qa.interrupts.empty()

        second.cancel()
        await qa.interrupts.get()
        qa.say(Failed(FailureKind.INTERRUPTED, "stopped"))
        outcome = await desk.outcome(ASK, desk.requester("main"))

    assert isinstance(outcome, Recorded)
    assert (outcome.code, outcome.fields()) == ("CANCELLED", {"by": "requester"})


async def test_an_answered_ask_is_answered_from_its_record_also_by_the_next_server() -> None:
    desk = Desk(MAIN, QA)
    async with desk.open() as tasks:
        asking, qa = await ask_first(desk, tasks)
        qa.say(Final("212 passed"))
        answered = await asking
        again = await desk.dispatch(desk.requester("main"), ASK)
    following = Desk(MAIN, QA)
    following.records.delegations = desk.records.delegations
    async with following.open():
        later = await following.dispatch(following.requester("main"), ASK)

    assert again == answered
    assert later == answered
    assert following.keeper.spawned == []


async def test_a_failed_ask_fails_again_as_its_record_tells_it() -> None:
    desk = Desk(MAIN, QA)
    async with desk.open() as tasks:
        asking, qa = await ask_first(desk, tasks)
        qa.exit(1)
        died = await asking
        again = await desk.outcome(ASK, desk.requester("main"))

    assert isinstance(died, TargetDied)
    assert isinstance(again, Recorded)
    assert (again.code, str(again), again.fields()) == (died.code, str(died), died.fields())


@pytest.mark.parametrize(
    "other", [AskAgent("qa", "Something else", call=CALL), AskAgent("main", ASK.message, call=CALL)]
)
async def test_a_call_of_the_same_name_that_asks_for_something_else_is_refused(other: AskAgent) -> None:
    desk = Desk(MAIN, QA)
    async with desk.open() as tasks:
        asking, qa = await ask_first(desk, tasks)
        with pytest.raises(Conflict):
            await desk.dispatch(desk.requester("main"), other)
        qa.say(Final("212 passed"))
        assert isinstance(await asking, Delegation)


async def test_the_names_of_two_agents_calls_are_their_own() -> None:
    one, other = (delegation_of_call(Requester(Source.MCP, agent.id), CALL) for agent in (MAIN, QA))

    assert one != other
    assert one == delegation_of_call(Requester(Source.MCP, MAIN.id, TurnId("another")), CALL)


async def test_a_person_is_told_that_the_server_goes_and_the_ask_goes_on() -> None:
    desk = Desk(MAIN, QA)
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.outcome(AskAgent("qa", "Do the tests pass?")))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()

        await desk.end.leave()

        assert isinstance(await asking, Closed)
    [delegation] = desk.records.delegations.values()
    assert delegation.state.is_open
    assert not qa.has_ended


async def left_in_line(desk: Desk) -> Desk:
    """The next server; QA works for a person, and the ask of Main and another person's message wait behind that."""
    async with desk.open() as tasks:
        await desk.dispatch(HUMAN, SendMessage("qa", "look"))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        tasks.create_task(desk.outcome(ASK, desk.requester("main")))
        await desk.until(lambda: desk.queue("qa") == 1)
        await desk.dispatch(HUMAN, SendMessage("qa", "and then?"))
        desk.kill()
    return Desk(before=desk)


async def end_turn(desk: Desk) -> FakeProcess:
    """The one that had begun goes on, whoever is away; its end is where the next one would begin."""
    qa = await desk.keeper.process("qa")
    qa.say(Final("looked"))
    await desk.until(lambda: bool(desk.seen(TurnEnded)))
    assert qa.prompts.empty()
    return qa


async def test_an_ask_that_its_bridge_took_back_while_no_server_was_there_is_not_begun() -> None:
    after = await left_in_line(Desk(MAIN, QA))
    async with after.open():
        qa = await end_turn(after)
        # Another bridge of the agent's knows nothing of it.
        after.open_asks.take_back_others(MAIN.id, "another", ())
        assert after.queue("qa") == 2
        after.open_asks.take_back_others(MAIN.id, "instance", ["instance:8"])
        assert await qa.prompts.get() == "and then?"

    [delegation] = after.records.delegations.values()
    assert (delegation.outcome, delegation.fields) == ("CANCELLED", {"by": "requester"})


async def test_an_ask_whose_call_is_made_again_begins_in_its_place() -> None:
    after = await left_in_line(Desk(MAIN, QA))
    async with after.open() as tasks:
        qa = await end_turn(after)
        after.open_asks.take_back_others(MAIN.id, "instance", [CALL])
        asking = tasks.create_task(after.outcome(ASK, Requester(Source.MCP, MAIN.id)))
        assert ASK.message in await qa.prompts.get()
        qa.say(Final("212 passed"))
        answered = await asking
        assert await qa.prompts.get() == "and then?"

    assert isinstance(answered, Delegation)
    assert answered.reply == "212 passed"


async def test_an_ask_whose_bridge_does_not_come_again_holds_the_line_up_only_for_so_long() -> None:
    after = await left_in_line(Desk(MAIN, QA))
    async with after.open():
        qa = await end_turn(after)
        await after.clock.asleep.wait()
        after.clock.move(RETURN_S)
        assert await qa.prompts.get() == "and then?"

    [delegation] = after.records.delegations.values()
    assert delegation.outcome == "CANCELLED"


async def test_an_ask_that_the_next_server_did_not_take_up_is_lost() -> None:
    desk = Desk(MAIN, QA)
    requester = Requester(Source.MCP, MAIN.id)
    await desk.records.save_delegation(make_delegation(delegation_of_call(requester, CALL), requester))
    async with desk.open():
        outcome = await desk.outcome(ASK, requester)

    assert isinstance(outcome, Recorded)
    assert (outcome.code, outcome.fields()) == ("LOST", {"why": "serverEnded"})


async def test_open_asks_are_loaded_however_many_were_settled_since() -> None:
    records = FakeRecords()
    requester = Requester(Source.MCP, MAIN.id)
    for number in range(1, SHOWN + 100):
        delegation = make_delegation(DelegationId(f"d{number}"), requester, number=number)
        await records.save_delegation(delegation if number == 1 else delegation.answer("done", at=NOON))
    delegations = Delegations(ProjectId("p"), records=records, clock=FakeClock(), publish=lambda _: None)

    await delegations.load(still_open={DelegationId("d1")})

    assert [each.id for each in delegations.open()] == ["d1"]
    assert len(delegations.shown()) == SHOWN + 1
    assert LOADED > SHOWN


async def test_an_open_ask_is_loaded_however_many_came_after_it() -> None:
    records = FakeRecords()
    requester = Requester(Source.UI)
    await records.save_delegation(make_delegation(DelegationId("d1"), requester))
    for number in range(2, LOADED + 3):
        later = make_delegation(DelegationId(f"d{number}"), requester, number=number)
        await records.save_delegation(later.answer("They do.", at=NOON))
    delegations = Delegations(ProjectId("p"), records=records, clock=FakeClock(), publish=lambda _: None)

    await delegations.load(still_open={DelegationId("d1")})

    assert [each.id for each in delegations.open()] == ["d1"]
    assert delegations.shown()[-1].number == LOADED + 2


def make_delegation(delegation: DelegationId, requester: Requester, *, number: int = 1) -> Delegation:
    return Delegation(
        id=delegation,
        number=number,
        requester=requester,
        requester_name="Main",
        target=QA.id,
        target_name=QA.name,
        message=ASK.message,
        depth=1,
        asked_at=NOON,
        state=DelegationState.RUNNING,
    )


async def _live(desk: Desk) -> None:
    """A server whose agent's bridge makes the call again."""
    async with desk.open() as requests:
        requests.create_task(desk.outcome(ASK, Requester(Source.MCP, MAIN.id)))
        await asyncio.get_running_loop().create_future()


@pytest.mark.parametrize("first", range(4))
@pytest.mark.parametrize("second", range(4))
async def test_wherever_two_servers_are_killed_before_it_begins_an_ask_is_done_once(first: int, second: int) -> None:
    desk = Desk(MAIN, QA)
    for writes in (first, second):
        desk.records.writes_left = writes
        async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
            living = tasks.create_task(_live(desk))
            await desk.records.died.wait()
            living.cancel()
        desk.records.died.clear()
        desk = Desk(before=desk)
    async with desk.open() as requests:
        asking = requests.create_task(desk.outcome(ASK, Requester(Source.MCP, MAIN.id)))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        qa.say(Final("They pass."))
        answered = await asking
        await desk.until(lambda: not desk.work.turns and desk.look("qa").live_turn is None)

    assert isinstance(answered, Delegation)
    assert (answered.reply, desk.queue("qa"), qa.prompts.empty()) == ("They pass.", 0, True)
    assert len(desk.seen(TurnEnded)) == 1
