"""The grid: cells made, filled, moved, enlarged and closed, by pointer and by keyboard, the same in every browser."""

import re
from typing import Final

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.api import Project
from tests.browser.browsers import Visit
from tests.browser.ide import AGENT_MS, Ide
from tests.browser.lines import Lines
from tests.browser.waiting import eventually

pytestmark = [pytest.mark.browser, pytest.mark.slow]

HEAR: Final = """() => {
    window.heard = []
    const listen = () => {
        for (const named of document.querySelectorAll('[aria-label]')) heard.push(named.ariaLabel)
        for (const live of document.querySelectorAll('[aria-live]')) heard.push(live.textContent)
    }
    new MutationObserver(listen).observe(document.body,
        { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ['aria-label'] })
}"""
"""Keeps every name and every announcement from now on, also those that last for a moment."""


IS_WHOLE_OR_HIDDEN: Final = """word => {
    const range = document.createRange()
    range.selectNodeContents(word)
    const text = range.getBoundingClientRect(), box = word.getBoundingClientRect()
    return text.top >= box.bottom || (text.right <= box.right + 0.5 && text.bottom <= box.bottom + 4)
}"""


def pick(ide: Ide, cell: Locator, agent: str) -> Locator:
    """Opens the cell's drop-list; the agent's entry."""
    cell.get_by_role("button", name="hoose").first.click()
    return ide.page.get_by_role("menuitem", name=agent)


def test_every_agent_has_a_cell_at_first_main_the_largest_and_each_can_have_the_grid(ide: Ide) -> None:
    expect(ide.cells).to_have_count(3)

    eventually(
        ide.page,
        lambda: [area(ide.cell(slug).root) for slug in ("main", "architect", "qa")],
        # The two others are alike within rounding.
        lambda areas: areas[0] > max(areas[1:]) and abs(areas[1] - areas[2]) < 0.05 * areas[2],
    )
    qa = ide.cell("qa")
    before = area(qa.root)
    qa.button("Maximise").click()
    expect(ide.cells).to_have_count(1)
    eventually(ide.page, lambda: area(qa.root), lambda now: now > 2 * before)
    qa.button("Restore").click()
    expect(ide.cells).to_have_count(3)


def test_a_cell_is_split_filled_and_closed(ide: Ide, project: Project) -> None:
    expect(ide.agent("Main")).to_have_attribute("aria-current", "true")
    project.create("Clerk")
    expect(ide.cell("clerk").root).to_be_visible()
    # It takes the place of none.
    expect(ide.agent("Main")).to_have_attribute("aria-current", "true")
    expect(ide.cell("main").root).to_have_class(re.compile("dv-active-group"))
    ide.cell("clerk").menu("Close cell")
    expect(ide.cells).to_have_count(3)

    ide.cell("main").menu("Split to the right")
    empty = ide.cell("empty")
    expect(empty.root).to_contain_text("This cell is free")
    empty.button("Clerk").click()
    expect(ide.cell("clerk").root).to_contain_text("Nothing said yet")
    expect(ide.cells).to_have_count(4)
    ide.cell("clerk").menu("Split downwards")
    expect(ide.cells).to_have_count(5)
    ide.cell("empty").menu("Close cell")
    expect(ide.cells).to_have_count(4)


def test_cells_are_named_for_who_cannot_see_them(ide: Ide) -> None:
    ide.page.evaluate(HEAR)
    ide.cell("main").menu("Split to the right")
    expect(ide.region("Empty cell")).to_be_visible()
    # The keyboard went along. All agents have a cell, so there is only the drop-list to choose from.
    expect(ide.cell("empty").button("Choose an agent")).to_be_focused()
    ide.cell("empty").button("Maximise").click()
    ide.cell("empty").button("Restore").click()
    ide.cell("empty").menu("Close cell")
    expect(ide.region("Empty cell")).to_have_count(0)

    heard = ide.page.evaluate("heard")
    assert {"Main, chat", "Empty cell"} <= set(heard)
    assert [text for text in heard if re.search(r"[0-9a-f]{8}-[0-9a-f]{4}", text)] == []


def test_the_drop_list_leads_to_an_agent_that_is_already_placed(ide: Ide) -> None:
    entry = pick(ide, ide.cell("architect").root, "QA")
    expect(entry).to_contain_text("already placed")
    entry.hover()
    ide.page.get_by_role("menuitem", name="Go to its cell").click()

    expect(ide.agent("QA")).to_have_attribute("aria-current", "true")
    expect(ide.cell("architect").root).to_be_visible()


def test_the_drop_list_moves_an_agent_here_with_its_running_session(ide: Ide, project: Project) -> None:
    qa = ide.cell("qa")
    qa.say("list")
    expect(qa.log).to_contain_text("The team:", timeout=AGENT_MS)
    session = session_of(project, "qa")
    pick(ide, ide.cell("architect").root, "QA").hover()
    ide.page.get_by_role("menuitem", name="Move here").click()

    expect(ide.cell("architect").root).to_have_count(0)
    expect(ide.cell("empty").root).to_be_visible()
    expect(ide.cell("qa").log).to_contain_text("The team:")
    assert session_of(project, "qa")["id"] == session["id"]


def test_the_keyboard_reaches_cells_enlarges_them_and_lists_its_keys(ide: Ide) -> None:
    keyboard = ide.page.keyboard
    expect(ide.cells).to_have_count(3)
    for key, name in (("Alt+2", "Architect"), ("Alt+3", "QA"), ("Alt+1", "Main")):
        keyboard.press(key)
        expect(ide.agent(name)).to_have_attribute("aria-current", "true")
    keyboard.press("Alt+m")
    expect(ide.cells).to_have_count(1)
    keyboard.press("Alt+m")
    expect(ide.cells).to_have_count(3)

    # Also a click on a header turns to a cell.
    ide.cell("qa").show("TUI")
    expect(ide.agent("QA")).to_have_attribute("aria-current", "true")
    keyboard.press("?")
    expect(ide.dialog.get_by_role("heading", name="Keyboard shortcuts")).to_be_visible()
    expect(ide.dialog).to_contain_text("Maximise or restore the focused cell")
    keyboard.press("Escape")
    expect(ide.dialog).to_have_count(0)


def test_the_keyboard_opens_a_drop_list_and_chooses(ide: Ide, project: Project) -> None:
    ide.cell("qa").menu("Close cell")
    ide.cell("main").menu("Split downwards")
    empty = ide.cell("empty")
    empty.root.get_by_role("button", name="Choose an agent").press("Enter")
    expect(ide.page.get_by_role("menuitem").first).to_be_focused()
    ide.page.keyboard.type("QA")
    expect(ide.page.get_by_role("menuitem", name="QA")).to_be_focused()
    ide.page.keyboard.press("Enter")

    expect(ide.cell("qa").root).to_be_visible()
    expect(empty.root).to_have_count(0)


def test_a_layout_shows_in_another_browser_at_once_and_survives_a_reload(ide: Ide, visit: Visit) -> None:
    second = visit()
    second.is_online()
    ide.cell("architect").menu("Close cell")
    ide.cell("qa").show("TUI")
    # Saved, as the other one was told.
    expect(second.cells).to_have_count(2)
    expect(second.cell("qa").button("TUI")).to_have_attribute("aria-pressed", "true")

    for shown in (ide, second):
        shown.reload()
        expect(shown.cells).to_have_count(2)
        expect(shown.cell("qa").button("TUI")).to_have_attribute("aria-pressed", "true")
        expect(shown.cell("architect").root).to_have_count(0)
    second.cell("qa").menu("Split to the right")
    expect(ide.cell("empty").root).to_be_visible()


def test_after_the_last_cell_there_is_a_way_on(ide: Ide) -> None:
    for slug in ("main", "architect", "qa"):
        ide.cell(slug).menu("Close cell")
    expect(ide.page.get_by_role("heading", name="No cell is open")).to_be_visible()

    ide.agent("QA").click()
    expect(ide.cell("qa").root).to_be_visible()


def test_what_is_wider_than_its_cell_scrolls_inside_it(ide: Ide) -> None:
    main = ide.cell("main")
    main.say("ask QA: " + "a-word-without-an-end-" * 30)
    expect(main.log).to_contain_text("QA says:", timeout=AGENT_MS)
    expect(main.state).to_have_text("idle", timeout=AGENT_MS)

    send = main.root.get_by_role("button", name="Send")
    eventually(ide.page, lambda: (right_edge(send), right_edge(main.root)), lambda edges: edges[0] <= edges[1])


def area(shown: Locator) -> float:
    expect(shown).to_be_visible()
    box = shown.bounding_box()
    assert box is not None
    return box["width"] * box["height"]


def right_edge(shown: Locator) -> float:
    box = shown.bounding_box()
    assert box is not None
    return box["x"] + box["width"]


def session_of(project: Project, slug: str) -> dict[str, object]:
    agent = next(one for one in project.state()["agents"] if one["slug"] == slug)
    found: dict[str, object] = agent["session"]
    return found


def test_the_tab_of_the_cell_in_view_is_whole_among_many(ide: Ide, project: Project) -> None:
    for number in range(9):
        name = f"Worker{number}"
        project.create(name)
        ide.agent(name).click()
        expect(ide.agent(name)).to_have_attribute("aria-current", "true")

    tab = ide.page.get_by_role("tab", name="Worker8, chat")
    expect(tab).to_be_in_viewport(ratio=0.99)
    expect(ide.cell("worker8").button("TUI")).to_be_in_viewport(ratio=0.99)
    expect(ide.cell("worker8").button("Cell menu")).to_be_in_viewport(ratio=0.99)


def test_a_narrow_cell_shows_its_state_whole_or_not_at_all(ide: Ide) -> None:
    cells = [ide.cell(slug) for slug in ("main", "architect", "qa")]
    for width in (760, 840, 900, 1000):
        ide.page.set_viewport_size({"width": width, "height": 700})
        for cell in cells:
            expect(cell.state).to_have_text("not started")
        eventually(ide.page, lambda: [cell.state.evaluate(IS_WHOLE_OR_HIDDEN) for cell in cells], all)


def test_the_keyboard_goes_to_a_placed_agent_and_moves_it(ide: Ide) -> None:
    keyboard = ide.page.keyboard
    opener = ide.cell("architect").root.get_by_role("button", name="hoose").first
    open_qa(ide, opener)
    keyboard.press("Enter")
    expect(ide.cell("qa").composer).to_be_focused()

    open_qa(ide, opener)
    keyboard.press("ArrowDown")
    expect(ide.page.get_by_role("menuitem", name="Move here")).to_be_focused()
    keyboard.press("Enter")
    expect(ide.cell("architect").root).to_have_count(0)
    expect(ide.cell("empty").root).to_be_visible()


def open_qa(ide: Ide, opener: Locator) -> None:
    """By keyboard: the drop-list, and in it what can be done with an agent that has a cell."""
    opener.press("Enter")
    expect(ide.page.get_by_role("menuitem").first).to_be_focused()
    ide.page.get_by_role("menuitem", name="QA").press("ArrowRight")
    expect(ide.page.get_by_role("menuitem", name="Go to its cell")).to_be_focused()


def test_a_start_of_an_agent_that_runs_elsewhere_offers_the_ways_on(project: Project, visit: Visit) -> None:
    lines = Lines()
    ide = visit(before=lambda page: lines.lay(page, "/api/events"))
    ide.is_online()
    qa = ide.cell("qa")
    qa.show("TUI")
    # What happens elsewhere reaches this page late, so that it still offers to start the agent.
    lines.hold()
    node = next(agent["id"] for agent in project.state()["agents"] if agent["slug"] == "main")
    project.call("POST", "/agents/qa/launch", {"nodeId": node, "view": "terminal", "isReattach": False})
    session = session_of(project, "qa")
    ide.watch.expect(r"409 \(Conflict\)")
    qa.button("Start QA").click()
    expect(qa.root.get_by_role("alert")).to_contain_text("QA is already running in another cell")
    qa.button("Go to its cell").click()
    expect(ide.cell("main").composer).to_be_focused()

    qa.button("Move here").click()
    expect(qa.root.get_by_role("alert")).to_have_count(0)
    lines.release()
    expect(qa.screen).to_contain_text("QA · ready", timeout=AGENT_MS)
    moved = session_of(project, "qa")
    assert moved["id"] == session["id"]
    assert moved["nodeId"] != node
