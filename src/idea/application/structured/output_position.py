"""Where a session stands in its CLI's output: from where a turn would be read again, and what may be forgotten."""

from collections import deque
from dataclasses import dataclass
from typing import Final

REPLAY_BYTES: Final = 32 * 1024 * 1024
"""A turn with more output than this is not kept whole; the keeper holds twice as much before it stops the CLI."""
KEPT_BYTES: Final = 1024 * 1024
"""What is always kept of a turn: a message that is held back until it is known to be the last one lies within."""
MARK_EVERY_BYTES: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class Mark:
    """An end of a line, and how many tools had come to their end since `kept_from`."""

    offset: int
    tools: int


class OutputPosition:
    """Offsets count the output from the process's first byte, and are always ends of lines."""

    def __init__(self, at: int) -> None:
        self.at = at
        """The end of the last line read."""
        self.kept_from = at
        """All before it is dealt with for good, and an engine that begins here reads what follows in the same way."""
        self._tools = 0
        self._marks: deque[Mark] = deque()

    def read(self, at: int) -> None:
        self.at = at

    def count_tool(self) -> None:
        self._tools += 1

    def settle(self) -> int:
        """Everything so far is dealt with for good; what may be forgotten."""
        self.kept_from = self.at
        self._tools = 0
        self._marks.clear()
        return self.kept_from

    def find_cut(self) -> Mark | None:
        """Where to cut off a turn that has become too long, if it has."""
        last = self._marks[-1].offset if self._marks else self.kept_from
        if self.at - last >= MARK_EVERY_BYTES:
            self._marks.append(Mark(self.at, self._tools))
        if self.at - self.kept_from < REPLAY_BYTES:
            return None
        cut: Mark | None = None
        while self._marks and self._marks[0].offset <= self.at - KEPT_BYTES:
            cut = self._marks.popleft()
        if cut is not None:
            self.kept_from = cut.offset
            self._tools -= cut.tools
            self._marks = deque(Mark(mark.offset, mark.tools - cut.tools) for mark in self._marks)
        return cut
