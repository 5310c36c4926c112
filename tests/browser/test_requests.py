"""Requests for permission: answered in the cell, by keys alone, on the page of what needs you, or by nobody."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.api import Project
from tests.browser.ide import AGENT_MS, Cell, Ide

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def request_of(cell: Cell, name: str) -> Locator:
    return cell.root.get_by_role("region", name=f"Request from {name}")


def test_a_request_is_answered_in_its_cell(ide: Ide) -> None:
    qa = ide.cell("qa")
    qa.say("deploy")
    request = request_of(qa, "QA")
    expect(request).to_contain_text("Deploy the invoice page", timeout=AGENT_MS)
    expect(request).to_contain_text("rsync --archive --delete dist/")
    expect(request).to_contain_text(re.compile(r"denied by itself in \d+:\d\d"))
    expect(qa.state).to_have_text("needs you")
    expect(ide.page).to_have_title(re.compile(r"^\(1\) "))
    request.get_by_role("button", name="Deny").click()

    expect(qa.log).to_contain_text("You said no, so nothing was deployed.")
    expect(request).to_have_count(0)
    expect(ide.region("Needs you")).to_have_count(0)
    expect(ide.page).not_to_have_title(re.compile(r"^\("))


def test_a_request_is_answered_by_keys_alone(ide: Ide) -> None:
    qa = ide.cell("qa")
    qa.say("deploy")
    expect(request_of(qa, "QA")).to_be_visible(timeout=AGENT_MS)
    ide.page.keyboard.press("Alt+n")
    expect(request_of(qa, "QA")).to_be_focused()
    ide.page.keyboard.press("Enter")
    # What has just come takes no answer for a moment.
    expect(request_of(qa, "QA").get_by_role("button", name="Allow once")).to_be_enabled()

    ide.page.keyboard.press("a")
    expect(qa.composer).to_be_focused()
    expect(qa.log).to_contain_text("Deployed version 2.4.0 to staging")


def test_a_request_is_answered_on_the_page_of_what_needs_you(ide: Ide) -> None:
    ide.cell("qa").say("deploy")
    ide.page.get_by_role("button", name="Needs you, 1 request").click(timeout=AGENT_MS)
    request = ide.region("Request from QA")
    expect(request.get_by_role("heading", name="QA wants to use Bash")).to_be_visible()
    request.get_by_role("button", name="Allow once").click()

    expect(ide.page.get_by_role("heading", name="Nothing needs you")).to_be_visible()
    ide.page.get_by_role("button", name="Cells", exact=True).click()
    expect(ide.cell("qa").log).to_contain_text("Deployed version 2.4.0 to staging")


def test_what_needs_you_is_walked_and_answered_by_keys(ide: Ide, project: Project) -> None:
    for agent in ("qa", "main"):
        project.call("POST", f"/agents/{agent}/messages", {"message": "deploy"})
        expect(ide.cell(agent).state).to_have_text("needs you", timeout=AGENT_MS)
    ide.page.get_by_role("button", name="Needs you, 2 requests").click()
    expect(ide.region("Request from QA")).to_be_visible()

    ide.page.keyboard.press("j")
    expect(ide.region("Request from Main")).to_be_visible()
    ide.page.keyboard.press("d")
    expect(ide.region("Request from QA")).to_be_visible()
    ide.page.keyboard.press("g")
    expect(ide.cell("main").log).to_contain_text("You said no, so nothing was deployed.")
    expect(request_of(ide.cell("qa"), "QA")).to_be_visible()


def test_a_request_that_nobody_answers_is_denied(ide: Ide, project: Project) -> None:
    project.call("PUT", "/settings", {**project.state()["settings"], "permissionWaitS": 1})
    qa = ide.cell("qa")
    qa.say("deploy")

    expect(qa.log).to_contain_text("You said no, so nothing was deployed.", timeout=AGENT_MS)
    expect(request_of(qa, "QA")).to_have_count(0)
    expect(ide.region("Needs you")).to_have_count(0)
