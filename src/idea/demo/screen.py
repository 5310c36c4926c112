"""Draws below the scrolling transcript a live region that is repainted: what streams, the composer, the status."""

from __future__ import annotations

import base64
import os
import termios
import threading
import tty
from collections.abc import Sequence

from idea.demo.ink import width

_BEGIN = "\x1b[?2026h\x1b[?25l"
_END = "\x1b[?25h\x1b[?2026l"
_BELOW = "\x1b[J"
Row = tuple[str, str]
"""(plain text, the same with colours); the plain one measures."""


class Screen:
    """The terminal on standard input and output, raw from `open` to `close`.

    Rows of the live region are at most `cols - 1` cells, so that each is one row of the terminal.
    """

    def __init__(self) -> None:
        self.cols, self.rows = 80, 24
        self._saved: list[int | list[bytes | int]] | None = None
        self._live: list[int] = []
        """Widths of the rows on the terminal, of the live region only."""
        self._above = 0
        """Rows of the live region above the cursor."""
        self._lock = threading.RLock()
        """One writer at a time: a turn that exits closes the screen from its own thread."""

    def open(self) -> None:
        self._saved = termios.tcgetattr(0)
        tty.setraw(0, termios.TCSADRAIN)
        self.measure()
        # Program status is asked before the device attributes: its answer, if any, comes first.
        self._write("\x1b[?2004h\x1b]7501;?\x1b\\\x1b[c")

    def close(self) -> None:
        """Idempotent; the transcript stays on the terminal."""
        with self._lock:
            if self._saved is None:
                return
            self._write(self._home() + _BELOW + "\x1b[?2004l\x1b[?25h\x1b]0;\x1b\\")
            saved, self._saved = self._saved, None
            try:
                termios.tcsetattr(0, termios.TCSANOW, saved)
            except termios.error:
                return

    def measure(self) -> None:
        """Ask for the size; the terminal has reflowed what stands there, also our live region."""
        try:
            size = os.get_terminal_size(0)
        except OSError:
            return
        self.cols, self.rows = max(20, size.columns or 80), max(6, size.lines or 24)
        self._above = sum(max(1, -(-cells // self.cols)) for cells in self._live[: self._above])

    def paint(self, printed: Sequence[str], live: Sequence[Row], cursor: tuple[int, int]) -> None:
        """Append `printed` to the transcript and draw `live` below, the cursor at (row, column) of it."""
        with self._lock:
            if self._saved is None:
                return
            row, column = cursor
            parts = [_BEGIN, self._home(), _BELOW]
            parts += [f"{line}\r\n" for line in printed]
            parts.append("\r\n".join(styled for _, styled in live))
            if up := len(live) - 1 - row:
                parts.append(f"\x1b[{up}A")
            parts += ["\r", f"\x1b[{column}C" if column else "", _END]
            self._live = [width(plain) for plain, _ in live]
            self._above = row
            self._write("".join(parts))

    def forget(self) -> None:
        """The terminal was cleared: nothing of ours is on it."""
        self._live, self._above = [], 0

    def raw(self, data: str) -> None:
        """A sequence that draws nothing."""
        with self._lock:
            if self._saved is not None:
                self._write(data)

    def _home(self) -> str:
        """To the first column of the live region's first row."""
        return (f"\x1b[{self._above}A" if self._above else "") + "\r"

    def _write(self, text: str) -> None:
        data = text.encode("utf-8", "replace")
        try:
            while data:
                data = data[os.write(1, data) :]
        except OSError:
            # The terminal is gone; the loop hears of it as the end of input.
            return


def status_sequence(state: str, *, session: str, title: str, message: str = "") -> str:
    """OSC 7501, program status: `idle`, `working`, `blocked` (on a permission), `done`, `error`, `clear` at the end."""
    fields = [f"state={state}", "app=idea-demo", f"id={session}", f"title={_base64(title)}"]
    if state == "blocked":
        fields += ["kind=permission", f"msg={_base64(message)}"]
    return f"\x1b]7501;{':'.join(fields)}\x1b\\"


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()
