"""Which terminal is dealt with next: whoever typed sees it at once, and floods and pictures take turns behind that.

One for the whole server, since all of its terminals share one loop.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

SMALL_BYTES: Final = 8 * 1024
"""So much costs less than waiting for a turn would. Keepers hand on a flood in larger pieces."""
ECHO_S: Final = 0.025
"""For a key's echo: some milliseconds of two processes. A program that echoes nothing must not stop others for long."""
FREE_TURNS: Final = 3
"""Of the loop, between two large pieces: so many steps a key takes from its socket to the keeper. Where nobody types
they cost some 10 µs each, a piece a hundred times that."""


class TerminalOrder:
    """One large piece of output in some turns of the loop, and none while somebody waits for an echo."""

    def __init__(self, *, echo_s: float = ECHO_S) -> None:
        self._echo_s = echo_s
        self._painting = asyncio.Lock()
        """One picture at a time: Python runs one thread at once, and each more would keep the loop from its turn."""
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._next: asyncio.Handle | None = None
        self._echoes: dict[object, float] = {}
        """Terminals that were typed into and have written nothing since, and until when others wait for them."""

    async def wait(self, terminal: object, size: int) -> None:
        """Returns when so many bytes of its output may be dealt with. Those who wait come in their order."""
        if terminal in self._echoes:
            self.forget(terminal)
            return
        if size <= SMALL_BYTES:
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        self._arrange()
        await turn

    async def paint(self, render: Callable[[], bytes]) -> bytes:
        """A picture, made in another thread."""
        async with self._painting:
            return await asyncio.to_thread(render)

    def typed(self, terminal: object) -> None:
        """Somebody did, and looks for the echo: what it writes next is taken for that."""
        self._echoes[terminal] = asyncio.get_running_loop().time() + self._echo_s

    def forget(self, terminal: object) -> None:
        """No echo is to come from it."""
        if self._echoes.pop(terminal, None) is not None and not self._echoes and self._next is not None:
            self._next.cancel()
            self._next = None
            self._arrange()

    def _arrange(self) -> None:
        if self._next is not None or not self._waiting:
            return
        loop = asyncio.get_running_loop()
        latest = max(self._echoes.values(), default=0.0)
        if latest > loop.time():
            self._next = loop.call_at(latest, self._give, 0)
        else:
            self._echoes.clear()
            self._next = loop.call_soon(self._give, FREE_TURNS)

    def _give(self, free_turns: int) -> None:
        if free_turns > 0:
            self._next = asyncio.get_running_loop().call_soon(self._give, free_turns - 1)
            return
        self._next = None
        if max(self._echoes.values(), default=0.0) > asyncio.get_running_loop().time():
            self._arrange()
            return
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                break
        self._arrange()
