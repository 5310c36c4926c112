"""The named layouts of a project: shown to everybody alike, shared as files, followed where nobody changed them."""

from dataclasses import replace

import pytest

from idea.application.layouts.project_layouts import ON_DISK, ProjectLayouts
from idea.application.team.team import Team
from idea.domain.errors import Conflict, Invalid, NotFound
from idea.domain.events import Event, LayoutChanged, LayoutsChanged
from idea.domain.ids import AgentId, NodeId, ProjectId
from idea.domain.layouts import Cell, Layout, View
from idea.domain.marks import Ran
from idea.domain.shared_layouts import Sharing
from tests.fakes.agents import make_agent
from tests.fakes.files import FakeLayoutStore, FakeSharedLayoutStore

QA = make_agent("qa")
GRID = Layout("default", "{}", (Cell(NodeId("n"), QA.id, View.CHAT),))
RAN = Ran(QA.id, View.CHAT, NodeId("n"), None, None)


class _Desk:
    """`begin` it before use; `again` opens the same project once more."""

    def __init__(self, store: FakeLayoutStore | None = None, shared: FakeSharedLayoutStore | None = None) -> None:
        self.store = store or FakeLayoutStore()
        self.shared = shared or FakeSharedLayoutStore()
        self.events: list[Event] = []
        team = Team(ProjectId("p"), publish=lambda _: None)
        team.put(QA)
        self.layouts = ProjectLayouts(
            ProjectId("p"), store=self.store, shared=self.shared, team=team, publish=self.events.append
        )

    async def begin(self) -> "_Desk":
        await self.layouts.load()
        await self.layouts.reload()
        self.events.clear()
        return self

    async def again(self) -> "_Desk":
        return await _Desk(self.store, self.shared).begin()

    @property
    def names(self) -> dict[str, Sharing]:
        return {entry.name: entry.sharing for entry in self.layouts.list().entries}

    @property
    def told(self) -> LayoutsChanged:
        event = self.events[-1]
        assert isinstance(event, LayoutsChanged)
        return event


async def test_a_copy_is_shown_and_the_one_before_comes_back_as_it_was() -> None:
    desk = await _Desk().begin()
    await desk.layouts.save(GRID, origin="tab")
    await desk.layouts.create("review", origin="tab")
    assert (desk.told.layouts.shown, desk.told.layout.cells, desk.told.origin) == ("review", GRID.cells, "tab")

    await desk.layouts.save(Layout("review", "[]"), origin="tab")
    await desk.layouts.show("default", origin="tab")

    assert (desk.layouts.current.geometry, desk.layouts.current.cells) == ("{}", GRID.cells)
    assert (await desk.again()).layouts.current == desk.layouts.current


async def test_a_save_that_comes_late_lands_in_the_layout_that_it_is_of() -> None:
    desk = await _Desk().begin()
    await desk.layouts.create("review", origin="tab")
    desk.events.clear()

    await desk.layouts.save(GRID, origin="late")

    assert desk.layouts.current.cells == ()
    assert desk.events == []
    await desk.layouts.delete("review")
    assert desk.layouts.current.cells == GRID.cells
    with pytest.raises(NotFound):
        await desk.layouts.save(Layout("review"), origin="late")


async def test_a_save_of_what_somebody_else_changed_meanwhile_is_refused_and_changes_nothing() -> None:
    desk = await _Desk().begin()
    first = await desk.layouts.save(GRID, origin="one")
    second = await desk.layouts.save(Layout(geometry="[]"), origin="two", base=first)

    with pytest.raises(Conflict) as refused:
        await desk.layouts.save(Layout(geometry="[1]"), origin="one", base=first)

    assert refused.value.fields()["why"] == "layoutChanged"
    assert desk.layouts.current.geometry == "[]"
    await desk.layouts.save(GRID, origin="one", base=second)
    assert desk.layouts.current.geometry == "{}"


async def test_who_runs_stays_marked_whatever_the_page_does_to_the_layouts() -> None:
    desk = await _Desk().begin()
    await desk.layouts.save(GRID, origin="tab")
    await desk.layouts.mark([RAN])

    await desk.layouts.save(replace(GRID, geometry="[]"), origin="tab")
    await desk.layouts.create("review", origin="tab")
    await desk.layouts.save(Layout("review"), origin="tab")
    assert set(desk.layouts.ran()) == {QA.id}
    await desk.layouts.delete("default")

    assert [each.agent for each in desk.store.layouts.background] == [QA.id]
    assert [event.layout.name for event in desk.events if isinstance(event, LayoutChanged)] == [
        "default",
        "default",
        "review",
    ]


@pytest.mark.parametrize("name", ["Default", "../x", ""])
async def test_a_name_that_is_taken_or_leads_elsewhere_is_refused(name: str) -> None:
    desk = await _Desk().begin()
    await desk.layouts.create("review", origin="")

    with pytest.raises((Conflict, Invalid)):
        await desk.layouts.create(name, origin="")
    with pytest.raises((Conflict, Invalid)):
        await desk.layouts.rename("review", name, origin="")
    assert desk.names == {"default": Sharing.OWN, "review": Sharing.OWN}


async def test_what_changes_after_sharing_stays_ones_own_until_it_is_shared_again() -> None:
    desk = await _Desk().begin()
    await desk.layouts.save(GRID, origin="tab")
    await desk.layouts.share("default")
    assert desk.told.layouts.entries[0].sharing is Sharing.SHARED
    assert desk.shared.layouts["default"].cells[0].slug == "qa"

    await desk.layouts.save(replace(GRID, geometry="[]"), origin="tab")
    assert desk.names == {"default": Sharing.CHANGED}
    assert desk.shared.layouts["default"].geometry == "{}"

    await desk.layouts.share("default")
    assert desk.shared.layouts["default"].geometry == "[]"
    await desk.layouts.unshare("default")
    assert (desk.names, desk.shared.layouts) == ({"default": Sharing.OWN}, {})


async def test_a_colleagues_layout_is_offered_and_shown_with_our_agents() -> None:
    theirs = await _Desk().begin()
    await theirs.layouts.save(GRID, origin="")
    await theirs.layouts.rename("default", "team", origin="")
    await theirs.layouts.share("team")
    file = theirs.shared.layouts["team"]
    theirs.shared.layouts["team"] = replace(file, cells=(replace(file.cells[0], agent=AgentId("another id")),))

    ours = await _Desk(shared=theirs.shared).begin()
    assert ours.names == {"default": Sharing.OWN, "team": Sharing.OFFERED}
    await ours.layouts.show("team", origin="tab")

    assert ours.layouts.current.cells == GRID.cells
    assert ours.names["team"] is Sharing.SHARED


async def test_a_file_that_changes_is_followed_also_by_a_server_that_was_away() -> None:
    desk = await _Desk().begin()
    await desk.layouts.save(GRID, origin="")
    await desk.layouts.share("default")
    await desk.layouts.mark([RAN])

    desk.shared.layouts["default"] = replace(desk.shared.layouts["default"], geometry="[1]")
    await desk.layouts.reload()
    assert (desk.told.layout.geometry, desk.told.origin) == ("[1]", ON_DISK)

    desk.shared.layouts["default"] = replace(desk.shared.layouts["default"], geometry="[2]")
    after = await desk.again()
    assert after.layouts.current.geometry == "[2]"
    assert set(after.layouts.ran()) == {QA.id}


async def test_a_file_that_changes_beside_an_own_change_waits_for_a_choice() -> None:
    desk = await _Desk().begin()
    await desk.layouts.share("default")
    await desk.layouts.save(GRID, origin="tab")
    desk.shared.layouts["default"] = replace(desk.shared.layouts["default"], geometry="[1]")

    await desk.layouts.reload()
    assert desk.layouts.current.geometry == "{}"
    assert desk.names == {"default": Sharing.CHANGED}

    await desk.layouts.take("default", origin="tab")
    assert desk.layouts.current.geometry == "[1]"
    assert desk.names == {"default": Sharing.SHARED}
    await desk.layouts.unshare("default")
    with pytest.raises(Conflict):
        await desk.layouts.take("default", origin="tab")


async def test_a_shared_layout_is_renamed_and_deleted_with_its_file() -> None:
    desk = await _Desk().begin()
    await desk.layouts.share("default")

    await desk.layouts.rename("default", "team", origin="tab")
    assert list(desk.shared.layouts) == ["team"]
    await desk.layouts.create("second", origin="tab")
    await desk.layouts.delete("team")

    assert (desk.names, desk.shared.layouts) == ({"second": Sharing.OWN}, {})
    with pytest.raises(Conflict):
        await desk.layouts.delete("second")
    with pytest.raises(NotFound):
        await desk.layouts.delete("team")
