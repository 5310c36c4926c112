"""The cells of libghostty's rows, one by one: what its own formatting of whole rows leaves out or takes amiss."""

from collections.abc import Iterable, Sequence

from pyghostty import Terminal  # type: ignore[import-untyped]  # it has no stubs
from pyghostty.core import check, ffi, lib  # type: ignore[import-untyped]

from idea.adapters.screen.native import locate

LINK_BYTES = 2 * 1024
"""Longer addresses than browsers take are painted as text only."""

_NEVER_WRITTEN = 0
"""A cell without text, colour and style."""


class Row:
    """One row of the terminal, until the terminal changes."""

    def __init__(self, terminal: Terminal, number: int) -> None:
        """`number` counts from the first row of the scrollback."""
        self._ref = locate(terminal, 0, number)
        self._row = ffi.new("GhosttyRow*")
        self._cell = ffi.new("GhosttyCell*")
        check(lib.ghostty_grid_ref_row(self._ref, self._row), "row")

    def is_wrapped(self) -> bool:
        """It goes on in the next row: one line, broken only by the width."""
        return self._has(lib.GHOSTTY_ROW_DATA_WRAP)

    def has_links(self) -> bool:
        return self._has(lib.GHOSTTY_ROW_DATA_HYPERLINK)

    def find_unwritten(self, columns: Iterable[int]) -> Sequence[int]:
        """Those that no program has written to since they were cleared to the usual background."""
        ref, cell, read = self._ref, self._cell, lib.ghostty_grid_ref_cell
        found = []
        for column in columns:
            ref.x = column
            check(read(ref, cell), "cell")
            if cell[0] == _NEVER_WRITTEN:
                found.append(column)
        return found

    def read_links(self, cols: int) -> Sequence[bytes]:
        """The address behind each cell, empty where there is none."""
        ref, read = self._ref, lib.ghostty_grid_ref_hyperlink_uri
        address, size, links = ffi.new("uint8_t[]", LINK_BYTES), ffi.new("size_t*"), []
        for column in range(cols):
            ref.x = column
            is_known = read(ref, address, LINK_BYTES, size) == lib.GHOSTTY_SUCCESS
            link = bytes(ffi.buffer(address, size[0])) if is_known else b""
            links.append(link if link.isascii() and link.decode().isprintable() else b"")
        return links

    def is_left_short(self, cols: int) -> bool:
        """Its last cell stayed free because a wide character did not fit there."""
        return self._width(cols - 1) == int(lib.GHOSTTY_CELL_WIDE_SPACER_HEAD)

    def begins_wide(self) -> bool:
        return self._width(0) == int(lib.GHOSTTY_CELL_WIDE_WIDE)

    def _has(self, key: int) -> bool:
        flag = ffi.new("bool*")
        check(lib.ghostty_row_get(self._row[0], key, flag), "row")
        return bool(flag[0])

    def _width(self, column: int) -> int:
        width = ffi.new("GhosttyCellWide*")
        self._ref.x = column
        check(lib.ghostty_grid_ref_cell(self._ref, self._cell), "cell")
        check(lib.ghostty_cell_get(self._cell[0], lib.GHOSTTY_CELL_DATA_WIDE, width), "width")
        return int(width[0])
