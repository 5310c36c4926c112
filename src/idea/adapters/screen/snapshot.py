"""A native terminal as bytes that paint it into a fresh one of the same size. The bytes ask nothing.

Scrollback goes first and is pushed out of the screen; then every line of the screen is painted at its absolute
place. One run of text would lose blank rows at its end and shift all above them.
"""

import re

from pyghostty import Terminal  # type: ignore[import-untyped]  # it has no stubs

from idea.adapters.screen.native import (
    copy_terminal,
    format_cells,
    format_state,
    is_wrapped,
    read_colour,
    read_palette,
    read_string,
)

MODES = (1, 5, 7, 9, 25, 45, 66, 1000, 1002, 1003, 1004, 1005, 1006, 1007, 1015, 1016, 2004, 2027, 2031, 2048)
"""Private modes that outlive a moment. Without 2026 (a held frame would never be shown) and 3 (it clears)."""
ANSI_MODES = (4, 20)
ORIGIN_MODE = 6
ALTERNATE_MODES = (1049, 1047, 47)

_DEFAULTS = Terminal(1, 1)
_MARGINS = re.compile(rb"\x1b\[(\d+);\d+r")


def snapshot(terminal: Terminal) -> bytes:
    alternate = next((mode for mode in ALTERNATE_MODES if terminal.mode(mode)), None)
    parts = [_colours(terminal)]
    if alternate is not None:
        primary = copy_terminal(terminal)
        primary.feed(f"\x1b[?{alternate}l")
        parts += [_screen(primary), _state(primary), f"\x1b[?{alternate}h".encode()]
    # Modes last: insert mode would shift what is painted after it.
    parts += [_screen(terminal), _state(terminal), _modes(terminal), _title(terminal)]
    return b"".join(parts)


def text(terminal: Terminal) -> str:
    cols, rows = terminal.size
    above = terminal.get("scrollback_rows", "size_t")
    cells = format_cells(terminal, (0, above), (cols - 1, above + rows - 1), is_plain=True)
    return cells.decode(errors="replace").replace("\r\n", "\n")


def title(terminal: Terminal) -> str:
    return "".join(letter for letter in read_string(terminal, "title") if letter.isprintable())


def _screen(terminal: Terminal) -> bytes:
    cols, rows = terminal.size
    above = int(terminal.get("scrollback_rows", "size_t"))
    parts = [_scrollback(terminal, above, cols, rows)]
    goes_on = False
    for row in range(rows):
        if not goes_on:
            parts.append(b"\x1b[%dH" % (row + 1))
        # A row that goes on is painted to its last column, and the next without a move: it wraps there as here.
        last = (cols - 1, above + row)
        goes_on = row + 1 < rows and is_wrapped(terminal, above + row) and bool(format_cells(terminal, last, last))
        parts.append(format_cells(terminal, (0, above + row), (cols - 1, above + row), trim=not goes_on))
    return b"".join(parts)


def _scrollback(terminal: Terminal, above: int, cols: int, rows: int) -> bytes:
    last = above - 1
    while last >= 0 and not format_cells(terminal, (0, last), (cols - 1, last)):
        last -= 1
    lines = b""
    if last >= 0:
        # A wide character that did not fit leaves a blank before it, which would bring the character along (0.1.3).
        is_cut = is_wrapped(terminal, last) and not format_cells(terminal, (cols - 1, last), (cols - 1, last))
        lines = format_cells(terminal, (0, 0), (max(cols - 1 - is_cut, 0), last), unwrap=True)
    # Each row with its end, the blank ones at the bottom too; then so many scrolls as rows are still to be seen.
    return lines + b"\r\n" * (above - last - (last < 0)) + b"\x1b[%dH" % rows + b"\n" * min(above, rows - 1)


def _modes(terminal: Terminal) -> bytes:
    private = [
        f"\x1b[?{mode}{'h' if terminal.mode(mode) else 'l'}"
        for mode in MODES
        if terminal.mode(mode) != _DEFAULTS.mode(mode)
    ]
    ansi = [f"\x1b[{mode}h" for mode in ANSI_MODES if terminal.mode(mode, ansi=True)]
    return "".join(private + ansi).encode()


def _state(terminal: Terminal) -> bytes:
    above = int(terminal.get("scrollback_rows", "size_t"))
    column, row = terminal.cursor
    state = b"\x1b[H" + format_state(terminal, (0, above))
    if terminal.mode(ORIGIN_MODE):
        margins = _MARGINS.search(state)
        top = int(margins[1]) if margins else 1
        state += b"\x1b[?6h\x1b[%d;%dH" % (row + 2 - top, column + 1)
    return state


def _title(terminal: Terminal) -> bytes:
    name = title(terminal)
    return f"\x1b]2;{name}\x1b\\".encode() if name else b""


def _colours(terminal: Terminal) -> bytes:
    parts = []
    for number, key in ((10, "color_foreground"), (11, "color_background"), (12, "color_cursor")):
        colour = read_colour(terminal, key)
        if colour is not None and colour != read_colour(terminal, f"{key}_default"):
            parts.append(b"\x1b]%d;rgb:%02x/%02x/%02x\x1b\\" % (number, *colour))
    usual = read_palette(terminal, "color_palette_default")
    for number, colour in enumerate(read_palette(terminal, "color_palette")):
        if colour != usual[number]:
            parts.append(b"\x1b]4;%d;rgb:%02x/%02x/%02x\x1b\\" % (number, *colour))
    return b"".join(parts)
