"""One reading of one stream: from an offset on, at most a window ahead of what its client has consumed."""

import logging
import time
from collections.abc import Callable

from idea.keeper.client import Client
from idea.keeper.flood import Flood
from idea.keeper.loop import Loop, Timer
from idea.keeper.protocol import Output, Restored, StreamEnded
from idea.keeper.retained import Retained
from idea.keeper.unlinked import Blob

WINDOW_BYTES = 1024 * 1024
PIECE_BYTES = 128 * 1024
GATHER_S = 0.016
"""Between two pieces of a flood that are not full: a browser draws no oftener. A small piece costs the server as much
as a large one, so that floods on a busy machine would cost many times what their bytes do."""
RESTORED_BYTES = 256 * 1024
"""Of a checkpoint in one piece."""
logger = logging.getLogger(__name__)


class Reading:
    """`on_end` is called once, when there is nothing left to say."""

    def __init__(
        self,
        client: Client,
        reader: int,
        *,
        loop: Loop,
        flood: Flood,
        retained: Retained,
        offset: int,
        on_end: Callable[["Reading"], None],
    ) -> None:
        self.reader = reader
        self._client = client
        self._retained = retained
        self._on_end = on_end
        # A reader may ask for bytes that are yet to come.
        self._next = max(offset, retained.acknowledged)
        self._consumed = self._next
        self._checkpoint: Blob | None = None
        self._restored_bytes = 0
        self._restored_at = 0
        self._loop = loop
        self._flood = flood
        self._sent_at = 0.0
        self._more: Timer | None = None
        """What is ready waits until then for what comes with it."""
        self._is_last_known = False
        self._is_waiting = False
        self._is_over = False

    @property
    def lag_bytes(self) -> int:
        """What the client has still to deal with."""
        return max(0, self._retained.end - self._done)

    def begin(self, checkpoint: Blob | None) -> None:
        """With a checkpoint that stands for everything below the first offset."""
        self._checkpoint = checkpoint
        self._restored_at = self._next
        self.go_on()

    def consume(self, offset: int) -> None:
        self._consumed = max(self._consumed, min(offset, self._retained.end))
        self.go_on()

    def finish(self) -> None:
        """No more bytes will come."""
        self._is_last_known = True
        self.go_on()

    def cancel(self) -> None:
        self._is_over = True
        self._wait_no_more()

    def go_on(self) -> None:
        """Say what may be said now."""
        while not self._is_over and not self._is_waiting:
            if self._client.is_congested:
                self._is_waiting = True
                self._client.when_free(self._free)
            elif self._checkpoint is not None:
                self._restore(self._checkpoint)
            elif self._next >= self._retained.end:
                if self._is_last_known:
                    self._end()
                return
            elif self._next - self._done >= WINDOW_BYTES or self._should_gather():
                return
            else:
                self._send()

    @property
    def _done(self) -> int:
        # Who acknowledges has consumed.
        return max(self._consumed, self._retained.acknowledged)

    def _should_gather(self) -> bool:
        if self._is_last_known or not self._flood.is_on or self._retained.end - self._next >= PIECE_BYTES:
            return False
        wait_s = self._sent_at + GATHER_S - time.monotonic()
        if wait_s > 0 and self._more is None:
            self._more = self._loop.later(wait_s, self._has_gathered)
        return wait_s > 0

    def _has_gathered(self) -> None:
        self._more = None
        self.go_on()

    def _wait_no_more(self) -> None:
        if self._more is not None:
            self._more.cancel()
            self._more = None

    def _free(self) -> None:
        self._is_waiting = False
        self.go_on()

    def _restore(self, checkpoint: Blob) -> None:
        parts = max(1, -(-checkpoint.size // RESTORED_BYTES))
        part = self._restored_bytes // RESTORED_BYTES
        try:
            data = checkpoint.read(self._restored_bytes, RESTORED_BYTES)
        except OSError:
            self._fail()
            return
        self._client.tell(Restored(self.reader, self._restored_at, data, part, parts))
        self._restored_bytes += RESTORED_BYTES
        if part + 1 == parts:
            self._checkpoint = None

    def _send(self) -> None:
        # The client may have acknowledged what it was never sent.
        self._next = max(self._next, self._retained.acknowledged)
        room = WINDOW_BYTES - (self._next - self._done)
        try:
            data = self._retained.read(self._next, max(1, min(PIECE_BYTES, room)))
        except OSError:
            self._fail()
            return
        self._wait_no_more()
        self._sent_at = time.monotonic()
        self._client.tell(Output(self.reader, self._next, data))
        self._next += len(data)

    def _fail(self) -> None:
        logger.exception("what was put on disk cannot be read")
        self._end()

    def _end(self) -> None:
        self.cancel()
        self._client.tell(StreamEnded(self.reader))
        self._on_end(self)
