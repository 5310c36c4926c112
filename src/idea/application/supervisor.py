"""Owns the tasks of one project: who starts something long-lived starts it here."""

import asyncio
import logging
from collections.abc import Callable, Coroutine

from idea.domain.errors import Closed

_log = logging.getLogger(__name__)


class Supervisor:
    """Runs tasks until they end or `aclose` cancels them; one that fails is logged and takes nobody along."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._tasks: asyncio.TaskGroup | None = None
        self._running: set[asyncio.Task[None]] = set()
        self._closing = asyncio.Event()
        self._is_closed = False

    async def run(self, *, ready: asyncio.Event) -> None:
        async with asyncio.TaskGroup() as tasks:
            self._tasks = tasks
            ready.set()
            try:
                await self._closing.wait()
            finally:
                self._is_closed = True
                for task in tuple(self._running):
                    task.cancel()

    def start(self, run: Callable[[], Coroutine[object, object, None]], *, name: str) -> asyncio.Task[None]:
        """Raises `Closed` once the project is closing."""
        if self._tasks is None or self._is_closed:
            raise Closed(self._name)
        task = self._tasks.create_task(self._contain(run, name), name=f"{self._name}:{name}")
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    async def _contain(self, run: Callable[[], Coroutine[object, object, None]], name: str) -> None:
        try:
            await run()
        except Exception:  # noqa: BLE001 - one agent's failure must not end the other agents' tasks
            _log.exception("%s: %s failed", self._name, name)

    def close(self) -> None:
        """Cancel everything and let `run` return."""
        self._closing.set()
