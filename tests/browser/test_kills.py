"""The server is killed at random moments while a page is open: it goes on, and shows what a new one shows."""

import difflib
import random
from contextlib import ExitStack
from typing import Final

import pytest
from playwright.sync_api import Browser, Playwright, expect

from tests.browser.browsers import Browsers
from tests.browser.conftest import calling, origin_of
from tests.browser.ide import AGENT_MS, Ide
from tests.browser.test_connection import REFUSED, SOCKET_FAILED, is_same_page, mark, says_lost
from tests.chaos.runs import SEED
from tests.system.house import House

# Chance has a part in it, so it is no part of the usual tests. Four servers start, on a machine that may be busy.
pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.soak, pytest.mark.timeout(300)]

LIVES: Final = 4
AGENTS: Final = ("Main", "Architect", "QA")
MESSAGES: Final = ("ask Architect: list", "ask QA: tools", "Tell me your role.", "Is the invoice page ready to go out?")
LATEST_KILL_MS: Final = 4_000


def test_a_page_that_sees_servers_killed_shows_what_a_new_one_shows(
    house: House, browser: Browser, playwright: Playwright, built_page: None
) -> None:
    dice = random.Random(SEED)
    folder = house.lasting_folder("shop")
    serve = ("serve", "--project", str(folder))
    with ExitStack() as stack:
        server = stack.enter_context(house.serving(*serve, leaves_agents=True))
        api = stack.enter_context(calling(playwright, server))
        project = api.open(folder)
        for name in AGENTS:
            project.create(name)
        visit = stack.enter_context(Browsers(browser, origin_of(server), api.link).visiting())
        ide = visit.new()
        for expected in (SOCKET_FAILED, REFUSED, r"net::ERR_(CONNECTION_RESET|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED)"):
            ide.watch.expect(expected)
        ide.is_online()
        mark(ide)
        said = [_speak(ide, dice)]
        for _ in range(LIVES - 1):
            # Not to wait for anything: this is how far the agents get before the server is killed.
            ide.page.wait_for_timeout(dice.uniform(0, LATEST_KILL_MS))
            house.kill(server.process.pid)
            server.process.wait()
            says_lost(ide, agents=r"Agents work on\. ")
            server = stack.enter_context(house.serving(*serve, port=server.port, leaves_agents=True))
            ide.is_online()
            said.append(_speak(ide, dice))
        # Comes to its turn after all that was said before, and what that led to.
        assert "The team:" in project.ask("main", "list")
        for name in AGENTS:
            expect(ide.cell(name.lower()).state).to_have_text("idle", timeout=AGENT_MS)
        seen, is_same = _shown(ide), is_same_page(ide)
        ide.reload()
        expect(ide.cell("main").log).to_contain_text("The team:")

        assert is_same
        found = [line for name in AGENTS for line in _differences(seen[name], _shown(ide)[name])]
        assert not found, "\n".join(found)
        items = project.call("GET", "/agents/main/conversation?limit=500")["items"]
        assert [item["text"] for item in items if item["kind"] == "prompt"] == [*said, "list"]


def _speak(ide: Ide, dice: random.Random) -> str:
    message = dice.choice(MESSAGES)
    ide.cell("main").say(message)
    expect(ide.cell("main").root).to_contain_text(message)
    return message


def _differences(seen: str, new: str) -> list[str]:
    """A new page begins with the newest items only."""
    lines = [line for line in new.split("\n") if line != "Load earlier messages"]
    return list(difflib.unified_diff(seen.split("\n")[-len(lines) :], lines, n=2))


def _shown(ide: Ide) -> dict[str, str]:
    return {name: ide.cell(name.lower()).log.inner_text() for name in AGENTS}
