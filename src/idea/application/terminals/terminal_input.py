"""What goes into a terminal: keystrokes of people and the emulator's answers, in one order, through one writer."""

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from idea.application.ports import AgentProcess
from idea.domain.errors import Closed, Lost, Refused

TYPED_BYTES: Final = 1024 * 1024
"""A program that does not read gets no more than this kept; a paste beyond it is refused whole."""
ANSWER_BYTES: Final = 64 * 1024
"""Answers beyond this are dropped: who asks so often without reading the answers waits for none of them."""
WRITE_BYTES: Final = 64 * 1024
"""What waits together is written together, up to this size: a keeper takes so much of it wholly or not at all."""


@dataclass(frozen=True, slots=True)
class Answer:
    """To what the program asked in its output before the offset `answered`."""

    data: bytes
    answered: int


@dataclass(frozen=True, slots=True)
class _Keys:
    data: bytes


@dataclass(frozen=True, slots=True, eq=False)
class _Alone:
    """Goes in a write of its own; `written` is done when the program's side holds all of it."""

    data: bytes
    written: asyncio.Future[None]


_Piece = Answer | _Keys | _Alone


class TerminalInput:
    """Never waits in the caller: the reader of a program's output must not wait for the program to read."""

    def __init__(self, program: str) -> None:
        self._program = program
        self._waiting: deque[_Piece] = deque()
        self._waiting_bytes = 0
        self._writing: Sequence[_Piece] = ()
        self._arrived = asyncio.Event()
        self._is_closed = False

    async def run(self, process: AgentProcess) -> None:
        """Until cancelled, or until the process reads no more."""
        try:
            while True:
                await self._arrived.wait()
                self._arrived.clear()
                while self._waiting:
                    self._writing = self._take()
                    data = b"".join(piece.data for piece in self._writing)
                    answers = [piece.answered for piece in self._writing if isinstance(piece, Answer)]
                    await process.write(data, answered=max(answers, default=None))
                    _tell_written(self._writing)
                    self._writing = ()
                    self._waiting_bytes -= len(data)
        except (Closed, Lost):
            self.close()

    def type(self, data: bytes) -> None:
        """Raises `Lost` after the end, `Refused` when the program does not read."""
        self._check_room(data)
        self._put(_Keys(data))

    async def type_alone(self, data: bytes, *, within_s: float) -> None:
        """Returns when the program's side holds all of it. Cancelled before it was begun, nothing of it is typed.

        Raises:
            Lost: the program has ended.
            Refused: the program does not read; nothing of it is typed.
            TimeoutError: a part of it may be typed.
        """
        self._check_room(data)
        piece = _Alone(data, asyncio.get_running_loop().create_future())
        self._put(piece)
        try:
            async with asyncio.timeout(within_s):
                await piece.written
        except TimeoutError:
            if piece in self._waiting:
                raise self._deaf() from None
            raise
        finally:
            self._withdraw(piece)

    def answer(self, data: bytes, *, answered: int) -> None:
        """`answered` is the offset in the output up to which the program's queries have their answers with this."""
        if data and not self._is_closed and self._waiting_bytes + len(data) <= ANSWER_BYTES:
            self._put(Answer(data, answered))

    def unwritten_answers(self) -> Sequence[Answer]:
        """Those of which it is not known that the keeper has them, oldest first."""
        return [piece for piece in (*self._writing, *self._waiting) if isinstance(piece, Answer)]

    def close(self) -> None:
        self._is_closed = True
        for piece in (*self._writing, *self._waiting):
            if isinstance(piece, _Alone) and not piece.written.done():
                piece.written.set_exception(Lost(self._program))
        self._waiting.clear()
        self._writing = ()

    def _check_room(self, data: bytes) -> None:
        if self._is_closed:
            raise Lost(self._program)
        if self._waiting_bytes + len(data) > TYPED_BYTES:
            raise self._deaf()

    def _deaf(self) -> Refused:
        return Refused(
            f"{self._program} does not read its terminal, so nothing more can be typed into it.",
            why="terminalDeaf",
            program=self._program,
        )

    def _withdraw(self, piece: _Alone) -> None:
        if piece in self._waiting:
            self._waiting.remove(piece)
            self._waiting_bytes -= len(piece.data)

    def _put(self, piece: _Piece) -> None:
        self._waiting.append(piece)
        self._waiting_bytes += len(piece.data)
        self._arrived.set()

    def _take(self) -> Sequence[_Piece]:
        taken = [self._waiting.popleft()]
        size = len(taken[0].data)
        while self._waiting and not isinstance(taken[0], _Alone) and not isinstance(self._waiting[0], _Alone):
            if size + len(self._waiting[0].data) > WRITE_BYTES:
                break
            taken.append(self._waiting.popleft())
            size += len(taken[-1].data)
        return taken


def _tell_written(pieces: Sequence[_Piece]) -> None:
    for piece in pieces:
        if isinstance(piece, _Alone) and not piece.written.done():
            piece.written.set_result(None)
