"""The keeper inside the server: its loop in a thread, its protocol as awaits of this event loop."""

import asyncio
import secrets
import tempfile
import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path

from idea.adapters.keeper.link import Link, OnHeld
from idea.adapters.keeper.linked import LinkedKeeper
from idea.keeper.core import KeeperCore
from idea.keeper.loop import Loop
from idea.keeper.protocol import Attach, Close, Command, Event

CLOSE_GRACE_S = 3.0
"""What agents get to end by themselves when the keeper closes."""
CLOSE_S = 3.0
"""Beyond the grace: the kills and their verification."""


class InProcessKeeper(LinkedKeeper):
    """A `Keeper` whose processes live as long as `run` does. Spawns once it is ready."""

    outlives_server = False

    def __init__(self, state: Path | None = None, *, on_held: OnHeld | None = None) -> None:
        """`state` takes output that is too much for the memory; without one, the system's temporary folder does."""
        self._keeping = Loop()
        self._core = KeeperCore(
            loop=self._keeping,
            folder=state or Path(tempfile.gettempdir()),
            name="",
            on_closed=self._close_core,
        )
        self._client = _Client(self._deliver)
        super().__init__(Link(self._post))
        self._link.on_held = on_held or self._link.on_held
        # None of its processes outlives it, so nobody ever finds it again.
        self._identity = secrets.token_hex(8)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._events = self._client.events
        self._is_delivery_due = False

    async def run(self, *, ready: asyncio.Event) -> None:
        """Own the keeper until `aclose`, or until cancelled; every agent has been stopped then. Once only."""
        self._loop = asyncio.get_running_loop()
        # A daemon, since a server that dies hard must not wait for agents; they die with this thread.
        thread = threading.Thread(target=self._keeping.run, name="keeper", daemon=True)
        thread.start()
        self._post(Attach())
        ready.set()
        try:
            await self._link.closed.wait()
        finally:
            await self.aclose()
            # Has said that it is closed, or is beyond help: microseconds either way.
            thread.join(timeout=0.5)

    async def leave(self) -> None:
        """They end with us."""
        await self.aclose()

    async def stop_all(self, *, grace_s: float) -> tuple[int, ...]:
        """As `aclose`; the survivors."""
        await self.aclose(grace_s=grace_s)
        return self._link.survivors or ()

    async def aclose(self, *, grace_s: float = CLOSE_GRACE_S) -> None:
        """Stop every agent, then end `run`. Bounded; idempotent."""
        if self._loop is None or self._link.closed.is_set():
            self._link.close()
            return
        self._link.post(Close(grace_s))
        try:
            async with asyncio.timeout(grace_s + CLOSE_S):
                await self._link.closed.wait()
        except TimeoutError:
            self._link.close()

    def _post(self, command: Command) -> None:
        self._keeping.post(lambda: self._core.take(command, self._client))

    def _close_core(self) -> None:
        self._core.say_closed()
        self._keeping.stop()

    def _deliver(self) -> None:
        """Called in the keeper's thread after each event."""
        if not self._is_delivery_due and self._loop is not None:
            self._is_delivery_due = True
            try:
                self._loop.call_soon_threadsafe(self._receive)
            except RuntimeError:
                # The event loop ended without closing us: there is nobody left to tell.
                self._post(Close(0.0))

    def _receive(self) -> None:
        # Before the events are taken: one that is appended from here on schedules another delivery.
        self._is_delivery_due = False
        while self._events:
            self._link.received(self._events.popleft())


class _Client:
    """What the core says, from its thread to the event loop; a deque, since its two ends need no lock."""

    is_congested = False
    """The readers' windows bound it."""

    def __init__(self, on_event: Callable[[], None]) -> None:
        self.events: deque[Event] = deque()
        self._on_event = on_event

    def tell(self, event: Event) -> None:
        self.events.append(event)
        self._on_event()

    def when_free(self, call: Callable[[], None]) -> None:
        raise AssertionError("it is never congested")

    def dismiss(self) -> None:
        return
