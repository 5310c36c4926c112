"""One process that the keeper owns, from its launch until its last byte and its verified end."""

import os
import signal
import subprocess
import termios
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from idea.keeper.client import Client
from idea.keeper.exits import on_exit
from idea.keeper.inputs import InputPipe
from idea.keeper.loop import Loop
from idea.keeper.outputs import OutputPipe
from idea.keeper.protocol import Exited, Spawn, Write
from idea.keeper.reports import ChildReport, ExitReport, Stream
from idea.keeper.spawning import Launched, set_size
from idea.keeper.stopping import Stopping
from idea.keeper.tree import Tree
from idea.keeper.turns import Turns

DRAIN_S = 0.5
"""After the exit a stream ends at its end of file, or so much later if a grandchild holds it open."""


class Child:
    """Belongs to the loop's thread. The launcher has said that it hands over to the program."""

    def __init__(
        self,
        spawn: Spawn,
        launched: Launched,
        *,
        loop: Loop,
        turns: Turns,
        folder: Path,
        on_change: Callable[["Child"], None],
        on_fault: Callable[["Child"], None],
    ) -> None:
        """`on_change` is called at the exit and at the end of each stream, `on_fault` when `fault` may be another."""
        self.spawn_id = spawn.spawn_id
        self.lock = spawn.lock
        """Of the agent that it is the process of."""
        self._note = spawn.note
        self._size = spawn.size
        self._answered = 0
        self._process: subprocess.Popen[bytes] = launched.process
        self._loop = loop
        self._turns = turns
        self._on_change = on_change
        self._terminal = launched.outputs.get(Stream.TERMINAL, -1)
        self._input = InputPipe(launched.input, loop=loop)
        self._outputs = {
            stream: OutputPipe(
                fd,
                stream=stream,
                loop=loop,
                turns=turns,
                folder=folder,
                owner=self,
                on_fault=partial(on_fault, self),
                on_end=self._stream_ended,
            )
            for stream, fd in launched.outputs.items()
        }
        self._tree = Tree(self.pid, spawn_id=self.spawn_id)
        self._stopping: Stopping | None = None
        self._exit: ExitReport | None = None
        on_exit(self._process, loop, self._exited)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def has_exited(self) -> bool:
        return self._exit is not None

    @property
    def has_ended(self) -> bool:
        """The process is gone, and no more bytes will come; others of its tree may live."""
        return self.has_exited and all(output.has_ended for output in self._outputs.values())

    @property
    def fault(self) -> str:
        """What keeps its output from being put by, so that it waits; empty for nothing."""
        return next((output.fault for output in self._outputs.values() if output.fault), "")

    @property
    def is_stopping(self) -> bool:
        """Or has been stopped."""
        return self._stopping is not None

    def has_leftovers(self) -> bool:
        return bool(self._tree.look())

    def report(self) -> ChildReport:
        streams = tuple(output.report() for output in self._outputs.values())
        return ChildReport(self.spawn_id, self.pid, self._exit, streams, self._size, self._answered, self._note)

    def tell_exit(self, client: Client) -> None:
        """If there is one; again to a client that has only now learnt of this process."""
        if self._exit is not None:
            client.tell(Exited(self.spawn_id, self._exit.code, self._exit.signal))

    def write(self, write: Write, client: Client) -> None:
        if not self._input.write(write, client):
            return
        for output in self._outputs.values():
            output.typed()
        if write.answered is not None:
            self._answered = max(self._answered, write.answered)
        elif self._size is not None:
            # A person's keys: no emulator's answer, and no engine's message.
            self._turns.typed(self)

    def close_input(self) -> None:
        """A terminal has no end of file to give: its program sees one when the terminal goes."""
        if self._size is None:
            self._input.close_when_written()

    def resize(self, cols: int, rows: int) -> None:
        output = self._outputs.get(Stream.TERMINAL)
        if output is not None and not output.has_ended:
            with suppress(OSError):
                set_size(self._terminal, cols, rows)
                self._size = (cols, rows)

    def interrupt(self) -> None:
        if self._exit is not None:
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._foreground() or self.pid, signal.SIGINT)

    def output(self, stream: Stream) -> OutputPipe | None:
        return self._outputs.get(stream)

    def outputs(self) -> tuple[OutputPipe, ...]:
        return tuple(self._outputs.values())

    def stop(self, grace_s: float, tell: Callable[[tuple[int, ...]], None]) -> None:
        """End the whole tree; `tell` gets the survivors. A repeat joins the stop that began first."""
        if self._stopping is None:
            self._stopping = Stopping(
                self._tree,
                loop=self._loop,
                grace_s=grace_s,
                has_terminal=self._size is not None,
                on_end=self._finish,
            )
            self._input.close()
            self._stopping.begin(has_exited=self._exit is not None)
        else:
            self._stopping.hurry(grace_s)
        self._stopping.tell(tell)

    def forget(self) -> None:
        """Give back what is kept of its output. It has ended."""
        for output in self._outputs.values():
            output.close()

    def _foreground(self) -> int | None:
        """The terminal's job in front, which Ctrl-C would reach."""
        if self._size is None or self._outputs[Stream.TERMINAL].has_ended:
            return None
        with suppress(OSError, termios.error):
            return os.tcgetpgrp(self._terminal) or None
        return None

    def _exited(self) -> None:
        # Looked for while the zombie still keeps the session's number from being given away.
        self._tree.look()
        status = self._process.wait()
        self._exit = ExitReport(status if status >= 0 else None, -status if status < 0 else None)
        self._input.close()
        self._on_change(self)
        self._loop.later(DRAIN_S, self._finish)
        if self._stopping is not None:
            self._stopping.leader_exited()

    def _stream_ended(self) -> None:
        if self._size is not None:
            self._input.close()
        self._on_change(self)

    def _finish(self) -> None:
        for output in self._outputs.values():
            output.finish()
