"""One process behind the keeper's protocol, as the use cases see it (`ports.AgentProcess`)."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial

from idea.adapters.keeper.link import ExitNote, Link
from idea.domain.errors import Lost
from idea.domain.sessions import Exit, OutputChunk, OutputStream, Restored, StopReport, TerminalSize
from idea.keeper.protocol import (
    Acknowledge,
    Answer,
    Checkpoint,
    CloseInput,
    Done,
    Failed,
    Interrupt,
    Resize,
    Stop,
    Stopped,
    Write,
)
from idea.keeper.reports import Stream

PIECE_BYTES = 64 * 1024
"""Input goes to the keeper in pieces of this size, the next one when the process has room for it."""
ANSWER_S = 10.0
"""The keeper answers in microseconds unless its machine is in trouble."""
CHECKPOINT_BYTES = 512 * 1024
"""A checkpoint goes to the keeper in pieces of this size."""


class KeptProcess:
    def __init__(self, link: Link, *, spawn_id: str, pid: int, name: str, exit_note: ExitNote) -> None:
        self._link = link
        self._spawn_id = spawn_id
        self._pid = pid
        self._name = name
        self._exit = exit_note
        self._writing = asyncio.Lock()
        """The pieces of one write stay together."""
        self._checkpointing = asyncio.Lock()
        """So do those of one checkpoint."""
        self._piece: asyncio.Future[Answer] | None = None
        """The last piece sent. Outlives a cancelled write, so that the next one still comes behind it."""

    @property
    def pid(self) -> int:
        return self._pid

    async def write(self, data: bytes, *, write_id: str | None = None, answered: int | None = None) -> None:
        async with self._writing:
            # One piece also of nothing: something may have been answered by silence.
            starts = range(0, max(1, len(data)), PIECE_BYTES)
            for number, start in enumerate(starts):
                if self._piece is not None:
                    await asyncio.wait([self._piece])
                # Each piece may have been accepted when the whole was not; only with the last one is it answered.
                piece_id = f"{write_id}/{number}" if write_id is not None else ""
                until = answered if number + 1 == len(starts) else None
                self._piece = self._begin_write(data[start : start + PIECE_BYTES], piece_id, until)
                # The process may take its time; its end is what bounds this.
                await asyncio.wait([self._piece])
                if isinstance(self._piece.result(), Failed):
                    raise Lost(self._name)

    def _begin_write(self, piece: bytes, piece_id: str, answered: int | None) -> asyncio.Future[Answer]:
        return self._link.begin(lambda request: Write(request, self._spawn_id, piece, piece_id, answered))

    async def close_input(self) -> None:
        await self._link.ask(lambda request: CloseInput(request, self._spawn_id), timeout_s=ANSWER_S)

    async def resize(self, size: TerminalSize) -> None:
        await self._link.ask(lambda request: Resize(request, self._spawn_id, size.cols, size.rows), timeout_s=ANSWER_S)

    async def interrupt(self) -> None:
        await self._link.ask(lambda request: Interrupt(request, self._spawn_id), timeout_s=ANSWER_S)

    async def stop(self, *, grace_s: float) -> StopReport:
        if self._link.closed.is_set():
            # The keeper stopped everything before it closed; or it was lost, and nothing can be asked of it.
            return StopReport(self._exit.exit)
        answer = await self._link.ask(
            lambda request: Stop(request, self._spawn_id, grace_s), timeout_s=grace_s + ANSWER_S
        )
        return StopReport(self._exit.exit, answer.survivors if isinstance(answer, Stopped) else ())

    def output(self, stream: OutputStream, *, offset: int = 0) -> AsyncIterator[OutputChunk | Restored]:
        return self._link.read(self._spawn_id, Stream(stream.value), offset)

    async def consumed(self, stream: OutputStream, offset: int) -> None:
        self._link.consumed(self._spawn_id, Stream(stream.value), offset)

    async def acknowledge(self, stream: OutputStream, offset: int) -> None:
        if not self._link.closed.is_set():
            self._link.post(Acknowledge(self._spawn_id, Stream(stream.value), offset))

    async def checkpoint(self, offset: int, data: bytes) -> None:
        pieces = [data[start : start + CHECKPOINT_BYTES] for start in range(0, len(data), CHECKPOINT_BYTES)] or [b""]
        async with self._checkpointing:
            for number, piece in enumerate(pieces):
                command = partial(Checkpoint, spawn_id=self._spawn_id, offset=offset, data=piece, parts=len(pieces))
                answer = await self._link.ask(partial(command, part=number), timeout_s=ANSWER_S)
                if not isinstance(answer, Done):
                    raise Lost("The keeper")

    async def wait(self) -> Exit:
        """Raises `Lost` if the keeper went before it could say."""
        await self._exit.is_known.wait()
        if self._exit.exit is None:
            raise Lost("The keeper")
        return self._exit.exit
