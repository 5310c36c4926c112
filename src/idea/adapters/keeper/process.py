"""One process behind the keeper's protocol, as the use cases see it (`ports.AgentProcess`)."""

import asyncio
from collections.abc import AsyncIterator

from idea.adapters.keeper.link import ExitNote, KeeperAnswer, Link
from idea.domain.errors import Lost
from idea.domain.sessions import Exit, OutputChunk, OutputStream, StopReport, TerminalSize
from idea.keeper.protocol import Acknowledge, CloseInput, Failed, Interrupt, Resize, Stop, Stopped, Stream, Write

PIECE_BYTES = 64 * 1024
"""Input goes to the keeper in pieces of this size, the next one when the process has room for it."""
ANSWER_S = 10.0
"""The keeper answers in microseconds unless its machine is in trouble."""


class KeptProcess:
    def __init__(self, link: Link, *, spawn_id: str, pid: int, name: str, exit_note: ExitNote) -> None:
        self._link = link
        self._spawn_id = spawn_id
        self._pid = pid
        self._name = name
        self._exit = exit_note
        self._writing = asyncio.Lock()
        """The pieces of one write stay together."""
        self._piece: asyncio.Future[KeeperAnswer] | None = None
        """The last piece sent. Outlives a cancelled write, so that the next one still comes behind it."""

    @property
    def pid(self) -> int:
        return self._pid

    async def write(self, data: bytes) -> None:
        async with self._writing:
            for start in range(0, len(data), PIECE_BYTES):
                if self._piece is not None:
                    await asyncio.wait([self._piece])
                self._piece = self._begin_write(data[start : start + PIECE_BYTES])
                # The process may take its time; its end is what bounds this.
                await asyncio.wait([self._piece])
                if isinstance(self._piece.result(), Failed):
                    raise Lost(self._name)

    def _begin_write(self, piece: bytes) -> asyncio.Future[KeeperAnswer]:
        return self._link.begin(lambda request: Write(request, self._spawn_id, piece))

    async def close_input(self) -> None:
        await self._link.ask(lambda request: CloseInput(request, self._spawn_id), timeout_s=ANSWER_S)

    async def resize(self, size: TerminalSize) -> None:
        await self._link.ask(lambda request: Resize(request, self._spawn_id, size.cols, size.rows), timeout_s=ANSWER_S)

    async def interrupt(self) -> None:
        await self._link.ask(lambda request: Interrupt(request, self._spawn_id), timeout_s=ANSWER_S)

    async def stop(self, *, grace_s: float) -> StopReport:
        if self._link.closed.is_set():
            # The keeper stopped everything before it closed.
            return StopReport(self._exit.exit)
        answer = await self._link.ask(
            lambda request: Stop(request, self._spawn_id, grace_s), timeout_s=grace_s + ANSWER_S
        )
        return StopReport(self._exit.exit, answer.survivors if isinstance(answer, Stopped) else ())

    async def output(self, stream: OutputStream, *, offset: int = 0) -> AsyncIterator[OutputChunk]:
        async for output in self._link.read(self._spawn_id, Stream(stream.value), offset):
            yield OutputChunk(output.offset, output.data)

    async def acknowledge(self, stream: OutputStream, offset: int) -> None:
        if not self._link.closed.is_set():
            self._link.post(Acknowledge(self._spawn_id, Stream(stream.value), offset))

    async def wait(self) -> Exit:
        """Raises `Lost` if the keeper went before it could say."""
        await self._exit.is_known.wait()
        if self._exit.exit is None:
            raise Lost("The keeper")
        return self._exit.exit
