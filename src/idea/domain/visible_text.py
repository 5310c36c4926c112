"""A text from elsewhere as a person must see it before they approve it: nothing in it hides, turns round or acts.

The page has the same table, in `web/src/lib/visibleText.ts`; `tests/visible_text.json` holds both to one list.
"""

import re
from typing import Final

_ACTING: Final = "\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069"
"""Controls but tab and newline, and what turns the direction of reading."""
_HIDDEN: Final = (
    # Blanks that are no space, and what has no ink: fillers, joiners, marks of direction, variants, tags.
    "\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028\u2029\u202f\u205f-\u2065"
    "\u206a-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    # Halves of characters, and those that each font draws as it likes.
    "\ud800-\udfff\ue000-\uf8ff\U000f0000-\U0010ffff"
)
_NOT_SEEN: Final = re.compile(f"[{_ACTING}{_HIDDEN}]")
_LINE_ENDS: Final = re.compile("[\t\n]")


def visible(text: str) -> str:
    r"""In its own lines; what is not seen is written as `\u{202e}`."""
    return _NOT_SEEN.sub(_written, text)


def without_unseen(text: str) -> str:
    """Only what is seen, and the ends of its lines."""
    return _NOT_SEEN.sub("", text)


def visible_in_line(text: str) -> str:
    """As `visible`, in one line: what ends a line is written, too."""
    return _LINE_ENDS.sub(_written, visible(text))


def _written(found: re.Match[str]) -> str:
    return f"\\u{{{ord(found[0]):x}}}"
