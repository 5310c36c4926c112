"""Agents in the page: made, changed, removed, and what a hand in the folder does to them."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.api import Project
from tests.browser.ide import AGENT_MS, Ide
from tests.system.house import write_agent

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def new_agent(ide: Ide) -> Locator:
    ide.agents.get_by_role("button", name="New agent").click()
    expect(ide.dialog.get_by_role("heading", name="New agent")).to_be_visible()
    return ide.dialog


def test_an_agent_is_made_in_the_dialog_and_answers(ide: Ide, project: Project) -> None:
    dialog = new_agent(ide)
    expect(dialog.get_by_label("Name")).to_be_focused()
    dialog.get_by_label("Name").fill("Front Desk")
    dialog.get_by_label("CLI").select_option("Demo agent")
    dialog.get_by_label("Instructions").fill("Be kind to whoever calls.")
    dialog.get_by_role("button", name="Create agent").click()
    expect(dialog).to_have_count(0)

    ide.agent("Front Desk").click()
    cell = ide.cell("front-desk")
    cell.say("instructions")
    expect(cell.log).to_contain_text("Be kind to whoever calls.", timeout=AGENT_MS)
    written = (project.root / ".ideai" / "agents" / "front-desk.md").read_text(encoding="utf-8")
    assert "name: Front Desk" in written
    assert "Be kind to whoever calls." in written


def test_the_list_of_clis_says_which_are_found_and_how_to_get_the_others(ide: Ide) -> None:
    dialog = new_agent(ide)
    clis = dialog.get_by_label("CLI")

    expect(clis.get_by_role("option", name="Shell")).to_have_text("Shell")
    expect(clis.get_by_role("option", name="Claude Code")).to_have_text("Claude Code (not found)")
    clis.select_option("Claude Code (not found)")
    expect(dialog.get_by_text("Not found on this machine.")).to_contain_text("npm install")
    clis.select_option("Shell")
    expect(dialog.get_by_text("Terminal only")).to_be_visible()


def test_a_name_that_is_taken_is_refused_where_it_was_typed(ide: Ide) -> None:
    ide.watch.expect(r"status of 409 .*/agents\b")
    dialog = new_agent(ide)
    dialog.get_by_label("Name").fill("QA")
    dialog.get_by_role("button", name="Create agent").click()

    expect(dialog.get_by_role("alert")).to_contain_text("The agent was not saved")
    expect(dialog.get_by_role("alert")).to_contain_text("Choose another name.")
    dialog.get_by_label("Name").fill("QA Two")
    dialog.get_by_role("button", name="Create agent").click()
    expect(ide.agent("QA Two")).to_be_visible()


def test_an_agent_is_edited_in_the_dialog(ide: Ide, project: Project) -> None:
    ide.cell("qa").menu("Edit agent")
    expect(ide.dialog.get_by_role("heading", name="Edit QA")).to_be_visible()
    ide.dialog.get_by_label("Name").fill("Quality")
    ide.dialog.get_by_label("Plan").check()
    ide.dialog.get_by_role("button", name="Save").click()

    expect(ide.agent("Quality")).to_be_visible()
    expect(ide.agent("QA")).to_have_count(0)
    saved = next(agent for agent in project.state()["agents"] if agent["name"] == "Quality")
    assert saved["permissions"] == "plan"


def test_an_agent_is_deleted_after_a_second_word(ide: Ide, project: Project) -> None:
    file = project.root / ".ideai" / "agents" / "qa.md"
    assert file.is_file()
    ide.cell("qa").menu("Edit agent")
    ide.dialog.get_by_role("button", name="Delete agent").click()
    asked = ide.dialog.get_by_role("alertdialog", name="Delete QA?")
    expect(asked).to_contain_text("What it changed in the project stays.")
    asked.get_by_role("button", name="Cancel").click()
    expect(asked).to_have_count(0)
    ide.dialog.get_by_role("button", name="Delete agent").click()
    asked.get_by_role("button", name="Delete", exact=True).click()

    expect(ide.agent("QA")).to_have_count(0)
    expect(ide.dialog).to_have_count(0)
    assert not file.exists()


def test_what_a_hand_writes_shows_without_a_reload(ide: Ide, project: Project) -> None:
    file = write_agent(project.root, "Clerk")
    expect(ide.agent("Clerk")).to_be_visible()

    file.write_text(file.read_text(encoding="utf-8").replace("name: Clerk", "name: Secretary"), encoding="utf-8")
    expect(ide.agent("Secretary")).to_be_visible()
    expect(ide.agent("Clerk")).to_have_count(0)
    file.unlink()
    expect(ide.agent("Secretary")).to_have_count(0)


def test_a_broken_file_says_where_and_why_and_disturbs_nobody(ide: Ide, project: Project) -> None:
    main = ide.cell("main")
    main.say("list")
    expect(main.log).to_contain_text("The team:", timeout=AGENT_MS)
    file = project.root / ".ideai" / "agents" / "clerk.md"
    file.write_text("---\nname: Clerk\nprofile: [demo\n---\n", encoding="utf-8")

    broken = ide.page.get_by_role("list", name="Broken agent files")
    expect(broken.get_by_role("listitem")).to_contain_text("clerk.md")
    expect(broken.get_by_role("listitem")).to_contain_text("broken file, line")
    main.say("tools")
    expect(main.log).to_contain_text("I can use:")

    file.write_text("---\nname: Clerk\nprofile: demo\n---\n", encoding="utf-8")
    expect(ide.agent("Clerk")).to_be_visible()
    expect(broken).to_have_count(0)
