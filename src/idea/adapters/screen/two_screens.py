"""pyte's screen with a second one, which full-screen programs take and give back."""

from collections import deque
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any, Final

import pyte
from pyte.screens import Cursor, History

from idea.domain.sessions import TerminalSize

SCROLLBACK_LINES: Final = 1_000
"""pyte's cells are Python objects: some 100 bytes for each character kept."""
ALTERNATE_MODES: Final = (1049, 1047, 47)


@dataclass(frozen=True, slots=True)
class Primary:
    """The screen below the alternate one."""

    mode: int
    """By which of the modes it was left."""
    rows: Mapping[int, Any]
    cursor: Cursor
    history: History


class TwoScreens(pyte.HistoryScreen):
    def __init__(self, size: TerminalSize) -> None:
        self.answers: list[bytes] = []
        """To what the program asked."""
        self.primary: Primary | None = None
        """None while it is the one shown."""
        super().__init__(size.cols, size.rows, history=SCROLLBACK_LINES)

    def write_process_input(self, data: str) -> None:
        self.answers.append(data.encode())

    def set_mode(self, *modes: int, **kwargs: Any) -> None:
        super().set_mode(*modes, **kwargs)
        taken = [mode for mode in ALTERNATE_MODES if mode in modes]
        if kwargs.get("private") and taken and self.primary is None:
            self.primary = Primary(taken[0], dict(self.buffer), copy(self.cursor), self.history)
            # It has no scrollback.
            none: deque[Any] = deque(maxlen=0)
            self.history = self.history._replace(top=none, bottom=none)
            self.buffer.clear()

    def reset_mode(self, *modes: int, **kwargs: Any) -> None:
        super().reset_mode(*modes, **kwargs)
        if kwargs.get("private") and self.primary is not None and any(mode in modes for mode in ALTERNATE_MODES):
            self._return()

    def reset(self) -> None:
        if self.primary is not None:
            self.history, self.primary = self.primary.history, None
        super().reset()

    def _return(self) -> None:
        assert self.primary is not None
        below, self.primary = self.primary, None
        # Fewer rows than it was left with: those at the top give way.
        lost = max(0, below.cursor.y - (self.lines - 1))
        self.buffer.clear()
        self.buffer.update({row - lost: line for row, line in below.rows.items() if row >= lost})
        self.history = below.history
        if below.mode == ALTERNATE_MODES[0]:
            self.cursor = below.cursor
            self.cursor.y -= lost
            self.cursor.x = min(self.cursor.x, self.columns - 1)
        self.dirty.update(range(self.lines))
