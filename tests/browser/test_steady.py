"""Changes that somebody else makes leave a person where the person is: focus, caret, selection, what is scrolled to."""

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.api import Project
from tests.browser.browsers import Visit
from tests.browser.ide import AGENT_MS, Cell, Ide
from tests.browser.waiting import eventually, next_picture

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SENTENCE: Final = "is the invoice page ready?"

NOTE_LOST_KEYS: Final = """() => {
    window.lostKeys = []
    document.addEventListener('keydown', event => {
        if (event.target === document.body) lostKeys.push(event.key)
    }, true)
}"""

Change = Callable[[], object]


def type_through(page: Page, place: Locator, changes: list[Change]) -> None:
    """The sentence key by key with the changes spread over it; nobody tells the page again where to type."""
    place.focus()
    page.evaluate(NOTE_LOST_KEYS)
    step = len(SENTENCE) // (len(changes) + 1)
    for position, key in enumerate(SENTENCE):
        if position % step == 0 and 0 < position // step <= len(changes):
            changes[position // step - 1]()
        page.keyboard.press(key)
    assert page.evaluate("lostKeys") == []


def test_what_is_typed_while_agents_are_created_elsewhere_arrives_whole(project: Project, visit: Visit) -> None:
    for made in project.state()["agents"]:
        if made["slug"] != "main":
            project.call("DELETE", f"/agents/{made['slug']}")
    ide = visit()
    ide.is_online()
    main = ide.cell("main")

    def create(name: str) -> Change:
        def created() -> None:
            project.create(name)
            expect(ide.cell(name.lower()).root).to_be_visible()

        return created

    type_through(ide.page, main.composer, [create("QA"), create("Ops")])

    expect(main.composer).to_have_value(SENTENCE)


def test_what_is_typed_while_another_browser_arranges_cells_arrives_whole(ide: Ide, visit: Visit) -> None:
    type_through(ide.page, ide.cell("main").composer, elsewhere(visit(), ide, closed="qa"))

    expect(ide.cell("main").composer).to_have_value(SENTENCE)


def test_what_a_person_reads_and_has_marked_stays_in_place(project: Project, visit: Visit) -> None:
    project.ask("main", "long")
    project.ask("main", "long")
    ide, second = visit(), visit()
    ide.is_online()
    second.is_online()
    main = ide.cell("main")
    scroll_up(main)
    mark_in(main)
    before = scrolled(main), marked(ide)

    def stays(*, marks: bool = True) -> None:
        next_picture(ide.page)
        assert (scrolled(main), marked(ide) if marks else before[1]) == before

    second.cell("main").menu("Split downwards")
    expect(ide.cell("empty").root).to_be_visible()
    stays()
    second.cell("empty").menu("Close cell")
    expect(ide.cell("empty").root).to_have_count(0)
    stays()

    main.menu("Split downwards")
    expect(ide.cell("empty").button("Choose an agent")).to_be_focused()
    stays(marks=False)
    ide.cell("empty").menu("Close cell")
    expect(ide.cell("empty").root).to_have_count(0)
    ide.cell("qa").button("Maximise").click()
    expect(ide.cells).to_have_count(1)
    ide.cell("qa").button("Restore").click()
    expect(ide.cells).to_have_count(3)
    stays(marks=False)


def test_a_tab_is_found_again_where_it_was_left(project: Project, visit: Visit) -> None:
    project.ask("main", "long")
    project.ask("main", "long")
    # Too low for one more cell below another: it becomes a tab.
    ide = visit(size=(1280, 520))
    ide.is_online()
    main = ide.cell("main")
    ide.cell("qa").menu("Close cell")
    scroll_up(main)
    before = top_line(main)
    ide.agent("QA").click()
    expect(main.root).to_have_count(0)
    ide.agent("Main").click()
    expect(main.log).to_be_visible()

    expect(main.root.get_by_role("button", name="Latest")).to_be_visible()
    eventually(ide.page, lambda: top_line(main), lambda now: now == before)


def test_what_is_typed_into_a_terminal_while_another_browser_arranges_cells_arrives_whole(
    ide: Ide, visit: Visit
) -> None:
    main = ide.cell("main")
    main.show("TUI")
    main.button("Start Main").click()
    expect(main.screen).to_contain_text("Main · ready", timeout=AGENT_MS)
    type_through(ide.page, main.keys, elsewhere(visit(), ide, closed="empty"))

    expect(main.screen).to_contain_text(SENTENCE)


def elsewhere(second: Ide, here: Ide, *, closed: str) -> list[Change]:
    """What another browser does: splits Main's cell, then closes one; each is over when it shows here."""
    second.is_online()

    def split() -> None:
        second.cell("main").menu("Split downwards")
        expect(here.cell("empty").root).to_be_visible()

    def close() -> None:
        second.cell(closed).menu("Close cell")
        expect(here.cell(closed).root).to_have_count(0)

    return [split, close]


def scroll_up(cell: Cell) -> None:
    """By wheel, from the end of two long answers."""
    page = cell.root.page
    expect(cell.log.get_by_text("That is all there is to it.")).to_have_count(2)
    end = eventually(
        page,
        lambda: cell.log.evaluate("log => [log.scrollTop, log.scrollHeight - log.clientHeight]"),
        lambda now: now[0] > 400 and now[1] - now[0] < 1,
    )[0]
    cell.log.hover()
    page.mouse.wheel(0, -400)
    eventually(page, lambda: scrolled(cell), lambda now: abs(now - (end - 400)) < 1)
    expect(cell.root.get_by_role("button", name="Latest")).to_be_visible()


def mark_in(cell: Cell) -> None:
    """Selects words of the conversation, as a double click does."""
    cell.log.evaluate("""log => {
        const paragraph = [...log.querySelectorAll('p')].at(-1)
        getSelection().setBaseAndExtent(paragraph.firstChild, 0, paragraph.firstChild, 10)
    }""")
    cell.log.focus()


def marked(ide: Ide) -> str:
    return str(ide.page.evaluate("getSelection().toString()"))


def scrolled(cell: Cell) -> float:
    return float(cell.log.evaluate("log => log.scrollTop"))


def top_line(cell: Cell) -> str:
    """What is read at the upper edge of its conversation."""
    return str(
        cell.log.evaluate("""log => {
            const { left, top, width } = log.getBoundingClientRect()
            return document.elementFromPoint(left + width / 2, top + 40).textContent
        }""")
    )
