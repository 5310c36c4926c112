"""What a terminal shows."""

from collections.abc import Callable
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

    def freeze(self, *, is_whole: bool = True) -> Callable[[], bytes]:
        """What renders the `snapshot` of this moment, without scrollback unless it `is_whole`.

        That takes up to a second, in any thread.
        """
        ...

    def has_scrollback(self) -> bool:
        """A whole picture shows more than one that is not."""
        ...

    def checkpoint(self, *, is_forced: bool = False) -> Callable[[], bytes] | None:
        """What renders the state of this moment into bytes for `Screens.restore`; takes tens of ms, in any thread.

        None inside a sequence or a character, of which the bytes still to come would be half. `is_forced`: even there,
        though what has begun may then be lost.
        """
        ...

    def text(self) -> str:
        """The visible rows as plain text."""
        ...

    def cursor_row(self) -> int:
        """Of the visible rows, from 0."""
        ...

    def takes_pastes(self) -> bool:
        """Has the program asked to be told where a pasted text begins and ends (mode 2004)?"""
        ...

    def title(self) -> str: ...

    def program_status(self) -> str:
        """What the program last said of itself by OSC 7501 (`state=idle:app=…`); empty if it never did."""
        ...


class Screens(Protocol):
    def create(self, size: TerminalSize) -> Screen: ...

    def restore(self, data: bytes, size: TerminalSize) -> Screen | None:
        """The terminal that a checkpoint was made of, by this emulator or another, then given this size.

        None if nothing of it can be read.
        """
        ...
