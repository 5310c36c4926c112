"""Named layouts: kept, chosen, renamed, shared as files of the project, deleted; each browser shows the same one."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.api import Project
from tests.browser.axe import violations
from tests.browser.browsers import Visit
from tests.browser.ide import Ide

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def shown(ide: Ide, name: str) -> Locator:
    """The button that says which layout is in view."""
    return ide.page.get_by_role("button", name=f"Layout: {name}", exact=True)


def open_menu(ide: Ide) -> None:
    """With the focus on one of its entries, whence it does not jump any more."""
    expect(ide.page.get_by_role("menu")).to_have_count(0)
    ide.page.keyboard.press("Alt+l")
    expect(ide.page.get_by_role("menu").locator(":focus")).to_have_count(1)


def choose(ide: Ide, entry: str) -> None:
    """By keyboard: the menu's own key, then the beginning of the entry's words."""
    open_menu(ide)
    item = ide.page.get_by_role("menuitem", name=entry).or_(ide.page.get_by_role("menuitemradio", name=entry))
    item.press("Enter")


def save_as(ide: Ide, name: str) -> None:
    choose(ide, "Save as…")
    ide.dialog.get_by_role("textbox", name="Name").fill(name)
    ide.page.keyboard.press("Enter")


def shared_files(project: Project) -> list[str]:
    return sorted(file.name for file in Path(project.root, ".ideai/layouts").glob("*.json"))


def test_layouts_are_saved_chosen_renamed_and_deleted_by_keyboard(ide: Ide, visit: Visit) -> None:
    second = visit()
    second.is_online()
    save_as(ide, "Review")
    expect(shown(ide, "Review")).to_be_visible()
    ide.cell("architect").menu("Close cell")
    expect(second.cells).to_have_count(2)
    expect(shown(second, "Review")).to_be_visible()

    # What is due to be saved of one layout is not taken along into the next.
    ide.cell("main").menu("Split downwards")
    choose(second, "Default")
    for one in (ide, second):
        expect(shown(one, "Default")).to_be_visible()
        expect(one.cells).to_have_count(3)
        expect(one.cell("architect").root).to_be_visible()
    choose(ide, "Review")
    expect(ide.cell("architect").root).to_have_count(0)
    expect(ide.cell("empty").root).to_be_visible()
    expect(second.cell("empty").root).to_be_visible()

    choose(ide, "Rename…")
    ide.dialog.get_by_role("textbox", name="Name").fill("Last look")
    ide.page.keyboard.press("Enter")
    for one in (ide, second):
        expect(shown(one, "Last look")).to_be_visible()
        expect(one.cells).to_have_count(3)
    ide.reload()
    expect(shown(ide, "Last look")).to_be_visible()
    choose(ide, "Delete…")
    expect(ide.dialog).to_contain_text("agents run on")
    ide.dialog.get_by_role("button", name="Delete").click()
    expect(shown(ide, "Default")).to_be_visible()
    expect(second.cell("architect").root).to_be_visible()


def test_a_name_that_cannot_be_is_refused_in_place(ide: Ide) -> None:
    ide.watch.expect(r"409 \(Conflict\)")
    ide.watch.expect(r"422 \(Unprocessable")
    save_as(ide, "Review")
    expect(shown(ide, "Review")).to_be_visible()
    save_as(ide, "review")
    expect(ide.dialog.get_by_role("alert")).to_contain_text("Choose another name")
    ide.dialog.get_by_role("textbox", name="Name").fill("a/b")
    ide.page.keyboard.press("Enter")
    expect(ide.dialog.get_by_role("alert")).to_contain_text("none of /")
    ide.page.keyboard.press("Escape")

    expect(ide.dialog).to_have_count(0)
    expect(shown(ide, "Review")).to_be_visible()
    open_menu(ide)
    assert violations(ide.page) == []


def test_a_layout_is_shared_as_a_file_of_the_project(ide: Ide, project: Project) -> None:
    save_as(ide, "Review")
    expect(shown(ide, "Review")).to_be_visible()
    ide.cell("architect").menu("Close cell")
    # Still to be saved: what is shared is what is seen.
    choose(ide, "Share with the project")
    open_menu(ide)
    expect(ide.page.get_by_role("menuitemradio", name=re.compile("^Review"))).to_contain_text("shared")
    ide.page.keyboard.press("Escape")
    assert shared_files(project) == ["Review.json"]
    architect = next(agent for agent in project.state()["agents"] if agent["slug"] == "architect")
    assert architect["id"] not in Path(project.root, ".ideai/layouts/Review.json").read_text(encoding="utf-8")

    ide.cell("qa").menu("Split downwards")
    open_menu(ide)
    # Once it is saved.
    expect(ide.page.get_by_role("menuitemradio", name=re.compile("^Review"))).to_contain_text("differs")
    ide.page.keyboard.press("Escape")
    choose(ide, "Take the shared version")
    expect(ide.cell("empty").root).to_have_count(0)
    choose(ide, "Stop sharing")
    open_menu(ide)
    expect(ide.page.get_by_role("menuitem", name="Share with the project")).to_be_visible()
    assert shared_files(project) == []


def test_what_is_typed_goes_on_while_another_browser_chooses_a_layout(ide: Ide, visit: Visit) -> None:
    save_as(ide, "Review")
    expect(shown(ide, "Review")).to_be_visible()
    second = visit()
    second.is_online()
    ide.cell("main").composer.click()
    ide.page.keyboard.type("is the page ")

    choose(second, "Default")
    expect(shown(ide, "Default")).to_be_visible()
    ide.page.keyboard.type("ready?")

    expect(ide.cell("main").composer).to_have_value("is the page ready?")
