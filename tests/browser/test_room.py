"""Much text in little room: what is long scrolls where it stands, and what acts on it stays in sight."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser import axe
from tests.browser.api import Project
from tests.browser.ide import AGENT_MS, Ide

pytestmark = [pytest.mark.browser, pytest.mark.slow]

IS_IN_SIGHT = """e => {
    const { x, y, width, height } = e.getBoundingClientRect()
    return e.contains(document.elementFromPoint(x + width / 2, y + height / 2))
}"""


def is_in_sight(shown: Locator) -> bool:
    """Nothing covers its middle, and the middle is in the window."""
    found: bool = shown.evaluate(IS_IN_SIGHT)
    return found


def test_a_request_in_a_low_cell_keeps_its_answers_in_sight(ide: Ide) -> None:
    qa = ide.cell("qa")
    qa.say("deploy")
    request = qa.root.get_by_role("region", name="Request from QA")
    expect(request).to_be_visible(timeout=AGENT_MS)

    # Two cells share this height, and nothing is being written.
    request.focus()
    ide.page.set_viewport_size({"width": 1280, "height": 420})
    assert is_in_sight(request.get_by_role("button", name="Allow once"))
    assert is_in_sight(request.get_by_role("button", name="Deny"))
    assert axe.violations(ide.page) == []


def test_many_queued_messages_leave_composer_and_stop_in_sight(ide: Ide) -> None:
    qa = ide.cell("qa")
    qa.say("hang")
    expect(qa.button("Stop turn")).to_be_visible(timeout=AGENT_MS)
    for number in range(8):
        qa.say(f"echo message {number}")

    expect(qa.root.get_by_role("listitem").filter(has_text="message 7")).to_have_count(1)
    assert is_in_sight(qa.composer)
    assert is_in_sight(qa.button("Stop turn"))


def test_a_wide_table_keeps_its_words_whole_and_scrolls_by_keyboard(ide: Ide, project: Project) -> None:
    names = [f"column-{number}" for number in range(12)]
    rows = [names, ["---"] * 12, ["253"] * 12]
    project.create("Eve", instructions="\n".join(f"| {' | '.join(row)} |" for row in rows))
    ide.agent("Eve").click()
    eve = ide.cell("eve")
    eve.say("instructions")

    number = eve.log.get_by_role("cell", name="253").first
    expect(number).to_be_visible(timeout=AGENT_MS)
    assert number.evaluate("e => e.getBoundingClientRect().height") < 40
    table = eve.log.get_by_role("group", name=", ".join(names))
    table.focus()
    expect(table).to_be_focused()
    assert axe.violations(ide.page) == []
