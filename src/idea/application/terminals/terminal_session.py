"""One life of an agent in a terminal: reads its output once, and has its parts keep the screen, the size and the views.

Above it: `agent_launcher` and the terminal sockets. Below: the keeper's process and the screen's emulator.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

from idea.application.ports import AgentProcess, Screens
from idea.application.process_end import ended_with
from idea.application.terminals.last_screens import SCREEN_BYTES, LastScreen
from idea.application.terminals.terminal_activity import ShownTerminal, TerminalActivity, TerminalWatcher
from idea.application.terminals.terminal_checkpoints import TerminalCheckpoints
from idea.application.terminals.terminal_client import Output, TerminalClient
from idea.application.terminals.terminal_input import TerminalInput
from idea.application.terminals.terminal_order import TerminalOrder
from idea.application.terminals.terminal_resizing import TerminalResizing
from idea.application.terminals.terminal_state import TerminalState
from idea.application.terminals.terminal_views import TerminalViews
from idea.domain.errors import Lost
from idea.domain.ids import SessionId
from idea.domain.sessions import Exit, KeptChild, OutputChunk, OutputStream, Restored, StopReport, TerminalSize

STOP_GRACE_S: Final = 3.0
"""Time between SIGTERM and SIGKILL; a stop stays under 5 s."""
CATCH_UP_S: Final = 10.0
"""For what was written while no server was there, at most 64 MiB; what is behind then goes on in view of everybody."""

_WITHOUT_SCROLLBACK: Final = b"\x1b[3J"

_log = logging.getLogger(__name__)


class TerminalSession:
    """The final screen stays attachable as long as this object lives; `last_screen` is for the time after."""

    def __init__(
        self,
        *,
        name: str,
        start: Callable[[], Awaitable[AgentProcess]],
        size: TerminalSize,
        screens: Screens,
        order: TerminalOrder,
        is_checkpointed: bool = False,
        left: KeptChild | None = None,
        watcher: TerminalWatcher | None = None,
    ) -> None:
        """`is_checkpointed`: the process outlives this server, and its keeper gets the state for the next one.
        `left` is what the keeper said of a process that is taken over.
        """
        self._name = name
        self._start = start
        self._process: AgentProcess | None = None
        self._input = TerminalInput(name)
        self._state = TerminalState(screens=screens, size=size, into=self._input, left=left)
        self._checkpoints = TerminalCheckpoints(self._state.freeze) if is_checkpointed else None
        self._activity = TerminalActivity(name, self._state, watcher)
        self._resizing = TerminalResizing(size, on_resized=self._on_resized)
        self._order = order
        self._views = TerminalViews(
            self._state, resizing=self._resizing, into=self._input, on_typed=self._on_typed, paint=order.paint
        )
        self._caught_up = asyncio.Event()
        self._exited = asyncio.Event()
        self._is_stopping = False
        self.report = StopReport(exit=None)
        """How the process ended; complete when `run` has returned."""

    # --- life ---------------------------------------------------------------------------------------------

    async def run(self, *, ready: asyncio.Event) -> None:
        """Lives until the process has ended, its last bytes are shown and its whole tree is gone.

        Ready when a terminal that was taken over shows what it showed, or after `CATCH_UP_S`.
        Cancelling it leaves the process alone: whoever cancels ends the server, not the agent.

        Raises:
            EngineFailed, Lost: the process could not be started; as `start_process`.
        """
        try:
            process = await self._start()
            async with ended_with(process, grace_s=STOP_GRACE_S, on_ended=self._note_report):
                self._process = process
                self._views.on_started()
                if not self._is_stopping:
                    await self._live_with(process, ready)
        finally:
            self._end()

    def _note_report(self, report: StopReport) -> None:
        self.report = report

    async def stop(self) -> None:
        """End the process and its tree. Returns when they are gone; `run` returns soon after."""
        self._is_stopping = True
        if self._process is not None:
            await self._process.stop(grace_s=STOP_GRACE_S)

    async def _live_with(self, process: AgentProcess, ready: asyncio.Event) -> None:
        async with asyncio.TaskGroup() as tasks:
            serving = [
                tasks.create_task(self._input.run(process), name="terminal-input"),
                tasks.create_task(self._resizing.run(process), name="terminal-size"),
                tasks.create_task(self._activity.run(self._caught_up), name="terminal-activity"),
            ]
            if self._checkpoints is not None:
                serving.append(tasks.create_task(self._checkpoints.run(process), name="terminal-checkpoints"))
            tasks.create_task(self._await_exit(process), name="terminal-exit")
            tasks.create_task(self._catch_up(ready), name="terminal-catch-up")
            await self._read(process)
            await self._exited.wait()
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
            await self._views.keep_pace()
        self._caught_up.set()

    def _restore(self, restored: Restored) -> None:
        self._state.restore(restored)
        if self._checkpoints is not None:
            self._checkpoints.begin_at(restored.offset)
        self._activity.wrote()

    async def _take(self, chunk: OutputChunk, process: AgentProcess) -> None:
        await self._order.wait(self, len(chunk.data))
        self._state.take(chunk)
        self._activity.wrote(chunk.data)
        self._views.fan_out(Output(chunk.data))
        await process.consumed(OutputStream.TERMINAL, self._state.parsed)
        if self._checkpoints is None:
            await process.acknowledge(OutputStream.TERMINAL, self._state.parsed)
        else:
            self._checkpoints.parsed(self._state.parsed)

    async def _await_exit(self, process: AgentProcess) -> None:
        # If the keeper goes first, it has stopped what it could.
        with suppress(Lost):
            await process.wait()
        self._exited.set()
        self._views.on_exited()

    def _on_typed(self) -> None:
        self._activity.typed()
        self._order.typed(self)

    def _on_resized(self, size: TerminalSize) -> None:
        self._state.resize(size)
        if self._checkpoints is not None:
            self._checkpoints.resized()
        # No two emulators break lines alike: what they show now is this one's.
        self._views.begin_anew()

    def _end(self) -> None:
        self._input.close()
        self._resizing.end()
        self._order.forget(self)
        self._views.end(self.report.exit)
        self._activity.end()

    # --- what is known ------------------------------------------------------------------------------------

    @property
    def exit(self) -> Exit | None:
        return self.report.exit

    @property
    def size(self) -> TerminalSize:
        return self._resizing.size

    @property
    def is_history_lost(self) -> bool:
        """What was shown before the terminal was taken over cannot be shown again."""
        return self._state.is_history_lost

    @property
    def shown(self) -> ShownTerminal:
        """As it is now; the last screen stays."""
        return self._state

    async def last_screen(self, session: SessionId) -> LastScreen | None:
        """What is left to see when it has ended; None if it showed nothing, or more than is kept.

        The screen alone is kept where its scrollback is too long. Painted beside the loop, as every picture is: in its
        turn behind those of others.
        """
        if self._state.parsed == 0:
            return None
        painting = await self._order.paint(self._state.screen.freeze())
        if len(painting) > SCREEN_BYTES:
            self._state.screen.feed(_WITHOUT_SCROLLBACK)
            painting = await self._order.paint(self._state.screen.freeze())
        return LastScreen(session, self.size, painting, self.exit) if len(painting) <= SCREEN_BYTES else None

    @property
    def activity(self) -> TerminalActivity:
        """When it shows something else."""
        return self._activity

    def takes_pastes(self) -> bool:
        """The program asked to be told where a pasted text begins and ends."""
        return self._state.takes_pastes()

    async def type_alone(self, data: bytes, *, within_s: float) -> None:
        """As `TerminalInput.type_alone`: for a person who sits at no view of it."""
        self._activity.typed()
        await self._input.type_alone(data, within_s=within_s)

    def attach(self, size: TerminalSize, *, is_whole: bool = True) -> TerminalClient:
        """As `Attachable` has it. The first client's size becomes the terminal's."""
        return self._views.attach(size, is_whole=is_whole)
