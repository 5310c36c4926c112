"""Much text in little room: what is long scrolls where it stands, and what acts on it stays in sight."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser import axe
from tests.browser.api import Project
from tests.browser.browsers import Visit
from tests.browser.ide import AGENT_MS, Ide
from tests.browser.waiting import eventually

pytestmark = [pytest.mark.browser, pytest.mark.slow]

IS_IN_SIGHT = """e => {
    const { x, y, width, height } = e.getBoundingClientRect()
    return e.contains(document.elementFromPoint(x + width / 2, y + height / 2))
}"""


IS_WHOLE = """e => {
    const { left, right } = e.getBoundingClientRect()
    const frame = e.parentElement.getBoundingClientRect()
    return left >= frame.left && right <= frame.right + 1
}"""


def are_in_sight(*shown: Locator) -> None:
    """Nothing covers the middle of each, and the middle is in the window."""
    eventually(shown[0].page, lambda: [one.evaluate(IS_IN_SIGHT) for one in shown], all)


def test_a_request_in_a_low_cell_keeps_its_answers_in_sight(ide: Ide) -> None:
    qa = ide.cell("qa")
    qa.say("deploy")
    request = qa.root.get_by_role("region", name="Request from QA")
    expect(request).to_be_visible(timeout=AGENT_MS)

    # Two cells share this height, and nothing is being written.
    request.focus()
    ide.page.set_viewport_size({"width": 1280, "height": 420})
    are_in_sight(request.get_by_role("button", name="Allow once"), request.get_by_role("button", name="Deny"))
    assert axe.violations(ide.page) == []


def test_a_request_in_a_small_cell_shows_what_is_asked_beside_its_answers(project: Project, visit: Visit) -> None:
    name = "Reviewer of everything that ever touches an invoice"
    slug = str(project.create(name)["slug"])
    project.call("POST", f"/agents/{slug}/messages", {"message": "deploy"})
    # In the language whose words are the longest.
    ide = visit(size=(1024, 700), locale="fr-FR")
    request = ide.cell(slug).root.get_by_role("region", name=f"Demande de {name}")
    expect(request).to_be_visible(timeout=AGENT_MS)

    are_in_sight(
        request.get_by_role("group"),
        request.get_by_role("button", name="Autoriser une fois"),
        request.get_by_role("button", name="Refuser"),
    )
    eventually(ide.page, lambda: ide.cell(slug).state.evaluate(IS_WHOLE), bool)
    needs = ide.page.get_by_role("complementary").get_by_role("region", name="À vous")
    whole = needs.get_by_text(name, exact=True).locator("..")
    eventually(ide.page, lambda: whole.evaluate("e => e.scrollHeight - e.clientHeight"), lambda now: now <= 1)
    assert axe.violations(ide.page) == []


def test_many_queued_messages_leave_composer_and_stop_in_sight(ide: Ide) -> None:
    qa = ide.cell("qa")
    qa.say("hang")
    expect(qa.button("Stop turn")).to_be_visible(timeout=AGENT_MS)
    for number in range(8):
        qa.say(f"echo message {number}")

    expect(qa.root.get_by_role("listitem").filter(has_text="message 7")).to_have_count(1)
    are_in_sight(qa.composer, qa.button("Stop turn"))


def test_a_wide_table_keeps_its_words_whole_and_scrolls_by_keyboard(ide: Ide, project: Project) -> None:
    names = [f"column-{number}" for number in range(12)]
    rows = [names, ["---"] * 12, ["253"] * 12]
    project.create("Eve", instructions="\n".join(f"| {' | '.join(row)} |" for row in rows))
    ide.agent("Eve").click()
    eve = ide.cell("eve")
    eve.say("instructions")

    number = eve.log.get_by_role("cell", name="253").first
    expect(number).to_be_visible(timeout=AGENT_MS)
    eventually(ide.page, lambda: number.evaluate("e => e.getBoundingClientRect().height"), lambda now: now < 40)
    table = eve.log.get_by_role("group", name=", ".join(names))
    table.focus()
    expect(table).to_be_focused()
    assert axe.violations(ide.page) == []
