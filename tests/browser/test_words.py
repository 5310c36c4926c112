"""What the server tells in keys, the page says in the person's language; and what one page has read, no other shows."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.api import Project
from tests.browser.browsers import Visit
from tests.browser.ide import AGENT_MS, Ide

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def french(visit: Visit) -> Ide:
    ide = visit(locale="fr-FR")
    expect(ide.connection).to_have_text("Connecté")
    return ide


def notices(ide: Ide) -> Locator:
    return ide.region("Notices").locator(".notice")


def test_a_french_page_tells_in_french_how_turns_ended(project: Project, visit: Visit) -> None:
    main = french(visit).cell("main")
    for message in ("fail", "hang", "limit 3600"):
        project.call("POST", "/agents/main/messages", {"message": message})
    expect(main.log).to_contain_text("Sa CLI n’a pas pu finir le tour : The model is overloaded", timeout=AGENT_MS)
    main.button("Arrêter le tour").click()

    expect(main.log).to_contain_text("Vous avez arrêté ce tour")
    expect(main.log.get_by_role("region", name="Limite")).to_contain_text("limite jusqu’à", timeout=AGENT_MS)
    expect(main.log).not_to_contain_text("cancelled")


def test_a_french_page_tells_in_french_why_something_was_refused(project: Project, visit: Visit) -> None:
    ide = french(visit)
    ide.watch.expect(r"status of 422 .*/api/projects\b")
    ide.choose_project("Ouvrir un projet…")
    ide.dialog.get_by_label("Dossier").fill("/nowhere/at/all")
    ide.dialog.get_by_role("button", name="Ouvrir", exact=True).click()

    expect(ide.dialog.get_by_role("alert")).to_contain_text("Il n’y a pas de dossier /nowhere/at/all.")


def test_a_notice_that_one_page_dismisses_goes_from_the_other(ide: Ide, project: Project, visit: Visit) -> None:
    (project.root / ".ideai" / "settings.toml").write_text("no = [toml", encoding="utf-8")
    expect(notices(ide)).to_have_count(1, timeout=AGENT_MS)
    other = visit()
    expect(notices(other)).to_contain_text("A file of this project could not be used")

    other.region("Notices").get_by_role("button", name="Dismiss").click()

    expect(notices(other)).to_have_count(0)
    expect(notices(ide)).to_have_count(0)


def test_a_french_sheet_of_keys_names_them_in_french_and_the_way_out_of_a_terminal(ide: Ide, visit: Visit) -> None:
    french = visit(locale="fr-FR")
    expect(french.connection).to_have_text("Connecté")
    french.page.keyboard.press("?")

    expect(french.dialog).to_contain_text("Échap")
    expect(french.dialog).to_contain_text("Maj Entrée")
    expect(french.dialog).to_contain_text("hors d’un terminal")
