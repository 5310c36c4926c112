"""An agent whose terminal a person uses is asked by another: the page says that it is answered beside the terminal."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser import axe
from tests.browser.ide import AGENT_MS, Cell, Ide

pytestmark = [pytest.mark.browser, pytest.mark.slow]

BESIDE = "beside its terminal"


def _in_terminal(ide: Ide) -> Cell:
    qa = ide.cell("qa")
    qa.show("TUI")
    qa.button("Start QA").click()
    expect(qa.state).to_have_text("idle", timeout=AGENT_MS)
    return qa


def test_what_is_answered_beside_a_terminal_shows_over_it_and_in_the_chats(ide: Ide) -> None:
    qa, main = _in_terminal(ide), ide.cell("main")
    main.say("ask QA: deploy")

    expect(qa.overlay).to_contain_text("an agent is talking to it", timeout=AGENT_MS)
    expect(qa.overlay).to_contain_text("Answered beside the terminal, which goes on as it is.")
    expect(qa.overlay).to_contain_text("I'll prepare the deployment.")
    expect(main.preview).to_contain_text("I'll prepare the deployment.")
    expect(qa.state).to_have_text("idle")
    allow = qa.root.get_by_role("button", name="Allow once")
    expect(allow).to_be_visible(timeout=AGENT_MS)
    expect(ide.agent("QA")).to_contain_text(re.compile("idle.*Answers Main beside its terminal.*needs you"))
    assert axe.violations(ide.page) == []
    allow.click()

    expect(main.log).to_contain_text("Deployed version 2.4.0", timeout=AGENT_MS)
    expect(allow).to_have_count(0)
    expect(qa.overlay).to_have_count(0)
    expect(qa.screen).not_to_contain_text("deploy")
    qa.show("Chat")
    expect(qa.log.get_by_text(BESIDE, exact=True)).to_be_visible()
    expect(qa.log).to_contain_text("Deployed version 2.4.0")


def test_an_agent_that_is_kept_to_its_terminal_refuses_with_the_reason(ide: Ide) -> None:
    qa, main = _in_terminal(ide), ide.cell("main")
    qa.menu("Edit agent")
    beside = ide.dialog.get_by_role("checkbox", name="Answer other agents beside its terminal")
    expect(beside).to_be_checked()
    beside.uncheck()
    ide.dialog.get_by_role("button", name="Save").click()
    expect(ide.dialog).to_be_hidden()
    main.say("ask QA: list")

    expect(main.log).to_contain_text("QA gave no answer.", timeout=AGENT_MS)
    expect(main.log).to_contain_text("QA runs as a terminal")
    expect(qa.screen).not_to_contain_text("The team")
    qa.menu("Edit agent")
    expect(beside).not_to_be_checked()
