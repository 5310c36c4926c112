"""Terminal state in Python alone, by pyte: slow (1 MB/s), and a new size cuts lines off, but it runs anywhere."""

import logging
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pyte
import pyte.modes
from pyte.screens import Cursor

from idea.adapters.screen.checkpoint import Checkpoint
from idea.adapters.screen.colours import BACKGROUND, FOREGROUND
from idea.adapters.screen.two_screens import TwoScreens
from idea.domain.sessions import TerminalSize

BRACKETED_PASTE = 2004
MODES = (1, 5, 1000, 1002, 1003, 1004, 1005, 1006, BRACKETED_PASTE)
_PRIVATE = 5
"""pyte keeps a private mode shifted by so many bits, to tell it from the public one of the same number."""

BEGUN_BYTES = 64 * 1024
"""The most kept of a sequence that has only begun."""

_OSC = re.compile(rb"\x1b\](10;\?|11;\?|7501;[^\x07\x1b]*)(?:\x07|\x1b\\)")
_COLOURS = ("black", "red", "green", "brown", "blue", "magenta", "cyan", "white")

Line = Mapping[int, Any]

logger = logging.getLogger(__name__)


class PlainScreen:
    def __init__(self, size: TerminalSize) -> None:
        self._screen = TwoScreens(size)
        self._stream = pyte.ByteStream(self._screen)
        self._status = ""
        self._begun = b""
        """The bytes of a sequence or character whose end has not come yet."""

    def feed(self, data: bytes) -> bytes:
        start = 0
        # pyte skips these without a word, so they are answered here, in their place among its own answers. One that
        # two pieces of output share is missed: the program then takes the terminal for one that knows them not.
        for found in _OSC.finditer(data):
            self._feed(data[start : found.end()])
            self._on_osc(found[1])
            start = found.end()
        self._feed(data[start:])
        self._begun = self._still_open(self._begun + data)
        answers, self._screen.answers[:] = b"".join(self._screen.answers), []
        return answers

    def resize(self, size: TerminalSize) -> None:
        self._screen.resize(size.rows, size.cols)

    def snapshot(self, *, is_whole: bool = True) -> bytes:
        screen, primary = self._screen, self._screen.primary
        modes = [f"\x1b[?{mode}h" for mode in MODES if mode << _PRIVATE in screen.mode]
        if pyte.modes.DECTCEM not in screen.mode:
            modes.append("\x1b[?25l")
        title = f"\x1b]2;{self.title()}\x1b\\" if self.title() else ""
        above: Iterable[Line] = primary.history.top if is_whole and primary is not None else ()
        below = "" if primary is None else self._paint_screen(above, primary.rows, primary.cursor)
        taken = "" if primary is None else f"\x1b[?{primary.mode}h"
        shown = self._paint_screen(screen.history.top if is_whole else (), screen.buffer, screen.cursor)
        # What has begun goes on with the first that follows, live.
        return "".join([below, taken, *modes, title, shown]).encode() + self._begun

    def freeze(self, *, is_whole: bool = True) -> Callable[[], bytes]:
        painting = self.snapshot(is_whole=is_whole)
        return lambda: painting

    def has_scrollback(self) -> bool:
        primary = self._screen.primary
        return bool(self._screen.history.top if primary is None else primary.history.top)

    def _paint_screen(self, above: Iterable[Line], rows: Mapping[int, Line], cursor: Cursor) -> str:
        lines, columns = self._screen.lines, self._screen.columns
        scrolled = [_paint(line, columns) + "\r\n" for line in above]
        ends = f"\x1b[{lines}H" + "\n" * min(len(scrolled), lines - 1)
        painted = [f"\x1b[{row + 1}H{_paint(rows[row], columns)}" for row in range(lines) if row in rows]
        place = f"\x1b[{min(cursor.y, lines - 1) + 1};{min(cursor.x, columns - 1) + 1}H"
        return "".join([*scrolled, ends, *painted, place, _sgr(cursor.attrs)])

    def checkpoint(self, *, is_forced: bool = False) -> Callable[[], bytes] | None:
        if not is_forced and self._begun:
            return None
        return Checkpoint(TerminalSize(self._screen.columns, self._screen.lines), self._status, self.snapshot()).pack

    def text(self) -> str:
        return "\n".join(row.rstrip() for row in self._screen.display).rstrip("\n")

    def cursor_row(self) -> int:
        return int(self._screen.cursor.y)

    def takes_pastes(self) -> bool:
        return BRACKETED_PASTE << _PRIVATE in self._screen.mode

    def title(self) -> str:
        return "".join(letter for letter in str(self._screen.title) if letter.isprintable())

    def program_status(self) -> str:
        return self._status

    def _feed(self, data: bytes) -> None:
        try:
            self._stream.feed(data)
        except Exception:
            # pyte calls its methods with whatever the program sent and fails on what they do not expect; one bad
            # sequence must not end the session. The rest of this piece is lost to the screen, not to the browsers.
            logger.debug("the plain terminal emulator choked on a sequence", exc_info=True)
            self._stream = pyte.ByteStream(self._screen)

    def _still_open(self, fed: bytes) -> bytes:
        if self._stream._taking_plain_text:
            character: bytes = self._stream.utf8_decoder.getstate()[0]
            return character
        begun = fed[max(fed.rfind(b"\x1b"), 0) :]
        return begun if len(begun) <= BEGUN_BYTES else b"\x1b"

    def _on_osc(self, content: bytes) -> None:
        if content == b"7501;?":
            self._screen.answers.append(b"\x1b]7501;?\x1b\\")
        elif content.startswith(b"7501;"):
            self._status = content[5:].decode(errors="replace")
        else:
            number, colour = (10, FOREGROUND) if content.startswith(b"10") else (11, BACKGROUND)
            self._screen.answers.append(b"\x1b]%d;rgb:%02x/%02x/%02x\x1b\\" % (number, *colour))


class PlainScreens:
    def create(self, size: TerminalSize) -> PlainScreen:
        return PlainScreen(size)

    def restore(self, data: bytes, size: TerminalSize) -> PlainScreen | None:
        checkpoint = Checkpoint.unpack(data)
        if checkpoint is None:
            return None
        screen = self.create(checkpoint.size)
        screen.feed(checkpoint.painting)
        screen._status = checkpoint.status
        if checkpoint.size != size:
            screen.resize(size)
        return screen


def _paint(line: Line, columns: int) -> str:
    """One row: text and SGR, nothing at its blank end."""
    cells = [line[column] for column in range(columns)]
    while cells and cells[-1].data == " " and cells[-1].bg == "default" and not cells[-1].reverse:
        cells.pop()
    parts, look = [], None
    for cell in cells:
        style = _sgr(cell)
        if style != look:
            parts.append(style)
            look = style
        parts.append(cell.data)
    return "".join([*parts, "\x1b[0m"])


def _sgr(cell: Any) -> str:
    flags = ((cell.bold, 1), (cell.italics, 3), (cell.underscore, 4), (cell.blink, 5), (cell.reverse, 7))
    codes = ["0", *(str(code) for is_set, code in (*flags, (cell.strikethrough, 9)) if is_set)]
    codes += _colour(cell.fg, 30) + _colour(cell.bg, 40)
    return f"\x1b[{';'.join(codes)}m"


def _colour(name: str, base: int) -> list[str]:
    """pyte names a colour by its word, or by six hexadecimal digits."""
    if name == "default":
        return []
    plain = name.removeprefix("bright")
    if plain in _COLOURS:
        return [str(base + _COLOURS.index(plain) + (60 if plain != name else 0))]
    return [str(base + 8), "2", *(str(int(name[at : at + 2], 16)) for at in (0, 2, 4))]
