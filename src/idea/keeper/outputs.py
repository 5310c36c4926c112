"""What a process writes: read in small fair steps, kept until acknowledged, handed to readers."""

import os
import time
from collections.abc import Callable
from pathlib import Path

from idea.keeper.client import Client
from idea.keeper.flood import Flood
from idea.keeper.loop import Loop, Timer
from idea.keeper.reading import WINDOW_BYTES, Reading
from idea.keeper.reports import Stream, StreamReport
from idea.keeper.retained import Retained
from idea.keeper.turns import Turns
from idea.keeper.unlinked import Blob

LOW_BYTES = WINDOW_BYTES // 2
"""Reading goes on at half, so that a slow reader costs few stops instead of one per word from it."""
READS_PER_TURN = 16
BYTES_PER_TURN = 64 * 1024
"""Bounds of one turn in the loop: beside a flood, the next agent waits for one such turn only."""
HELD_TURN_BYTES = 16 * 1024
"""Of a flood while somebody types elsewhere: what is read keeps server and client at work, in front of an echo."""
SMALL_TURN_BYTES = 16 * 1024
REST_S = 0.001
"""After a turn that found no more than that in a flood: else each few bytes of it would wake the keeper, and on a busy
machine that costs more than all the rest. What the kernel takes meanwhile is more than one turn's."""
LAST_BYTES = 2 * 1024 * 1024
"""The most taken at the end of a drain: more than any pipe or terminal holds in the kernel."""
RELIEF_S = 2.0
"""How often a full disk is tried again."""


class OutputPipe:
    """One stream of one process. Owns its descriptor, and what was read from it."""

    def __init__(
        self,
        fd: int,
        *,
        stream: Stream,
        loop: Loop,
        turns: Turns,
        folder: Path,
        owner: object,
        on_fault: Callable[[], None],
        on_end: Callable[[], None],
    ) -> None:
        """`owner` is whoever is typed into, for `turns`. `on_fault` is called when `fault` is another, `on_end` behind
        the last piece."""
        os.set_blocking(fd, False)
        self._fd = fd
        self._stream = stream
        self._loop = loop
        self._turns = turns
        self._owner = owner
        self._on_fault = on_fault
        self._on_end = on_end
        self.fault = ""
        """What keeps the output from being put by, in the system's words: its process waits. Empty for nothing."""
        self._retained = Retained(folder)
        self._checkpoint: tuple[int, Blob] | None = None
        self._readings: dict[int, Reading] = {}
        self._flood = Flood()
        self._is_paused = False
        self._rest: Timer | None = None
        """Nothing is read until then."""
        self._relief: Timer | None = None
        self._loop.on_readable(fd, self._on_readable)

    @property
    def has_ended(self) -> bool:
        return self._fd < 0

    @property
    def acknowledged(self) -> int:
        return self._retained.acknowledged

    def report(self) -> StreamReport:
        return StreamReport(self._stream, self._retained.acknowledged, self._retained.end, self.has_ended)

    def read(self, client: Client, reader: int, offset: int) -> None:
        checkpoint = None
        if self._checkpoint is not None and offset <= self._checkpoint[0]:
            offset, checkpoint = self._checkpoint
        reading = Reading(
            client,
            reader,
            loop=self._loop,
            flood=self._flood,
            retained=self._retained,
            offset=offset,
            on_end=self._read_to_end,
        )
        self._readings[reader] = reading
        reading.begin(checkpoint)
        if self.has_ended:
            reading.finish()
        elif self.fault:
            # Who reads may be another one than heard of it.
            self._on_fault()
        self._pace()

    def consume(self, reader: int, offset: int) -> None:
        if (reading := self._readings.get(reader)) is not None:
            reading.consume(offset)
            self._pace()

    def typed(self) -> None:
        """Its process was given something to read."""
        self._flood.typed()
        for reading in tuple(self._readings.values()):
            reading.go_on()
        self._rest_no_more()

    def unread(self, reader: int) -> None:
        if (reading := self._readings.pop(reader, None)) is not None:
            reading.cancel()
            self._pace()

    def unread_all(self) -> None:
        """Their client is gone."""
        for reader in tuple(self._readings):
            self.unread(reader)

    def acknowledge(self, offset: int) -> None:
        self._retained.acknowledge(offset)
        for reading in tuple(self._readings.values()):
            reading.go_on()
        self._pace()

    def keep_checkpoint(self, offset: int, checkpoint: Blob) -> None:
        """In place of the one before and of the bytes below `offset`."""
        self._checkpoint = (min(offset, self._retained.end), checkpoint)
        self.acknowledge(offset)

    def finish(self) -> None:
        """Take what the kernel still holds and end, whoever else may hold the other side open."""
        left = LAST_BYTES
        while left > 0 and not self.has_ended:
            taken = self._turn(BYTES_PER_TURN)
            if not taken:
                break
            left -= taken
        self._end()

    def close(self) -> None:
        """Forget what was read. The stream has ended."""
        assert self.has_ended
        self.unread_all()
        self._checkpoint = None
        self._retained.close()
        self._pace()

    def _on_readable(self) -> None:
        is_held = self._flood.is_on and self._turns.hold(self._owner)
        taken = self._turn(HELD_TURN_BYTES if is_held else BYTES_PER_TURN)
        if self.has_ended or not self._flood.is_on:
            return
        if self._turns.hold(self._owner):
            self._rest = self._turns.wait(self._rest_no_more)
        elif taken <= SMALL_TURN_BYTES:
            self._rest = self._loop.later(REST_S, self._rest_no_more)
        else:
            return
        self._watch()

    def _rest_no_more(self) -> None:
        if self._rest is not None:
            self._rest.cancel()
            self._rest = None
            self._watch()

    def _watch(self) -> None:
        """Hear of output, unless it is not to be read now."""
        if not self.has_ended:
            is_read = not self._is_paused and self._rest is None
            self._loop.on_readable(self._fd, self._on_readable if is_read else None)

    def _turn(self, most_bytes: int) -> int:
        """Bytes taken in one turn, at most so many; 0 when there is nothing now, or nothing any more."""
        parts: list[bytes] = []
        size = 0
        has_more = True
        for _ in range(READS_PER_TURN):
            try:
                part = os.read(self._fd, most_bytes - size)
            except BlockingIOError:
                break
            except OSError:
                # EIO is a terminal's end of file.
                part = b""
            if not part:
                has_more = False
                break
            parts.append(part)
            size += len(part)
            if size >= most_bytes:
                break
        if parts:
            self._take(b"".join(parts))
        if not has_more:
            self._end()
        return size

    def _take(self, data: bytes) -> None:
        self._flood.wrote(len(data), at=time.monotonic())
        self._turns.wrote(self._owner)
        self._retained.append(data)
        for reading in tuple(self._readings.values()):
            reading.go_on()
        self._pace()

    def _pace(self) -> None:
        """Stop reading from the process, or go on: for its readers' sake, or the disk's."""
        lag = max((reading.lag_bytes for reading in self._readings.values()), default=0)
        limit = LOW_BYTES if self._is_paused else WINDOW_BYTES
        should_pause = not self.has_ended and (self._retained.is_full or lag >= limit)
        if should_pause != self._is_paused:
            self._is_paused = should_pause
            self._watch()
        fault = "" if self.has_ended else self._retained.fault
        if fault != self.fault:
            self.fault = fault
            self._on_fault()
        if self._retained.is_disk_full and self._relief is None:
            self._relief = self._loop.later(RELIEF_S, self._relieve)

    def _relieve(self) -> None:
        self._relief = None
        self._retained.relieve()
        self._pace()

    def _end(self) -> None:
        if self.has_ended:
            return
        self._loop.on_readable(self._fd, None)
        if self._rest is not None:
            self._rest.cancel()
            self._rest = None
        fd, self._fd = self._fd, -1
        os.close(fd)
        for reading in tuple(self._readings.values()):
            reading.finish()
        self._on_end()

    def _read_to_end(self, reading: Reading) -> None:
        self._readings.pop(reading.reader, None)
