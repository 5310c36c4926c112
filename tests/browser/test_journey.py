"""A question through the team, as a person watches it: on the way, after a reload, and in a second browser."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.api import Project
from tests.browser.browsers import Visit
from tests.browser.ide import AGENT_MS, Ide
from tests.browser.waiting import eventually

pytestmark = [pytest.mark.browser, pytest.mark.slow]

QUESTION = "Is the invoice page ready to go out?"
THROUGH_THE_TEAM = "ask Architect: ask QA: ask Ops: deploy"
"""Each passes the rest on; the last one waits for the person, so that the middle lasts as long as a test looks."""
OVERLAY = "an agent is talking to it"


def begin(ide: Ide, project: Project) -> None:
    """The team is in the middle of it: Ops works for QA, QA for Architect, Architect for Main."""
    project.create("Ops")
    expect(ide.agent("Ops")).to_be_visible()
    ide.cell("main").say(THROUGH_THE_TEAM)
    expect(ide.region("Needs you")).to_be_visible(timeout=AGENT_MS)


def sees_the_middle(ide: Ide) -> None:
    main, architect, qa = (ide.cell(slug) for slug in ("main", "architect", "qa"))
    expect(main.preview).to_contain_text("ArchitectI'll ask QA.Ops needs you")
    expect(architect.preview).to_contain_text("QAI'll ask Ops.")
    expect(architect.overlay).to_contain_text(OVERLAY)
    expect(architect.overlay).to_contain_text("Main")
    expect(qa.overlay).to_contain_text(OVERLAY)
    expect(qa.overlay).to_contain_text("Architect")
    expect(qa.log).to_contain_text("I'll ask Ops.")
    expect(qa.state).to_have_text("busy for Architect")
    expect(main.delegation("Architect", "Ops needs you")).to_be_visible()
    expect(main.overlay).to_have_count(0)
    expect(ide.agent("Ops")).to_contain_text("needs you")
    expect(ide.agents.get_by_text("Waits for Ops, which needs you").first).to_be_attached()


def end(ide: Ide) -> None:
    ide.region("Needs you").get_by_role("button", name="Allow once").click()


def sees_the_end(ide: Ide) -> None:
    main = ide.cell("main")
    answered = main.delegation("Architect", "answered")
    expect(answered).to_be_visible(timeout=AGENT_MS)
    # The answer stands once: in Main's own words; what was asked and answered unfolds in the card.
    expect(answered).not_to_contain_text("Deployed version")
    expect(main.log.get_by_text("Architect says:").last).to_be_visible()
    expect(main.log).to_contain_text("Deployed version 2.4.0 to staging: 31 files, nothing left over.")
    expect(ide.page.get_by_test_id("preview")).to_have_count(0)
    expect(ide.page.get_by_test_id("overlay")).to_have_count(0)
    for said in ("I'll ask Architect.", "I'll ask QA.", "I'll ask Ops.", "I'll prepare the deployment."):
        expect(ide.page.get_by_text(said)).to_have_count(0)
    expect(main.state).to_have_text("idle")
    answered.get_by_role("button", name="Show the exchange").click()
    expect(answered.get_by_role("region", name="Answer")).to_contain_text("Deployed version")


def test_a_plain_question_to_main_comes_back_with_the_teams_conclusion(ide: Ide) -> None:
    main = ide.cell("main")
    main.say(QUESTION)

    expect(main.log).to_contain_text("Yes, it can go out. Architect agrees", timeout=AGENT_MS)
    expect(main.log).to_contain_text("212 of 212 tests pass")
    expect(main.delegation("Architect", "answered")).to_be_visible()
    expect(ide.cell("qa").log).to_contain_text("Does the invoice page keep to its design?")
    expect(main.log).not_to_contain_text("I'll ask Architect about the design.")
    expect(ide.cell("qa").log).not_to_contain_text("Running 212 tests")


def test_a_chain_shows_who_talks_to_whom_in_each_browser_until_the_conclusion_comes(
    ide: Ide, project: Project, visit: Visit
) -> None:
    begin(ide, project)
    sees_the_middle(ide)
    second = visit()
    second.is_online()
    sees_the_middle(second)
    ide.reload()
    sees_the_middle(ide)
    ide.cell("main").preview.click()
    expect(ide.agent("Architect")).to_have_attribute("aria-current", "true")

    end(second)
    sees_the_end(second)
    sees_the_end(ide)


def test_where_no_terminal_runs_nothing_is_covered_while_an_agent_talks(ide: Ide, project: Project) -> None:
    qa = ide.cell("qa")
    # Before anything runs it is a view and no more; then an ask starts the agent headless.
    qa.show("TUI")
    begin(ide, project)

    expect(qa.overlay).to_contain_text(OVERLAY)
    expect(qa.overlay.get_by_role("listitem")).to_contain_text("I'll ask Ops.")
    expect(qa.root).to_contain_text("QA runs as a chat")
    eventually(
        ide.page,
        lambda: (qa.overlay.bounding_box(), qa.button("Back to the chat").bounding_box()),
        lambda boxes: boxes[0] and boxes[1] and boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"],
    )
    qa.button("Back to the chat").click()
    expect(qa.overlay).to_be_visible()


def test_an_ask_that_waits_shows_its_place_and_can_be_taken_back(ide: Ide, project: Project) -> None:
    qa, main = ide.cell("qa"), ide.cell("main")
    qa.say("hang")
    expect(qa.log).to_contain_text("I am thinking about it for ever.", timeout=AGENT_MS)
    main.say("ask QA: list")

    card = main.delegation("QA", "queued")
    expect(card).to_contain_text("queued #1", timeout=AGENT_MS)
    queue = ide.region("Queue")
    expect(queue.get_by_role("listitem")).to_contain_text(re.compile(r"#1\s*Main"))
    card.get_by_role("button", name="Cancel ask").click()
    expect(main.log).to_contain_text("QA gave no answer.")
    expect(main.delegation("QA", "failed")).to_be_visible()
    expect(queue).to_have_count(0)
