"""Terminal state by libghostty: some 100 times the plain emulator's speed, with the alternate screen and reflow."""

import logging
import re
from collections.abc import Callable
from functools import partial

from pyghostty import GhosttyError, Terminal, UnknownSequence  # type: ignore[import-untyped]  # it has no stubs

from idea.adapters.screen import snapshot
from idea.adapters.screen.checkpoint import Checkpoint
from idea.adapters.screen.colours import BACKGROUND, FOREGROUND
from idea.adapters.screen.native import (
    decode_terminal,
    encode_terminal,
    is_in_ground,
    library_name,
    limit,
    read_begun_sequence,
    set_usual_modes,
)
from idea.domain.sessions import TerminalSize

SCROLLBACK_BYTES = 4 * 1024 * 1024
"""Per terminal: some 5,500 rows of 80 columns, 2,100 of 200."""
_NO_LIMIT_LINES = 10_000_000
"""Bytes are the bound. The library's bound by lines crumbles its pages: ten times slower at feeding short lines, and
300 ms for a snapshot (pyghostty 0.1.3)."""

BRACKETED_PASTE = 2004

LINK = b"\x1b]8;"

STATUS = b"7501;"
STATUS_QUERY = b"7501;?"

_NAME_ANSWER = re.compile(rb"\x1bP>\|[^\x1b]*\x1b\\")
_CURSOR_STYLE_ANSWER = re.compile(rb"\x1bP1\$r(\d) q\x1b\\")
_USUAL_CURSOR_STYLES = (b"0", b"2")
_KITTY_KEYBOARD_ANSWER = re.compile(rb"\x1b\[\?\d+u")

logger = logging.getLogger(__name__)


class GhosttyScreen:
    def __init__(self, terminal: Terminal, *, status: str = "", has_links: bool = False) -> None:
        """`has_links`: what it shows already may have some."""
        self._terminal = terminal
        limit(self._terminal, scrollback_bytes=SCROLLBACK_BYTES)
        self._answers: list[bytes] = []
        self._status = status
        self._has_links = has_links
        self._tail = b""
        """The last bytes fed: two pieces of output may share the beginning of a link."""
        self._terminal.on_reply(self._answers.append)
        self._terminal.on_unknown_sequence(self._on_unknown)

    def feed(self, data: bytes) -> bytes:
        self._terminal.feed(data)
        if not self._has_links:
            self._look_for_links(data)
        answers, self._answers[:] = b"".join(self._answers), []
        return _honest(answers) if answers else b""

    def resize(self, size: TerminalSize) -> None:
        self._terminal.resize(size.cols, size.rows)

    def snapshot(self, *, is_whole: bool = True) -> bytes:
        begun = read_begun_sequence(self._terminal)
        painting = snapshot.snapshot(self._terminal, has_links=self._has_links, is_whole=is_whole)
        # Its rest is the first that follows, live.
        return painting + (begun or self._cursor_style())

    def freeze(self, *, is_whole: bool = True) -> Callable[[], bytes]:
        if not is_whole and snapshot.alternate_mode(self._terminal) is None:
            # One screen is painted sooner than all is copied.
            painting = self.snapshot(is_whole=False)
            return lambda: painting
        try:
            exact = encode_terminal(self._terminal)
        except GhosttyError:
            # A sequence without end has outgrown what is kept of one, so there is no copy.
            painting = self.snapshot(is_whole=is_whole)
            return lambda: painting
        return partial(_paint, exact, has_links=self._has_links, is_whole=is_whole)

    def has_scrollback(self) -> bool:
        # Of the screen below the alternate one it is not known without a copy.
        is_alternate = snapshot.alternate_mode(self._terminal) is not None
        return is_alternate or int(self._terminal.get("scrollback_rows", "size_t")) > 0

    def checkpoint(self, *, is_forced: bool = False) -> Callable[[], bytes] | None:
        if not is_forced and not is_in_ground(self._terminal):
            return None
        size, status, has_links = TerminalSize(*self._terminal.size), self._status, self._has_links
        try:
            exact = encode_terminal(self._terminal)
        except GhosttyError:
            # A sequence without end has outgrown what is kept of one. Its rest will be shown as text.
            return Checkpoint(size, status, self.snapshot()).pack

        def render() -> bytes:
            painting = _paint(exact, has_links=has_links)
            return Checkpoint(size, status, painting, library_name(), exact).pack()

        return render

    def text(self) -> str:
        return snapshot.text(self._terminal)

    def cursor_row(self) -> int:
        return int(self._terminal.cursor[1])

    def takes_pastes(self) -> bool:
        return bool(self._terminal.mode(BRACKETED_PASTE))

    def title(self) -> str:
        return snapshot.title(self._terminal)

    def program_status(self) -> str:
        return self._status

    def _look_for_links(self, data: bytes) -> None:
        border = self._tail + data[: len(LINK) - 1]
        # One letter is found ten times faster than four; this one is rare even where programs draw much.
        self._has_links = LINK in border or (LINK[1:2] in data and LINK in data)
        self._tail = (data if len(data) >= len(LINK) else self._tail + data)[1 - len(LINK) :]

    def _cursor_style(self) -> bytes:
        """As the terminal itself reports it; there is no other way to read it. Only between sequences."""
        waiting, self._answers[:] = list(self._answers), []
        self._terminal.feed(b"\x1bP$q q\x1b\\")
        found = _CURSOR_STYLE_ANSWER.fullmatch(b"".join(self._answers))
        self._answers[:] = waiting
        return b"" if found is None or found[1] in _USUAL_CURSOR_STYLES else b"\x1b[%b q" % found[1]

    def _on_unknown(self, sequence: UnknownSequence) -> None:
        if sequence.kind != "osc" or not sequence.content.startswith(STATUS):
            return
        if sequence.content == STATUS_QUERY:
            # Told in its place among the answers: a program takes it for a yes only before its DA1's.
            self._answers.append(b"\x1b]" + STATUS_QUERY + b"\x1b\\")
        elif not sequence.truncated:
            self._status = sequence.content[len(STATUS) :].decode(errors="replace")


def _paint(exact: bytes, *, has_links: bool, is_whole: bool = True) -> bytes:
    """The snapshot of a terminal in this state."""
    copy = GhosttyScreen(decode_terminal(exact), has_links=has_links)
    try:
        return copy.snapshot(is_whole=is_whole)
    finally:
        # It and its callbacks hold one another, and the library's memory is beyond the collector's sight.
        copy._terminal.close()


class GhosttyScreens:
    def create(self, size: TerminalSize) -> GhosttyScreen:
        terminal = Terminal(size.cols, size.rows, scrollback=_NO_LIMIT_LINES, fg=FOREGROUND, bg=BACKGROUND)
        set_usual_modes(terminal)
        return GhosttyScreen(terminal)

    def restore(self, data: bytes, size: TerminalSize) -> GhosttyScreen | None:
        checkpoint = Checkpoint.unpack(data)
        if checkpoint is None:
            return None
        screen = self._decode(checkpoint) or self._paint(checkpoint)
        if checkpoint.size != size:
            screen.resize(size)
        # The program has had these answers, or never asked for them.
        screen._answers.clear()
        return screen

    def _decode(self, checkpoint: Checkpoint) -> GhosttyScreen | None:
        if checkpoint.emulator != library_name():
            return None
        try:
            return GhosttyScreen(decode_terminal(checkpoint.exact), status=checkpoint.status, has_links=True)
        except GhosttyError as error:
            logger.warning("a terminal's exact state cannot be read, its painting takes its place: %s", error)
            return None

    def _paint(self, checkpoint: Checkpoint) -> GhosttyScreen:
        screen = self.create(checkpoint.size)
        screen.feed(checkpoint.painting)
        screen._status = checkpoint.status
        return screen


def _honest(answers: bytes) -> bytes:
    """What this emulator can do but the browser's cannot is left unanswered, so that no program relies on it."""
    return _KITTY_KEYBOARD_ANSWER.sub(b"", _NAME_ANSWER.sub(b"\x1bP>|IdeA\x1b\\\\", answers))
