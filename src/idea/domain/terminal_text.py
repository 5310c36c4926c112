"""How a person's text is put into a terminal: as one piece, with nothing in it that could act as a key.

The page does the same with what is pasted there (`web/src/terminal/paste.ts`).
"""

import re
from typing import Final

MOST_BYTES: Final = 512 * 1024
"""Half of what is kept of keys for a program that does not read."""
ONE_LINE_BYTES: Final = 1000
"""A terminal in line mode cuts longer lines off: at 4,096 bytes on Linux, at 1,024 on macOS."""

ENTER: Final = b"\r"

_BEGIN: Final = b"\x1b[200~"
_END: Final = b"\x1b[201~"
_LINE_END = re.compile(r"\r\n?")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def clean(text: str) -> str:
    """Without control characters but tab and newline, with which a text could leave its brackets; no empty end."""
    return _CONTROL.sub("", _LINE_END.sub("\n", text)).strip("\n").rstrip()


def byte_count(cleaned: str) -> int:
    return len(_encode(cleaned))


def is_one_line(cleaned: str) -> bool:
    """Such that any program takes it whole, and nothing of it before the Enter."""
    return "\n" not in cleaned and byte_count(cleaned) <= ONE_LINE_BYTES


def typed(cleaned: str, *, is_bracketed: bool) -> bytes:
    """`is_bracketed`: the program asked to be told where a pasted text begins and ends, and takes it as text."""
    # As a terminal pastes: lines end as the Enter key ends them.
    keys = _encode(cleaned.replace("\n", "\r"))
    return _BEGIN + keys + _END if is_bracketed else keys


def _encode(text: str) -> bytes:
    """Half a character is none."""
    return text.encode(errors="replace")
