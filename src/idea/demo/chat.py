"""The chat face: JSON lines in and out."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Callable

from idea.demo.loop import Face
from idea.demo.session import Line
from idea.demo.turns import Turns

DRAIN_S = 10.0
"""After the end of input: for the turns that are still queued."""


class Chat(Face):
    """Reads prompts, interrupts and permission answers; what is none of these is told on stderr and skipped."""

    def __init__(self, *, end: Callable[[int], None]) -> None:
        self.turns: Turns | None = None
        self._end = end
        self._rest = b""
        self._lock = threading.Lock()
        """One line at a time on stdout, which the turn's thread, timers and the loop write to."""

    def say(self, line: Line) -> None:
        """From any thread. Waits while nobody reads."""
        if line["type"] == "garbage":
            data = str(line["line"]).encode() + b"\xff\n"
        elif line["type"] in ("colors", "size"):
            data = _encode({"type": "delta", "text": "The chat has no terminal.\n"})
        else:
            data = _encode(line)
        with self._lock:
            try:
                while data:
                    data = data[os.write(1, data) :]
            except OSError:
                # Nobody will ever read us again.
                self._end(0)

    def on_input(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            if line.strip():
                self._take(line)

    def on_end(self) -> None:
        if self.turns:
            self.turns.finish(DRAIN_S)

    def on_signal(self, number: int) -> None:
        if number == signal.SIGTERM:
            self._end(128 + number)
        elif number == signal.SIGINT and self.turns:
            self.turns.interrupt()

    def _take(self, line: bytes) -> None:
        assert self.turns is not None
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        match message:
            case {"type": "prompt", "text": str(text)}:
                self.turns.submit(text)
            case {"type": "interrupt"}:
                self.turns.interrupt()
            case {"type": "permission", "id": str(request), "decision": str(decision)}:
                self.turns.answer(request, decision)
            case _:
                os.write(2, b"demo agent: a line on stdin that is no message was skipped\n")


def _encode(line: Line) -> bytes:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"
