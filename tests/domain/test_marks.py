from collections import Counter
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from idea.domain.ids import AgentId, ConversationId, NodeId
from idea.domain.layouts import NO_MARK, Background, Cell, Layout, Layouts, Mark, View
from idea.domain.marks import Ran, mark_running, ran_in, reconcile

A, B = AgentId("a"), AgentId("b")
AT = datetime(2026, 1, 2, tzinfo=UTC)

_agents = st.sampled_from([A, B, AgentId("c")])
_conversations = st.none() | st.sampled_from([ConversationId("c1"), ConversationId("c2")])
_views = st.sampled_from(View)
_marks = st.builds(Mark, was_running=st.booleans(), conversation=_conversations, started_at=st.none() | st.just(AT))
_nodes = st.sampled_from([NodeId(name) for name in "mnop"])
_cells = st.builds(Cell, _nodes, st.none() | _agents, _views, st.just(NO_MARK) | _marks)
_named = st.lists(
    st.builds(Layout, st.sampled_from("xyz"), st.just("{}"), st.lists(_cells, max_size=5).map(tuple)),
    min_size=1,
    max_size=3,
    unique_by=lambda layout: layout.name,
)
_background = st.lists(st.builds(Background, _agents, _views, _marks), max_size=3)
_layouts = st.builds(
    lambda named, shown, background: Layouts(named[shown % len(named)].name, tuple(named), tuple(background)),
    _named,
    st.integers(0, 2),
    _background,
)
_ran = st.lists(
    st.builds(Ran, _agents, _views, st.none() | _nodes, _conversations, st.just(AT)),
    max_size=3,
    unique_by=lambda one: one.agent,
)


def _hosts(layouts: Layouts) -> Counter[AgentId]:
    cells = [cell for layout in layouts.named for cell in layout.cells]
    marked = [cell.agent for cell in cells if cell.agent is not None and cell.mark != NO_MARK]
    return Counter([*marked, *(each.agent for each in layouts.background)])


def _has_duplicates(layouts: Layouts) -> bool:
    return any(count > 1 for count in _hosts(layouts).values())


def _bare(layouts: Layouts) -> list[tuple[str, str, list[tuple[NodeId, AgentId | None, View]]]]:
    return [
        (layout.name, layout.geometry, [(cell.node_id, cell.agent, cell.view) for cell in layout.cells])
        for layout in layouts.named
    ]


@given(_layouts)
def test_reconciled_an_agent_has_at_most_one_host_and_keeps_it(layouts: Layouts) -> None:
    reconciled = reconcile(layouts)

    assert all(count == 1 for count in _hosts(reconciled).values())
    assert _hosts(reconciled).keys() == _hosts(layouts).keys()
    assert _bare(reconciled) == _bare(layouts)
    assert reconcile(reconciled) == reconciled


@given(_layouts)
def test_layouts_without_duplicates_are_not_changed(layouts: Layouts) -> None:
    assert (reconcile(layouts) == layouts) is not _has_duplicates(layouts)


@given(_layouts)
def test_who_ran_is_not_forgotten_by_reconciling(layouts: Layouts) -> None:
    cells = [cell for layout in layouts.named for cell in layout.cells]
    ran = {cell.agent for cell in cells if cell.agent is not None and cell.mark.was_running}
    ran |= {each.agent for each in layouts.background if each.mark.was_running}

    assert ran_in(reconcile(layouts)).keys() == ran


@given(_layouts, _ran)
def test_what_is_written_says_exactly_what_ran(layouts: Layouts, ran: list[Ran]) -> None:
    written = mark_running(reconcile(layouts), ran)

    found = ran_in(written)
    assert {(one.agent, one.conversation) for one in found.values()} == {(one.agent, one.conversation) for one in ran}
    assert all(count == 1 for count in _hosts(written).values())
    assert reconcile(written) == written
    assert mark_running(written, found.values()) == written
    assert _bare(written) == _bare(layouts)


def test_the_host_is_one_that_ran_then_one_with_a_conversation_then_a_shown_one() -> None:
    idle = Cell(NodeId("m"), A, View.CHAT, Mark(conversation=ConversationId("c1")))
    ran = Cell(NodeId("n"), A, View.CHAT, Mark(was_running=True))
    best = Cell(NodeId("o"), A, View.TERMINAL, Mark(was_running=True, conversation=ConversationId("c2")))
    shown, other = Layout("shown", cells=(idle, ran)), Layout("other", cells=(best,))

    assert ran_in(reconcile(Layouts("shown", (other, shown))))[A].node_id == "o"
    assert ran_in(reconcile(Layouts("shown", (Layout("other", cells=(ran,)), shown))))[A].node_id == "n"


def test_a_mark_goes_to_the_cell_of_the_shown_layout_that_shows_the_session() -> None:
    two = (Cell(NodeId("m"), A, View.CHAT), Cell(NodeId("n"), A, View.CHAT))
    layouts = Layouts("shown", (Layout("other", cells=(Cell(NodeId("x"), B, View.CHAT),)), Layout("shown", cells=two)))
    ran = [Ran(A, View.CHAT, NodeId("n"), None, AT), Ran(B, View.TERMINAL, None, None, AT)]

    written = mark_running(layouts, [*ran, Ran(AgentId("c"), View.CHAT, NodeId("gone"), None, None)])

    assert [cell.mark.was_running for cell in written.current.cells] == [False, True]
    assert written.get("other").cells[0].mark == Mark(was_running=True, started_at=AT)
    assert [each.agent for each in written.background] == ["c"]
