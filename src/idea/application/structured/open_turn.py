"""A turn as its session and its runner share it, from the prompt until what became of it is on record."""

import asyncio
from dataclasses import dataclass, field

from idea.application.ports import AgentProcess
from idea.application.structured.turn_stream import TurnStream
from idea.domain.ids import TurnId
from idea.domain.sessions import KeptStream
from idea.domain.unfinished import BegunTurn


@dataclass(slots=True, eq=False)
class OpenTurn:
    id: TurnId
    text: str
    begun: BegunTurn
    is_replayed: bool = False
    """Begun by a server before this one."""
    prompt: bytes | None = None
    """What the engine made of the text, once it has."""
    stream: TurnStream = field(default_factory=TurnStream)
    is_due: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the prompt may be written."""
    is_over: asyncio.Event = field(default_factory=asyncio.Event)
    """Set at the terminal event."""
    is_settled: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(frozen=True, slots=True)
class LeftSession:
    """A session that lives already, as the server before left it."""

    is_ready: bool
    turn: OpenTurn | None
    process: AgentProcess | None
    """The one that serves every turn; None where each has its own."""
    stdout: KeptStream | None
    """Of that process."""

    @property
    def has_rest(self) -> bool:
        """Between turns, what stands in the output still belongs to the one before."""
        return self.is_ready and self.turn is None and self.stdout is not None
