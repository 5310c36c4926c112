"""What a machine can tell about how the page reads aloud, by keyboard and in its colours."""

from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page

_SOURCE: Final = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
_RULES: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_RUN: Final = """rules => {
    // What is popped up is drawn at the end of the page, but belongs to its button.
    const isOurs = ({ id, nodes }) => id !== 'region' || nodes.some(({ html }) => !html.includes('data-radix-popper'))
    const told = ({ id, help, nodes }) => `${id}: ${help} ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`
    return axe.run(document, { runOnly: rules, resultTypes: ['violations'] })
        .then(({ violations }) => violations.filter(isOurs).map(told))
}"""


def violations(page: Page) -> list[str]:
    """Each rule that is broken, with the elements that break it."""
    if not _SOURCE.is_file():
        pytest.skip("axe-core is not installed; `scripts/install test` brings it.")
    if not page.evaluate("'axe' in window"):
        page.evaluate(_SOURCE.read_text(encoding="utf-8") + "\nvoid 0")
    found: list[str] = page.evaluate(_RUN, _RULES)
    return found
