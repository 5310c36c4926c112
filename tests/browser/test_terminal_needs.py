"""What an agent in a terminal is at and waits for, where a person looks: its row, its cell's head, the list."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser import axe
from tests.browser.api import Project
from tests.browser.browsers import Visit
from tests.browser.ide import AGENT_MS, PHONE, Cell, Ide

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def ada_at_its_prompt(ide: Ide, project: Project) -> Cell:
    """The demo agent's terminal."""
    project.create("Ada", profile="demo")
    ide.agent("Ada").click()
    ada = ide.cell("ada")
    ada.show("TUI")
    ada.button("Start Ada").click()
    expect(ada.state).to_have_text("idle", timeout=AGENT_MS)
    return ada


def test_a_question_in_a_terminal_is_listed_and_leads_there(ide: Ide, project: Project) -> None:
    ada = ada_at_its_prompt(ide, project)
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


def test_a_message_written_beside_a_terminal_is_typed_into_it(ide: Ide, project: Project) -> None:
    ada = ada_at_its_prompt(ide, project)
    ada.menu("Write a message…")
    expect(ada.composer).to_be_focused()
    ide.page.keyboard.type("Look at it,")
    ide.page.keyboard.press("Shift+Enter")
    ide.page.keyboard.type("then deploy")
    ide.page.keyboard.press("Enter")
    expect(ada.screen).to_contain_text(re.compile("> Look at it,.*then deploy"))
    expect(ada.composer).to_have_value("")

    expect(ada.root.get_by_text("Ada asks you something")).to_be_visible(timeout=AGENT_MS)
    ide.page.keyboard.type("hang")
    ide.page.keyboard.press("Enter")
    expect(ada.button("Send Enter")).to_be_disabled()
    assert axe.violations(ide.page) == []
    ada.keys.press("n")
    expect(ada.button("Send Enter")).to_be_enabled(timeout=AGENT_MS)
    ada.composer.press("Enter")
    expect(ada.screen).to_contain_text("thinking about it for ever")
    expect(ada.composer).to_have_value("")
    ada.composer.press("ArrowUp")
    expect(ada.composer).to_have_value("hang")

    ada.composer.press("Escape")
    expect(ada.composer).to_be_hidden()
    expect(ada.keys).to_be_focused()


def test_a_phone_has_a_box_for_messages_under_each_terminal_that_takes_them(project: Project, visit: Visit) -> None:
    for name, profile in (("Ada", "demo"), ("Sh", "shell")):
        agent = project.create(name, profile=profile)
        project.call("POST", f"/agents/{agent['id']}/launch", {"view": "terminal"})
    phone = visit(size=PHONE)

    phone.page.get_by_role("button", name=re.compile("^Ada")).click()
    ada = phone.cell("ada")
    expect(ada.screen).to_contain_text("ready", timeout=AGENT_MS)
    ada.say("hang")
    expect(ada.screen).to_contain_text("thinking about it for ever")
    expect(ada.root.get_by_text("Ada is in a turn")).to_be_visible()
    assert axe.violations(phone.page) == []

    phone.button_back()
    phone.page.get_by_role("button", name=re.compile("^Sh ")).click()
    expect(phone.cell("sh").keys).to_be_attached()
    expect(phone.cell("sh").composer).to_have_count(0)


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


def test_the_demo_agents_terminal_answers_what_is_typed(ide: Ide) -> None:
    qa = ide.cell("qa")
    qa.button("Maximise").click()
    qa.show("TUI")
    qa.button("Start QA").click()
    expect(qa.state).to_have_text("idle", timeout=AGENT_MS)
    qa.type("what did I say first?")
    expect(qa.screen).to_contain_text("The first thing you said in this conversation:")

    qa.type("!size")
    expect(qa.screen).to_contain_text(re.compile(r"\d+ ?[x×] ?\d+"))
    qa.type("hang")
    expect(qa.state).to_have_text("working")
    qa.keys.press("Escape")
    expect(qa.state).to_have_text("idle")
