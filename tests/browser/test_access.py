"""Who gets in: a browser with a start link or a credential. Everyone else sees how to get one, and nothing more."""

import pytest
from playwright.sync_api import expect

from tests.browser.api import Api, Project
from tests.browser.browsers import Visit
from tests.browser.conftest import origin_of
from tests.browser.ide import Ide
from tests.system.house import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]

UNAUTHENTICATED = r"status of 401"
SOCKET_CLOSED = r"WebSocket connection to .* failed"


def is_locked(ide: Ide, why: str) -> None:
    page = ide.page
    expect(page.get_by_role("heading", name="This browser has no key to IdeA")).to_be_visible()
    expect(page.get_by_text(why)).to_be_visible()
    expect(page.get_by_text("idea link", exact=True)).to_be_visible()
    expect(page.get_by_role("complementary")).to_have_count(0)
    assert page.evaluate("localStorage.getItem('idea.credential')") is None


def test_a_browser_without_a_key_learns_how_to_get_one_and_opens_where_it_stands(
    project: Project, server: Server, api: Api, visit: Visit
) -> None:
    ide = visit.new(origin_of(server))
    is_locked(ide, "IdeA opens only for browsers that came through a start link.")
    assert project.root.name not in ide.page.content()

    ide.page.goto(api.link())
    ide.is_online()
    expect(ide.cell("main").root).to_be_visible()


def test_a_start_link_works_once_and_leaves_no_code_behind(project: Project, api: Api, visit: Visit) -> None:
    link = api.link()
    ide = visit.new(link)
    ide.is_online()
    assert ide.page.evaluate("location.hash + location.search") == ""
    assert "code" not in ide.page.evaluate("JSON.stringify(history.state)")
    ide.reload()
    expect(ide.cell("main").root).to_be_visible()
    assert ide.context.cookies() == []

    # Used once more, it does not lock out the browser that used it.
    ide.watch.expect(UNAUTHENTICATED)
    ide.page.goto(link.replace("/#", "/?again#"))
    ide.is_online()
    expect(ide.cell("main").root).to_be_visible()
    second = visit.new(link)
    second.watch.expect(UNAUTHENTICATED)
    is_locked(second, "This start link was already used, or it is older than 60 seconds.")
    assert second.page.evaluate("location.hash") == ""


def test_a_browser_let_in_by_a_new_link_is_locked_as_soon_as_it_is_revoked(project: Project, visit: Visit) -> None:
    staying = visit()
    staying.is_online()
    staying.page.get_by_role("button", name="Settings").click()
    staying.dialog.get_by_role("button", name="New start link").click()
    link = staying.dialog.get_by_text("#code=").inner_text()
    leaving = visit.new(link, user_agent="Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Gecko/20100101 Firefox/150.0")
    leaving.is_online()
    expect(leaving.cell("main").root).to_be_visible()
    leaving.watch.expect(UNAUTHENTICATED)
    leaving.watch.expect(SOCKET_CLOSED)

    # The one that came in meanwhile is there by itself.
    browsers = staying.dialog.get_by_role("region", name="Browsers with access")
    expect(browsers.get_by_role("listitem").filter(has_text="this one")).to_have_count(1)
    other = browsers.get_by_role("listitem").filter(has_text="Firefox")
    other.get_by_role("button", name="Revoke").click()
    asked = other.get_by_role("alertdialog", name="Revoke the access of")
    asked.get_by_role("button", name="Keep").click()
    other.get_by_role("button", name="Revoke").click()
    asked.get_by_role("button", name="Revoke").click()
    expect(other).to_have_count(0)

    is_locked(leaving, "The key of this browser was revoked, or the server no longer knows it.")
    leaving.page.reload()
    is_locked(leaving, "IdeA opens only for browsers that came through a start link.")
    expect(staying.connection).to_have_text("Connected")


def test_a_french_page_names_the_command_lines_key_in_french(project: Project, visit: Visit) -> None:
    ide = visit(locale="fr-FR")
    ide.page.get_by_role("button", name="Réglages").click()

    browsers = ide.dialog.get_by_role("region", name="Navigateurs autorisés").get_by_role("listitem")
    expect(browsers.filter(has_text="ligne de commande").first).to_be_visible()
    expect(browsers.filter(has_text="command line")).to_have_count(0)
