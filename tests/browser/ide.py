"""The page as a person uses it: by roles and words, each wait bounded by Playwright's own clock."""

import re
from dataclasses import dataclass
from typing import Final

from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.watching import Watch

DESKTOP: Final = (1280, 720)
PHONE: Final = (390, 844)
AGENT_MS: Final = 20_000
"""An agent is a process with a bridge; three of them start one after another on a busy machine."""


@dataclass(frozen=True)
class Cell:
    root: Locator

    @property
    def log(self) -> Locator:
        return self.root.get_by_role("log")

    @property
    def composer(self) -> Locator:
        return self.root.get_by_role("textbox", name="Message to")

    @property
    def state(self) -> Locator:
        return self.root.get_by_test_id("state")

    @property
    def preview(self) -> Locator:
        return self.root.get_by_test_id("preview")

    @property
    def overlay(self) -> Locator:
        return self.root.get_by_test_id("overlay")

    def say(self, text: str) -> None:
        self.composer.fill(text)
        self.composer.press("Enter")
        expect(self.composer).to_have_value("")

    def delegation(self, target: str, state: str) -> Locator:
        """The card of an ask in its conversation."""
        return self.log.get_by_role("article", name=re.compile(rf"^Delegation D-\d+ to {target}, {state}$"))

    @property
    def screen(self) -> Locator:
        """The rows of its terminal."""
        return self.root.locator(".xterm-rows")

    @property
    def keys(self) -> Locator:
        """Where its terminal takes keys."""
        return self.root.get_by_role("textbox", name="Terminal of")

    def type(self, line: str) -> None:
        self.keys.press_sequentially(line)
        self.keys.press("Enter")

    def button(self, name: str) -> Locator:
        return self.root.get_by_role("button", name=name, exact=True)

    def menu(self, item: str) -> None:
        self.button("Cell menu").click()
        self.root.page.get_by_role("menuitem", name=re.compile(rf"^{re.escape(item)}(?: |$)")).click()

    def show(self, view: str) -> None:
        """`Chat` or `TUI`."""
        self.button(view).click()
        expect(self.button(view)).to_have_attribute("aria-pressed", "true")


@dataclass(frozen=True)
class Ide:
    context: BrowserContext
    page: Page
    watch: Watch

    def cell(self, slug: str) -> Cell:
        return Cell(self.page.get_by_test_id(f"cell-{slug}"))

    @property
    def cells(self) -> Locator:
        """Those in sight, free ones too."""
        return self.page.locator('[data-testid^="cell-"]:visible')

    @property
    def connection(self) -> Locator:
        return self.page.get_by_test_id("connection")

    @property
    def agents(self) -> Locator:
        return self.page.get_by_role("complementary").get_by_role("region", name="Agents")

    @property
    def dialog(self) -> Locator:
        return self.page.get_by_role("dialog")

    def choose_project(self, item: str) -> None:
        """From the menu behind the project's name, by the start of an entry."""
        self.page.get_by_role("complementary").get_by_role("button").first.click()
        entries = self.page.get_by_role("menuitem").or_(self.page.get_by_role("menuitemradio"))
        entries.filter(has_text=re.compile(rf"^{re.escape(item)}")).click()

    def agent(self, name: str) -> Locator:
        """Its row in the panel."""
        return self.agents.get_by_role("button", name=re.compile(rf"^{re.escape(name)} "))

    def region(self, name: str) -> Locator:
        return self.page.get_by_role("region", name=name, exact=True)

    def button_back(self) -> None:
        """A phone's way from the cell to the list."""
        self.page.get_by_role("button", name="Back to the list").click()

    def is_online(self) -> None:
        expect(self.connection).to_have_text("Connected", timeout=AGENT_MS)

    def reload(self) -> None:
        self.page.reload()
        self.is_online()
