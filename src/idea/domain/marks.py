"""Which cell says that an agent ran: one host an agent, in all layouts together."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from idea.domain.ids import AgentId, ConversationId, NodeId
from idea.domain.layouts import NO_MARK, Background, Cell, Layout, Layouts, Mark, View


@dataclass(frozen=True, slots=True)
class Ran:
    """An agent that runs, or ran when it was last seen; `node_id` is the cell that shows it, None in the background."""

    agent: AgentId
    view: View
    node_id: NodeId | None
    conversation: ConversationId | None
    started_at: datetime | None
    """When its session began; None where a file does not say."""


@dataclass(frozen=True, slots=True)
class _Place:
    """One cell of one layout."""

    layout: str
    number: int
    cell: Cell


def reconcile(layouts: Layouts) -> Layouts:
    """Of several marks of one agent the best host's stays; without such, the very same layouts.

    Idempotent. Agents, views and geometry stay as they are.
    """
    marks: dict[tuple[str, int], Mark] = {}
    hosted: set[AgentId] = set()
    ran_in_cells = {place.cell.agent for place in _places(layouts) if place.cell.mark.was_running}
    ran_behind = {each.agent for each in layouts.background if each.mark.was_running} - ran_in_cells
    # `sorted` is stable: of equals the first stays.
    for place in sorted(_places(layouts), key=_rank_as_host):
        agent, mark = place.cell.agent, place.cell.mark
        if mark != NO_MARK and agent not in hosted and agent not in ran_behind:
            marks[place.layout, place.number] = mark
            if agent is not None:
                hosted.add(agent)
    behind: dict[AgentId, Background] = {}
    for each in sorted(layouts.background, key=lambda one: not one.mark.was_running):
        if each.agent not in hosted:
            behind.setdefault(each.agent, each)
    # In the order in which they stood.
    background = tuple(each for each in layouts.background if behind.get(each.agent) is each)
    return _with_marks(layouts, marks, background)


def mark_running(layouts: Layouts, ran: Iterable[Ran]) -> Layouts:
    """The same layouts, marked with what runs or may be resumed, one of `ran` an agent; nothing else says it ran."""
    ran = list(ran)
    places = list(_places(layouts))
    background: list[Background] = []
    # A conversation of one that did not run claims nothing, and stays until its agent runs.
    ids = {one.agent for one in ran}
    marks = {
        (place.layout, place.number): place.cell.mark
        for place in places
        if not place.cell.mark.was_running and place.cell.agent not in ids
    }
    for one in ran:
        mark = Mark(was_running=True, conversation=one.conversation, started_at=one.started_at)
        host = _host_of(one, places, shown=layouts.shown)
        if host is None:
            background.append(Background(one.agent, one.view, mark))
        else:
            marks[host.layout, host.number] = mark
    return _with_marks(layouts, marks, tuple(background))


def ran_in(layouts: Layouts) -> Mapping[AgentId, Ran]:
    """What was running when these layouts were written; they are reconciled."""
    found: dict[AgentId, Ran] = {}
    for place in _places(layouts):
        cell, mark = place.cell, place.cell.mark
        if cell.agent is not None and mark.was_running:
            found[cell.agent] = Ran(cell.agent, cell.view, cell.node_id, mark.conversation, mark.started_at)
    for each in layouts.background:
        if each.mark.was_running:
            ran = Ran(each.agent, each.view, None, each.mark.conversation, each.mark.started_at)
            found.setdefault(each.agent, ran)
    return found


def _places(layouts: Layouts) -> Iterator[_Place]:
    """Those of the shown layout first."""
    for layout in sorted(layouts.named, key=lambda each: each.name != layouts.shown):
        for number, cell in enumerate(layout.cells):
            yield _Place(layout.name, number, cell)


def _host_of(ran: Ran, places: Iterable[_Place], *, shown: str) -> _Place | None:
    """A cell of the shown layout before others, in it the one that shows the session, else the first with the agent."""
    mine = [place for place in places if place.cell.agent == ran.agent]
    return min(mine, key=lambda place: (place.layout != shown, place.cell.node_id != ran.node_id), default=None)


def _rank_as_host(place: _Place) -> tuple[bool, bool]:
    mark = place.cell.mark
    return not mark.was_running, mark.conversation is None


def _with_marks(layouts: Layouts, marks: Mapping[tuple[str, int], Mark], background: tuple[Background, ...]) -> Layouts:
    def marked(layout: Layout) -> Layout:
        cells = [replace(cell, mark=marks.get((layout.name, n), NO_MARK)) for n, cell in enumerate(layout.cells)]
        return replace(layout, cells=tuple(cells))

    return replace(layouts, named=tuple(marked(layout) for layout in layouts.named), background=background)
