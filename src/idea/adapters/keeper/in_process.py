"""The keeper inside the server: its loop in a thread, its protocol as awaits of this event loop."""

import asyncio
import threading
from collections import deque
from pathlib import PurePath

from idea.adapters.keeper.link import Link
from idea.adapters.keeper.process import KeptProcess
from idea.domain.errors import EngineFailed
from idea.domain.sessions import SpawnSpec
from idea.keeper.core import KeeperCore
from idea.keeper.protocol import Close, Event, Failed, Spawn, Spawned, Stop

CLOSE_GRACE_S = 3.0
"""What agents get to end by themselves when the keeper closes."""
CLOSE_S = CLOSE_GRACE_S + 3.0
"""The most that closing takes: the grace, the kills, the verification."""
SPAWN_S = 15.0
"""Longer than the keeper itself waits for a launch, so that its reason arrives first."""


class InProcessKeeper:
    """A `Keeper` whose processes live as long as `run` does. Spawns once it is ready."""

    def __init__(self) -> None:
        self._core = KeeperCore(self._emitted)
        self._link = Link(self._core.post)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._events: deque[Event] = deque()
        """From the keeper's thread to the event loop's; a deque, since its two ends need no lock."""
        self._is_delivery_due = False

    async def run(self, *, ready: asyncio.Event) -> None:
        """Own the keeper until `aclose`, or until cancelled; every agent has been stopped then. Once only."""
        self._loop = asyncio.get_running_loop()
        # A daemon, since a server that dies hard must not wait for agents; they die with this thread.
        thread = threading.Thread(target=self._core.run, name="keeper", daemon=True)
        thread.start()
        ready.set()
        try:
            await self._link.closed.wait()
        finally:
            await self.aclose()
            # Has said that it is closed, or is beyond help: microseconds either way.
            thread.join(timeout=0.5)

    async def spawn(self, spec: SpawnSpec) -> KeptProcess:
        size = (spec.terminal.cols, spec.terminal.rows) if spec.terminal is not None else None
        env = tuple(spec.env.items())
        name = PurePath(spec.argv[0]).name if spec.argv else "no program"
        note = self._link.exit_note(spec.spawn_id)
        try:
            answer = await self._link.ask(
                lambda request: Spawn(request, spec.spawn_id, spec.argv, spec.cwd, env, size), timeout_s=SPAWN_S
            )
        except asyncio.CancelledError:
            # Nobody would hold the process that may come of it.
            self._link.begin(lambda request: Stop(request, spec.spawn_id, 0.0))
            raise
        if not isinstance(answer, Spawned):
            self._link.forget(spec.spawn_id)
            detail = answer.detail if isinstance(answer, Failed) else "the keeper gave no answer"
            program = spec.argv[0] if spec.argv else ""
            reason = f"{program} could not be started in {spec.cwd}: {detail}"
            raise EngineFailed(name, reason, why="cannotStart", program=program, folder=spec.cwd, detail=detail)
        return KeptProcess(self._link, spawn_id=spec.spawn_id, pid=answer.pid, name=name, exit_note=note)

    async def aclose(self) -> None:
        """Stop every agent, then end `run`. Bounded; idempotent."""
        if self._loop is None or self._link.closed.is_set():
            self._link.close()
            return
        self._link.post(Close(CLOSE_GRACE_S))
        try:
            async with asyncio.timeout(CLOSE_S):
                await self._link.closed.wait()
        except TimeoutError:
            self._link.close()

    def _emitted(self, event: Event) -> None:
        self._events.append(event)
        if not self._is_delivery_due and self._loop is not None:
            self._is_delivery_due = True
            try:
                self._loop.call_soon_threadsafe(self._deliver)
            except RuntimeError:
                # The event loop ended without closing us: there is nobody left to tell.
                self._core.post(Close(0.0))

    def _deliver(self) -> None:
        # Before the events are taken: one that is appended from here on schedules another delivery.
        self._is_delivery_due = False
        while self._events:
            self._link.received(self._events.popleft())
