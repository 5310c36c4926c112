"""Everybody who looks at one terminal: all get its output, the fastest sets the pace, the last turned to the size."""

import asyncio
from collections.abc import Callable
from enum import Enum, auto

from idea.application.terminals.terminal_checkpoints import Render
from idea.application.terminals.terminal_client import (
    REFILL_BYTES,
    WINDOW_BYTES,
    Output,
    PaintPicture,
    Reset,
    TerminalClient,
)
from idea.application.terminals.terminal_input import TerminalInput
from idea.application.terminals.terminal_resizing import TerminalResizing
from idea.application.terminals.terminal_state import TerminalState
from idea.domain.errors import Lost
from idea.domain.sessions import Exit, TerminalSize


class _Program(Enum):
    STARTING = auto()
    RUNNING = auto()
    EXITED = auto()
    """Its last output is still to be read."""
    OVER = auto()


class TerminalViews:
    """The `ClientOwner` of one terminal's clients."""

    def __init__(
        self,
        state: TerminalState,
        *,
        resizing: TerminalResizing,
        into: TerminalInput,
        on_typed: Callable[[], None],
        paint: PaintPicture,
    ) -> None:
        self._state = state
        self._resizing = resizing
        self._input = into
        self._on_typed = on_typed
        self.paint = paint
        self._clients: list[TerminalClient] = []
        """By last claim of the size; the last one owns it."""
        self._program = _Program.STARTING
        self._exit: Exit | None = None
        self._may_read = asyncio.Event()
        self._may_read.set()

    def attach(self, size: TerminalSize, *, is_whole: bool = True) -> TerminalClient:
        """As `Attachable` has it. The first client's size becomes the terminal's."""
        client = TerminalClient(self, size, is_whole=is_whole)
        if self._program is _Program.OVER:
            client.end(self._exit)
        elif self._clients:
            self._clients.insert(0, client)
        else:
            self._clients.append(client)
            self.claim_size(client)
        return client

    # --- the program's side -------------------------------------------------------------------------------

    def on_started(self) -> None:
        """From now on its keys can be pressed."""
        self._program = _Program.RUNNING

    def fan_out(self, output: Output) -> None:
        for client in self._clients:
            client.put(output)
        least = self._least_unacknowledged()
        if least < WINDOW_BYTES:
            for client in self._clients:
                if not client.is_cut_off and client.unacknowledged_bytes >= WINDOW_BYTES:
                    client.cut_off()
        elif self._program is _Program.RUNNING:
            self._may_read.clear()

    async def keep_pace(self) -> None:
        """Returns when there is somebody who takes more output, or the program has exited."""
        await self._may_read.wait()

    def begin_anew(self) -> None:
        """What they show is not what the terminal shows any more."""
        for client in self._clients:
            client.cut_off()

    def on_exited(self) -> None:
        """Little is left to read now, and no client may hold that up."""
        self._program = _Program.EXITED
        self._may_read.set()

    def end(self, exit_: Exit | None) -> None:
        """`exit_` is None if the process could not be ended or its end not be learnt."""
        self._program, self._exit = _Program.OVER, exit_
        for client in self._clients:
            client.end(exit_)

    # --- the clients' side --------------------------------------------------------------------------------

    def begin(self, *, is_whole: bool) -> tuple[Reset, Render]:
        # A client that begins is no slower than any other.
        self._may_read.set()
        size, screen = self._resizing.size, self._state.screen
        is_whole = is_whole or not screen.has_scrollback()
        return Reset(size.cols, size.rows, is_whole), screen.freeze(is_whole=is_whole)

    async def settle_size(self) -> None:
        await self._resizing.settle()

    async def type_in(self, client: TerminalClient, data: bytes) -> None:
        if self._program in (_Program.STARTING, _Program.OVER):
            raise Lost("The terminal")
        self.claim_size(client)
        self._input.type(data)
        self._on_typed()

    def claim_size(self, client: TerminalClient) -> None:
        if client not in self._clients or self._program is _Program.OVER:
            return
        self._clients.remove(client)
        self._clients.append(client)
        self._resizing.want(client.size)

    def on_acknowledged(self) -> None:
        if self._least_unacknowledged() <= REFILL_BYTES:
            self._may_read.set()

    def on_detached(self, client: TerminalClient) -> None:
        if client not in self._clients:
            return
        was_owner = self._clients[-1] is client
        self._clients.remove(client)
        if was_owner and self._clients:
            self._resizing.want(self._clients[-1].size)
        self.on_acknowledged()

    def _least_unacknowledged(self) -> int:
        """Of the fastest client. Nobody waits for those cut off; without any, the screen alone sets the pace."""
        return min((client.unacknowledged_bytes for client in self._clients if not client.is_cut_off), default=0)
