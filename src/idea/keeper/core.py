"""The keeper itself: takes commands, owns the processes, says what happens to them. Decides nothing."""

import os
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path

from idea import __version__
from idea.keeper.checkpoints import Checkpoints
from idea.keeper.child import Child
from idea.keeper.children import Children
from idea.keeper.client import Client
from idea.keeper.closing import Closing
from idea.keeper.locks import Locks
from idea.keeper.loop import Loop
from idea.keeper.outputs import OutputPipe
from idea.keeper.protocol import (
    PROTOCOL,
    Acknowledge,
    Attach,
    Attached,
    Checkpoint,
    Close,
    CloseInput,
    Command,
    Consumed,
    Done,
    Failed,
    Forget,
    Hello,
    Interrupt,
    KeeperClosed,
    KeeperClosing,
    Lock,
    Look,
    OutputHeld,
    Read,
    Reason,
    Resize,
    Spawn,
    Steering,
    Stop,
    StreamEnded,
    Streaming,
    Unlock,
    Unread,
    Write,
)
from idea.keeper.reports import Stream


class KeeperCore:
    """Everything belongs to the thread that runs `loop`. The agents die with that thread."""

    def __init__(self, *, loop: Loop, folder: Path, name: str, on_closed: Callable[[], None]) -> None:
        """`folder` takes what is too much for the memory; `name` says in locks how this keeper is reached.

        `on_closed` is called when every process was stopped; `say_closed` is then still to come.
        """
        self._loop = loop
        self._on_closed = on_closed
        self._identity = os.urandom(8).hex()
        self._locks = Locks(loop=loop, name=name)
        self.children = Children(
            loop=loop,
            folder=folder,
            locks=self._locks,
            on_exit=self._tell_exit,
            on_fault=self._tell_fault,
            on_progress=self._progressed,
        )
        self._checkpoints = Checkpoints(folder)
        self._client: Client | None = None
        self._is_answered = False
        """It has been told that it is attached."""
        self._epoch = 0
        self._closing: Closing | None = None
        self._closers: list[Client] = []
        self._is_closed = False
        self.on_quiet: Callable[[], None] = lambda: None
        """Called when it may be that nothing runs any more and nobody is attached."""

    @property
    def is_attached(self) -> bool:
        return self._client is not None

    def take(self, command: Command, client: Client) -> None:
        match command:
            case Spawn():
                self._spawn(command, client)
            case Stop(request, spawn_id, grace_s):
                self.children.stop(request, spawn_id, grace_s, client)
            case Forget(spawn_id):
                self._checkpoints.forget(spawn_id)
                self.children.forget(spawn_id)
            case Lock():
                self._locks.take(command, client)
            case Unlock():
                self._locks.release(command.path)
                client.tell(Done(command.request))
            case Look(request):
                client.tell(self.hello(request))
            case Attach(protocol):
                self._attach(client, protocol)
            case Close(grace_s):
                self._close(grace_s, client)
            case Write() | CloseInput() | Resize() | Interrupt():
                self._steer(command, client)
            case _:
                self._stream(command, client)

    def hello(self, request: int = 0) -> Hello:
        return Hello(
            request,
            self._identity,
            PROTOCOL,
            __version__,
            os.getpid(),
            self._epoch,
            self._closing is not None,
            self.children.reports(),
        )

    def rename(self, name: str) -> None:
        """As `name` of the constructor, from now on."""
        self._locks.rename(name)

    def detach(self, client: Client) -> None:
        """It is gone. Nobody but the attached one leaves anything behind."""
        if client is self._client:
            self._client = None
            for output in self._outputs():
                output.unread_all()
            self._checkpoints.drop_parts()
            self.on_quiet()

    def close(self, grace_s: float) -> None:
        """Stop every process, then end. A repeat may give less time."""
        if self._closing is not None:
            self._closing.hurry(grace_s)
            return
        self._closing = Closing(grace_s, on_progress=self._end_if_closed)
        # Before the first signal: an agent that is being ended may still say something, and end as if it were done.
        self._tell_closing()
        self.children.abandon_launches()
        self._closing.stop(*self.children)
        self._end_if_closed()

    def _attach(self, client: Client, protocol: int) -> None:
        if not 1 <= protocol <= PROTOCOL:
            client.tell(Failed(0, Reason.UNSUPPORTED, detail=f"protocol {protocol}"))
            return
        before = self._client
        if before is not None and before is not client:
            self.detach(before)
            before.dismiss()
        self._client = client
        self._epoch += 1
        self._is_answered = False
        # Whoever attaches finds all that was started for the one before, or would start it a second time.
        self.children.when_launched(partial(self._answer_attach, client, Attached(self._epoch)))

    def _answer_attach(self, client: Client, attached: Attached) -> None:
        client.tell(attached)
        if client is self._client:
            self._is_answered = True
            self._tell_closing()

    def _tell_closing(self) -> None:
        # Whoever says `Close` wants the agents stopped, which is no loss.
        if self._closing is not None and not self._closers and self._client is not None and self._is_answered:
            self._client.tell(KeeperClosing())

    def _spawn(self, spawn: Spawn, client: Client) -> None:
        if self._closing is not None and self.children.find(spawn.spawn_id) is None:
            client.tell(Failed(spawn.request, Reason.SPAWN, detail="the keeper is closing"))
            return
        self.children.spawn(spawn, client)

    def _steer(self, command: Steering, client: Client) -> None:
        child = self.children.find(command.spawn_id)
        if child is None:
            client.tell(Failed(command.request, Reason.UNKNOWN))
            return
        match command:
            case Write():
                child.write(command, client)
                return
            case CloseInput():
                child.close_input()
            case Resize(_, _, cols, rows):
                child.resize(cols, rows)
            case Interrupt():
                child.interrupt()
        client.tell(Done(command.request))

    def _stream(self, command: Streaming, client: Client) -> None:
        match command:
            case Read(reader, spawn_id, stream, offset):
                if (output := self._output(spawn_id, stream)) is not None:
                    output.read(client, reader, offset)
                else:
                    client.tell(StreamEnded(reader))
            case Consumed(reader, offset):
                for output in self._outputs():
                    output.consume(reader, offset)
            case Unread(reader):
                for output in self._outputs():
                    output.unread(reader)
            case Acknowledge(spawn_id, stream, offset):
                if (output := self._output(spawn_id, stream)) is not None:
                    output.acknowledge(offset)
            case Checkpoint():
                self._checkpoints.take(command, self._output(command.spawn_id, Stream.TERMINAL), client)

    def _output(self, spawn_id: str, stream: Stream) -> OutputPipe | None:
        child = self.children.find(spawn_id)
        return child.output(stream) if child is not None else None

    def _outputs(self) -> Iterator[OutputPipe]:
        return chain.from_iterable(child.outputs() for child in self.children)

    def _tell_exit(self, child: Child) -> None:
        # Nobody is told anything before that answer; what ends until then is in the reports that are asked for next.
        if self._client is not None and self._is_answered:
            child.tell_exit(self._client)

    def _tell_fault(self, child: Child) -> None:
        if self._client is not None and self._is_answered:
            self._client.tell(OutputHeld(child.spawn_id, child.fault))

    def _close(self, grace_s: float, client: Client) -> None:
        self._closers.append(client)
        self.close(grace_s)

    def _progressed(self) -> None:
        # One that became a process while the keeper closes is stopped like the others.
        if self._closing is not None:
            self._closing.stop(*(child for child in self.children if not child.is_stopping))
        self._end_if_closed()
        self.on_quiet()

    def _end_if_closed(self) -> None:
        if self._closing is None or self._is_closed or self.children.is_launching or self._closing.waits_for:
            return
        self._is_closed = True
        self._on_closed()

    def say_closed(self, others: tuple[int, ...] = ()) -> None:
        """The last word, with the survivors of the stops and `others`."""
        survivors = self._closing.survivors if self._closing is not None else []
        closed = KeeperClosed((*survivors, *others))
        for client in {*self._closers, *([self._client] if self._client is not None else [])}:
            client.tell(closed)
        self._closers.clear()
        self._locks.release_all()
