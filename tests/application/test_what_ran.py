"""What ran when a project was closed or its server or keeper died: remembered, offered, and gone on with."""

from dataclasses import replace

import pytest

from idea.application.commands import DismissResumable, LaunchAgent, ListResumableAgents, ResumeAgents, StopAgent
from idea.domain.errors import Conflict, EngineFailed, IdeaError, NotFound, TrustRequired
from idea.domain.events import AgentReadinessChanged, ResumableChanged
from idea.domain.ids import AgentId, ConversationId, NodeId
from idea.domain.layouts import Background, Cell, Layout, Layouts, Mark, View
from idea.domain.notices import NoticePosted
from idea.domain.readiness import ReadinessReason
from idea.domain.replies import ConversationIdentified
from idea.domain.resumable import Resumable
from idea.domain.sessions import Session
from idea.domain.trust import TrustVerdict
from tests.desk import HUMAN, Desk
from tests.fakes.agents import make_agent

QA, ADA = make_agent("qa"), make_agent("ada")
LEFT = NodeId("left")
C1 = ConversationId("c1")
GRID = Layouts(named=(Layout(geometry="{}", cells=(Cell(LEFT, QA.id, View.CHAT), Cell(NodeId("m"), None, View.CHAT))),))


async def _converse(desk: Desk, slug: str, node: NodeId | None = None, conversation: ConversationId = C1) -> None:
    """It runs, and has a conversation that can go on."""
    await desk.dispatch(HUMAN, LaunchAgent(slug, node, View.CHAT))
    (await desk.keeper.process(slug)).say(ConversationIdentified(conversation))
    await desk.until(lambda: (session := desk.look(slug).session) is not None and session.conversation is not None)


async def _close(desk: Desk) -> None:
    await desk.end.stop_agents()


def _marked(desk: Desk) -> dict[AgentId, ConversationId | None]:
    """What the file says that ran."""
    layouts = desk.layouts.layouts
    cells = [cell for layout in layouts.named for cell in layout.cells if cell.mark.was_running]
    found = {cell.agent: cell.mark.conversation for cell in cells if cell.agent is not None}
    return {**found, **{each.agent: each.mark.conversation for each in layouts.background}}


async def _listed(desk: Desk) -> list[Resumable]:
    return list(await desk.dispatch(HUMAN, ListResumableAgents()))


async def test_what_ran_at_the_close_is_offered_and_goes_on_in_its_cell() -> None:
    desk = Desk(QA, ADA)
    desk.layouts.layouts = GRID
    async with desk.open():
        await _converse(desk, "qa", LEFT)
        await _converse(desk, "ada", conversation=ConversationId("c2"))
        await _close(desk)
    assert _marked(desk) == {QA.id: "c1", ADA.id: "c2"}

    after = Desk(before=desk)
    async with after.open():
        offered = await _listed(after)
        assert [(one.agent, one.conversation, one.ran.node_id, one.can_resume) for one in offered] == [
            (ADA.id, "c2", None, True),
            (QA.id, "c1", LEFT, True),
        ]
        resumed = await after.dispatch(HUMAN, ResumeAgents())
        qa = (await after.keeper.process("qa", nth=2)).spec.argv

        assert {one.agent for one in resumed} == {ADA.id, QA.id}
        assert await _listed(after) == []
        session = after.look("qa").session

    assert qa[-2:] == ("--resume", "c1")
    assert session is not None
    assert session.node_id == LEFT
    assert after.seen(ResumableChanged)[-1].resumable == ()


async def test_an_agent_that_was_stopped_or_ended_by_itself_is_not_offered() -> None:
    desk = Desk(QA, ADA)
    async with desk.open():
        await _converse(desk, "qa")
        await _converse(desk, "ada")
        await desk.dispatch(HUMAN, StopAgent("qa"))
        (await desk.keeper.process("ada")).exit(0)
        await desk.until(lambda: desk.look("ada").session is None)
        await _close(desk)

    assert _marked(desk) == {}
    after = Desk(before=desk)
    async with after.open():
        assert await _listed(after) == []


async def test_with_its_keeper_an_agent_is_offered_also_to_a_server_that_is_killed_again() -> None:
    desk = Desk(QA)
    desk.layouts.layouts = GRID
    async with desk.open():
        await _converse(desk, "qa", LEFT)
        desk.kill()

    # As if the kill had come before anything was written of it but the record of sessions.
    desk.layouts.layouts = GRID
    for life in ("keeper-2", "keeper-3"):
        after = Desk(before=desk)
        after.keeper.name = life
        async with after.open():
            [offered] = await _listed(after)
            assert (offered.conversation, offered.ran.node_id) == ("c1", LEFT)
            after.kill()


async def test_an_agent_that_a_person_stopped_without_a_server_is_not_offered() -> None:
    desk = Desk(QA, ADA)
    async with desk.open():
        await _converse(desk, "qa", LEFT)
        await _converse(desk, "ada")
        desk.kill()

    after = Desk(before=desk)
    after.keeper.name = "keeper-2"
    after.stopped.agents = frozenset({QA.id})
    async with after.open():
        assert [one.agent for one in await _listed(after)] == [ADA.id]
        assert after.look("qa").readiness.reason is ReadinessReason.STOPPED
        assert [notice.slug for notice in after.seen(NoticePosted)] == ["ada"]
        assert after.stopped.agents == frozenset()
    assert _marked(after) == {ADA.id: "c1"}


async def test_an_agent_that_lives_on_is_taken_over_and_not_offered() -> None:
    desk = Desk(QA)
    desk.layouts.layouts = GRID
    async with desk.open():
        await _converse(desk, "qa", LEFT)
        await desk.end.leave()
    saves = desk.layouts.saves

    after = Desk(before=desk)
    async with after.open():
        assert await _listed(after) == []
        assert after.look("qa").session is not None
    assert after.layouts.saves == saves
    assert _marked(after) == {QA.id: "c1"}


async def test_an_agent_whose_keeper_dies_is_lost_with_the_cause_and_offered() -> None:
    desk = Desk(QA)
    async with desk.open():
        await _converse(desk, "qa", LEFT)
        (await desk.keeper.process("qa")).lose()
        await desk.until(lambda: bool(desk.seen(ResumableChanged)))

        [offered] = await _listed(desk)
        assert offered.conversation == "c1"
        await desk.until(lambda: desk.seen(AgentReadinessChanged)[-1].readiness.reason is ReadinessReason.KEEPER_LOST)


async def test_loading_writes_nothing_unless_an_agent_was_marked_twice() -> None:
    desk = Desk(QA)
    mark = Mark(was_running=True, conversation=C1)
    cells = (Cell(LEFT, QA.id, View.CHAT, mark), Cell(NodeId("m"), AgentId("gone"), View.CHAT, mark))
    single = Layouts(named=(Layout(cells=cells),), background=(Background(ADA.id, View.CHAT, mark),))
    desk.layouts.layouts = single
    async with desk.open():
        assert [one.agent for one in await _listed(desk)] == [QA.id]
    assert (desk.layouts.layouts, desk.layouts.saves) == (single, 0)

    twice = replace(single, background=(Background(QA.id, View.CHAT, mark), *single.background))
    desk.layouts.layouts = twice
    for _ in range(2):
        desk = Desk(before=desk)
        async with desk.open():
            assert [one.agent for one in await _listed(desk)] == [QA.id]
        assert (desk.layouts.layouts, desk.layouts.saves) == (single, 1)


async def test_one_that_cannot_go_on_says_why_and_keeps_no_other_from_it() -> None:
    shell = replace(make_agent("shell"), profile="unknown")
    desk = Desk(QA, ADA, shell)
    mark = Mark(was_running=True)
    desk.layouts.layouts = Layouts(
        background=tuple(Background(agent.id, View.CHAT, mark) for agent in (QA, ADA, shell))
    )
    await desk.records.save_conversation(QA.id, C1)
    async with desk.open():
        why = {one.agent: one.obstacle for one in await _listed(desk)}
        assert why == {QA.id: None, ADA.id: "noConversation", shell.id: "profileGone"}

        resumed = {one.agent: one.outcome for one in await desk.dispatch(HUMAN, ResumeAgents(("Qa", "Ada", "shell")))}

        assert isinstance(resumed[QA.id], Session)
        for agent in (ADA.id, shell.id):
            refused = resumed[agent]
            assert isinstance(refused, Conflict)
            assert refused.why == why[agent]
        assert [one.agent for one in await _listed(desk)] == [ADA.id, shell.id]
        await desk.dispatch(HUMAN, LaunchAgent("ada", None, View.CHAT))
        assert [one.agent for one in await _listed(desk)] == [shell.id]
        [again] = await desk.dispatch(HUMAN, ResumeAgents(("qa",)))
        assert again.outcome == desk.look("qa").session
        await desk.dispatch(HUMAN, StopAgent("qa"))
        [gone] = await desk.dispatch(HUMAN, ResumeAgents(("qa",)))
        assert isinstance(gone.outcome, NotFound)


async def test_a_start_that_fails_leaves_the_offer() -> None:
    desk = Desk(QA)
    async with desk.open():
        await _converse(desk, "qa")
        await _close(desk)

    after = Desk(before=desk)
    after.keeper.refusal = EngineFailed("Qa", "it is broken today")
    async with after.open():
        [failed] = await after.dispatch(HUMAN, ResumeAgents())
        assert isinstance(failed.outcome, EngineFailed)
        assert [one.agent for one in await _listed(after)] == [QA.id]
    assert _marked(after) == {QA.id: "c1"}


async def test_trust_comes_first_and_what_is_dismissed_is_forgotten() -> None:
    desk = Desk(QA)
    async with desk.open():
        await _converse(desk, "qa")
        await _close(desk)

    after = Desk(before=desk)
    after.trust.verdict = TrustVerdict(is_trusted=False, subject_hash="h", items=())
    async with after.open():
        with pytest.raises(TrustRequired):
            await after.dispatch(HUMAN, ResumeAgents())
        assert len(after.keeper.spawned) == 1
        await after.dispatch(HUMAN, DismissResumable(("qa",)))
        await after.dispatch(HUMAN, DismissResumable())
        assert await _listed(after) == []
        await _close(after)
    assert _marked(after) == {}


@pytest.mark.parametrize("is_trusted", [True, False])
async def test_agents_go_on_by_themselves_once_the_project_is_trusted(is_trusted: bool) -> None:
    desk = Desk(QA)
    async with desk.open():
        await _converse(desk, "qa")
        await _close(desk)
    desk.settings.settings = replace(desk.settings.settings, resume="auto")

    after = Desk(before=desk)
    after.trust.verdict = TrustVerdict(is_trusted=is_trusted, subject_hash="h", items=())
    async with after.open():
        if not is_trusted:
            await after.outcome(ResumeAgents())
            assert len(after.keeper.spawned) == 1
            await after.project.approve_trust("h")
        assert (await after.keeper.process("qa", nth=2)).spec.argv[-2:] == ("--resume", "c1")
        await after.until(lambda: after.look("qa").session is not None)


async def test_a_full_disk_keeps_nobody_from_running() -> None:
    desk = Desk(QA)
    desk.layouts.trouble = Conflict("The disk is full.")
    async with desk.open():
        await _converse(desk, "qa")
        assert isinstance(await desk.outcome(StopAgent("qa")), object)
        assert not isinstance(await desk.outcome(LaunchAgent("qa", None, View.CHAT)), IdeaError)
        desk.layouts.trouble = None
        await desk.dispatch(HUMAN, StopAgent("qa"))
        await _close(desk)
    assert _marked(desk) == {}
