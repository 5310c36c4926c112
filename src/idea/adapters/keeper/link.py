"""The client's half of the keeper's protocol: commands become awaits, streams become iterators.

Knows nothing of where the keeper runs; `post` carries a command there, `received` takes what it says.
"""

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable

from idea.domain.errors import Closed, Lost
from idea.domain.sessions import Exit
from idea.keeper.protocol import (
    Command,
    Done,
    Event,
    Exited,
    Failed,
    KeeperClosed,
    Output,
    Read,
    Reason,
    Spawned,
    Stopped,
    Stream,
    StreamEnded,
    Unread,
)

KeeperAnswer = Spawned | Done | Stopped | Failed


class ExitNote:
    """How one process ended, once that is known."""

    def __init__(self) -> None:
        self.is_known = asyncio.Event()
        self.exit: Exit | None = None
        """None beside `is_known` means that the keeper went first."""


class Link:
    """Belongs to one event loop."""

    def __init__(self, post: Callable[[Command], None]) -> None:
        self._post = post
        self._numbers = itertools.count(1)
        self._answers: dict[int, asyncio.Future[KeeperAnswer]] = {}
        self._readers: dict[int, asyncio.Queue[Output | None]] = {}
        self._exits: dict[str, ExitNote] = {}
        self.closed = asyncio.Event()

    def post(self, command: Command) -> None:
        """A command that has no answer. Raises `Closed`."""
        if self.closed.is_set():
            raise Closed("The keeper")
        self._post(command)

    def begin(self, make: Callable[[int], Command]) -> asyncio.Future[KeeperAnswer]:
        """Send the command that `make` makes of a request number. Raises `Closed`, and so may the future."""
        request = next(self._numbers)
        self.post(make(request))
        answer = asyncio.get_running_loop().create_future()
        self._answers[request] = answer
        return answer

    async def ask(self, make: Callable[[int], Command], *, timeout_s: float) -> KeeperAnswer:
        """As `begin`, with the answer. Raises `Lost` when the keeper is silent for `timeout_s`."""
        try:
            async with asyncio.timeout(timeout_s):
                return await self.begin(make)
        except TimeoutError as error:
            raise Lost("The keeper") from error

    def exit_note(self, spawn_id: str) -> ExitNote:
        return self._exits.setdefault(spawn_id, ExitNote())

    def forget(self, spawn_id: str) -> None:
        """Nothing was spawned under this id."""
        self._exits.pop(spawn_id, None)

    async def read(self, spawn_id: str, stream: Stream, offset: int) -> AsyncIterator[Output]:
        reader = next(self._numbers)
        # Unbounded here, bounded there: the keeper stops reading at its window of unacknowledged bytes.
        queue: asyncio.Queue[Output | None] = asyncio.Queue()
        if self.closed.is_set():
            return
        self._post(Read(reader, spawn_id, stream, offset))
        self._readers[reader] = queue
        try:
            while (output := await queue.get()) is not None:
                yield output
        finally:
            if self._readers.pop(reader, None) is not None and not self.closed.is_set():
                self._post(Unread(reader, spawn_id))

    def received(self, event: Event) -> None:
        match event:
            case Output(reader):
                if reader in self._readers:
                    self._readers[reader].put_nowait(event)
            case StreamEnded(reader):
                if reader in self._readers:
                    self._readers[reader].put_nowait(None)
            case Exited(spawn_id, code, signal):
                note = self.exit_note(spawn_id)
                # Said again to who repeats a spawn, so nothing needs to be kept here.
                del self._exits[spawn_id]
                note.exit = Exit(code, signal)
                note.is_known.set()
            case KeeperClosed():
                self.close()
            case _:
                answer = self._answers.pop(event.request, None)
                if answer is not None and not answer.done():
                    answer.set_result(event)

    def close(self) -> None:
        """The keeper is gone: whoever waits learns it. Idempotent."""
        self.closed.set()
        for answer in self._answers.values():
            if not answer.done():
                answer.set_result(Failed(0, Reason.LOST))
        self._answers.clear()
        for queue in self._readers.values():
            queue.put_nowait(None)
        for note in self._exits.values():
            note.is_known.set()
        self._exits.clear()
