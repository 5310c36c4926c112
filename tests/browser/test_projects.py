"""Projects in the page: the first run, a second project, and settings."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.api import Api, Project
from tests.browser.axe import violations
from tests.browser.browsers import Visit
from tests.browser.ide import AGENT_MS, DESKTOP, PHONE, Ide
from tests.system.house import Server, write_agent

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def empty(api: Api, server: Server, request: pytest.FixtureRequest) -> Iterator[Project]:
    """A project without agents, the only open one."""
    opened = api.open(server.house.folder(f"e{abs(hash(request.node.nodeid)) % 10**8}"))
    yield opened
    for project in api.projects():
        api.call("DELETE", f"/api/projects/{project['id']}")


# --- the first run --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_an_empty_project_offers_main_with_a_cli_that_was_found(
    empty: Project, visit: Visit, size: tuple[int, int]
) -> None:
    page = visit(size=size).page
    expect(page.get_by_role("heading", name="No agent here yet")).to_be_visible()
    clis = page.get_by_role("listitem")
    expect(clis.filter(has_text="Claude Code")).to_contain_text("not found")
    expect(clis.filter(has_text="Claude Code").get_by_role("button", name="Copy the command")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("radio", name="Demo agent").check()
    page.get_by_role("button", name="Create Main with Demo agent").click()

    expect(page.get_by_role("heading", name="No agent here yet")).to_have_count(0)
    assert [agent["name"] for agent in empty.state()["agents"]] == ["Main"]


def test_the_first_agent_gets_a_cell_and_answers(empty: Project, visit: Visit) -> None:
    ide = visit()
    ide.page.get_by_role("radio", name="Demo agent").check()
    ide.page.get_by_role("button", name="Create Main with Demo agent").click()
    ide.cell("main").say("list")

    expect(ide.cell("main").log).to_contain_text("The team:", timeout=AGENT_MS)


def test_a_cli_that_was_installed_meanwhile_is_found_when_looked_for_again(
    empty: Project, server: Server, visit: Visit
) -> None:
    ide = visit()
    found = ide.page.get_by_text("Looked in your PATH just now")
    expect(found).to_be_visible()
    ide.page.get_by_role("button", name="Look again").click()

    expect(found).to_be_visible()
    expect(ide.page.get_by_role("radio", name="Shell")).to_be_enabled()


# --- several projects -----------------------------------------------------------------------------------------


def test_a_second_project_is_opened_and_one_switches_between_them(empty: Project, server: Server, visit: Visit) -> None:
    empty.create("Main")
    ide = visit()
    ide.is_online()
    other = server.house.folder("the-other-shop")
    write_agent(other, "Clerk")
    open_project(ide, str(other))
    expect(ide.agent("Clerk")).to_be_visible()
    expect(ide.agents).not_to_contain_text("Main")
    expect(ide.page).to_have_title("(1) the-other-shop · IdeA")

    ide.choose_project(empty.root.name)
    expect(ide.cell("main").root).to_be_visible()
    ide.choose_project("the-other-shop")
    ide.reload()
    expect(ide.agent("Clerk")).to_be_visible()
    ide.choose_project("Close the-other-shop")
    expect(ide.cell("main").root).to_be_visible()


def test_a_folder_that_is_none_is_refused_in_the_dialog(empty: Project, visit: Visit) -> None:
    empty.create("Main")
    ide = visit()
    ide.watch.expect(r"status of 4\d\d .*/api/projects\b")
    ide.is_online()
    open_project(ide, "/nowhere/at/all")

    expect(ide.dialog.get_by_role("alert")).to_contain_text("The project was not opened")
    expect(ide.dialog.get_by_role("alert")).to_contain_text("/nowhere/at/all")


def test_without_a_project_the_page_asks_for_a_folder(empty: Project, server: Server, visit: Visit) -> None:
    ide = visit()
    ide.is_online()
    empty.close()
    expect(ide.page.get_by_role("heading", name="No project is open")).to_be_visible()
    ide.page.get_by_label("Folder").fill(str(empty.root))
    ide.page.get_by_role("button", name="Open", exact=True).click()

    expect(ide.page.get_by_role("heading", name="No agent here yet")).to_be_visible()


# --- settings -------------------------------------------------------------------------------------------------


def test_settings_are_saved_in_the_project_and_shown_everywhere(ide: Ide, project: Project, visit: Visit) -> None:
    ide.page.get_by_role("button", name="Settings").click()
    turn = ide.dialog.get_by_label("A turn may take")
    expect(turn).to_have_value("300")
    turn.fill("1234")
    ide.dialog.get_by_label("When the server ends, agents").select_option("go on without it")
    ide.dialog.get_by_label("Language of this project").select_option("Français")
    ide.dialog.get_by_role("button", name="Save").click()

    expect(ide.dialog).to_have_count(0)
    expect(ide.connection).to_have_text("Connecté")
    saved = (project.root / ".ideai" / "settings.toml").read_text(encoding="utf-8")
    assert saved.splitlines() == ["turn_timeout_s = 1234", 'locale = "fr"'], "the rest is as by default"
    second = visit()
    expect(second.connection).to_have_text("Connecté")
    second.page.get_by_role("button", name="Réglages").click()
    expect(second.dialog.get_by_label("Un tour peut durer")).to_have_value("1234")
    expect(second.dialog.get_by_label("À l’arrêt du serveur, les agents")).to_have_value("process")


def test_settings_out_of_bounds_are_not_saved(ide: Ide, project: Project) -> None:
    before = project.state()["settings"]
    ide.page.get_by_role("button", name="Settings").click()
    turn = ide.dialog.get_by_label("A turn may take")
    for value in ("", "0", "-5", "1.5", "100000000"):
        turn.fill(value)
        ide.dialog.get_by_role("button", name="Save").click()
        assert not turn.evaluate("input => input.checkValidity()"), value

    expect(ide.dialog).to_be_visible()
    assert project.state()["settings"] == before


def open_project(ide: Ide, path: str) -> None:
    ide.choose_project("Open a project…")
    ide.dialog.get_by_label("Folder").fill(path)
    ide.dialog.get_by_role("button", name="Open", exact=True).click()
