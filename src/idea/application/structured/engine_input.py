"""What a CLI is told, one message after the other. Who says something does not wait for the CLI to take it.

A CLI that is halted, or busy, takes nothing: whoever waited for it would be as deaf, to clocks and to people.
"""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from idea.application.ports import AgentProcess
from idea.application.structured.open_turn import OpenTurn
from idea.domain.errors import Lost

ANSWERED_S: Final = 1.0
"""The answer comes with the end; without any, the message counts as not taken."""
WAITING: Final = 64
"""Messages that a CLI has not taken; one that lets so many lie answers nobody any more."""


@dataclass(frozen=True, slots=True)
class _Message:
    data: bytes
    write_id: str | None
    prompt_of: OpenTurn | None


class EngineInput:
    """Of one process."""

    def __init__(self, agent_name: str) -> None:
        self._agent_name = agent_name
        self._waiting: asyncio.Queue[_Message] = asyncio.Queue(maxsize=WAITING)
        self._current: _Message | None = None
        self._is_between = asyncio.Event()
        """No message is on its way."""
        self._is_between.set()
        self._is_closed = False

    def put(self, data: bytes, *, write_id: str | None, prompt_of: OpenTurn | None = None) -> None:
        """The turn whose prompt it is hears of it only if the process never takes it.

        Raises:
            Lost: it takes nothing any more.
        """
        if self._is_closed or self._waiting.full():
            raise Lost(self._agent_name)
        self._waiting.put_nowait(_Message(data, write_id, prompt_of))

    async def run(self, process: AgentProcess) -> None:
        """Until the process takes nothing any more. Cancelling it leaves in doubt what was taken, `close` does not."""
        while not self._is_closed:
            self._current = await self._waiting.get()
            self._is_between.clear()
            try:
                await process.write(self._current.data, write_id=self._current.write_id)
            except Lost:
                self.close()
            self._current = None
            self._is_between.set()

    async def wait_answered(self) -> None:
        """After the process's end: until it is known whether it had taken the message that was on its way.

        Its keeper answers each write, but who waits for the end hears of that first.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(ANSWERED_S):
                await self._is_between.wait()

    def close(self) -> None:
        """Nothing is taken from now on: the turns whose messages were not taken whole are told. Idempotent."""
        self._is_closed = True
        rest = [self._current] if self._current is not None else []
        self._current = None
        while not self._waiting.empty():
            rest.append(self._waiting.get_nowait())
        for message in rest:
            if message.prompt_of is not None:
                message.prompt_of.stream.tell_not_taken()
