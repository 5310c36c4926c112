"""One life of an agent in a terminal: reads its output once, keeps the screen, serves every browser that looks.

Above it: `agent_launcher` and the terminal sockets. Below: the keeper's process and the screen's emulator.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, Protocol

from idea.application.ports import AgentProcess, Screens
from idea.application.terminal_checkpoints import TerminalCheckpoints
from idea.application.terminal_client import (
    REFILL_BYTES,
    WINDOW_BYTES,
    Output,
    TerminalClient,
)
from idea.application.terminal_input import TerminalInput
from idea.application.terminal_state import TerminalState
from idea.domain.errors import Closed, Lost
from idea.domain.program_status import ProgramStatus, parse_program_status
from idea.domain.sessions import Exit, KeptChild, OutputChunk, OutputStream, Restored, StopReport, TerminalSize

STOP_GRACE_S: Final = 3.0
"""Time between SIGTERM and SIGKILL; a stop stays under 5 s."""
RESIZE_REST_S: Final = 0.5
"""Two changes of size are at least so far apart: each makes the program draw everything anew."""
SETTLE_S: Final = 1.0
"""A change of size takes milliseconds; waiting longer for it would keep the screen from a new view."""
DRAW_S: Final = 0.1
"""Output that pauses for so long has drawn what it draws."""
DRAWS: Final = 10
"""A program that never pauses is looked at after so many of these."""
CATCH_UP_S: Final = 10.0
"""For what was written while no server was there, at most 64 MiB; what is behind then goes on in view of everybody."""

_log = logging.getLogger(__name__)


class TerminalWatcher(Protocol):
    """Whoever wants to know what the program shows. Called in the loop, at a bounded rate."""

    def on_output(self, terminal: "TerminalSession") -> None:
        """There was some: title and status may be new."""
        ...

    def on_rest(self, terminal: "TerminalSession") -> None:
        """What it has drawn stands still, or has not stood still for a second."""
        ...

    def on_typed(self) -> None: ...

    def on_end(self) -> None:
        """The last call."""
        ...


class TerminalSession:
    """The final screen stays attachable as long as this object lives."""

    def __init__(
        self,
        *,
        name: str,
        start: Callable[[], Awaitable[AgentProcess]],
        size: TerminalSize,
        screens: Screens,
        is_checkpointed: bool = False,
        left: KeptChild | None = None,
        watcher: TerminalWatcher | None = None,
    ) -> None:
        """`is_checkpointed`: the process outlives this server, and its keeper gets the state for the next one.
        `left` is what the keeper said of a process that is taken over.
        """
        self._name = name
        self._start = start
        self._watcher = watcher
        self._size = size
        self._wanted_size = self._size
        self._clients: list[TerminalClient] = []
        """By last claim of the size; the last one owns it."""
        self._process: AgentProcess | None = None
        self._input = TerminalInput(name)
        self._state = TerminalState(screens=screens, size=size, into=self._input, left=left)
        self._checkpoints = TerminalCheckpoints(self._state.freeze) if is_checkpointed else None
        self._caught_up = asyncio.Event()
        self._may_read = asyncio.Event()
        self._may_read.set()
        self._size_wanted = asyncio.Event()
        self._size_settled = asyncio.Event()
        self._size_settled.set()
        self._was_active = asyncio.Event()
        self._is_stopping = False
        self._exiting = asyncio.Event()
        self._is_ended = False
        self.report = StopReport(exit=None)
        """How the process ended; complete when `run` has returned."""

    # --- life ---------------------------------------------------------------------------------------------

    async def run(self, *, ready: asyncio.Event) -> None:
        """Lives until the process has ended, its last bytes are shown and its whole tree is gone.

        Ready when a terminal that was taken over shows what it showed, or after `CATCH_UP_S`.
        Cancelling it leaves the process alone: whoever cancels ends the server, not the agent.

        Raises:
            EngineFailed: the process could not be started.
        """
        try:
            process = await self._start()
            try:
                self._process = process
                if not self._is_stopping:
                    await self._live_with(process, ready)
            except asyncio.CancelledError:
                raise
            except BaseException:
                self.report = await process.stop(grace_s=STOP_GRACE_S)
                raise
            # Also after a natural end: what the program left behind goes with it.
            self.report = await process.stop(grace_s=STOP_GRACE_S)
        finally:
            self._end()

    async def stop(self) -> None:
        """End the process and its tree. Returns when they are gone; `run` returns soon after."""
        self._is_stopping = True
        if self._process is not None:
            await self._process.stop(grace_s=STOP_GRACE_S)

    async def _live_with(self, process: AgentProcess, ready: asyncio.Event) -> None:
        async with asyncio.TaskGroup() as tasks:
            serving = [
                tasks.create_task(self._input.run(process), name="terminal-input"),
                tasks.create_task(self._resize(process), name="terminal-size"),
            ]
            if self._watcher is not None:
                serving.append(tasks.create_task(self._tell_activity(self._watcher), name="terminal-activity"))
            if self._checkpoints is not None:
                serving.append(tasks.create_task(self._checkpoints.run(process), name="terminal-checkpoints"))
            tasks.create_task(self._await_exit(process), name="terminal-exit")
            tasks.create_task(self._catch_up(ready), name="terminal-catch-up")
            await self._read(process)
            await self._exiting.wait()
            for task in serving:
                task.cancel()

    async def _catch_up(self, ready: asyncio.Event) -> None:
        try:
            async with asyncio.timeout(CATCH_UP_S):
                await self._caught_up.wait()
        except TimeoutError:
            _log.warning("%s has written more than was read in %g s: its screen follows", self._name, CATCH_UP_S)
            self._caught_up.set()
        ready.set()

    async def _read(self, process: AgentProcess) -> None:
        if self._state.is_caught_up:
            self._caught_up.set()
        async for piece in process.output(OutputStream.TERMINAL):
            if isinstance(piece, Restored):
                self._restore(piece)
            else:
                await self._take(piece, process)
            if self._state.is_caught_up:
                self._caught_up.set()
            await self._may_read.wait()
            # A flood leaves the loop to the others between two chunks.
            await asyncio.sleep(0)
        self._caught_up.set()

    def _restore(self, restored: Restored) -> None:
        self._state.restore(restored)
        if self._checkpoints is not None:
            self._checkpoints.begin_at(restored.offset)
        self._was_active.set()

    async def _take(self, chunk: OutputChunk, process: AgentProcess) -> None:
        self._state.take(chunk)
        self._was_active.set()
        self._fan_out(Output(chunk.data))
        await process.consumed(OutputStream.TERMINAL, self._state.parsed)
        if self._checkpoints is None:
            await process.acknowledge(OutputStream.TERMINAL, self._state.parsed)
        else:
            self._checkpoints.parsed(self._state.parsed)

    async def _await_exit(self, process: AgentProcess) -> None:
        # If the keeper goes first, it has stopped what it could.
        with suppress(Lost):
            await process.wait()
        # Little is left to read now, and no client may hold that up.
        self._exiting.set()
        self._may_read.set()

    async def _resize(self, process: AgentProcess) -> None:
        try:
            while True:
                await self._size_wanted.wait()
                self._size_wanted.clear()
                if self._wanted_size != self._size:
                    await self._take_size(process, self._wanted_size)
                if self._wanted_size == self._size:
                    self._size_settled.set()
                await asyncio.sleep(RESIZE_REST_S)
        finally:
            self._size_settled.set()

    async def _take_size(self, process: AgentProcess, size: TerminalSize) -> None:
        # Both at once, or the program draws for one size and the screen keeps another.
        try:
            await process.resize(size)
        except (Closed, Lost):
            # The keeper is gone, and with it what would draw.
            return
        self._state.resize(size)
        if self._checkpoints is not None:
            self._checkpoints.resized()
        self._size = size
        # No two emulators break lines alike: what they show now is this one's.
        for client in self._clients:
            client.cut_off()

    async def _tell_activity(self, watcher: TerminalWatcher) -> None:
        # What the program once said is not told as if it said it now.
        await self._caught_up.wait()
        while True:
            await self._was_active.wait()
            for _ in range(DRAWS):
                self._was_active.clear()
                watcher.on_output(self)
                await asyncio.sleep(DRAW_S)
                if not self._was_active.is_set():
                    break
            watcher.on_rest(self)

    def _end(self) -> None:
        self._is_ended = True
        self._input.close()
        self._size_settled.set()
        for client in self._clients:
            client.end(self.report.exit)
        if self._watcher is not None:
            self._watcher.on_end()

    # --- what is known ------------------------------------------------------------------------------------

    @property
    def exit(self) -> Exit | None:
        return self.report.exit

    @property
    def size(self) -> TerminalSize:
        return self._size

    @property
    def is_history_lost(self) -> bool:
        """What was shown before the terminal was taken over cannot be shown again."""
        return self._state.is_history_lost

    def text(self) -> str:
        """The visible rows."""
        return self._state.screen.text()

    def cursor_row(self) -> int:
        return self._state.screen.cursor_row()

    def title(self) -> str:
        return self._state.screen.title()

    def status(self) -> ProgramStatus | None:
        """What the program last said of itself; None if it never did."""
        return parse_program_status(self._state.screen.program_status())

    # --- clients ------------------------------------------------------------------------------------------

    def attach(self, size: TerminalSize) -> TerminalClient:
        """A new view: first the screen as it is, then what comes. The first client's size becomes the terminal's."""
        client = TerminalClient(self, size)
        if self._is_ended:
            client.end(self.report.exit)
        elif self._clients:
            self._clients.insert(0, client)
        else:
            self._clients.append(client)
            self.claim_size(client)
        return client

    def begin(self) -> tuple[TerminalSize, bytes]:
        # A client that begins is no slower than any other.
        self._may_read.set()
        return self._size, self._state.screen.snapshot()

    async def settle_size(self) -> None:
        # A change that does not come to its end is told like any other if it still does.
        with suppress(TimeoutError):
            async with asyncio.timeout(SETTLE_S):
                await self._size_settled.wait()

    async def type_in(self, client: TerminalClient, data: bytes) -> None:
        if self._process is None or self._is_ended:
            raise Lost("The terminal")
        self.claim_size(client)
        self._input.type(data)
        if self._watcher is not None:
            self._watcher.on_typed()

    def claim_size(self, client: TerminalClient) -> None:
        if client not in self._clients or self._is_ended:
            return
        self._clients.remove(client)
        self._clients.append(client)
        self._want(client.size)

    def on_acknowledged(self) -> None:
        if self._least_unacknowledged() <= REFILL_BYTES:
            self._may_read.set()

    def on_detached(self, client: TerminalClient) -> None:
        if client not in self._clients:
            return
        was_owner = self._clients[-1] is client
        self._clients.remove(client)
        if was_owner and self._clients:
            self._want(self._clients[-1].size)
        self.on_acknowledged()

    def _want(self, size: TerminalSize) -> None:
        if size != self._wanted_size and not self._is_ended:
            self._wanted_size = size
            self._size_settled.clear()
            self._size_wanted.set()

    def _fan_out(self, output: Output) -> None:
        for client in self._clients:
            client.put(output)
        least = self._least_unacknowledged()
        if least < WINDOW_BYTES:
            for client in self._clients:
                if not client.is_cut_off and client.unacknowledged_bytes >= WINDOW_BYTES:
                    client.cut_off()
        elif not self._exiting.is_set():
            self._may_read.clear()

    def _least_unacknowledged(self) -> int:
        """Of the fastest client. Nobody waits for those cut off; without any, the screen alone sets the pace."""
        return min((client.unacknowledged_bytes for client in self._clients if not client.is_cut_off), default=0)
