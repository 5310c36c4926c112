"""The client's half of the keeper's protocol: commands become awaits, streams become iterators.

Knows nothing of where the keeper runs; `post` carries a command there, `received` takes what it says.
"""

import asyncio
import itertools
from collections import deque
from collections.abc import AsyncIterator, Callable

from idea.domain.errors import Closed, KeeperSilent, Lost
from idea.domain.sessions import Exit, OutputChunk, Restored
from idea.keeper import protocol
from idea.keeper.protocol import Answer, Command, Consumed, Event, Failed, Read, Reason, Unread
from idea.keeper.reports import Stream

CONSUMED_STEP_BYTES = 256 * 1024
"""Told in steps of this size, well inside the keeper's window, instead of once a chunk."""

LOOKS = 10
"""A wait for an answer is so many short ones: a machine that stood still costs one of them."""


TOGETHER_BYTES = 128 * 1024
"""A reader that is slower than the keeper gets what came meanwhile in pieces of up to this size."""


OnHeld = Callable[[str, str], None]
"""Hears of a process (its spawn id) that waits, since what it writes cannot be put by: why, or empty once it can."""


class ExitNote:
    """How one process ended, once that is known."""

    def __init__(self) -> None:
        self.is_known = asyncio.Event()
        self.exit: Exit | None = None
        """None beside `is_known` means that the keeper went first."""

    def tell(self, exit: Exit) -> None:
        self.exit = exit
        self.is_known.set()


class _Reading:
    """One reading of one stream, on our side."""

    def __init__(self, spawn_id: str, stream: Stream, offset: int) -> None:
        self.of = (spawn_id, stream)
        self.consumed = offset
        """What the keeper was told."""
        # Unbounded here, bounded there: the keeper sends at most a window ahead.
        self._came: deque[OutputChunk | Restored] = deque()
        self._pieces: list[bytes] = []
        self._is_over = False
        self._changed = asyncio.Event()

    def take(self, event: protocol.Output | protocol.Restored) -> None:
        if self._is_over:
            # A keeper that is ending still passes on what its agents say of that.
            return
        match event:
            case protocol.Output(_, offset, data):
                self._came.append(OutputChunk(offset, data))
            case protocol.Restored(_, offset, data, part, parts):
                self._pieces.append(data)
                if part + 1 == parts:
                    self._came.append(Restored(offset, b"".join(self._pieces)))
                    self._pieces.clear()
        self._changed.set()

    def end(self) -> None:
        self._is_over = True
        self._changed.set()

    async def next(self) -> OutputChunk | Restored | None:
        """What waited together comes together; None at the end."""
        while not self._came:
            if self._is_over:
                return None
            self._changed.clear()
            await self._changed.wait()
        first = self._came.popleft()
        if isinstance(first, Restored):
            return first
        parts, size = [first.data], len(first.data)
        while self._came and isinstance(following := self._came[0], OutputChunk):
            size += len(following.data)
            if size > TOGETHER_BYTES or following.offset != first.offset + size - len(following.data):
                break
            parts.append(following.data)
            self._came.popleft()
        return first if len(parts) == 1 else OutputChunk(first.offset, b"".join(parts))


class Link:
    """Belongs to one event loop."""

    def __init__(self, post: Callable[[Command], None]) -> None:
        self._post = post
        self._numbers = itertools.count(1)
        self._answers: dict[int, asyncio.Future[Answer]] = {}
        self._readings: dict[int, _Reading] = {}
        self._exits: dict[str, ExitNote] = {}
        self.on_held: OnHeld = lambda _spawn_id, _detail: None
        self.closed = asyncio.Event()
        self.is_lost = False
        self.pid: int | None = None
        """The keeper's, once it has said so; None for one within this process."""
        self.survivors: tuple[int, ...] | None = None
        """Of the keeper's own end; None when it did not say, or lives on."""

    def post(self, command: Command) -> None:
        """A command that has no answer. Raises `Closed`, or `Lost` when it was not us who ended it."""
        if self.closed.is_set():
            raise Lost("The keeper") if self.is_lost else Closed("The keeper")
        self._post(command)

    def begin(self, make: Callable[[int], Command]) -> "asyncio.Future[Answer]":
        """Send the command that `make` makes of a request number. Raises as `post` does."""
        request = next(self._numbers)
        self.post(make(request))
        answer = asyncio.get_running_loop().create_future()
        self._answers[request] = answer
        return answer

    async def ask(self, make: Callable[[int], Command], *, timeout_s: float) -> Answer:
        """As `begin`, with the answer. Raises `KeeperSilent` when there is none for `timeout_s`.

        Time in which we did not run does not count: the answer may have come in it, and nobody has looked.
        """
        answer = self.begin(make)
        for _ in range(LOOKS):
            if (await asyncio.wait([answer], timeout=timeout_s / LOOKS))[0]:
                return answer.result()
        raise KeeperSilent(self.pid)

    def exit_note(self, spawn_id: str) -> ExitNote:
        return self._exits.setdefault(spawn_id, ExitNote())

    def forget(self, spawn_id: str) -> None:
        """Nothing was spawned under this id."""
        self._exits.pop(spawn_id, None)

    async def read(self, spawn_id: str, stream: Stream, offset: int) -> AsyncIterator[OutputChunk | Restored]:
        reader = next(self._numbers)
        if self.closed.is_set():
            return
        reading = self._readings[reader] = _Reading(spawn_id, stream, offset)
        self._post(Read(reader, spawn_id, stream, offset))
        try:
            while (output := await reading.next()) is not None:
                yield output
        finally:
            if self._readings.pop(reader, None) is not None and not self.closed.is_set():
                self._post(Unread(reader, spawn_id))

    def consumed(self, spawn_id: str, stream: Stream, offset: int) -> None:
        """By whoever reads this stream."""
        if self.closed.is_set():
            return
        for reader, reading in self._readings.items():
            if reading.of == (spawn_id, stream) and offset - reading.consumed >= CONSUMED_STEP_BYTES:
                reading.consumed = offset
                self._post(Consumed(reader, offset))

    def received(self, event: Event) -> None:
        match event:
            case protocol.Output(reader) | protocol.Restored(reader):
                if reader in self._readings:
                    self._readings[reader].take(event)
            case protocol.StreamEnded(reader):
                if reader in self._readings:
                    self._readings[reader].end()
            case protocol.Exited(spawn_id, code, signal):
                self.exit_note(spawn_id).tell(Exit(code, signal))
                # Said again to who repeats a spawn, so nothing needs to be kept here.
                del self._exits[spawn_id]
            case protocol.OutputHeld(spawn_id, detail):
                self.on_held(spawn_id, detail)
            case protocol.KeeperClosing():
                # Its agents are being ended with it. How they do is nothing that they did.
                self.lose()
            case protocol.KeeperClosed(survivors):
                self.survivors = survivors
                self.close()
            case protocol.Attached():
                # Who attaches waits for this before there is a link.
                pass
            case _:
                self._answered(event)

    def _answered(self, event: Answer) -> None:
        answer = self._answers.pop(event.request, None)
        if answer is not None and not answer.done():
            answer.set_result(event)

    def lose(self) -> None:
        """The keeper, or the way to it, has ended by itself. Without effect once closed."""
        self.is_lost = self.is_lost or not self.closed.is_set()
        self.close()

    def close(self) -> None:
        """Nothing more comes from the keeper: whoever waits learns it. Idempotent."""
        self.closed.set()
        for answer in self._answers.values():
            if not answer.done():
                answer.set_result(Failed(0, Reason.LOST))
        self._answers.clear()
        for reading in self._readings.values():
            reading.end()
        for note in self._exits.values():
            note.is_known.set()
        self._exits.clear()
