"""One line of a CLI's output as a dictionary, and careful looks into it: what is missing or odd reads as empty."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from idea.domain.replies import MAX_DETAIL_CHARS, Unreadable

MAX_LINE_BYTES: Final = 32 * 1024 * 1024
"""A tool's result can be long (an image); beyond this it is not worth the memory."""
MAX_SUMMARY_CHARS: Final = 160
ERROR: Final = re.compile(r"\s*(error|fatal)\b", re.IGNORECASE)
EXCERPT: Final = re.compile(r"\s*\d*\s*\|")
"""`15 | foo = [`, and the line below it that points at the place."""

Json = Mapping[str, Any]
"""A decoded object; Any ends where the functions below have looked."""

EMPTY: Final[Json] = {}


def find_object(line: bytes) -> Json | None:
    """The line's object, or None if it is anything else."""
    if len(line) > MAX_LINE_BYTES:
        return None
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def unreadable(line: bytes, reason: str) -> Unreadable:
    """The event for a line that says nothing to us; its beginning is kept for the log."""
    return Unreadable(line[:MAX_DETAIL_CHARS].decode("utf-8", "replace"), reason)


def render_line(value: Json) -> bytes:
    """A lone surrogate, which no UTF-8 reader would take, becomes a question mark."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def text_of(value: Json, key: str) -> str:
    found = value.get(key)
    return found if isinstance(found, str) else ""


def object_of(value: Json, key: str) -> Json:
    found = value.get(key)
    return found if isinstance(found, dict) else EMPTY


def objects_of(value: Json, key: str) -> list[Json]:
    """The objects of a list, without what else stands in it."""
    found = value.get(key)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def strings_of(value: Json, key: str) -> list[str]:
    found = value.get(key)
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []


def count_of(value: Json, key: str) -> int:
    """A number of things; 0 for nonsense."""
    found = value.get(key)
    return found if isinstance(found, int) and not isinstance(found, bool) and found > 0 else 0


def instant_of(value: Json, key: str) -> datetime | None:
    """A time given in seconds since the epoch."""
    found = value.get(key)
    if not isinstance(found, int | float) or isinstance(found, bool):
        return None
    try:
        return datetime.fromtimestamp(found, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def one_line(text: str, limit: int = MAX_SUMMARY_CHARS) -> str:
    """The text's words on one line, shortened."""
    # Cut first: splitting a megabyte to show a line of it would be felt.
    line = " ".join(text[: limit * 4].split())
    return line if len(line) <= limit and len(text) <= limit * 4 else line[: limit - 1].rstrip() + "…"


def clipped(text: str) -> str:
    """As much of the text as an event may carry."""
    return text if len(text) <= MAX_DETAIL_CHARS else text[: MAX_DETAIL_CHARS - 1] + "…"


def last_line(text: str) -> str:
    """The last line that says something."""
    lines = text.strip().splitlines()
    return one_line(lines[-1], 500) if lines else ""


def find_error(stderr: str) -> str:
    """The last error that a CLI spelt out before it ended, all of its lines as one; empty if it spelt out none.

    Quoted lines of a file, as parsers show them under their message, are left out: they say little on one line.
    """
    lines = stderr.strip().splitlines()
    begins = [number for number, line in enumerate(lines) if ERROR.match(line)]
    told = lines[begins[-1] :] if begins else []
    return one_line(" ".join(line for line in told if not EXCERPT.match(line)), 500)
