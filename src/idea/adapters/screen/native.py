"""What IdeA needs of libghostty's C interface beyond pyghostty's Python one: formatting, copying, colours.

All results are copies; the library lends its own memory only until the terminal changes.
"""

import weakref
from functools import cache
from typing import Any

import pyghostty  # type: ignore[import-untyped]  # it has no stubs
from pyghostty import Terminal
from pyghostty.core import check, ffi, init_sized, lib, union_fn  # type: ignore[import-untyped]

Cell = tuple[int, int]
"""Column and row, counted from the first row of the scrollback."""
Rgb = tuple[int, int, int]

SEQUENCE_BYTES = 64 * 1024
"""The most kept of a sequence that has only begun."""

GRAPHEME_MODE = 2027
"""An emoji of several code points is one character of two columns, not one for each of them."""

_grid_ref = union_fn("ghostty_terminal_grid_ref", "GhosttyResult(*)(GhosttyTerminal, GhosttyPointS, GhosttyGridRef*)")
_STATE_OF_TERMINAL = ("scrolling_region", "tabstops", "keyboard")
_STATE_OF_SCREEN = ("cursor", "style", "hyperlink", "protection", "kitty_keyboard", "charsets")


def format_cells(
    terminal: Terminal, first: Cell, last: Cell, *, is_plain: bool = False, unwrap: bool = False, trim: bool = True
) -> bytes:
    """The cells as text, with their colours and links unless `is_plain`; nothing but printing and SGR."""
    options = _options(is_plain=is_plain, unwrap=unwrap, trim=trim)
    return _format(terminal, options, first, last)


def format_state(terminal: Terminal, cell: Cell) -> bytes:
    """Paint `cell` at home, then tab stops, margins, cursor (a pending wrap too), colours and charsets as they are."""
    options = _options(is_plain=False, unwrap=False, trim=True)
    for name in _STATE_OF_TERMINAL:
        setattr(options.extra, name, True)
    for name in _STATE_OF_SCREEN:
        setattr(options.extra.screen, name, True)
    return _format(terminal, options, cell, cell)


def locate(terminal: Terminal, column: int, row: int) -> Any:
    """A place in it, `row` counted from the first of the scrollback; good until the terminal changes."""
    point, place = ffi.new("GhosttyPointS*"), ffi.new("GhosttyGridRef*")
    point.tag, point.value.x, point.value.y = lib.GHOSTTY_POINT_TAG_SCREEN, column, row
    place.size = ffi.sizeof("GhosttyGridRef")
    check(_grid_ref(terminal._t[0], point[0], place), "place")
    return place


def read_string(terminal: Terminal, key: str) -> str:
    """A string of the program's; may be anything it wrote."""
    found = terminal.get(key, "GhosttyString")
    return bytes(ffi.buffer(found.ptr, found.len)).decode(errors="replace") if found.len else ""


def read_colour(terminal: Terminal, key: str) -> Rgb | None:
    """None where neither the program nor we have set it."""
    found = ffi.new("GhosttyColorRgb*")
    number = getattr(lib, f"GHOSTTY_TERMINAL_DATA_{key.upper()}")
    if lib.ghostty_terminal_get(terminal._t[0], number, found) != lib.GHOSTTY_SUCCESS:
        return None
    return (found.r, found.g, found.b)


def read_palette(terminal: Terminal, key: str) -> list[Rgb]:
    found = ffi.new("GhosttyColorRgb[256]")
    number = getattr(lib, f"GHOSTTY_TERMINAL_DATA_{key.upper()}")
    check(lib.ghostty_terminal_get(terminal._t[0], number, found), key)
    return [(colour.r, colour.g, colour.b) for colour in found]


def limit(terminal: Terminal, *, scrollback_bytes: int) -> None:
    """What it keeps at most of its past, and of a sequence that has only begun."""
    for option, size in (
        (lib.GHOSTTY_TERMINAL_OPT_SCROLLBACK_MAX_BYTES, scrollback_bytes),
        (lib.GHOSTTY_TERMINAL_OPT_CONTINUATION_MAX_BYTES, SEQUENCE_BYTES),
    ):
        check(lib.ghostty_terminal_set(terminal._t[0], option, ffi.new("size_t*", size)), "limit")


def set_usual_modes(terminal: Terminal) -> None:
    """What it begins with, and returns to after a reset: whole characters as people see them, as the page has them."""
    config = ffi.new("GhosttyTerminalModeConfig*", {"mode": GRAPHEME_MODE, "value": True})
    for option in (lib.GHOSTTY_TERMINAL_OPT_MODE_DEFAULT, lib.GHOSTTY_TERMINAL_OPT_MODE):
        check(lib.ghostty_terminal_set(terminal._t[0], option, config), "mode")


def read_begun_sequence(terminal: Terminal) -> bytes:
    """The bytes of a sequence or character whose end has not come yet; empty if it was too long to keep."""
    size = ffi.new("size_t*")
    begun = ffi.new("uint8_t[]", SEQUENCE_BYTES)
    result = lib.ghostty_terminal_continuation_buf(terminal._t[0], begun, SEQUENCE_BYTES, size)
    return bytes(ffi.buffer(begun, size[0])) if result == lib.GHOSTTY_SUCCESS else b""


def is_in_ground(terminal: Terminal) -> bool:
    """Neither inside a sequence nor inside a character."""
    return bool(terminal.get("vt_ground", "bool"))


def encode_terminal(terminal: Terminal) -> bytes:
    """Its whole state in the library's own format, which only the same version is sure to read.

    Raises:
        GhosttyError: inside a sequence too long to be kept.
    """
    encoded, size = ffi.new("uint8_t**"), ffi.new("size_t*")
    check(lib.ghostty_snapshot_encode_alloc(terminal._t[0], ffi.NULL, encoded, size), "encode")
    try:
        return bytes(ffi.buffer(encoded[0], size[0]))
    finally:
        lib.ghostty_free(ffi.NULL, encoded[0], size[0])


def decode_terminal(encoded: bytes) -> Terminal:
    """A terminal in that state, which answers nobody.

    Raises:
        GhosttyError: the library does not read it.
    """
    decoder, decoded = ffi.new("GhosttySnapshotDecoder*"), ffi.new("GhosttyTerminal*")
    check(lib.ghostty_snapshot_decoder_new_buf(ffi.NULL, decoder, ffi.from_buffer(encoded), len(encoded)), "decoder")
    try:
        retain = lib.GHOSTTY_SNAPSHOT_DECODER_OPT_RETAIN_CONTINUATION
        check(lib.ghostty_snapshot_decoder_set(decoder[0], retain, ffi.new("bool*", True)), "continuation")
        check(lib.ghostty_snapshot_decoder_decode(decoder[0], decoded), "decode")
    finally:
        lib.ghostty_snapshot_decoder_free(decoder[0])
    # pyghostty makes terminals only anew, so one of its own takes the decoded one over, and the duty to free it.
    copied = Terminal(1, 1)
    copied._free()
    copied._t = decoded
    copied._free = weakref.finalize(copied, lib.ghostty_terminal_free, decoded[0])
    return copied


def copy_terminal(terminal: Terminal) -> Terminal:
    """An independent terminal in the same state, which answers nobody."""
    return decode_terminal(encode_terminal(terminal))


def library_name() -> str:
    """Tells the versions apart whose states may not be each other's."""
    version = ffi.new("GhosttyString*")
    check(lib.ghostty_build_info(lib.GHOSTTY_BUILD_INFO_VERSION_STRING, version), "version")
    return f"pyghostty {pyghostty.__version__} with {bytes(ffi.buffer(version.ptr, version.len)).decode()}"


@cache
def _sizes_of_options() -> bytes:
    """The options with nothing set but the sizes that the library finds its way by."""
    options = init_sized("GhosttyFormatterTerminalOptions")
    return bytes(ffi.buffer(options))


def _options(*, is_plain: bool, unwrap: bool, trim: bool) -> Any:
    options, sizes = ffi.new("GhosttyFormatterTerminalOptions*"), _sizes_of_options()
    ffi.memmove(options, sizes, len(sizes))
    options.emit = lib.GHOSTTY_FORMATTER_FORMAT_PLAIN if is_plain else lib.GHOSTTY_FORMATTER_FORMAT_VT
    options.unwrap, options.trim = unwrap, trim
    return options


def _format(terminal: Terminal, options: Any, first: Cell, last: Cell) -> bytes:
    selection = ffi.new("GhosttySelection*")
    selection.size = ffi.sizeof("GhosttySelection")
    selection.start, selection.end = locate(terminal, *first)[0], locate(terminal, *last)[0]
    options.selection = selection
    formatter, size = ffi.new("GhosttyFormatter*"), ffi.new("size_t*")
    check(lib.ghostty_formatter_terminal_new(ffi.NULL, formatter, terminal._t[0], options[0]), "formatter")
    try:
        lib.ghostty_formatter_format_buf(formatter[0], ffi.NULL, 0, size)
        text = ffi.new("uint8_t[]", max(size[0], 1))
        check(lib.ghostty_formatter_format_buf(formatter[0], text, len(text), size), "format")
        return bytes(ffi.buffer(text, size[0]))
    finally:
        lib.ghostty_formatter_free(formatter[0])
