"""Browsers for the tests: new ones, and ones that were here before. A new one costs more than most tests do in it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Final, Literal, Protocol

from playwright.sync_api import Browser, Page

from tests.browser.ide import DESKTOP, Ide
from tests.browser.watching import Watch

STEP_MS: Final = 10_000
"""Every wait; what starts agents has a longer one."""
_ASIDE: Final = "() => URL.createObjectURL(new Blob(['<link rel=icon href=data:,>'], { type: 'text/html' }))"
"""A page of the same origin, so that the browser keeps its process and what it has compiled."""
_HAS_KEY: Final = "() => localStorage.getItem('idea.credential') !== null"
_FORGET: Final = """() => {
    const key = localStorage.getItem('idea.credential')
    localStorage.clear()
    sessionStorage.clear()
    if (key !== null) localStorage.setItem('idea.credential', key)
    return key !== null
}"""
_LEFT: Final = "WebSocket is closed before the connection is established"
"""What a browser says when its page goes in that moment."""

Theme = Literal["light", "dark"]


class Visit(Protocol):
    """Opens the page. By itself the browser has its key and nothing else, as after the first visit."""

    def __call__(
        self,
        *,
        size: tuple[int, int] = DESKTOP,
        locale: str = "en-GB",
        theme: Theme = "light",
        before: Callable[[Page], object] | None = None,
    ) -> Ide:
        """`before` is done to the empty tab: it then is one of its own, and closed at the end."""
        ...

    def new(self, link: str | None = None, *, user_agent: str | None = None) -> Ide:
        """In a browser that was never here, by a link of its own unless there is another way in."""
        ...


@dataclass(frozen=True)
class Browsers:
    """Those of one server. Who leaves waits for the next visit, all forgotten but the key."""

    browser: Browser
    origin: str
    link: Callable[[], str]
    """A start link that nobody has used."""
    _waiting: dict[str, list[Ide]] = field(default_factory=dict)
    """By language, which a browser keeps for life."""

    @contextmanager
    def visiting(self, *, is_kept: Callable[[], bool] = lambda: False) -> Iterator[Visit]:
        """At the end nothing went wrong in any; who is not kept then is closed, and so is every new one."""
        visits = _Visits(self)
        yield visits
        unexpected = [ide.watch.unexpected() for ide in visits.all]
        for ide in visits.new_ones:
            ide.context.close()
        for locale, ide in visits.returning:
            if is_kept() and not any(unexpected) and _puts_aside(ide):
                self._waiting.setdefault(locale, []).append(ide)
            else:
                ide.context.close()
        unexpected += [ide.watch.unexpected() for ide in visits.all]
        assert not any(unexpected), unexpected

    def close(self) -> None:
        for ide in (ide for waiting in self._waiting.values() for ide in waiting):
            ide.context.close()

    def open(self, locale: str, user_agent: str | None = None) -> Ide:
        context = self.browser.new_context(
            viewport={"width": DESKTOP[0], "height": DESKTOP[1]},
            locale=locale,
            user_agent=user_agent,
            timezone_id="UTC",
            color_scheme="light",
            reduced_motion="reduce",
        )
        context.set_default_timeout(STEP_MS)
        watch = Watch(self.origin)
        watch.follow(context)
        return Ide(context, context.new_page(), watch)

    def come_back(self, locale: str) -> Ide:
        """One that has its key, with its page put aside."""
        waiting = self._waiting.get(locale)
        if waiting:
            return waiting.pop()
        ide = self.open(locale)
        ide.page.goto(self.link())
        ide.page.wait_for_function(_HAS_KEY)
        _puts_aside(ide)
        return ide


@dataclass(frozen=True)
class _Visits:
    browsers: Browsers
    new_ones: list[Ide] = field(default_factory=list)
    returning: list[tuple[str, Ide]] = field(default_factory=list)

    @property
    def all(self) -> list[Ide]:
        return [*self.new_ones, *(ide for _, ide in self.returning)]

    def __call__(
        self,
        *,
        size: tuple[int, int] = DESKTOP,
        locale: str = "en-GB",
        theme: Theme = "light",
        before: Callable[[Page], object] | None = None,
    ) -> Ide:
        kept = self.browsers.come_back(locale)
        self.returning.append((locale, kept))
        kept.watch.begin()
        ide = kept if before is None else replace(kept, page=kept.context.new_page())
        if before is not None:
            before(ide.page)
        ide.page.set_viewport_size({"width": size[0], "height": size[1]})
        ide.page.emulate_media(color_scheme=theme, reduced_motion="reduce", forced_colors="none")
        ide.page.goto(self.browsers.origin)
        return ide

    def new(self, link: str | None = None, *, user_agent: str | None = None) -> Ide:
        ide = self.browsers.open("en-GB", user_agent)
        self.new_ones.append(ide)
        ide.page.goto(self.browsers.link() if link is None else link)
        return ide


def _puts_aside(ide: Ide) -> bool:
    """Whether it can come back: it has its key."""
    ide.watch.expect(_LEFT)
    for other in ide.context.pages[1:]:
        other.close()
    ide.page.unroute_all()
    ide.context.unroute_all()
    ide.context.clear_permissions()
    # The pointer would hover over whatever the next test has there.
    ide.page.mouse.move(0, 0)
    ide.page.goto(ide.page.evaluate(_ASIDE))
    return bool(ide.page.evaluate(_FORGET))
