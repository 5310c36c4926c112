"""Tool calls that run: they outlive a connection, and end early when taken back or when the project closes."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Coroutine
from dataclasses import dataclass

from idea.domain.errors import Closed, Conflict, IdeaError
from idea.doors.mcp.peer import BridgeId
from idea.doors.mcp.tools import ToolAnswer, refusal

logger = logging.getLogger(__name__)

OnWaiting = Callable[[float], Awaitable[None]]
"""Told every few seconds how many seconds a call has lasted."""
Work = Callable[[], Coroutine[object, object, ToolAnswer]]


@dataclass(frozen=True, slots=True)
class CallId:
    """One call, over whichever connection it is made: a line that is sent again is the same call."""

    bridge: BridgeId
    line: int


@dataclass(slots=True, eq=False)
class _Call:
    task: asyncio.Task[ToolAnswer]
    what: object
    """The tool and its arguments."""
    waited_s: float = 0.0


class Calls:
    """All the calls of one door.

    Each is a task of the door's group and neither of its peer nor of the MCP SDK, which cancels a request over and over
    until it ends, while a call that is taken back must be cancelled once and then be left to put its things in order.
    """

    def __init__(self, tasks: asyncio.TaskGroup, *, waiting_every_s: float) -> None:
        self._tasks = tasks
        self._every_s = waiting_every_s
        self._calls: dict[CallId, _Call] = {}
        """Until somebody took the answer, or nobody will."""
        self._running: set[asyncio.Task[ToolAnswer]] = set()
        self._closing: asyncio.Future[ToolAnswer] = asyncio.get_running_loop().create_future()
        """Resolved when the project closes, with what every call then gets."""

    async def run(self, call_id: CallId, what: object, work: Work, on_waiting: OnWaiting | None) -> ToolAnswer:
        """The answer of this call, which begins now or goes on. Cancelling this leaves the call as it is.

        Never raises but `CancelledError`.
        """
        if self.is_closed:
            return _closed()
        call = self._calls.get(call_id)
        if call is None:
            call = self._calls[call_id] = _Call(self._begin(work), what)
        elif call.what != what:
            return refusal(Conflict("This call was made before, with other arguments."))
        await self._wait(call, on_waiting)
        if self._calls.get(call_id) is call:
            del self._calls[call_id]
        if call.task.done() and not call.task.cancelled():
            return call.task.result()
        return _closed()

    def take_back(self, call_id: CallId) -> None:
        """Idempotent."""
        call = self._calls.pop(call_id, None)
        if call is not None:
            call.task.cancel()

    def keep_only(self, bridge: BridgeId, lines: Collection[int]) -> None:
        """Take back all the other calls of this bridge."""
        for call_id in self._of(bridge):
            if call_id.line not in lines:
                self.take_back(call_id)

    def has_any(self, bridge: BridgeId) -> bool:
        return bool(self._of(bridge))

    @property
    def is_closed(self) -> bool:
        return self._closing.done()

    def close(self) -> None:
        """Every running and later call is answered with `Closed`. Idempotent."""
        if not self.is_closed:
            self._closing.set_result(_closed())
            for call_id in tuple(self._calls):
                self.take_back(call_id)

    async def wait_closed(self, *, patience_s: float) -> None:
        """Wait for what the calls still put in order."""
        if self._running:
            await asyncio.wait(set(self._running), timeout=patience_s)

    def _of(self, bridge: BridgeId) -> list[CallId]:
        return [call_id for call_id in self._calls if call_id.bridge == bridge]

    def _begin(self, work: Work) -> asyncio.Task[ToolAnswer]:
        task = self._tasks.create_task(_contained(work), name="mcp-call")
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    async def _wait(self, call: _Call, on_waiting: OnWaiting | None) -> None:
        every_s = None if on_waiting is None else self._every_s
        while True:
            ended, _ = await asyncio.wait(
                {call.task, self._closing}, timeout=every_s, return_when=asyncio.FIRST_COMPLETED
            )
            if ended or on_waiting is None:
                return
            # Of the call and not of this connection: progress must never go back.
            call.waited_s += self._every_s
            await on_waiting(call.waited_s)


async def _contained(work: Work) -> ToolAnswer:
    try:
        return await work()
    except IdeaError as error:
        return refusal(error)
    except Exception:
        # One call's bug must end neither the door nor the other agents' calls.
        logger.exception("a tool call failed")
        return refusal(IdeaError("IdeA failed at this"))


def _closed() -> ToolAnswer:
    return refusal(Closed("The project"))
