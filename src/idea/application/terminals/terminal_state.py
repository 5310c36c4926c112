"""A session's terminal: what the program has written becomes a screen and answers, over any number of servers."""

import base64
import json
import logging
from collections.abc import Sequence
from typing import Final

from idea.application.ports import Screen, Screens
from idea.application.terminals.terminal_checkpoints import Render
from idea.application.terminals.terminal_input import Answer, TerminalInput
from idea.domain.program_status import ProgramStatus, parse_program_status
from idea.domain.sessions import KeptChild, OutputChunk, OutputStream, Restored, TerminalSize

FORM: Final = b"idea-terminal 1\n"

_log = logging.getLogger(__name__)


class TerminalState:
    """Answers what was not answered yet, and that once, whoever read the output before."""

    def __init__(self, *, screens: Screens, size: TerminalSize, into: TerminalInput, left: KeptChild | None) -> None:
        """`left` is what a server before this one read of the same output; answers go `into` the terminal."""
        self._screens = screens
        self._size = size
        self._input = into
        self._answered = left.answered if left is not None else 0
        stream = left.streams.get(OutputStream.TERMINAL) if left is not None else None
        self._left_start = stream.acknowledged if stream is not None else 0
        self._left_end = stream.end if stream is not None else 0
        self.screen: Screen = screens.create(size)
        self.parsed = 0
        """Offset in the output."""
        self.is_history_lost = False
        """What was shown before this server cannot be shown again."""

    @property
    def is_caught_up(self) -> bool:
        """All that was there before this server is read."""
        return self.parsed >= self._left_end

    def restore(self, restored: Restored) -> None:
        """In place of all output below its offset."""
        self.parsed = restored.offset
        answers, state = _parse(restored.data) or ((), b"")
        screen = self._screens.restore(state, self._size)
        if screen is None:
            self._lose_history()
        else:
            self.screen = screen
        for answer in answers:
            if answer.answered > self._answered:
                self._input.answer(answer.data, answered=answer.answered)

    def take(self, chunk: OutputChunk) -> None:
        if self.parsed == 0 and chunk.offset > 0:
            self._lose_history()
        self.parsed = chunk.offset + len(chunk.data)
        asks_from = min(max(self._answered - chunk.offset, 0), len(chunk.data))
        if asks_from:
            # The program has these answers. That of a query which only the rest completes is still to come.
            self.screen.feed(chunk.data[:asks_from])
        if asks_from < len(chunk.data):
            self._input.answer(self.screen.feed(chunk.data[asks_from:]), answered=self.parsed)

    def resize(self, size: TerminalSize) -> None:
        self._size = size
        self.screen.resize(size)

    def freeze(self, *, is_forced: bool) -> Render | None:
        """What renders the state for `restore`, with the answers that may not have reached the program.

        None where that is not possible, or as long as what was left has not come: it would be overwritten by nothing.
        """
        if self.parsed < self._left_start:
            return None
        state = self.screen.checkpoint(is_forced=is_forced)
        if state is None:
            return None
        answers = self._input.unwritten_answers()
        return lambda: _render(answers, state())

    # --- what it shows ------------------------------------------------------------------------------------

    def text(self) -> str:
        """The visible rows."""
        return self.screen.text()

    def cursor_row(self) -> int:
        return self.screen.cursor_row()

    def takes_pastes(self) -> bool:
        return self.screen.takes_pastes()

    def title(self) -> str:
        return self.screen.title()

    def status(self) -> ProgramStatus | None:
        """What the program last said of itself; None if it never did."""
        return parse_program_status(self.screen.program_status())

    # --- within -------------------------------------------------------------------------------------------

    def _lose_history(self) -> None:
        self.is_history_lost = True
        _log.warning("what a terminal showed before this server cannot be read, so it begins empty")


def _render(answers: Sequence[Answer], state: bytes) -> bytes:
    listed = [[answer.answered, base64.b64encode(answer.data).decode()] for answer in answers]
    return FORM + json.dumps(listed).encode() + b"\n" + state


def _parse(data: bytes) -> tuple[Sequence[Answer], bytes] | None:
    """None if it has another form."""
    if not data.startswith(FORM):
        return None
    line, _, state = data[len(FORM) :].partition(b"\n")
    try:
        answers = [Answer(base64.b64decode(text), int(answered)) for answered, text in json.loads(line)]
    except (ValueError, TypeError):
        return None
    return answers, state
