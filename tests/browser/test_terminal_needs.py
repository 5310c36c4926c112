"""What an agent in a terminal is at and waits for, where a person looks: its row, its cell's head, the list."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser import axe
from tests.browser.api import Project
from tests.browser.ide import AGENT_MS, Ide

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_question_in_a_terminal_is_listed_and_leads_there(ide: Ide, project: Project) -> None:
    project.create("Ada", profile="demo")
    ide.agent("Ada").click()
    ada = ide.cell("ada")
    ada.show("TUI")
    ada.button("Start Ada").click()
    expect(ada.state).to_have_text("idle", timeout=AGENT_MS)
    ada.type("deploy")

    needs = ide.region("Needs you")
    expect(needs).to_contain_text("Ada", timeout=AGENT_MS)
    expect(needs).to_contain_text("asks for permission in its terminal")
    expect(ada.state).to_have_text("needs you")
    ada.state.hover()
    expect(ide.page.get_by_role("tooltip")).to_contain_text(re.compile("^Waits for an answer: .+ · its own status, "))
    assert axe.violations(ide.page) == []

    ide.page.get_by_role("button", name=re.compile("^Needs you")).first.click()
    expect(ide.page.get_by_role("heading", level=2, name="Ada asks for permission in its terminal")).to_be_visible()
    ide.page.keyboard.press("g")
    ada.keys.press("n")

    expect(ada.screen).to_contain_text("nothing was deployed")
    expect(needs).to_be_hidden()
    expect(ada.state).to_have_text("idle", timeout=AGENT_MS)


def test_a_shell_is_shown_at_work_while_something_runs_in_it(ide: Ide, project: Project) -> None:
    project.create("Sh", profile="shell")
    ide.agent("Sh").click()
    shell = ide.cell("sh")
    shell.button("Start Sh").click()
    expect(shell.state).to_have_text("idle", timeout=AGENT_MS)
    expect(ide.agent("Sh")).to_contain_text("At its prompt · its screen")

    shell.type("sleep 600")
    expect(shell.state).to_have_text("working")
    expect(ide.agent("Sh")).to_contain_text("Something runs in it · its screen")
    shell.keys.press("Control+c")

    expect(shell.state).to_have_text("idle")
