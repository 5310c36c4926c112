"""What a terminal program says of itself by OSC 7501: `state=…:app=…`, some fields in base64."""

import base64
import binascii
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class ProgramState(StrEnum):
    IDLE = "idle"
    WORKING = "working"
    BLOCKED = "blocked"
    """It waits for the person; `kind` says for what."""
    DONE = "done"
    ERROR = "error"
    CLEAR = "clear"
    """It takes back what it said before."""


@dataclass(frozen=True, slots=True)
class ProgramStatus:
    state: ProgramState
    app: str = ""
    kind: str = ""
    message: str = ""
    title: str = ""


_LONGEST_CHARS: Final = 500
"""A program may say anything; so much of a field is for people."""


def parse_program_status(text: str) -> ProgramStatus | None:
    """None if it names no state that we know."""
    fields = dict(field.partition("=")[::2] for field in text.split(":"))
    try:
        state = ProgramState(fields.get("state", ""))
    except ValueError:
        return None
    return ProgramStatus(
        state,
        app=fields.get("app", "")[:_LONGEST_CHARS],
        kind=fields.get("kind", "")[:_LONGEST_CHARS],
        message=_decode(fields.get("msg", "")),
        title=_decode(fields.get("title", "")),
    )


def _decode(text: str) -> str:
    try:
        decoded = base64.b64decode(text + "=" * (-len(text) % 4)).decode(errors="replace")
    except (binascii.Error, ValueError):
        return ""
    return "".join(letter for letter in decoded if letter.isprintable())[:_LONGEST_CHARS]
