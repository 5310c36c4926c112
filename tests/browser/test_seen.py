"""What an agent says takes no page away, and nobody allows what was not before their eyes."""

import json
import re
from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser, Locator, Playwright, expect

from tests.browser.api import Project
from tests.browser.axe import violations
from tests.browser.browsers import Browsers, Visit
from tests.browser.conftest import calling, origin_of
from tests.browser.ide import AGENT_MS, PHONE, Cell, Ide
from tests.system.house import House, Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]

_LONG: Final = "make test\n" + "echo done\n" * 60 + "\n" * 40 + "curl it | sh"
_DETAILS: Final = {
    "long": _LONG,
    "turned": "echo \u202ehs | live\u202c \u200b" + " " * 300 + "; touch it",
    "short": "make lint",
}
_ANSWERS: Final = {
    "quotes": "> " * 4000 + "deep",
    "lists": "- " * 4000 + "deep",
    "huge": "**word** and `code`\n\n" * 30_000 + "the end",
}


def _script() -> str:
    asks = [
        {"agent": None, "match": f"^{name}$", "steps": [_permission(name, detail)]} for name, detail in _DETAILS.items()
    ]
    answers = [{"agent": None, "match": f"^{name}$", "steps": [{"answer": text}]} for name, text in _ANSWERS.items()]
    return json.dumps({"rules": [*asks, *answers, {"agent": None, "match": ".", "steps": [{"answer": "nothing"}]}]})


def _permission(name: str, detail: str) -> dict[str, object]:
    asked = {"tool": "Bash", "title": f"Run {name}", "detail": detail}
    return {
        "permission": {**asked, "allowed": [{"answer": f"allowed {name}"}], "denied": [{"answer": f"denied {name}"}]}
    }


@pytest.fixture
def server(house: House, built_page: None) -> Iterator[Server]:
    """Whose agents say what no agent of the demo says."""
    script = house.root / "script.json"
    script.write_text(_script(), encoding="utf-8")
    with House(house.root, {"IDEA_DEMO_SCRIPT": str(script)}).serving("serve") as server:
        yield server


@pytest.fixture
def browsers(playwright: Playwright, browser: Browser, server: Server) -> Iterator[Browsers]:
    with calling(playwright, server) as api:
        browsers = Browsers(browser, origin_of(server), api.link)
        yield browsers
        browsers.close()


def request_of(where: Cell) -> Locator:
    return where.root.get_by_role("region", name=re.compile("^Request from"))


def test_no_text_takes_the_page_away(ide: Ide) -> None:
    main = ide.cell("main")
    for name in ("quotes", "lists"):
        main.say(name)
        expect(main.log.get_by_text(re.compile("deep$")).last).to_be_visible(timeout=AGENT_MS)
    ide.reload()
    expect(main.log.get_by_text(re.compile("deep$"))).to_have_count(2)

    main.say("huge")
    expect(main.log.get_by_role("button", name=re.compile(r"^Show all: [\d,]+ more characters$"))).to_be_visible(
        timeout=AGENT_MS
    )
    main.say("something else")
    expect(main.log).to_contain_text("nothing", timeout=AGENT_MS)


def test_what_would_run_is_seen_before_it_is_allowed(ide: Ide, project: Project, visit: Visit) -> None:
    main, qa = ide.cell("main"), ide.cell("qa")
    main.say("long")
    panel = ide.region("Needs you")
    expect(panel.get_by_role("button", name="Look")).to_be_visible(timeout=AGENT_MS)
    expect(panel).to_contain_text("102 lines, ")
    expect(panel.get_by_role("button", name=re.compile("Allow|Deny"))).to_have_count(0)

    # In the cell the end lies below, which is said, and the keyboard does not get around it.
    card = request_of(main)
    expect(card).to_contain_text("40 empty lines")
    expect(card.get_by_role("button", name=re.compile("Allow"))).to_have_count(0)
    expect(card.get_by_role("button", name=re.compile("^Deny"))).to_be_visible()
    card.focus()
    ide.page.keyboard.press("a")
    expect(card).to_contain_text("Read to its end to allow it.")
    assert violations(ide.page) == []
    card.get_by_role("button", name=re.compile("more lines? below$")).click()
    expect(card.get_by_role("group")).to_be_focused()
    expect(card.get_by_role("button", name=re.compile("Allow"))).to_have_count(0)
    ide.page.keyboard.press("End")
    expect(card.get_by_role("button", name=re.compile("below$"))).to_have_count(0)
    expect(card.get_by_role("button", name="Allow once")).to_be_enabled()

    # What is hidden in a text is written out, on a phone too; what follows an answer has the focus.
    project.call("POST", "/agents/qa/messages", {"message": "turned"})
    asked = request_of(qa)
    expect(asked).to_contain_text("echo \\u{202e}hs | live\\u{202c} \\u{200b}300 spaces; touch it", timeout=AGENT_MS)
    phone = visit(size=PHONE, theme="dark")
    phone.page.get_by_role("region", name="Needs you").get_by_text("300 spaces").wait_for()
    assert violations(phone.page) == []

    ide.page.keyboard.press("Alt+n")
    card.focus()
    ide.page.keyboard.press("d")
    expect(main.log).to_contain_text("denied long")
    expect(main.composer).to_be_focused()
    expect(asked).to_be_visible()


def test_a_second_click_answers_nothing_else(ide: Ide, project: Project) -> None:
    for agent in ("main", "qa"):
        project.call("POST", f"/agents/{agent}/messages", {"message": "short"})
        expect(ide.cell(agent).state).to_have_text("needs you", timeout=AGENT_MS)
    panel = ide.region("Needs you")
    allow = panel.get_by_role("button", name="Allow once")
    expect(allow).to_be_enabled()
    box = allow.bounding_box()
    assert box is not None
    at = (box["x"] + 10, box["y"] + 8)

    ide.page.mouse.click(*at)
    expect(panel.get_by_role("button", name="QA")).to_have_count(0)
    ide.page.mouse.click(*at)

    expect(ide.cell("main").log).to_contain_text("allowed short")
    expect(request_of(ide.cell("qa"))).to_be_visible()
