"""Languages, themes, a phone, and what a machine finds about reading aloud and contrast."""

import re
from operator import not_

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.api import Project
from tests.browser.axe import violations
from tests.browser.browsers import Visit
from tests.browser.ide import AGENT_MS, PHONE, Cell, Ide
from tests.browser.waiting import eventually

pytestmark = [pytest.mark.browser, pytest.mark.slow]

OVERLAY_FR = "un agent est en train de lui parler"
THEMES = {
    "Light": "light",
    "Dark": "dark",
    "High contrast, dark": "contrast",
    "High contrast, light": "contrast-light",
}
"""By the words in the menu."""


def begin(ide: Ide, project: Project) -> None:
    """Main asks QA, who asks Ops, who waits for the person."""
    project.create("Ops")
    project.call("POST", "/agents/main/messages", {"message": "ask QA: ask Ops: deploy"})
    expect(ide.cell("qa").overlay).to_be_visible(timeout=AGENT_MS)
    expect(ide.region("Needs you")).to_be_visible(timeout=AGENT_MS)


# --- languages ------------------------------------------------------------------------------------------------


def test_a_french_browser_reads_french_to_the_letter(project: Project, visit: Visit) -> None:
    ide = visit(locale="fr-FR")
    expect(ide.connection).to_have_text("Connecté")
    expect(ide.page.locator("html")).to_have_attribute("lang", "fr")
    project.create("Ops")
    qa = ide.cell("qa")
    qa.show("TUI")
    project.call("POST", "/agents/main/messages", {"message": "ask QA: ask Ops: deploy"})

    expect(qa.overlay.get_by_text(OVERLAY_FR, exact=True)).to_be_visible(timeout=AGENT_MS)
    expect(qa.state).to_have_text("occupé pour Main")
    qa.button("Revenir à la discussion").click()
    expect(qa.overlay.get_by_text(OVERLAY_FR, exact=True)).to_be_visible()
    needs = ide.region("À vous")
    needs.get_by_role("button", name="Refuser").click(timeout=AGENT_MS)
    expect(ide.page.get_by_test_id("overlay")).to_have_count(0)


def test_the_language_is_switched_on_the_spot_and_stays(ide: Ide) -> None:
    ide.page.get_by_role("button", name="Language: English").click()
    expect(ide.connection).to_have_text("Connecté")
    expect(ide.cell("main").root).to_contain_text("Rien n’a encore été dit")
    ide.page.reload()

    expect(ide.connection).to_have_text("Connecté")
    expect(ide.page.locator("html")).to_have_attribute("lang", "fr")
    ide.page.get_by_role("button", name="Langue").click()
    expect(ide.connection).to_have_text("Connected")


def test_a_projects_language_counts_until_the_person_chooses(project: Project, visit: Visit) -> None:
    project.call("PUT", "/settings", {**project.state()["settings"], "locale": "fr"})
    ide = visit(locale="en-GB")
    expect(ide.connection).to_have_text("Connecté")

    project.call("PUT", "/settings", {**project.state()["settings"], "locale": "auto"})
    expect(ide.connection).to_have_text("Connected")


def test_the_french_page_holds_no_english_word(project: Project, visit: Visit) -> None:
    ide = visit(locale="fr-FR")
    for slug in ("main", "architect", "qa"):
        expect(ide.cell(slug).log).to_contain_text("Rien n’a encore été dit")
    texts = [ide.page.locator("body").inner_text()]
    for button in ("Réglages", "Raccourcis"):
        ide.page.get_by_role("button", name=re.compile(button)).click()
        expect(ide.dialog.get_by_role("heading").first).to_be_visible()
        texts.append(ide.dialog.inner_text())
        ide.page.keyboard.press("Escape")
        expect(ide.dialog).to_have_count(0)

    english = (
        r"\b(the|agents? (?:is|are)|settings(?!\.toml)|keyboard|close|cancel|save|message to|new line|not started)\b"
    )
    assert re.findall(english, "\n".join(texts), re.IGNORECASE) == []


# --- themes ---------------------------------------------------------------------------------------------------


def test_a_theme_is_chosen_and_stays(ide: Ide) -> None:
    grounds = []
    for theme in THEMES:
        choose(ide, theme)
        grounds.append(ide.page.locator("body").evaluate("body => getComputedStyle(body).backgroundColor"))
    assert len(set(grounds)) == len(THEMES)

    ide.reload()
    expect(ide.page.locator("html")).to_have_attribute("data-theme", "contrast-light")


def test_without_a_choice_the_system_decides(project: Project, visit: Visit) -> None:
    dark = visit(theme="dark")
    dark.is_online()
    expect(dark.page.locator("html")).to_have_attribute("data-theme", "dark")

    dark.page.emulate_media(color_scheme="light")
    expect(dark.page.locator("html")).to_have_attribute("data-theme", "light")


def test_a_terminal_takes_the_themes_colours(ide: Ide, project: Project) -> None:
    project.create("Sh", profile="shell")
    ide.agent("Sh").click()
    sh = ide.cell("sh")
    sh.button("Start Sh").click()
    expect(sh.keys).to_be_attached(timeout=AGENT_MS)
    choose(ide, "Light")
    light = ink(sh)
    choose(ide, "Dark")

    expect(sh.screen).not_to_have_css("color", light)


def test_a_machine_finds_nothing_to_complain_about_in_any_theme(ide: Ide, project: Project) -> None:
    ide.cell("qa").show("TUI")
    ide.cell("main").say("ask QA: list")
    expect(ide.cell("main").delegation("QA", "answered")).to_be_visible(timeout=AGENT_MS)
    ide.cell("architect").say("long")
    expect(ide.cell("architect").log).to_contain_text("That is all there is to it.", timeout=AGENT_MS)
    begin(ide, project)
    found = {}
    for theme in THEMES:
        choose(ide, theme)
        found[theme] = violations(ide.page)
    ide.cell("qa").show("Chat")
    ide.page.get_by_role("button", name="Needs you, 1 request").click()
    expect(ide.region("Request from Ops")).to_be_visible()
    found["what needs you"] = violations(ide.page)
    ide.region("Request from Ops").get_by_role("button", name="Allow once").click()
    expect(ide.page.get_by_role("heading", name="Nothing needs you")).to_be_visible()
    found["nothing needs you"] = violations(ide.page)
    ide.page.get_by_role("button", name="Cells", exact=True).click()
    expect(ide.cell("main").log).to_contain_text("Deployed version 2.4.0", timeout=AGENT_MS)
    found["answered"] = violations(ide.page)

    assert {face: told for face, told in found.items() if told} == {}


def test_dialogs_and_menus_read_well_too(ide: Ide) -> None:
    found = {}
    for name in ("Settings", "Keyboard shortcuts", "New agent"):
        ide.page.get_by_role("button", name=name).first.click()
        expect(ide.dialog).to_be_visible()
        found[name] = violations(ide.page)
        ide.page.keyboard.press("Escape")
        expect(ide.dialog).to_have_count(0)
    ide.cell("main").button("Cell menu").click()
    expect(ide.page.get_by_role("menu")).to_be_visible()
    found["menu"] = violations(ide.page)

    assert {name: told for name, told in found.items() if told} == {}


def test_everything_is_written_in_the_same_letters(ide: Ide) -> None:
    ide.page.get_by_role("button", name="Settings").click()
    page_font = ide.page.locator("body").evaluate("body => getComputedStyle(body).fontFamily")

    for control in ("select", "input", "button"):
        expect(ide.dialog.locator(control).first).to_have_css("font-family", page_font)


LOOK = """e => {
    const { backgroundColor, color } = getComputedStyle(e)
    return { ground: backgroundColor, ink: color, line: getComputedStyle(e, '::before').backgroundColor }
}"""


def test_in_forced_colours_it_is_seen_what_is_chosen_where_cells_end_and_every_state(ide: Ide) -> None:
    ide.page.emulate_media(forced_colors="active")
    look = {
        name: shown.evaluate(LOOK)
        for name, shown in {
            "page": ide.page.locator("body"),
            "pressed": ide.cell("main").button("Chat"),
            "not pressed": ide.cell("main").button("TUI"),
            "chosen": ide.agent("Main"),
            "not chosen": ide.agent("QA"),
            "here": ide.page.get_by_role("button", name="Cells", exact=True),
            "not here": ide.page.get_by_role("button", name="Needs you, "),
            "state": ide.agent("QA").locator("svg"),
            "cell": ide.page.locator(".dv-view").nth(1),
        }.items()
    }

    assert look["pressed"]["ground"] == look["chosen"]["ground"] == look["here"]["ground"]
    for name in ("not pressed", "not chosen", "not here"):
        assert look[name]["ground"] != look["chosen"]["ground"], name
    # A drawing in a person's theme could have the colour of the system's ground.
    assert look["state"]["ink"] == look["page"]["ink"]
    assert look["cell"]["line"] == look["page"]["ink"]


# --- a phone --------------------------------------------------------------------------------------------------


@pytest.fixture
def phone(project: Project, visit: Visit) -> Ide:
    ide = visit(size=PHONE)
    expect(ide.page.get_by_role("heading", name=re.compile("^Agents"))).to_be_visible()
    return ide


def test_a_phone_shows_one_cell_at_a_time(phone: Ide) -> None:
    expect(phone.cells).to_have_count(0)
    phone.page.get_by_role("button", name=re.compile("^QA")).click()
    expect(phone.cells).to_have_count(1)
    phone.cell("qa").say("list")
    expect(phone.cell("qa").log).to_contain_text("The team:", timeout=AGENT_MS)
    eventually(phone.page, lambda: is_wider_than_the_phone(phone), not_)

    phone.button_back()
    phone.page.get_by_role("button", name=re.compile("^Main")).click()
    expect(phone.cell("main").root).to_be_visible()
    expect(phone.cells).to_have_count(1)


def test_a_request_is_answered_on_a_phone_with_a_thumb(phone: Ide, project: Project) -> None:
    project.call("POST", "/agents/qa/messages", {"message": "deploy"})
    needs = phone.region("Needs you")
    allow = needs.get_by_role("button", name="Allow once")
    expect(allow).to_be_visible(timeout=AGENT_MS)
    eventually(phone.page, lambda: height(allow), lambda now: now >= 48)
    assert violations(phone.page) == []
    allow.click()

    expect(needs).to_have_count(0)
    phone.page.get_by_role("button", name=re.compile("^QA")).click()
    expect(phone.cell("qa").log).to_contain_text("Deployed version 2.4.0")


def test_a_phone_shows_who_talks_to_whom(phone: Ide, project: Project) -> None:
    project.create("Ops")
    project.call("POST", "/agents/main/messages", {"message": "ask QA: ask Ops: deploy"})
    phone.page.get_by_role("button", name=re.compile("^QA")).click()
    expect(phone.cell("qa").overlay).to_contain_text("an agent is talking to it", timeout=AGENT_MS)
    assert violations(phone.page) == []

    phone.button_back()
    phone.page.get_by_role("button", name=re.compile("^Main")).click()
    expect(phone.cell("main").preview).to_contain_text("I'll ask Ops.")
    phone.cell("main").preview.click()
    expect(phone.cell("qa").root).to_be_visible()


def test_a_phones_settings_show_every_browser_whole(phone: Ide) -> None:
    phone.page.get_by_role("button", name="Settings").click()
    revokes = phone.dialog.get_by_role("button", name="Revoke")
    expect(revokes.last).to_be_visible()

    eventually(phone.page, lambda: overhangs(phone, revokes), not_)


def test_a_long_names_request_fits_a_phone(phone: Ide, project: Project) -> None:
    made = project.create("Reviewer of everything that ever touches an invoice")
    project.call("POST", f"/agents/{made['slug']}/messages", {"message": "deploy"})
    needs = phone.region("Needs you")
    expect(needs.get_by_role("button", name="Deny")).to_be_visible(timeout=AGENT_MS)

    eventually(phone.page, lambda: overhangs(phone, needs.get_by_role("button")), not_)

    name = "Shell for everything that ever touches an invoiceoritsfooteroranyotherpart"
    project.create(name, profile="shell")
    phone.page.get_by_role("button", name=name).click()
    start = phone.page.get_by_role("button", name=f"Start {name}")
    eventually(phone.page, lambda: overhangs(phone, start), not_)


def test_what_is_typed_on_a_phone_does_not_zoom_the_page(phone: Ide) -> None:
    phone.page.get_by_role("button", name=re.compile("^Main")).click()

    expect(phone.cell("main").composer).to_have_css("font-size", "16px")


def test_a_terminal_fits_a_phone(phone: Ide, project: Project) -> None:
    project.create("Sh", profile="shell")
    phone.page.get_by_role("button", name=re.compile("^Sh ")).click()
    sh = phone.cell("sh")
    sh.button("Start Sh").click()
    expect(sh.keys).to_be_attached(timeout=AGENT_MS)
    # The terminal is told of its size a moment after its start.
    sh.type("while sleep 0.1; do clear; stty size; done")

    expect(sh.screen).to_have_text(re.compile(r"^\s*\d+ [3-5]\d\s*$"))
    eventually(phone.page, lambda: is_wider_than_the_phone(phone), not_)


# --- ----------------------------------------------------------------------------------------------------------


def choose(ide: Ide, theme: str) -> None:
    ide.page.get_by_role("button", name="Change theme").click()
    ide.page.get_by_role("menuitemradio", name=theme, exact=True).click()
    expect(ide.page.get_by_role("menu")).to_have_count(0)
    expect(ide.page.locator("html")).to_have_attribute("data-theme", THEMES[theme])


def ink(cell: Cell) -> str:
    return str(cell.screen.evaluate("screen => getComputedStyle(screen).color"))


def height(shown: Locator) -> float:
    box = shown.bounding_box()
    assert box is not None
    return box["height"]


def overhangs(phone: Ide, parts: Locator) -> list[str]:
    """Those that reach over the edge of the screen."""
    width = phone.page.viewport_size["width"] if phone.page.viewport_size else 0
    boxes = [(part.inner_text(), part.bounding_box()) for part in parts.all()]
    return [text for text, box in boxes if box is None or box["x"] < 0 or box["x"] + box["width"] > width]


def is_wider_than_the_phone(phone: Ide) -> bool:
    return bool(phone.page.evaluate("document.documentElement.scrollWidth > innerWidth"))
