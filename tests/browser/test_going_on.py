"""One conversation in two views, one that its CLI refuses, and one that is found again."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.api import Project
from tests.browser.axe import violations
from tests.browser.ide import AGENT_MS, Cell, Ide

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FIRST = "what did I say first?"


def talk(cell: Cell, text: str, answer: str) -> None:
    cell.say(text)
    expect(cell.log).to_contain_text(answer, timeout=AGENT_MS)


def mark(cell: Cell, words: str) -> Locator:
    return cell.log.locator(".way-mark", has_text=words)


def lose_conversations(project: Project, slug: str) -> None:
    """As a person who tidies up."""
    for kept in (project.root / ".ideai" / "run" / slug).glob("*.jsonl"):
        kept.unlink()


def test_a_conversation_goes_to_the_terminal_and_comes_back(ide: Ide) -> None:
    qa = ide.cell("qa")
    talk(qa, "list", "The team:")
    qa.button("TUI").click()
    expect(qa.button("TUI")).to_have_attribute("aria-pressed", "true", timeout=AGENT_MS)
    expect(qa.state).to_have_text("idle", timeout=AGENT_MS)
    qa.keys.focus()
    qa.type(FIRST)
    expect(qa.screen).to_contain_text("The first thing you said in this conversation:")
    expect(qa.state).to_have_text("idle", timeout=AGENT_MS)
    qa.button("Chat").click()

    expect(mark(qa, "went on in the terminal")).to_be_visible(timeout=AGENT_MS)
    talk(qa, FIRST, "The first thing you said in this conversation: “list”")


def test_a_turn_that_runs_keeps_its_view(ide: Ide) -> None:
    ide.watch.expect(r"status of 409 .*/switch\b")
    qa = ide.cell("qa")
    qa.say("deploy")
    expect(qa.state).to_have_text("needs you", timeout=AGENT_MS)
    qa.button("TUI").click()

    notice = qa.root.get_by_role("alert").filter(has_text="QA stays in its view")
    expect(notice).to_contain_text("QA is in a turn.")
    expect(qa.button("Chat")).to_have_attribute("aria-pressed", "true")


def test_a_refused_conversation_is_begun_anew_with_its_transcript(ide: Ide, project: Project) -> None:
    qa = ide.cell("qa")
    talk(qa, "list", "The team:")
    qa.menu("Stop agent")
    expect(qa.state).to_have_text("stopped")
    lose_conversations(project, "qa")
    qa.say("are you there?")

    notice = qa.root.get_by_role("alert").filter(has_text="QA cannot go on with its conversation")
    expect(notice).to_contain_text("Its CLI says: No conversation found", timeout=AGENT_MS)
    expect(qa.state).to_have_text("conversation refused")
    assert violations(ide.page) == []
    qa.show("TUI")
    expect(qa.root.get_by_role("heading", name="QA cannot go on with its conversation")).to_be_visible()
    qa.show("Chat")
    notice.get_by_role("button", name="Start afresh with the transcript").click()

    expect(mark(qa, "was given the end")).to_be_visible(timeout=AGENT_MS)
    expect(notice).to_have_count(0)
    talk(qa, FIRST, f"The first thing you said in this conversation: “{FIRST}”")


def test_an_agent_is_attached_to_a_conversation_of_before(ide: Ide) -> None:
    qa = ide.cell("qa")
    talk(qa, "list", "The team:")
    qa.menu("Stop agent")
    qa.menu("Start with a new conversation")
    expect(mark(qa, "does not know")).to_be_visible(timeout=AGENT_MS)
    expect(qa.state).to_have_text("idle", timeout=AGENT_MS)
    qa.menu("Attach an earlier conversation…")
    row = ide.dialog.get_by_role("button", name="list", exact=False).filter(has_text="KB")
    expect(row).to_be_enabled()
    assert violations(ide.page) == []
    row.click()

    expect(ide.dialog).to_have_count(0, timeout=AGENT_MS)
    expect(mark(qa, "An earlier conversation")).to_be_visible()
    talk(qa, FIRST, "The first thing you said in this conversation: “list”")
