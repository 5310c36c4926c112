"""How a CLI's machine protocol is spoken: bytes in, bytes and events out."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Protocol

from idea.domain.ids import ConversationId
from idea.domain.profiles import Profile
from idea.domain.replies import Decision, EngineEvent
from idea.domain.sessions import Exit


class EngineLifetime(StrEnum):
    SESSION = "session"
    """One process serves every turn."""
    TURN = "turn"
    """Each turn is a process of its own; the conversation id joins them."""


class Engine(Protocol):
    """Speaks one CLI's machine protocol for one session. Does no I/O: bytes in, bytes out.

    The session runner owns the process, splits stdout into lines and calls these in order.
    Exactly one terminal event per prompted turn is the engine's promise, also across `closed`.
    """

    @property
    def lifetime(self) -> EngineLifetime: ...

    def opened(self) -> bytes:
        """What to write when the process has started (lifetime SESSION); may be empty."""
        ...

    def prompt(self, text: str, message_id: str) -> bytes:
        """Begin a turn. For lifetime TURN: the new process's whole standard input, closed after it.

        `message_id` is a UUID by which the CLI may name the message. The same arguments give the same bytes.
        """
        ...

    def interrupt(self) -> bytes | None:
        """What asks the CLI to stop its turn; None means SIGINT."""
        ...

    def answer(self, request: str, decision: Decision) -> bytes:
        """Answer a `PermissionRequested`. An unknown or settled request gives empty bytes."""
        ...

    def feed(self, line: bytes) -> Sequence[EngineEvent]:
        """One line of stdout without its end. Garbage gives `Unreadable`, never an exception."""
        ...

    @property
    def is_at_rest(self) -> bool:
        """No turn is open, prompted or not: a new engine would read what follows in the same way."""
        ...

    def carry(self) -> Mapping[str, object]:
        """What it knows beyond the turn, as JSON holds it; asked for when it is at rest."""
        ...

    def recall(self, carried: Mapping[str, object]) -> None:
        """Take over what another one of its kind carried. What cannot be used is ignored."""
        ...

    def closed(self, exit: Exit, last_words: str) -> Sequence[EngineEvent]:
        """The process is gone; ends an open turn with its terminal event.

        `last_words`: what it said beside its events.
        """
        ...


class Engines(Protocol):
    def create(self, profile: Profile, *, conversation: ConversationId | None) -> Engine:
        """A fresh engine; `conversation` is what the launch resumes, or the id chosen for a new one."""
        ...
