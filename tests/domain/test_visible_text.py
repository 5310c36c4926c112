"""The table of what is not seen; the page's tests read the same list."""

import json
import sys
from pathlib import Path
from typing import Final

import pytest

from idea.domain.visible_text import visible, visible_in_line

_SHARED: Final = json.loads((Path(__file__).parents[1] / "visible_text.json").read_text("utf-8"))


@pytest.mark.parametrize(("text", "shown"), _SHARED["cases"])
def test_a_text_is_shown_with_what_hides_in_it(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_every_character_is_seen_or_written_as_the_page_does_it() -> None:
    expected = {code for first, last in _SHARED["acting"] + _SHARED["hidden"] for code in range(first, last + 1)}

    assert {code for code in range(sys.maxunicode + 1) if visible(chr(code)) != chr(code)} == expected


def test_nothing_ends_a_line_that_must_be_one() -> None:
    assert visible_in_line("a\n\tb\r") == "a\\u{a}\\u{9}b\\u{d}"
