"""The keeper itself: takes commands, owns the processes, says what happens to them. Decides nothing."""

import os
from collections.abc import Callable
from functools import partial

from idea.keeper.child import Child
from idea.keeper.launching import Launching
from idea.keeper.loop import Loop
from idea.keeper.outputs import OutputPipe
from idea.keeper.protocol import (
    Acknowledge,
    Close,
    CloseInput,
    Command,
    Done,
    Event,
    Failed,
    Interrupt,
    KeeperClosed,
    Read,
    Reason,
    Resize,
    Spawn,
    Spawned,
    Stop,
    Stopped,
    Stream,
    StreamEnded,
    Unread,
    Write,
)
from idea.keeper.spawning import launch

ENDED_KEPT = 32
"""So many ended processes can still be read from. A repeated spawn of an older one would start it again."""


class KeeperCore:
    """`run` in a thread of its own; `post` from any; `emit` is called in the former and must not block."""

    def __init__(self, emit: Callable[[Event], None]) -> None:
        self._emit = emit
        self._loop = Loop()
        self._children: dict[str, Child] = {}
        self._launching: dict[str, Launching] = {}
        self._closing: Closing | None = None

    def post(self, command: Command) -> None:
        self._loop.post(lambda: self._take(command))

    def run(self) -> None:
        """Until `Close` is done. The agents die with the thread that runs this, so it must be the one that lives."""
        self._loop.run()

    def _take(self, command: Command) -> None:
        match command:
            case Spawn():
                self._spawn(command)
            case Close(grace_s):
                self._close(grace_s)
            case Stop(request, spawn_id, grace_s):
                self._stop(request, spawn_id, grace_s)
            case Read(reader, spawn_id, stream, offset):
                if (output := self._output(spawn_id, stream)) is not None:
                    output.read(reader, offset)
                else:
                    self._emit(StreamEnded(reader))
            case Unread(reader, spawn_id):
                if (child := self._children.get(spawn_id)) is not None:
                    child.unread(reader)
            case Acknowledge(spawn_id, stream, offset):
                if (output := self._output(spawn_id, stream)) is not None:
                    output.acknowledge(offset)
            case _:
                self._steer(command)

    def _output(self, spawn_id: str, stream: Stream) -> OutputPipe | None:
        child = self._children.get(spawn_id)
        return child.output(stream) if child is not None else None

    def _steer(self, command: Write | CloseInput | Resize | Interrupt) -> None:
        child = self._children.get(command.spawn_id)
        if child is None:
            self._emit(Failed(command.request, Reason.UNKNOWN))
            return
        match command:
            case Write(request, _, data):
                child.write(request, data)
                return
            case CloseInput():
                child.close_input()
            case Resize(_, _, cols, rows):
                child.resize(cols, rows)
            case Interrupt():
                child.interrupt()
        self._emit(Done(command.request))

    def _spawn(self, spawn: Spawn) -> None:
        if (child := self._children.get(spawn.spawn_id)) is not None:
            self._emit(Spawned(spawn.request, spawn.spawn_id, child.pid))
            child.repeat_exit()
            return
        if self._closing is not None:
            self._emit(Failed(spawn.request, Reason.SPAWN, detail="the keeper is closing"))
            return
        launching = self._launching.get(spawn.spawn_id)
        if launching is None:
            try:
                launched = launch(spawn)
            except OSError as error:
                where = f": {error.filename}" if error.filename else ""
                self._emit(Failed(spawn.request, Reason.SPAWN, error.errno or 0, f"{error.strerror or error}{where}"))
                return
            spawn_id = spawn.spawn_id
            launching = Launching(
                launched, loop=self._loop, on_end=lambda ended, errno: self._launched(spawn_id, ended, errno)
            )
            self._launching[spawn_id] = launching
        launching.requests.append(spawn.request)

    def _launched(self, spawn_id: str, launching: Launching, errno: int | None) -> None:
        del self._launching[spawn_id]
        if errno is None:
            self._forget_old()
            child = Child(spawn_id, launching.launched, loop=self._loop, emit=self._emit)
            self._children[spawn_id] = child
            if self._closing is not None:
                self._closing.stop(child)
        for request in launching.requests:
            if errno is None:
                self._emit(Spawned(request, spawn_id, launching.launched.process.pid))
            else:
                detail = os.strerror(errno) if errno else "its launcher died"
                self._emit(Failed(request, Reason.SPAWN, errno, detail))
        self._end_if_closed()

    def _forget_old(self) -> None:
        ended = [spawn_id for spawn_id, child in self._children.items() if child.has_ended]
        for spawn_id in ended[:-ENDED_KEPT]:
            if not self._children[spawn_id].has_leftovers():
                del self._children[spawn_id]

    def _stop(self, request: int, spawn_id: str, grace_s: float) -> None:
        child = self._children.get(spawn_id)
        if child is not None:
            child.stop(grace_s, lambda survivors: self._emit(Stopped(request, survivors)))
            return
        if spawn_id in self._launching:
            self._launching[spawn_id].abandon()
        self._emit(Stopped(request, ()))

    def _close(self, grace_s: float) -> None:
        if self._closing is None:
            self._closing = Closing(grace_s, on_progress=self._end_if_closed)
            for launching in self._launching.values():
                launching.abandon()
            self._closing.stop(*self._children.values())
            self._end_if_closed()

    def _end_if_closed(self) -> None:
        if self._closing is not None and not self._launching and not self._closing.waits_for:
            self._emit(KeeperClosed(tuple(self._closing.survivors)))
            self._loop.stop()


class Closing:
    """The stop of every process."""

    def __init__(self, grace_s: float, *, on_progress: Callable[[], None]) -> None:
        self._grace_s = grace_s
        self._on_progress = on_progress
        self.waits_for: set[Child] = set()
        self.survivors: list[int] = []

    def stop(self, *children: Child) -> None:
        # All noted first: one that has stopped before answers at once, and is not the last.
        self.waits_for.update(children)
        for child in children:
            child.stop(self._grace_s, partial(self._stopped, child))

    def _stopped(self, child: Child, survivors: tuple[int, ...]) -> None:
        self.waits_for.discard(child)
        self.survivors.extend(survivors)
        self._on_progress()
