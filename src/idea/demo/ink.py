"""Text on a terminal: how wide it is, where it wraps, and how Markdown looks. Pure."""

from __future__ import annotations

import re
import unicodedata

RESET, BOLD, DIM, ITALIC = "\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[3m"
RED, GREEN, YELLOW, BLUE, CYAN = (f"\x1b[3{number}m" for number in (1, 2, 3, 4, 6))

_CONTROLS = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|.)|[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_INLINE = re.compile(r"\*\*(?P<bold>[^*]+)\*\*|`(?P<code>[^`]+)`|(?<!\w)_(?P<italic>[^_]+)_(?!\w)")
_JOINERS = ("\u200d", "\ufe0f", "\ufe0e")


def clean(text: str) -> str:
    """Without anything that a terminal would obey; tabs become spaces."""
    return _CONTROLS.sub("", text).replace("\t", "    ")


def width(text: str) -> int:
    """Cells that `text` (cleaned, one line) takes."""
    if text.isascii():
        return len(text)
    return sum(_cell(char) for char in text)


def _cell(char: str) -> int:
    if char in _JOINERS or unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def wrap(line: str, cols: int) -> list[str]:
    """One line cut into rows of at most `cols` cells; a wide character is never split."""
    rows, row, used = [], "", 0
    for char in line:
        cells = _cell(char)
        if used + cells > cols and row:
            rows.append(row)
            row, used = "", 0
        row += char
        used += cells
    return [*rows, row]


def fold(styled: str, cols: int) -> list[str]:
    """A styled line broken at spaces into rows of at most `cols` cells; longer words are the terminal's to break."""
    rows: list[str] = []
    used = 0
    for word in styled.split(" "):
        cells = width(_CONTROLS.sub("", word))
        if rows and used + 1 + cells <= cols:
            rows[-1] += f" {word}"
            used += 1 + cells
        else:
            rows.append(word)
            used = cells
    return rows


def cut(text: str, cols: int) -> str:
    """The first line of `text`, with an ellipsis if something is missing."""
    first, newline, _ = text.partition("\n")
    if width(first) + bool(newline) <= cols:
        return first + ("…" if newline else "")
    return wrap(first, max(1, cols - 1))[0] + "…"


class Markdown:
    """Styles text line by line, as it streams."""

    def __init__(self) -> None:
        self._in_code = False

    def rows(self, text: str, cols: int) -> list[str]:
        """One line of Markdown as the rows that show it. Code and tables keep their shape."""
        styled = self._style(text)
        keeps_shape = self._in_code or text.startswith(("    ", "|"))
        return [styled] if keeps_shape else fold(styled, cols)

    def _style(self, text: str) -> str:
        bare = text.lstrip()
        if bare.startswith("```"):
            self._in_code = not self._in_code
            return f"{DIM}{text}{RESET}"
        if self._in_code:
            return f"{CYAN}{text}{RESET}"
        if bare.startswith("#"):
            return f"{BOLD}{bare.lstrip('#').lstrip()}{RESET}"
        if bare.startswith(("- ", "* ")):
            indent = text[: len(text) - len(bare)]
            return f"{indent}• {_inline(bare[2:])}"
        return _inline(text)


def _inline(text: str) -> str:
    def style(match: re.Match[str]) -> str:
        code = {"bold": BOLD, "code": CYAN, "italic": ITALIC}[match.lastgroup or "bold"]
        return f"{code}{match[match.lastgroup or 'bold']}{RESET}"

    return _INLINE.sub(style, text)


def color_table() -> list[str]:
    """The 16 and the 256 colours, as rows."""
    rows = ["".join(f"\x1b[{base + number}m {base + number:>3} {RESET}" for number in range(8)) for base in (40, 100)]
    rows.append("")
    starts = [*range(16, 232, 36), 232]
    for start in starts:
        end = min(start + 36, 256)
        rows.append("".join(f"\x1b[48;5;{number}m  {RESET}" for number in range(start, end)))
    return rows
