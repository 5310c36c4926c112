"""What a terminal shows."""

from typing import Protocol

from idea.domain.sessions import TerminalSize


class Screen(Protocol):
    """The state of one terminal as the server believes it."""

    def feed(self, data: bytes) -> bytes:
        """Take the program's output; the answers it asked for (one answerer: us)."""
        ...

    def resize(self, size: TerminalSize) -> None: ...

    def snapshot(self) -> bytes:
        """A byte sequence that paints scrollback, screen, cursor and modes into a fresh terminal."""
        ...

    def text(self) -> str:
        """The visible rows as plain text."""
        ...

    def title(self) -> str: ...

    def program_status(self) -> str:
        """What the program last said of itself by OSC 7501 (`state=idle:app=…`); empty if it never did."""
        ...


class Screens(Protocol):
    def create(self, size: TerminalSize) -> Screen: ...
