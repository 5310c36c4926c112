"""Terminals out of sight: nothing is kept of them in the page, nothing is sent to them, and they are back at once."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.api import Project
from tests.browser.browsers import Visit
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


COUNTING = """
window.terminals = []
window.WebSocket = class extends WebSocket {
  constructor(...about) {
    super(...about)
    if (this.url.includes("/terminal")) window.terminals.push(this)
  }
}
"""
"""The page's sockets to terminals, as it opens them."""


def expect_attached(ide: Ide, count: int) -> None:
    ide.page.wait_for_function(
        "count => window.terminals.filter(one => one.readyState <= WebSocket.OPEN).length === count", arg=count
    )


def test_what_is_not_in_sight_is_not_attached_and_comes_back_as_it_was(visit: Visit, project: Project) -> None:
    ide = visit(before=lambda page: page.add_init_script(COUNTING))
    ide.is_online()
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
    expect_attached(ide, 2)
    for name in SHELLS:
        ide.agent(name).click()
        expect(ide.cell(name.lower()).screen).to_contain_text(f"I am {name}")
        expect(screens).to_have_count(2)

    # Behind a cell that has the whole grid.
    qa.button("Maximise").click()
    expect(screens).to_have_count(1)
    expect(qa.screen).to_contain_text("QA · ready")
    expect_attached(ide, 1)
    qa.button("Restore").click()
    expect(ide.cell("six").screen).to_contain_text("I am Six")
    expect(screens).to_have_count(2)

    # On another page.
    ide.page.get_by_role("button", name=re.compile("^Needs you")).click()
    expect(screens).to_have_count(0)
    expect_attached(ide, 0)
    ide.page.get_by_role("button", name="Cells", exact=True).click()
    expect(ide.cell("six").screen).to_contain_text("I am Six")
    expect(qa.screen).to_contain_text("QA · ready")
    expect_attached(ide, 2)
    ide.cell("six").type("echo and $((2+2))")
    expect(ide.cell("six").screen).to_contain_text("and 4")
