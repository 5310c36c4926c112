"""What becomes of an ask: answered or refused, and in which order."""

import pytest

from idea.application.commands import AskAgent, CancelQueued, InterruptTurn, SendMessage
from idea.domain.agents import AgentDraft
from idea.domain.conversation import ItemKind
from idea.domain.delegation import MAX_OPEN_ASKS, DelegationState, Requester, Source
from idea.domain.errors import (
    Conflict,
    DelegationCycle,
    DelegationTooDeep,
    DelegationTooWide,
    Invalid,
    NotFound,
    Refused,
    TrustRequired,
)
from idea.domain.events import AgentAnnouncement, OrchestratorRequestProcessed
from idea.domain.ids import ConversationId
from idea.domain.replies import (
    Announcement,
    ConversationIdentified,
    Failed,
    FailureKind,
    Final,
    TextDelta,
    ToolActivity,
    ToolPhase,
)
from idea.domain.trust import TrustVerdict
from tests.desk import HUMAN, Desk
from tests.fakes.agents import make_agent

MAIN, ARCHITECT, QA = (make_agent(slug) for slug in ("main", "architect", "qa"))


async def test_an_ask_returns_the_final_message_and_nothing_else() -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.dispatch(HUMAN, AskAgent("QA", "Do the tests pass?")))
        qa = await desk.keeper.process("qa")
        prompt = await qa.prompts.get()
        qa.say(TextDelta("I will look"), Announcement("I will look"), Final("212 passed"))
        delegation = await asking

    assert "Do the tests pass?" in prompt
    assert (delegation.state, delegation.reply) == (DelegationState.ANSWERED, "212 passed")
    assert [event.text for event in desk.seen(AgentAnnouncement)] == ["I will look"]
    assert [(item.kind, item.text) for item in desk.records.items] == [
        (ItemKind.PROMPT, "Do the tests pass?"),
        (ItemKind.ANSWER, "212 passed"),
    ]
    assert desk.records.delegations[delegation.id] == delegation


async def test_two_asks_on_one_target_take_turns_in_order() -> None:
    desk = Desk(QA)
    async with desk.open() as tasks:
        first = tasks.create_task(desk.dispatch(HUMAN, AskAgent("qa", "one")))
        qa = await desk.keeper.process("qa")
        assert "one" in await qa.prompts.get()
        second = tasks.create_task(desk.dispatch(HUMAN, AskAgent("qa", "two")))
        await desk.until(lambda: desk.queue("qa") == 1)
        assert qa.prompts.empty()

        qa.say(Final("first"))
        assert (await first).reply == "first"
        assert "two" in await qa.prompts.get()
        qa.say(Final("second"))
        assert (await second).reply == "second"

    assert len(desk.keeper.spawned) == 1


async def test_two_targets_work_in_parallel() -> None:
    desk = Desk(QA, ARCHITECT)
    async with desk.open() as tasks:
        one = tasks.create_task(desk.dispatch(HUMAN, AskAgent("qa", "x")))
        two = tasks.create_task(desk.dispatch(HUMAN, AskAgent("architect", "y")))
        qa, architect = await desk.keeper.process("qa"), await desk.keeper.process("architect")
        await qa.prompts.get()
        await architect.prompts.get()
        architect.say(Final("b"))
        assert (await two).reply == "b"
        qa.say(Final("a"))
        assert (await one).reply == "a"


async def test_an_unknown_target_is_named_with_those_that_exist() -> None:
    desk = Desk(QA)
    async with desk.open():
        with pytest.raises(NotFound) as refused:
            await desk.dispatch(HUMAN, AskAgent("nobody", "hi"))

    assert refused.value.choices == ("Qa",)
    assert desk.records.delegations == {}
    assert desk.seen(OrchestratorRequestProcessed)[-1].outcome == "NotFound"


@pytest.mark.parametrize("timeout_s", [0, -1, 86_401, float("nan")])
async def test_an_impossible_time_limit_is_refused(timeout_s: float) -> None:
    desk = Desk(QA)
    async with desk.open():
        with pytest.raises(Invalid):
            await desk.dispatch(HUMAN, AskAgent("qa", "hi", timeout_s=timeout_s))


async def test_a_cycle_is_refused_at_once_and_names_its_chain() -> None:
    desk = Desk(MAIN, ARCHITECT, QA)
    async with desk.open() as tasks:
        first = tasks.create_task(desk.outcome(AskAgent("main", "go")))
        main = await desk.keeper.process("main")
        await main.prompts.get()
        second = tasks.create_task(desk.outcome(AskAgent("architect", "design?"), desk.requester("main")))
        architect = await desk.keeper.process("architect")
        await architect.prompts.get()

        back = await desk.outcome(AskAgent("main", "what do you think?"), desk.requester("architect"))
        itself = await desk.outcome(AskAgent("main", "me?"), desk.requester("main"))

        architect.say(Final("a"))
        await second
        main.say(Final("m"))
        await first

    assert isinstance(back, DelegationCycle)
    assert back.chain == ("Architect", "Main", "Architect")
    assert isinstance(itself, DelegationCycle)
    assert itself.chain == ("Main", "Main")


async def test_a_chain_that_is_too_deep_is_refused() -> None:
    agents = [make_agent(f"a{number}") for number in range(10)]
    desk = Desk(*agents)
    async with desk.open() as tasks:
        requester, deepest = HUMAN, None
        asks = []
        for agent in agents[:8]:
            asks.append(tasks.create_task(desk.outcome(AskAgent(agent.slug, "go on"), requester)))
            process = await desk.keeper.process(agent.slug)
            await process.prompts.get()
            requester = desk.requester(agent.slug)
        deepest = await desk.outcome(AskAgent("a8", "go on"), requester)
        for process in reversed(desk.keeper.spawned):
            process.say(Final("done"))
        for ask in asks:
            await ask

    assert isinstance(deepest, DelegationTooDeep)


async def test_one_turn_has_a_bounded_number_of_open_asks() -> None:
    targets = [make_agent(f"t{number}") for number in range(MAX_OPEN_ASKS + 1)]
    desk = Desk(MAIN, *targets)
    async with desk.open() as tasks:
        main_ask = tasks.create_task(desk.outcome(AskAgent("main", "fan out")))
        main = await desk.keeper.process("main")
        await main.prompts.get()
        requester = desk.requester("main")
        asks = [
            tasks.create_task(desk.outcome(AskAgent(target.slug, "part"), requester))
            for target in targets[:MAX_OPEN_ASKS]
        ]
        for target in targets[:MAX_OPEN_ASKS]:
            await (await desk.keeper.process(target.slug)).prompts.get()
        one_more = await desk.outcome(AskAgent(targets[-1].slug, "part"), requester)
        for process in desk.keeper.spawned:
            process.say(Final("ok"))
        for ask in [*asks, main_ask]:
            await ask

    assert isinstance(one_more, DelegationTooWide)


async def test_the_target_reads_who_asks_and_the_requester_keeps_a_card() -> None:
    desk = Desk(MAIN, QA)
    async with desk.open() as tasks:
        first = tasks.create_task(desk.outcome(AskAgent("main", "go")))
        main = await desk.keeper.process("main")
        await main.prompts.get()
        second = tasks.create_task(desk.outcome(AskAgent("qa", "run it"), desk.requester("main")))
        qa = await desk.keeper.process("qa")
        prompt = await qa.prompts.get()
        qa.say(Final("ran"))
        delegation = await second
        main.say(Final("done"))
        await first

    assert "agent Main" in prompt
    cards = [item for item in desk.records.items if item.kind is ItemKind.ASKED]
    assert [(card.agent, card.delegation) for card in cards] == [(MAIN.id, getattr(delegation, "id", None))]


async def test_a_human_waits_in_the_same_queue_and_can_leave_it() -> None:
    desk = Desk(QA)
    human = Requester(Source.UI)
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.outcome(AskAgent("qa", "one")))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        stays = await desk.dispatch(human, SendMessage("qa", "two"))
        leaves = await desk.dispatch(human, SendMessage("qa", "three"))
        await desk.dispatch(human, CancelQueued("qa", leaves))
        with pytest.raises(NotFound):
            await desk.dispatch(human, CancelQueued("qa", leaves))

        qa.say(Final("1"))
        await asking
        assert await qa.prompts.get() == "two"
        await desk.until(lambda: desk.team.find_turn(QA.id) == stays)
        await desk.dispatch(human, InterruptTurn("qa", stays))
        await qa.interrupts.get()
        qa.say(Failed(FailureKind.INTERRUPTED, "stopped"))
        await desk.until(lambda: desk.team.find_turn(QA.id) is None)
        with pytest.raises(Conflict):
            await desk.dispatch(human, InterruptTurn("qa", stays))
        assert qa.prompts.empty()


async def test_tools_are_on_record_when_they_end() -> None:
    desk = Desk(QA)
    started = ToolActivity("c1", "Bash", "npm test", ToolPhase.STARTED)
    ended = ToolActivity("c1", "Bash", "npm test", ToolPhase.ENDED, "212 passed")
    async with desk.open() as tasks:
        asking = tasks.create_task(desk.outcome(AskAgent("qa", "go")))
        qa = await desk.keeper.process("qa")
        await qa.prompts.get()
        qa.say(started, ended, Final("ok"))
        await asking

    assert [item.tool for item in desk.records.items if item.kind is ItemKind.TOOL] == [ended]


async def test_nothing_is_launched_before_the_project_is_trusted() -> None:
    desk = Desk(QA)
    desk.trust.verdict = TrustVerdict(is_trusted=False, subject_hash="abc", items=())
    async with desk.open():
        outcome = await desk.outcome(AskAgent("qa", "hi"))
        assert isinstance(outcome, TrustRequired)
        assert outcome.subject_hash == "abc"
        assert desk.keeper.spawned == []
        assert desk.locks.held == set()


async def test_an_agent_that_another_server_runs_is_left_alone() -> None:
    desk = Desk(QA)
    desk.locks.held_elsewhere.add(QA.id)
    async with desk.open():
        assert type(await desk.outcome(AskAgent("qa", "hi"))) is Refused
        assert desk.keeper.spawned == []


async def test_an_agent_without_a_chat_face_says_so() -> None:
    desk = Desk(make_agent("tty", profile="chatless"))
    async with desk.open():
        refused = await desk.outcome(AskAgent("tty", "hi"))

    assert isinstance(refused, Invalid)
    assert (refused.why, refused.about) == ("noChatView", {"profile": "Chatless"})
    # Neither another view of it nor the same request put otherwise would help.
    assert refused.advice is not None


async def test_a_cli_of_one_process_per_turn_resumes_by_its_conversation() -> None:
    desk = Desk(make_agent("codex", profile="per-turn"))
    async with desk.open() as tasks:
        for nth in (1, 2):
            asking = tasks.create_task(desk.outcome(AskAgent("codex", f"turn {nth}")))
            process = await desk.keeper.process("codex", nth=nth)
            await process.prompts.get()
            process.say(ConversationIdentified(ConversationId("thread")), Final(f"answer {nth}"))
            process.exit(0)
            assert getattr(await asking, "reply", None) == f"answer {nth}"

    first, second = desk.keeper.spawned
    assert "--resume" not in first.spec.argv
    assert second.spec.argv[-2:] == ("--resume", "thread")
    assert desk.records.conversations == {"id-codex": "thread"}


async def test_an_agent_created_in_the_page_can_be_asked_and_deleted() -> None:
    desk = Desk()
    async with desk.open() as tasks:
        agent = await desk.project.create_agent(AgentDraft("New", "scripted"))
        asking = tasks.create_task(desk.outcome(AskAgent("new", "hi")))
        process = await desk.keeper.process("new")
        await process.prompts.get()
        process.say(Final("hello"))
        assert getattr(await asking, "reply", None) == "hello"

        await desk.project.delete_agent(agent.id)
        assert isinstance(await desk.outcome(AskAgent("new", "hi")), NotFound)
        assert (await process.wait()).code == 0
