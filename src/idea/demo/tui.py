"""The terminal face: the same lines as the chat face, drawn for a person at a terminal."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from queue import Empty, Queue

from idea.demo.composer import Composer
from idea.demo.ink import BLUE, BOLD, DIM, RESET, YELLOW, clean, cut, width, wrap
from idea.demo.keys import ESCAPE_S, Key, Keys
from idea.demo.loop import Face, Loop
from idea.demo.options import Options
from idea.demo.screen import Row, Screen, status_sequence
from idea.demo.session import Line
from idea.demo.transcript import Transcript, banner
from idea.demo.turns import Turns

PENDING_LINES = 256
"""Lines that the turn may be ahead of the terminal; then it waits."""
LINES_PER_PAINT = 64
"""So that keys are heard in the middle of a flood."""
COMPOSER_ROWS = 8
PARTIAL_ROWS = 4
SPINNER_S = 0.25
_SPINNER = "◐◓◑◒"
_PERMISSION_KEYS = {"y": "allowOnce", "a": "allowSession", "n": "deny"}


class Tui(Face):
    """Owns the terminal. `say` hands a line over; everything else runs on the loop's thread."""

    def __init__(self, options: Options, *, loop: Loop, end: Callable[[int], None]) -> None:
        self.turns: Turns | None = None
        self._options = options
        self._loop = loop
        self._end = end
        self._screen = Screen()
        self._transcript = Transcript(cols=lambda: self._screen.cols)
        self._keys = Keys()
        self._composer = Composer()
        self._pending: Queue[Line] = Queue(PENDING_LINES)
        self._printed: list[str] = []
        """Lines for the next paint."""
        self._permission: tuple[str, str, str] | None = None
        """What waits for the person: request id, title, detail."""
        self._working_since: float | None = None
        self._heard_at = 0.0
        """When the last input came; `time.monotonic`, like the field above."""
        self._knows_status = False
        """The terminal said that it reads OSC 7501."""
        self._status = ""
        self._title = ""
        self._conversation = ""
        self._screen.open()

    # --- what the agent says ---

    def say(self, line: Line) -> None:
        """From any thread but the loop's. Waits while the terminal is behind."""
        self._pending.put(line)
        self._loop.wake()

    def on_wake(self) -> None:
        for _ in range(LINES_PER_PAINT):
            try:
                self._take(self._pending.get_nowait())
            except Empty:
                break
        else:
            self._loop.wake()
        # In a flood there is no tick, and Esc shall be heard all the same.
        self._settle_escape()
        self._paint()

    def _take(self, line: Line) -> None:
        self._printed += self._transcript.take(line)
        match line:
            case {"type": "ready", "conversation": str(conversation)}:
                self._conversation = conversation
                options = self._options
                self._printed += banner(
                    self._screen.cols - 1,
                    name=options.name,
                    model=options.model,
                    permissions=options.permissions,
                    conversation=conversation,
                )
            case {"type": "turn"}:
                self._working_since = time.monotonic()
                self._tell_status("working")
            case {"type": "result" | "error" as kind}:
                self._working_since = self._permission = None
                self._tell_status("done" if kind == "result" else "error")
            case {"type": "permission", "id": str(request), "title": str(title), "detail": str(detail)}:
                self._permission = (request, clean(title), clean(detail))
            case {"type": "size"}:
                self._printed.append(f"{self._screen.cols} x {self._screen.rows}")

    # --- what the person does ---

    def on_input(self, data: bytes) -> None:
        self._heard_at = time.monotonic()
        for key in self._keys.feed(data):
            self._press(key)
        self._paint()

    def on_tick(self) -> None:
        self._settle_escape()
        self._paint()

    def _settle_escape(self) -> None:
        if self._keys.is_undecided and time.monotonic() - self._heard_at >= ESCAPE_S:
            for key in self._keys.flush():
                self._press(key)

    def tick_s(self) -> float | None:
        if self._keys.is_undecided:
            return ESCAPE_S
        return SPINNER_S if self._working_since is not None else None

    def on_signal(self, number: int) -> None:
        match number:
            case signal.SIGTERM:
                self._end(128 + number)
            case signal.SIGINT:
                self._stop_or_clear()
            case signal.SIGWINCH:
                self._screen.measure()
        self._paint()

    def _press(self, key: Key) -> None:
        kind, value = key
        if kind == "reply":
            # Asked for at the start; whoever does not know the sequence stays silent about it.
            self._knows_status = self._knows_status or value.startswith("7501;?")
        elif self._permission and kind != "paste":
            self._decide(value)
        elif kind in ("text", "paste"):
            self._composer.insert(value)
        elif value == "enter":
            self._send()
        elif value in ("escape", "interrupt"):
            self._stop_or_clear()
        elif value == "close" and not self._composer.text:
            self._end(0)
        elif value == "redraw":
            self._screen.raw("\x1b[H\x1b[2J")
            self._screen.forget()
        else:
            self._composer.edit("delete" if value == "close" else value)

    def _send(self) -> None:
        text = self._composer.take()
        if text.strip() and self.turns:
            self._printed += self._transcript.prompt(text)
            self.turns.submit(text)

    def _stop_or_clear(self) -> None:
        if self.turns and self.turns.is_busy:
            self.turns.interrupt()
        else:
            self._composer.clear()

    def _decide(self, value: str) -> None:
        if value in ("escape", "interrupt"):
            self._stop_or_clear()
        elif self._permission and self.turns and (decision := _PERMISSION_KEYS.get(value[:1].lower())):
            request, title, _ = self._permission
            self._permission = None
            self._printed += self._transcript.settle_permission(title, decision)
            self.turns.answer(request, decision)

    # --- drawing ---

    def close(self) -> None:
        """Print what was said last, then give the terminal back."""
        while not self._pending.empty():
            self._take(self._pending.get_nowait())
        self._tell_status("clear")
        self._screen.paint(self._printed, [("", "")], (0, 0))
        self._screen.close()

    def _paint(self) -> None:
        self._announce("blocked" if self._permission else "working" if self._working_since is not None else "idle")
        cols = self._screen.cols - 1
        live: list[Row] = [(row, row) for row in wrap(self._transcript.partial, cols)[-PARTIAL_ROWS:]]
        rule = ("─" * cols, f"{DIM}{'─' * cols}{RESET}")
        if self._permission:
            rows, cursor = self._permission_rows(cols), (0, 0)
        else:
            rows, cursor = self._composer_rows(cols)
        cursor = (len(live) + 1 + cursor[0], cursor[1])
        live += [rule, *rows, rule, self._status_row(cols)]
        printed, self._printed = self._printed, []
        self._screen.paint(printed, live, cursor)

    def _permission_rows(self, cols: int) -> list[Row]:
        assert self._permission is not None
        _, title, detail = self._permission
        question = cut(f"? {title}", cols)
        choices = cut("  y allow once · a allow for the session · n deny · Esc stop the turn", cols)
        details = [cut(f"  {line}", cols) for line in detail.split("\n")[: max(1, self._screen.rows - 8)]]
        return [
            (question, f"{YELLOW}{question}{RESET}"),
            *((line, line) for line in details),
            (choices, f"{BOLD}{choices}{RESET}"),
        ]

    def _composer_rows(self, cols: int) -> tuple[list[Row], tuple[int, int]]:
        """The rows around the cursor, and where the cursor is in them."""
        room = max(1, cols - 3)
        text, position = self._composer.text, self._composer.cursor
        rows = [row for line in text.split("\n") for row in wrap(clean(line), room)]
        before = [row for line in text[:position].split("\n") for row in wrap(clean(line), room)]
        at = len(before) - 1
        top = max(0, min(at - COMPOSER_ROWS // 2, len(rows) - COMPOSER_ROWS))
        plain = [f"{'>' if number == 0 else ' '} {row}" for number, row in enumerate(rows)]
        shown: list[Row] = [(row, row) for row in plain[top : top + COMPOSER_ROWS]]
        return shown, (at - top, 2 + width(before[-1]))

    def _status_row(self, cols: int) -> Row:
        if self._working_since is None:
            text = f"  {clean(self._options.name)} · ready"
            return cut(text, cols), f"{DIM}{cut(text, cols)}{RESET}"
        elapsed = time.monotonic() - self._working_since
        glyph = _SPINNER[int(elapsed / SPINNER_S) % len(_SPINNER)]
        what = "waits for you" if self._permission else "working"
        text = cut(f"{glyph} {what} · {elapsed:.0f} s · Esc stops", cols)
        return text, f"{YELLOW if self._permission else BLUE}{text}{RESET}"

    def _announce(self, state: str) -> None:
        """Tell the terminal our status, if it changed: the title for all, OSC 7501 for who knows it."""
        name = clean(self._options.name)
        glyph = "✳"
        if state == "working" and self._working_since is not None:
            glyph = "◐◑"[int((time.monotonic() - self._working_since) / (2 * SPINNER_S)) % 2]
        title = f"{glyph} {name}"
        if title != self._title:
            self._title = title
            self._screen.raw(f"\x1b]0;{title}\x1b\\")
        self._tell_status(state)

    def _tell_status(self, state: str) -> None:
        if self._knows_status and state != self._status:
            self._status = state
            message = self._permission[1] if self._permission else ""
            self._screen.raw(
                status_sequence(state, session=self._conversation, title=clean(self._options.name), message=message)
            )
