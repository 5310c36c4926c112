"""A native terminal as bytes that paint it into a fresh one of the same size. The bytes ask nothing.

Scrollback goes first and is pushed out of the screen; then every line of the screen is painted at its absolute
place, then the state that remains: margins, cursor, modes, title.
"""

import re

from pyghostty import Terminal  # type: ignore[import-untyped]  # it has no stubs

from idea.adapters.screen.cells import Row
from idea.adapters.screen.native import (
    copy_terminal,
    format_cells,
    format_state,
    read_colour,
    read_palette,
    read_string,
    set_usual_modes,
)
from idea.adapters.screen.painting import Painter

MODES = (1, 5, 7, 9, 25, 45, 66, 1000, 1002, 1003, 1004, 1005, 1006, 1007, 1015, 1016, 2004, 2027, 2031, 2048)
"""Private modes that outlive a moment. Without 2026 (a held frame would never be shown) and 3 (it clears)."""
ANSI_MODES = (4, 20)
ORIGIN_MODE = 6
ALTERNATE_MODES = (1049, 1047, 47)

_DEFAULTS = Terminal(1, 1)
set_usual_modes(_DEFAULTS)
_MARGINS = re.compile(rb"\x1b\[(\d+);\d+r")


def snapshot(terminal: Terminal, *, has_links: bool, is_whole: bool = True) -> bytes:
    """`has_links`: a program has written some, as far as is known. Without scrollback unless `is_whole`."""
    alternate = alternate_mode(terminal)
    parts = [_colours(terminal)]
    if alternate is not None:
        primary = copy_terminal(terminal)
        primary.feed(f"\x1b[?{alternate}l")
        parts += [_rows(primary, has_links=has_links, is_whole=is_whole), f"\x1b[?{alternate}h".encode()]
    # Modes last: insert mode would shift what is painted after it.
    parts += [_rows(terminal, has_links=has_links, is_whole=is_whole), _modes(terminal), _title(terminal)]
    return b"".join(parts)


def alternate_mode(terminal: Terminal) -> int | None:
    """By which a program has taken the alternate screen; None where it has not."""
    return next((mode for mode in ALTERNATE_MODES if terminal.mode(mode)), None)


def _rows(terminal: Terminal, *, has_links: bool, is_whole: bool) -> bytes:
    return Painter(terminal, has_links=has_links).paint(is_whole=is_whole) + _state(terminal, has_links=has_links)


def text(terminal: Terminal) -> str:
    cols, rows = terminal.size
    above = terminal.get("scrollback_rows", "size_t")
    cells = format_cells(terminal, (0, above), (cols - 1, above + rows - 1), is_plain=True)
    return cells.decode(errors="replace").replace("\r\n", "\n")


def title(terminal: Terminal) -> str:
    return "".join(letter for letter in read_string(terminal, "title") if letter.isprintable())


def _modes(terminal: Terminal) -> bytes:
    private = [
        f"\x1b[?{mode}{'h' if terminal.mode(mode) else 'l'}"
        for mode in MODES
        if terminal.mode(mode) != _DEFAULTS.mode(mode)
    ]
    ansi = [f"\x1b[{mode}h" for mode in ANSI_MODES if terminal.mode(mode, ansi=True)]
    return "".join(private + ansi).encode()


def _state(terminal: Terminal, *, has_links: bool) -> bytes:
    above = int(terminal.get("scrollback_rows", "size_t"))
    column, row = terminal.cursor
    # One cell is painted along, without its link.
    spare = next((at for at in range(terminal.size[1]) if not (has_links and Row(terminal, above + at).has_links())), 0)
    state = b"\x1b[%dH" % (spare + 1) + format_state(terminal, (0, above + spare))
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
