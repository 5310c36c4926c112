"""What the page does a moment later, where no expectation of a locator can say it."""

import time
from collections.abc import Callable
from typing import Final, TypeVar

from playwright.sync_api import Page

from tests.browser.browsers import STEP_MS

_NEXT_PICTURE: Final = "() => new Promise(requestAnimationFrame)"
Seen = TypeVar("Seen")


def eventually(page: Page, look: Callable[[], Seen], fits: Callable[[Seen], object]) -> Seen:
    """The first that fits of what is seen, picture by picture."""
    deadline = time.monotonic() + STEP_MS / 1000
    while not fits(seen := look()):
        assert time.monotonic() < deadline, f"still {seen!r}"
        page.evaluate(_NEXT_PICTURE)
    return seen


def next_picture(page: Page) -> None:
    """Whatever the page does of itself after what was seen last is done: for what must not happen."""
    for _ in range(2):
        page.evaluate(_NEXT_PICTURE)
