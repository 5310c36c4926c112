"""What terminals showed when they ended, for whoever comes to look later. In memory, and only so much of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from idea.application.terminals.terminal_checkpoints import Render
from idea.application.terminals.terminal_client import PaintPicture, Reset, TerminalClient
from idea.domain.errors import Lost
from idea.domain.ids import AgentId, SessionId
from idea.domain.sessions import Exit, TerminalSize

SCREEN_BYTES: Final = 4 * 1024 * 1024
"""The longest painting that is kept. A full scrollback of plain text has half a MiB."""
ALL_BYTES: Final = 32 * 1024 * 1024
"""Of one project. The oldest go first."""


@dataclass(frozen=True, slots=True)
class LastScreen:
    """Attachable as its terminal was: a client gets the picture and the end, and can change neither."""

    session: SessionId
    size: TerminalSize
    painting: bytes
    exit: Exit | None
    """None if the process could not be ended or its end not be learnt."""

    def attach(self, size: TerminalSize, *, is_whole: bool = True) -> TerminalClient:
        client = TerminalClient(self, size)
        client.end(self.exit)
        return client

    # --- the clients' owner -------------------------------------------------------------------------------

    @property
    def paint(self) -> PaintPicture:
        return _render_at_once

    def begin(self, *, is_whole: bool) -> tuple[Reset, Render]:
        return Reset(self.size.cols, self.size.rows), lambda: self.painting

    async def settle_size(self) -> None:
        """It has the size that it ended with."""

    async def type_in(self, client: TerminalClient, data: bytes) -> None:
        raise Lost("The terminal")

    def claim_size(self, client: TerminalClient) -> None:
        """Nobody is there to draw it for another size."""

    def on_acknowledged(self) -> None:
        """Nothing waits for it."""

    def on_detached(self, client: TerminalClient) -> None:
        """Nothing is kept of its clients."""


class LastScreens:
    """At most one per agent, until it is started again or deleted."""

    def __init__(self) -> None:
        self._kept: dict[AgentId, LastScreen] = {}
        """The oldest first."""

    def find(self, agent: AgentId) -> LastScreen | None:
        return self._kept.get(agent)

    def keep(self, agent: AgentId, screen: LastScreen) -> Sequence[AgentId]:
        """In place of the one before. Returns whose had to go for it."""
        self.forget(agent)
        self._kept[agent] = screen
        dropped = []
        while sum(len(each.painting) for each in self._kept.values()) > ALL_BYTES:
            oldest = next(iter(self._kept))
            del self._kept[oldest]
            dropped.append(oldest)
        return dropped

    def forget(self, agent: AgentId) -> None:
        self._kept.pop(agent, None)


async def _render_at_once(render: Render) -> bytes:
    """It was painted when the terminal ended."""
    return render()
