"""What goes into a terminal: keystrokes of people and the emulator's answers, in one order, through one writer."""

import asyncio
from collections import deque
from typing import Final

from idea.application.ports import AgentProcess
from idea.domain.errors import Closed, Lost, Refused

TYPED_BYTES: Final = 1024 * 1024
"""A program that does not read gets no more than this kept; a paste beyond it is refused whole."""
ANSWER_BYTES: Final = 64 * 1024
"""Answers beyond this are dropped: who asks so often without reading the answers waits for none of them."""


class TerminalInput:
    """Never waits in the caller: the reader of a program's output must not wait for the program to read."""

    def __init__(self, program: str) -> None:
        self._program = program
        self._waiting: deque[bytes] = deque()
        self._waiting_bytes = 0
        self._arrived = asyncio.Event()
        self._is_closed = False

    async def run(self, process: AgentProcess) -> None:
        """Until cancelled, or until the process reads no more."""
        try:
            while True:
                await self._arrived.wait()
                self._arrived.clear()
                while self._waiting:
                    data = b"".join(self._waiting)
                    self._waiting.clear()
                    await process.write(data)
                    self._waiting_bytes -= len(data)
        except (Closed, Lost):
            self.close()

    def type(self, data: bytes) -> None:
        """Raises `Lost` after the end, `Refused` when the program does not read."""
        if self._is_closed:
            raise Lost(self._program)
        if self._waiting_bytes + len(data) > TYPED_BYTES:
            raise Refused(
                f"{self._program} does not read its terminal, so nothing more can be typed into it.",
                why="terminalDeaf",
                program=self._program,
            )
        self._put(data)

    def answer(self, data: bytes) -> None:
        if data and not self._is_closed and self._waiting_bytes + len(data) <= ANSWER_BYTES:
            self._put(data)

    def close(self) -> None:
        self._is_closed = True
        self._waiting.clear()

    def _put(self, data: bytes) -> None:
        self._waiting.append(data)
        self._waiting_bytes += len(data)
        self._arrived.set()
