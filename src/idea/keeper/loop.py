"""One thread's loop over descriptors, timers and calls posted by other threads."""

import heapq
import itertools
import logging
import os
import selectors
import threading
import time
from collections.abc import Callable

Callback = Callable[[], None]

_READ, _WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE
logger = logging.getLogger(__name__)


class Timer:
    """A call to come; `cancel` is idempotent."""

    __slots__ = ("call",)

    def __init__(self, call: Callback) -> None:
        self.call: Callback | None = call

    def cancel(self) -> None:
        self.call = None


class _Watched:
    __slots__ = ("on_readable", "on_writable")

    def __init__(self) -> None:
        self.on_readable: Callback | None = None
        self.on_writable: Callback | None = None

    @property
    def events(self) -> int:
        return (_READ if self.on_readable else 0) | (_WRITE if self.on_writable else 0)


class Loop:
    """Everything but `post` belongs to the thread that runs it."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._watched: dict[int, _Watched] = {}
        self._timers: list[tuple[float, int, Timer]] = []
        self._order = itertools.count()
        self._posting = threading.Lock()
        """Guards the next two and the wake pipe's end: a late post must not write to a number that lives again."""
        self._posted: list[Callback] = []
        self._is_closed = False
        self._is_running = True
        self._wake_out, self._wake_in = os.pipe()
        os.set_blocking(self._wake_out, False)
        os.set_blocking(self._wake_in, False)
        self.on_readable(self._wake_out, self._awake)

    def post(self, call: Callback) -> None:
        """Run `call` in the loop's thread, in the order posted. Any thread may do so; after the end nothing runs."""
        with self._posting:
            if self._is_closed:
                return
            # One byte wakes it for a whole burst.
            if not self._posted:
                os.write(self._wake_in, b"\0")
            self._posted.append(call)

    def on_readable(self, fd: int, call: Callback | None) -> None:
        """Call whenever `fd` can be read; None ends that."""
        self._entry(fd).on_readable = call
        self._apply(fd)

    def on_writable(self, fd: int, call: Callback | None) -> None:
        self._entry(fd).on_writable = call
        self._apply(fd)

    def later(self, delay_s: float, call: Callback) -> Timer:
        timer = Timer(call)
        heapq.heappush(self._timers, (time.monotonic() + delay_s, next(self._order), timer))
        return timer

    def stop(self) -> None:
        self._is_running = False

    def run(self) -> None:
        """Until `stop`; then the loop is closed for good."""
        try:
            while self._is_running:
                self._ready(self._selector.select(self._nap_s()))
                self._due()
        finally:
            self._selector.close()
            with self._posting:
                self._is_closed = True
                os.close(self._wake_in)
                os.close(self._wake_out)

    def _nap_s(self) -> float | None:
        while self._timers and self._timers[0][2].call is None:
            heapq.heappop(self._timers)
        return max(0.0, self._timers[0][0] - time.monotonic()) if self._timers else None

    def _ready(self, events: list[tuple[selectors.SelectorKey, int]]) -> None:
        for key, mask in events:
            entry: _Watched = key.data
            # An earlier callback of this round may have closed the descriptor, and its number may live again.
            if mask & _WRITE and self._watched.get(key.fd) is entry and entry.on_writable:
                self._contained(entry.on_writable)
            if mask & _READ and self._watched.get(key.fd) is entry and entry.on_readable:
                self._contained(entry.on_readable)

    def _due(self) -> None:
        now = time.monotonic()
        while self._timers and self._timers[0][0] <= now:
            call = heapq.heappop(self._timers)[2].call
            if call is not None:
                self._contained(call)

    def _awake(self) -> None:
        with self._posting:
            os.read(self._wake_out, 64)
            posted, self._posted = self._posted, []
        for call in posted:
            self._contained(call)

    def _contained(self, call: Callback) -> None:
        try:
            call()
        except Exception:
            # One process's trouble must not end the keeper and with it every other agent.
            logger.exception("a keeper callback failed")

    def _entry(self, fd: int) -> _Watched:
        return self._watched.setdefault(fd, _Watched())

    def _apply(self, fd: int) -> None:
        entry = self._watched[fd]
        is_registered = fd in self._selector.get_map()
        if not entry.events:
            del self._watched[fd]
            if is_registered:
                self._selector.unregister(fd)
        elif is_registered:
            self._selector.modify(fd, entry.events, entry)
        else:
            self._selector.register(fd, entry.events, entry)
