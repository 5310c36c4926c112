"""The page turns narrow and wide again, is loaded anew, or held the other way: the person stays where they were."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.api import Project
from tests.browser.axe import violations
from tests.browser.browsers import Visit
from tests.browser.ide import DESKTOP, PHONE, Ide
from tests.browser.waiting import eventually

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LANDSCAPE = (844, 390)


def resize(ide: Ide, size: tuple[int, int]) -> None:
    ide.page.set_viewport_size({"width": size[0], "height": size[1]})


def maximise(ide: Ide, slug: str) -> None:
    ide.cell(slug).button("Maximise").click()
    expect(ide.cells).to_have_count(1)


def caret(box: Locator) -> int:
    return int(box.evaluate("box => box.selectionStart"))


def test_a_cell_stays_in_use_while_the_window_is_narrow_and_after_a_reload(ide: Ide) -> None:
    maximise(ide, "qa")
    box = ide.cell("qa").composer
    box.click()
    ide.page.keyboard.type("is it ready?")
    ide.page.keyboard.press("ArrowLeft")

    for size in (PHONE, DESKTOP):
        resize(ide, size)
        expect(ide.cells).to_have_count(1)
        expect(box).to_be_focused()
        eventually(ide.page, lambda: caret(box), lambda now: now == len("is it ready"))
    expect(ide.agent("QA")).to_have_attribute("aria-current", "true")
    expect(ide.cell("qa").button("Restore")).to_be_visible()

    ide.reload()
    expect(box).to_be_focused()
    expect(ide.cells).to_have_count(1)
    ide.cell("qa").button("Restore").click()
    expect(ide.cells).to_have_count(3)
    ide.reload()
    expect(ide.cells).to_have_count(3)
    expect(ide.agent("QA")).to_have_attribute("aria-current", "true")

    # On the narrow page another one is turned to, and stays after a reload and when the window is wide again.
    resize(ide, PHONE)
    ide.button_back()
    ide.page.get_by_role("button", name="Architect ").click()
    ide.page.reload()
    expect(ide.cell("architect").root).to_be_visible()
    resize(ide, DESKTOP)
    expect(ide.cells).to_have_count(3)
    expect(ide.agent("Architect")).to_have_attribute("aria-current", "true")


def test_a_phone_held_across_shows_one_cell_at_a_time(project: Project, visit: Visit) -> None:
    ide = visit(size=LANDSCAPE)
    expect(ide.cells).to_have_count(0)
    ide.page.get_by_role("button", name="QA ").click()
    expect(ide.cells).to_have_count(1)
    qa = ide.cell("qa")
    expect(qa.composer).to_be_in_viewport(ratio=1)
    assert violations(ide.page) == []
    # There is room to read something.
    eventually(ide.page, lambda: qa.log.evaluate("log => log.clientHeight"), lambda now: now >= 150)

    resize(ide, PHONE)
    expect(qa.composer).to_be_in_viewport(ratio=1)
    expect(ide.cells).to_have_count(1)
