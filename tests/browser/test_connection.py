"""A lost connection is visible, heals by itself and leaves no gap."""

import os
import re
import signal
import time

import pytest
from playwright.sync_api import Browser, Playwright, expect

from tests.browser.api import Project
from tests.browser.browsers import Browsers, Visit
from tests.browser.conftest import calling, origin_of
from tests.browser.ide import AGENT_MS, Ide
from tests.browser.lines import Lines
from tests.system.house import House

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SOCKET_FAILED = r"WebSocket connection to 'ws://127\.0\.0\.1:\d+/api/events' failed"
REFUSED = r"net::ERR_CONNECTION_REFUSED"
EVENTS = "/api/events"


def mark(ide: Ide) -> None:
    """A reload would forget it."""
    ide.page.evaluate("window.wasNeverReloaded = true")


def is_same_page(ide: Ide) -> bool:
    return bool(ide.page.evaluate("window.wasNeverReloaded === true"))


def opened(visit: Visit, lines: Lines) -> Ide:
    ide = visit(before=lambda page: lines.lay(page, EVENTS))
    ide.is_online()
    mark(ide)
    return ide


def says_lost(ide: Ide, *, what: str = "Connection lost at", agents: str = "") -> None:
    """Agents that end with the server may have ended, so nothing is said of them."""
    expect(ide.connection).to_have_text("Connection lost")
    expect(ide.page.get_by_text(re.compile(rf"{what} \d\d:\d\d\. {agents}Retrying"))).to_be_visible()


def test_a_page_that_lost_its_socket_says_so_and_catches_up_by_itself(project: Project, visit: Visit) -> None:
    lines = Lines()
    ide = opened(visit, lines)
    lines.cut()
    says_lost(ide)
    project.ask("main", "list")
    expect(ide.cell("main").log).not_to_contain_text("The team:")

    lines.mend()
    ide.is_online()
    expect(ide.cell("main").log).to_contain_text("The team:")
    expect(ide.cell("main").state).to_have_text("idle")
    expect(ide.page.get_by_text("Connection lost")).to_have_count(0)
    assert is_same_page(ide)


def test_the_middle_of_a_question_survives_a_cut(project: Project, visit: Visit) -> None:
    lines = Lines()
    ide = opened(visit, lines)
    project.create("Ops")
    ide.cell("main").say("ask QA: ask Ops: deploy")
    expect(ide.region("Needs you")).to_be_visible(timeout=AGENT_MS)
    # With its clock stopped the page does not try by itself.
    ide.page.clock.install()
    ide.page.clock.pause_at(time.time() + 1)
    lines.cut()
    says_lost(ide)

    lines.mend()
    ide.page.get_by_role("button", name="Retry now").click()
    ide.is_online()
    ide.page.clock.resume()
    expect(ide.cell("main").preview).to_contain_text("QAI'll ask Ops.")
    expect(ide.cell("qa").overlay).to_contain_text("an agent is talking to it")
    ide.region("Needs you").get_by_role("button", name="Deny").click()
    expect(ide.cell("main").log).to_contain_text("You said no, so nothing was deployed.")
    assert is_same_page(ide)


def test_what_was_missed_comes_as_events_and_not_as_everything_anew(project: Project, visit: Visit) -> None:
    lines = Lines()
    ide = opened(visit, lines)
    lines.cut()
    says_lost(ide)
    lines.mend()
    ide.is_online()

    first, *later = [str(hello) for hello in lines.sent]
    assert '"epoch":null' in first
    assert later
    assert all('"epoch":null' not in hello for hello in later)


def test_a_server_that_comes_back_on_its_port_finds_the_page_again(
    house: House, browser: Browser, playwright: Playwright, built_page: None
) -> None:
    folder = house.lasting_folder("shop")
    with (
        house.serving("serve", "--project", str(folder), leaves_agents=True) as first,
        calling(playwright, first) as api,
    ):
        project = api.open(folder)
        project.create("Main")
        with Browsers(browser, origin_of(first), api.link).visiting() as visit:
            ide = visit.new()
            ide.watch.expect(SOCKET_FAILED)
            ide.watch.expect(REFUSED)
            ide.is_online()
            mark(ide)
            ide.cell("main").say("list")
            expect(ide.cell("main").log).to_contain_text("The team:", timeout=AGENT_MS)
            agent = house.agent("main")
            first.end()
            says_lost(
                ide,
                what="IdeA was stopped at",
                agents=r"Start it with idea; if .+ idea link gives its address\. Agents work on\. ",
            )

            with house.serving("serve", "--project", str(folder), port=first.port):
                ide.is_online()
                expect(ide.cell("main").log).to_contain_text("The team:")
                ide.cell("main").say("tools")
                expect(ide.cell("main").log).to_contain_text("I can use:", timeout=AGENT_MS)
                assert is_same_page(ide)
                assert house.agent("main") == agent


def test_a_server_that_stands_still_is_found_out_and_carries_out_late_nothing_that_was_typed(
    house: House, browser: Browser, playwright: Playwright, built_page: None
) -> None:
    folder = house.folder("shop")
    with (
        house.serving("serve", "--project", str(folder)) as server,
        calling(playwright, server) as api,
    ):
        project = api.open(folder)
        project.create("Main")
        project.create("Sh", profile="shell")
        with Browsers(browser, origin_of(server), api.link).visiting() as visit:
            ide = visit.new()
            ide.watch.expect(SOCKET_FAILED)
            ide.watch.expect(r"WebSocket connection to 'ws://127\.0\.0\.1:\d+/.*/terminal' failed")
            ide.is_online()
            ide.agent("Sh").click()
            shell, main = ide.cell("sh"), ide.cell("main")
            shell.button("Start Sh").click()
            expect(shell.screen).to_contain_text(re.compile(r"[$#]\s*$"), timeout=AGENT_MS)
            shell.type("echo be''fore")
            expect(shell.screen).to_contain_text("before")

            os.kill(server.process.pid, signal.SIGSTOP)
            try:
                shell.type("echo gho''st")
                # The page's own bounds: 5 s until it counts as lost, with calls that wait for an answer.
                expect(shell.root.get_by_text("IdeA does not answer; retrying.")).to_be_visible()
                says_lost(ide, what="IdeA has not answered since")
                shell.type("echo gho''st")
                main.composer.fill("hello there")
                main.composer.press("Enter")
                expect(main.composer).to_have_value("")
            finally:
                os.kill(server.process.pid, signal.SIGCONT)

            ide.is_online()
            expect(shell.root.get_by_text("IdeA does not answer")).to_have_count(0)
            expect(main.log).to_contain_text("hello there")
            shell.type("echo af''ter")
            expect(shell.screen).to_contain_text("after")
            expect(shell.screen).not_to_contain_text("gho")
