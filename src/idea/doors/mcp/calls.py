"""Tool calls that run: taken back when their peer or their client does, refused when the project closes."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine

from idea.domain.errors import Closed, IdeaError
from idea.doors.mcp.tools import ToolAnswer, refusal

logger = logging.getLogger(__name__)

OnWaiting = Callable[[float], Awaitable[None]]
"""Told every few seconds how many seconds a call has lasted."""


class Calls:
    """All the calls of one door.

    Each is a task of the door's group and not of its peer: the MCP SDK cancels a request over and over until it ends,
    while a call that is taken back must be cancelled once and then be left to put its things in order.
    """

    def __init__(self, tasks: asyncio.TaskGroup, *, waiting_every_s: float) -> None:
        self._tasks = tasks
        self._every_s = waiting_every_s
        self._running: set[asyncio.Task[ToolAnswer]] = set()
        self._closing: asyncio.Future[ToolAnswer] = asyncio.get_running_loop().create_future()
        """Resolved when the project closes, with what every call then gets."""

    async def run(self, work: Coroutine[object, object, ToolAnswer], on_waiting: OnWaiting | None) -> ToolAnswer:
        """The call's answer. Never raises but `CancelledError`, which takes the call back."""
        if self.is_closed:
            work.close()
            return _closed()
        call = self._tasks.create_task(_contained(work), name="mcp-call")
        self._running.add(call)
        call.add_done_callback(self._running.discard)
        try:
            await self._wait(call, on_waiting)
        finally:
            call.cancel()
        return call.result() if call.done() and not call.cancelled() else _closed()

    async def _wait(self, call: asyncio.Task[ToolAnswer], on_waiting: OnWaiting | None) -> None:
        every_s = None if on_waiting is None else self._every_s
        waited_s = 0.0
        while True:
            ended, _ = await asyncio.wait({call, self._closing}, timeout=every_s, return_when=asyncio.FIRST_COMPLETED)
            if ended or on_waiting is None:
                return
            waited_s += self._every_s
            await on_waiting(waited_s)

    @property
    def is_closed(self) -> bool:
        return self._closing.done()

    def close(self) -> None:
        """Every running and later call is answered with `Closed`. Idempotent."""
        if not self.is_closed:
            self._closing.set_result(_closed())

    async def wait_closed(self, *, patience_s: float) -> None:
        """Wait for what the calls still put in order."""
        if self._running:
            await asyncio.wait(set(self._running), timeout=patience_s)


async def _contained(work: Coroutine[object, object, ToolAnswer]) -> ToolAnswer:
    try:
        return await work
    except IdeaError as error:
        return refusal(error)
    except Exception:
        # One call's bug must end neither the door nor the other agents' calls.
        logger.exception("a tool call failed")
        return refusal(IdeaError("IdeA failed at this"))


def _closed() -> ToolAnswer:
    return refusal(Closed("The project"))
