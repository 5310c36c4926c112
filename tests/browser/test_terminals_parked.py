"""Terminals out of sight: nothing is kept of them in the page, nothing is sent to them, and they are back at once."""

import re

import pytest
from playwright.sync_api import WebSocket, expect

from tests.browser.api import Project
from tests.browser.ide import AGENT_MS, Ide

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SHELLS = ("One", "Two", "Six")


@pytest.fixture
def project(project: Project) -> Project:
    project.call("POST", "/agents/qa/launch", {"view": "terminal"})
    for name in SHELLS:
        project.create(name, profile="shell")
        project.call("POST", f"/agents/{name.lower()}/launch", {"view": "terminal"})
    return project


class Attached:
    """The agents whose terminal the page is attached to, as its sockets come and go."""

    def __init__(self) -> None:
        self.sockets: list[WebSocket] = []

    def follow(self, ide: Ide) -> None:
        ide.page.on("websocket", self._opened)

    def count(self) -> int:
        return len(self.sockets)

    def _opened(self, socket: WebSocket) -> None:
        if "/terminal" in socket.url:
            self.sockets.append(socket)
            socket.on("close", self._closed)

    def _closed(self, socket: WebSocket) -> None:
        self.sockets.remove(socket)


def test_what_is_not_in_sight_is_not_attached_and_comes_back_as_it_was(ide: Ide, project: Project) -> None:
    attached = Attached()
    attached.follow(ide)
    screens = ide.page.locator(".xterm")
    qa = ide.cell("qa")
    expect(qa.screen).to_contain_text("QA · ready", timeout=AGENT_MS)
    for name in SHELLS:
        # All in tabs of one cell, beside that of QA.
        ide.agent(name).click()
        cell = ide.cell(name.lower())
        expect(cell.screen).to_contain_text(re.compile(r"[$#]\s*$"), timeout=AGENT_MS)
        cell.type(f"seq 1 3000; echo I am {name[:1]}''{name[1:]}")
        expect(cell.screen).to_contain_text(f"I am {name}")
        expect(screens).to_have_count(2)
    assert attached.count() == 2
    for name in SHELLS:
        ide.agent(name).click()
        expect(ide.cell(name.lower()).screen).to_contain_text(f"I am {name}")
        expect(screens).to_have_count(2)

    # Behind a cell that has the whole grid.
    qa.button("Maximise").click()
    expect(screens).to_have_count(1)
    expect(qa.screen).to_contain_text("QA · ready")
    assert attached.count() == 1
    qa.button("Restore").click()
    expect(ide.cell("six").screen).to_contain_text("I am Six")
    expect(screens).to_have_count(2)

    # On another page.
    ide.page.get_by_role("button", name=re.compile("^Needs you")).click()
    expect(screens).to_have_count(0)
    ide.page.get_by_role("button", name="Cells", exact=True).click()
    expect(ide.cell("six").screen).to_contain_text("I am Six")
    expect(qa.screen).to_contain_text("QA · ready")
    assert attached.count() == 2
    ide.cell("six").type("echo and $((2+2))")
    expect(ide.cell("six").screen).to_contain_text("and 4")
