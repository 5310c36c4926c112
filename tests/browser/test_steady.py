"""Changes that somebody else makes leave a person where the person is: focus, caret, selection, what is scrolled to."""

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.api import Project
from tests.browser.conftest import Visit
from tests.browser.ide import Ide

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
    second = visit()
    second.is_online()

    def split_and_grow() -> None:
        second.cell("main").menu("Split downwards")
        expect(ide.cell("empty").root).to_be_visible()

    def close() -> None:
        second.cell("qa").menu("Close cell")
        expect(ide.cell("qa").root).to_have_count(0)

    type_through(ide.page, ide.cell("main").composer, [split_and_grow, close])

    expect(ide.cell("main").composer).to_have_value(SENTENCE)
