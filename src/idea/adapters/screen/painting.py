"""A native terminal's rows as bytes that paint them, scrollback first.

libghostty formats rows quickly and well but for three things, which are mended here: cells that were never written get
the look of the cell before them, links are left out, and the rest of a line that no wide character fits into brings the
next row's first character along (pyghostty 0.1.3).
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from pyghostty import Terminal  # type: ignore[import-untyped]  # it has no stubs

from idea.adapters.screen.cells import Row
from idea.adapters.screen.native import format_cells

CHUNK_ROWS = 64
"""So much scrollback is formatted at once; where something is to be mended, row by row, up to thirty times slower."""

_LOOK = re.compile(rb"\x1b\[([\d:;]*)m")
_SHOWS_ON_BLANKS = re.compile(rb"(?:4(?::\d)?|7|9|21|53|48[:;].*|4[0-7]|10[0-7])$")
_MAY_BLEED = re.compile(rb"\x1b\[(?:4(?::\d)?|7|9|21|53|48[:;][\d:;]+|4[0-7]|10[0-7])m(?:\x1b\[[\d:;]+m)*[^\x1b]* ")
"""A look that shows on blanks, and blanks in it: written by the program or not, only the cells tell."""


class Painter:
    def __init__(self, terminal: Terminal, *, has_links: bool) -> None:
        """`has_links`: there may be some; looking for them costs a third more."""
        self._terminal = terminal
        cols, rows = terminal.size
        self._cols, self._rows = int(cols), int(rows)
        self._above = int(terminal.get("scrollback_rows", "size_t"))
        self._has_links = has_links

    def paint(self, *, is_whole: bool = True) -> bytes:
        """Without scrollback unless `is_whole`.

        Every line of the screen at its absolute place: one run of text would lose blank rows at its end and shift all
        above them.
        """
        parts = [self._paint_scrollback()] if is_whole else []
        goes_on = False
        for row in range(self._rows):
            if not goes_on:
                parts.append(b"\x1b[%dH" % (row + 1))
            painted, goes_on = self._paint_row(self._above + row, is_last=row + 1 == self._rows)
            parts.append(painted)
        return b"".join(parts)

    def _paint_scrollback(self) -> bytes:
        above = self._above
        last = above - 1
        while last >= 0 and self._is_blank(last):
            last -= 1
        chunks, first = [], 0
        while first <= last:
            end = min(first + CHUNK_ROWS - 1, last)
            while end < last and (Row(self._terminal, end).is_wrapped() or self._is_blank(end)):
                end += 1
            chunks.append(self._paint_lines(first, end))
            first = end + 1
        # Each row with its end, the blank ones at the bottom too; then so many scrolls as rows are still to be seen.
        ends = b"\r\n" * (above - last - (last < 0))
        return b"\r\n".join(chunks) + ends + b"\x1b[%dH" % self._rows + b"\n" * min(above, self._rows - 1)

    def _paint_lines(self, first: int, last: int) -> bytes:
        """Whole lines, the last one of which is not blank; where it goes on below, it is cut off there."""
        end = self._end_of(Row(self._terminal, last))
        text = format_cells(self._terminal, (0, first), (end, last), unwrap=True)
        if not self._needs_care(text, first, last):
            return text
        parts = []
        for row in range(first, last + 1):
            painted, goes_on = self._paint_row(row, is_last=row == last)
            parts.append(painted if goes_on or row == last else painted + b"\r\n")
        return b"".join(parts)

    def _needs_care(self, text: bytes, first: int, last: int) -> bool:
        if _MAY_BLEED.search(text) is not None:
            return True
        if text.isascii() and not self._has_links:
            return False
        return any(self._is_special(row) for row in range(first, last + 1))

    def _is_special(self, number: int) -> bool:
        """It has a link, or stays short of the edge for a wide character that is no longer there."""
        row = Row(self._terminal, number)
        if self._has_links and row.has_links():
            return True
        return row.is_wrapped() and row.is_left_short(self._cols) and not self._goes_on(row, number)

    def _paint_row(self, number: int, *, is_last: bool) -> tuple[bytes, bool]:
        """And whether it is painted to its last column, so that the next goes on there without a move."""
        row = Row(self._terminal, number)
        end, goes_on = self._end_of(row), not is_last and self._goes_on(row, number)
        text = format_cells(self._terminal, (0, number), (end, number), trim=not goes_on)
        links = row.read_links(self._cols) if self._has_links and row.has_links() else ()
        if not links and not (_MAY_BLEED.search(text) and row.find_unwritten(self._blanks(text))):
            return text, goes_on
        unwritten = set(row.find_unwritten(range(end + 1)))
        pieces = [(column in unwritten, links[column] if links else b"") for column in range(end + 1)]
        while pieces and pieces[-1][0]:
            pieces.pop()
        return b"".join(self._paint_pieces(number, pieces)), goes_on

    def _paint_pieces(self, number: int, pieces: Sequence[tuple[bool, bytes]]) -> Iterator[bytes]:
        """`pieces`: for each column, whether it is to be skipped, and its link."""
        column = 0
        for (is_gap, link), run in groupby(pieces):
            width = len(list(run))
            if is_gap:
                yield b"\x1b[%dC" % width
            else:
                first, last = (column, number), (column + width - 1, number)
                text = format_cells(self._terminal, first, last, trim=False)
                yield b"\x1b]8;;%b\x1b\\%b\x1b]8;;\x1b\\" % (link, text) if link else text
            column += width

    def _blanks(self, text: bytes) -> Sequence[int]:
        """The columns in which a row's text has blanks whose look shows; all, where characters are not columns."""
        if not text.isascii():
            return range(self._cols)
        columns, column, shows = [], 0, False
        for at, part in enumerate(_LOOK.split(text)):
            if at % 2:
                shows = (shows and part != b"0") or _SHOWS_ON_BLANKS.match(part) is not None
            else:
                if shows:
                    columns += [column + place for place, letter in enumerate(part) if letter == 0x20]
                column += len(part)
        return columns

    def _goes_on(self, row: Row, number: int) -> bool:
        """The next row is the rest of its line, and what is printed after it gets there by itself."""
        if not row.is_wrapped():
            return False
        if row.is_left_short(self._cols):
            return Row(self._terminal, number + 1).begins_wide()
        return not row.find_unwritten((self._cols - 1,))

    def _end_of(self, row: Row) -> int:
        return max(self._cols - 1 - (row.is_wrapped() and row.is_left_short(self._cols)), 0)

    def _is_blank(self, number: int) -> bool:
        return not format_cells(self._terminal, (0, number), (self._cols - 1, number))
