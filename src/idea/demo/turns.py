"""Turns one after another on a thread of their own, so that input is heard while a step waits."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from queue import Empty, SimpleQueue

Note = tuple[str, str, object]
"""What reaches a waiting turn: kind, the id of what it waits for, payload."""

_INTERRUPT: Note = ("interrupt", "", None)
_INPUT_ENDED: Note = ("inputEnded", "", None)


class Interrupted(Exception):
    """The turn was stopped from outside."""


class Turn:
    """One prompt. Every wait of a turn is in `receive`, hence an interrupt ends any of them at once."""

    def __init__(self, prompt: str) -> None:
        self.prompt = prompt
        self._inbox: SimpleQueue[Note] = SimpleQueue()
        self._has_person = True

    def interrupt(self) -> None:
        self._inbox.put(_INTERRUPT)

    def end_input(self) -> None:
        """Nobody can answer or interrupt any more: waits for a person end."""
        self._inbox.put(_INPUT_ENDED)

    def post(self, note: Note) -> None:
        self._inbox.put(note)

    def receive(self, wanted: str, timeout_s: float | None = None, *, needs_person: bool = False) -> Note | None:
        """The next note for `wanted`, None after `timeout_s`; notes for something else are late and dropped.

        Raises `Interrupted`.
        """
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        while True:
            if needs_person and not self._has_person:
                raise Interrupted
            try:
                left = None if deadline is None else max(0.0, deadline - time.monotonic())
                note = self._inbox.get(timeout=left)
            except Empty:
                return None
            if note is _INTERRUPT:
                raise Interrupted
            if note is _INPUT_ENDED:
                self._has_person = False
            elif note[1] == wanted:
                return note

    def sleep(self, seconds: float) -> None:
        """Raises `Interrupted`."""
        self.receive("", seconds)

    def hang(self) -> None:
        """Never returns. Raises `Interrupted`."""
        self.receive("", needs_person=True)


class Turns:
    """The queue of prompts. `play` runs one turn to its end and must not raise."""

    def __init__(self, play: Callable[[Turn], None]) -> None:
        self._play = play
        self._waiting: SimpleQueue[Turn | None] = SimpleQueue()
        self._unfinished: deque[Turn] = deque()
        """Oldest first. Kept beside the queue, so that an interrupt right behind its prompt is not lost."""
        self._thread = threading.Thread(target=self._run, name="turns", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def submit(self, prompt: str) -> None:
        turn = Turn(prompt)
        self._unfinished.append(turn)
        self._waiting.put(turn)

    @property
    def is_busy(self) -> bool:
        return bool(self._unfinished)

    def interrupt(self) -> None:
        """Stop the running turn; nothing if there is none. Prompts that wait behind it are kept."""
        if turn := self._oldest():
            turn.interrupt()

    def answer(self, request: str, decision: str) -> None:
        if turn := self._oldest():
            turn.post(("permission", request, decision))

    def finish(self, timeout_s: float) -> None:
        """Input has ended: play what is queued, but nothing may wait for a person; at most `timeout_s`."""
        for turn in tuple(self._unfinished):
            turn.end_input()
        self._waiting.put(None)
        self._thread.join(timeout_s)

    def _oldest(self) -> Turn | None:
        try:
            return self._unfinished[0]
        except IndexError:
            return None

    def _run(self) -> None:
        while (turn := self._waiting.get()) is not None:
            self._play(turn)
            self._unfinished.popleft()
