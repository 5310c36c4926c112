"""What a program says of itself in its output, one word after the other, also where the next one follows at once.

A screen keeps the last status and title only; a turn that is over in a moment would be missed.
"""

import re
from dataclasses import dataclass
from typing import Final

from idea.domain.program_status import ProgramStatus, parse_program_status

BEGUN_BYTES: Final = 4096
"""Of a sequence whose end has not come yet; a longer one is nothing that is meant here."""

_WORD = re.compile(rb"\x1b\](?:7501;(?P<status>[^\x07\x1b]*)|[02];(?P<title>[^\x07\x1b]*))(?:\x07|\x1b\\)")
_BEGUN = re.compile(rb"\x1b(?:\][^\x07\x1b]*\x1b?)?\Z")


@dataclass(frozen=True, slots=True)
class PassingWord:
    """One of both."""

    status: ProgramStatus | None = None
    title: str | None = None


class PassingWords:
    """Of one program, from the first bytes that it is fed."""

    def __init__(self) -> None:
        self._begun = b""

    def feed(self, output: bytes) -> list[PassingWord]:
        """Those that are whole by now, oldest first."""
        data = self._begun + output
        words, end = [], 0
        for found in _WORD.finditer(data):
            word, end = _word(found), found.end()
            if word != PassingWord():
                words.append(word)
        begun = _BEGUN.search(data, max(end, len(data) - BEGUN_BYTES))
        self._begun = begun[0] if begun is not None else b""
        return words


def _word(found: re.Match[bytes]) -> PassingWord:
    if found["title"] is not None:
        title = found["title"].decode(errors="replace")
        return PassingWord(title="".join(letter for letter in title if letter.isprintable()))
    return PassingWord(status=parse_program_status(found["status"].decode(errors="replace")))
