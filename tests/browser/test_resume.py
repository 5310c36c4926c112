"""What ran when the project was closed is offered when it is opened: all of it, one by one, by itself, or not now."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.api import Api, Project
from tests.browser.axe import violations
from tests.browser.browsers import Visit
from tests.browser.ide import AGENT_MS, PHONE, Ide

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def reopened(api: Api, project: Project) -> Project:
    """The project opened again after Main and QA had a conversation each."""
    project.ask("main", "list")
    project.ask("qa", "list")
    return opened_again(api, project)


def opened_again(api: Api, project: Project) -> Project:
    project.close()
    return api.open(project.root)


def offer(ide: Ide) -> Locator:
    return ide.page.get_by_role("status").filter(has_text="running before")


def test_agents_that_ran_go_on_one_by_one_or_all(reopened: Project, visit: Visit) -> None:
    ide, second = visit(), visit(theme="dark")
    ide.is_online()
    second.is_online()
    expect(offer(ide)).to_contain_text("Main and QA were running before.")
    offer(ide).get_by_role("button", name="Choose…").click()
    expect(ide.dialog.get_by_role("listitem")).to_have_count(2)
    assert violations(ide.page) == []

    ide.dialog.get_by_role("button", name="Resume QA").click()
    expect(ide.cell("qa").state).to_have_text("idle", timeout=AGENT_MS)
    expect(ide.dialog.get_by_role("listitem")).to_have_count(1)
    expect(ide.cell("main").state).to_have_text("not started")
    expect(offer(second)).to_contain_text("Main was running before.")
    assert violations(second.page) == []
    offer(second).get_by_role("button", name="Resume 1 agent").click()
    expect(second.cell("main").state).to_have_text("idle", timeout=AGENT_MS)
    expect(ide.dialog).to_contain_text("Nothing is left to resume.")
    ide.page.keyboard.press("Escape")

    expect(offer(ide)).to_have_count(0)
    expect(offer(second)).to_have_count(0)
    ide.cell("main").say("what did I say first?")
    expect(ide.cell("main").log).to_contain_text("in this conversation: “list”", timeout=AGENT_MS)


def test_what_is_left_stopped_is_not_offered_again(reopened: Project, visit: Visit) -> None:
    phone, desk = visit(size=PHONE), visit()
    expect(offer(phone)).to_contain_text("Main and QA")
    assert violations(phone.page) == []
    offer(phone).get_by_role("button", name="Not now").click()

    for ide in (phone, desk):
        expect(offer(ide)).to_have_count(0)
    desk.reload()
    expect(desk.cell("main").state).to_have_text("not started")
    expect(offer(desk)).to_have_count(0)


def test_agents_resume_by_themselves_once_that_is_chosen(api: Api, reopened: Project, visit: Visit) -> None:
    ide = visit()
    ide.is_online()
    offer(ide).get_by_role("button", name="Choose…").click()
    ide.dialog.get_by_role("checkbox", name="without asking").check()
    ide.dialog.get_by_role("button", name="Resume 2 agents").click()
    expect(ide.dialog).to_have_count(0, timeout=AGENT_MS)
    ide.page.get_by_role("button", name="Settings").click()
    expect(ide.dialog.get_by_role("combobox", name="Agents that ran")).to_have_value("auto")
    ide.page.keyboard.press("Escape")

    opened_again(api, reopened)

    for slug in ("main", "qa"):
        expect(ide.cell(slug).state).to_have_text("idle", timeout=AGENT_MS)
    expect(ide.cell("architect").state).to_have_text("not started")
    expect(offer(ide)).to_have_count(0)
