"""Agents in the page: made, changed, removed, and what a hand in the folder does to them."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.api import Project
from tests.browser.axe import violations
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


def test_the_dialog_says_which_clis_are_found_and_refuses_a_name_that_is_taken(ide: Ide) -> None:
    ide.watch.expect(r"status of 409 .*/agents\b")
    dialog = new_agent(ide)
    clis = dialog.get_by_label("CLI")
    expect(clis.get_by_role("option", name="Shell")).to_have_text("Shell")
    expect(clis.get_by_role("option", name="Claude Code")).to_have_text("Claude Code (not found)")
    clis.select_option("Claude Code (not found)")
    expect(dialog.get_by_text("Not found on this machine.")).to_contain_text("npm install")
    clis.select_option("Shell")
    expect(dialog.get_by_text("Terminal only")).to_be_visible()

    dialog.get_by_label("Name").fill("QA")
    dialog.get_by_role("button", name="Create agent").click()
    expect(dialog.get_by_role("alert")).to_contain_text("The agent was not saved")
    expect(dialog.get_by_role("alert")).to_contain_text("Choose another name.")
    # The second reads like the first in the name of a file.
    for name in ("C++", "C#"):
        dialog.get_by_label("Name").fill(name)
        dialog.get_by_role("button", name="Create agent").click()
        expect(dialog).to_have_count(0)
        if name == "C++":
            new_agent(ide)
    expect(ide.agents.get_by_role("button", name=re.compile(r"^C"))).to_have_count(2)


def test_the_dialog_says_what_each_mode_is_with_this_cli_and_proposes_one_that_can_work(
    ide: Ide, project: Project
) -> None:
    dialog = new_agent(ide)
    permissions = dialog.get_by_role("group", name="Permissions")
    dialog.get_by_label("CLI").select_option("Demo agent")
    expect(permissions.get_by_role("radio", name=re.compile("^Ask"))).to_be_checked()
    expect(permissions).to_contain_text("asks before it changes a file")
    dialog.get_by_label("CLI").select_option(label="Codex (not found)")
    expect(permissions.get_by_role("radio", name=re.compile("^Edit"))).to_be_checked()
    expect(permissions.get_by_role("status")).to_have_count(0)
    permissions.get_by_role("radio", name=re.compile("^Ask")).check()
    expect(permissions).to_contain_text("As a chat: may only read; it cannot ask")
    expect(permissions).to_contain_text("As a terminal: asks before it changes a file")
    expect(permissions.get_by_role("status")).to_contain_text("Codex can change nothing as a chat")
    dialog.get_by_label("CLI").select_option("Shell")
    expect(permissions).to_have_count(0)

    dialog.get_by_label("CLI").select_option(label="Codex (not found)")
    permissions.get_by_role("radio", name=re.compile("^Edit")).check()
    dialog.get_by_label("Name").fill("Coder")
    dialog.get_by_role("button", name="Create agent").click()
    expect(dialog).to_have_count(0)
    saved = next(agent for agent in project.state()["agents"] if agent["name"] == "Coder")
    assert saved["permissions"] == "edit"


def test_what_was_written_in_the_dialog_goes_only_after_a_second_word(ide: Ide) -> None:
    dialog = new_agent(ide)
    ide.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)

    dialog = new_agent(ide)
    written = "Answer in rhymes. " * 50
    dialog.get_by_label("Instructions").fill(written)
    asked = dialog.get_by_role("alertdialog", name="Discard what you changed?")
    for way in ("escape", "beside"):
        if way == "escape":
            ide.page.keyboard.press("Escape")
        else:
            ide.page.mouse.click(5, 300)
        expect(asked.get_by_role("button", name="Go on editing")).to_be_focused()
        ide.page.keyboard.press("Escape")
        expect(asked).to_have_count(0)
        expect(dialog.get_by_label("Instructions")).to_have_value(written)
    dialog.get_by_role("button", name="Close").click()
    asked.get_by_role("button", name="Discard").click()
    expect(dialog).to_have_count(0)


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
    expect(ide.dialog.get_by_role("button", name="Cancel")).to_have_count(1)
    asked.get_by_role("button", name="Cancel").click()
    expect(asked).to_have_count(0)
    ide.dialog.get_by_role("button", name="Delete agent").click()
    asked.get_by_role("button", name="Delete", exact=True).click()

    expect(ide.agent("QA")).to_have_count(0)
    expect(ide.dialog).to_have_count(0)
    assert not file.exists()
    # What opened the dialog is gone; the focus is not.
    expect(ide.page.locator("*:focus")).to_have_count(1)


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


def test_what_two_change_in_an_agent_is_kept_of_both(ide: Ide, project: Project) -> None:
    ide.cell("qa").menu("Edit agent")
    ide.dialog.get_by_label("Name").fill("Quality")
    file = project.root / ".ideai" / "agents" / "qa.md"
    file.write_text(file.read_text(encoding="utf-8") + "Test by hand.\n", encoding="utf-8")

    changed = ide.dialog.get_by_role("alert")
    expect(changed).to_contain_text("QA was changed meanwhile")
    expect(changed.get_by_role("listitem", name="Instructions")).to_contain_text("Test by hand.")
    ide.dialog.get_by_role("button", name="Save").click()
    expect(ide.dialog).to_have_count(0)
    written = file.read_text(encoding="utf-8")
    assert "name: Quality" in written
    assert "Test by hand." in written


def test_where_two_changed_the_same_the_person_chooses(ide: Ide, project: Project) -> None:
    agent = next(one for one in project.state()["agents"] if one["slug"] == "qa")
    ide.cell("qa").menu("Edit agent")
    mine = ide.dialog.get_by_role("textbox", name="Instructions")
    mine.fill("Mine.")
    project.call("PUT", "/agents/qa", {"name": "QA", "profile": "demo", "instructions": "Theirs."})

    theirs = ide.dialog.get_by_role("alert").get_by_role("listitem", name="Instructions")
    expect(theirs).to_contain_text("Theirs.")
    expect(mine).to_have_value("Mine.")
    expect(ide.dialog.get_by_role("button", name="Save")).to_be_disabled()
    assert violations(ide.page) == []
    theirs.get_by_role("button", name="Keep mine").click()
    ide.dialog.get_by_role("button", name="Save").click()
    expect(ide.dialog).to_have_count(0)
    assert next(one for one in project.state()["agents"] if one["id"] == agent["id"])["instructions"] == "Mine."


def test_an_agent_deleted_while_it_is_edited_can_be_made_again(ide: Ide, project: Project) -> None:
    ide.cell("qa").menu("Edit agent")
    ide.dialog.get_by_label("Instructions", exact=True).fill("Written for an hour.")
    project.call("DELETE", "/agents/qa")

    expect(ide.dialog.get_by_role("alert")).to_contain_text("QA was deleted meanwhile")
    expect(ide.dialog.get_by_role("heading", name="Edit QA")).to_be_visible()
    expect(ide.dialog.get_by_role("button", name="Delete agent")).to_have_count(0)
    ide.dialog.get_by_role("button", name="Create it again").click()
    expect(ide.agent("QA")).to_be_visible()
    assert "Written for an hour." in (project.root / ".ideai" / "agents" / "qa.md").read_text(encoding="utf-8")


def test_an_agent_of_an_unknown_cli_says_so_everywhere_and_can_be_given_another(ide: Ide, project: Project) -> None:
    write_agent(project.root, "Clerk", front=("profile: nope",))
    expect(ide.agent("Clerk")).to_contain_text("unknown CLI")
    ide.agent("Clerk").click()
    cell = ide.cell("clerk")
    expect(cell.root).to_contain_text("IdeA knows no CLI named nope")

    cell.button("Edit").click()
    expect(ide.dialog.get_by_label("CLI")).to_have_value("nope")
    expect(ide.dialog.get_by_text("Choose another one to save.")).to_be_visible()
    expect(ide.dialog.get_by_role("button", name="Save")).to_be_disabled()
    ide.dialog.get_by_label("CLI").select_option("Demo agent")
    ide.dialog.get_by_role("button", name="Save").click()
    expect(ide.agent("Clerk")).to_contain_text("not started")


def test_the_focus_goes_back_to_where_a_dialog_was_opened(ide: Ide) -> None:
    new = ide.agents.get_by_role("button", name="New agent")
    new.focus()
    ide.page.keyboard.press("Enter")
    expect(ide.dialog).to_be_visible()
    ide.page.keyboard.press("Escape")
    expect(new).to_be_focused()

    ide.cell("qa").menu("Edit agent")
    expect(ide.dialog).to_be_visible()
    ide.page.keyboard.press("Escape")
    expect(ide.cell("qa").button("Cell menu")).to_be_focused()

    ide.cell("main").composer.focus()
    ide.page.get_by_role("button", name="Settings").focus()
    ide.page.keyboard.press("Enter")
    ide.dialog.get_by_role("button", name="Cancel").click()
    expect(ide.page.get_by_role("button", name="Settings")).to_be_focused()
