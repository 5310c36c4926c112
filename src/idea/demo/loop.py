"""Waits for what comes from outside (input, signals, the turn's thread) and hands it to the face, one at a time."""

from __future__ import annotations

import os
import selectors
import signal

CHUNK_BYTES = 65_536
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGWINCH)


class Face:
    """One way to be seen and heard; every method but `close` runs on the loop's thread."""

    def on_input(self, data: bytes) -> None:
        raise NotImplementedError

    def on_end(self) -> None:
        """Input has ended; the process ends when this returns."""

    def on_signal(self, number: int) -> None:
        raise NotImplementedError

    def on_wake(self) -> None:
        """The turn's thread called `Loop.wake`."""

    def on_tick(self) -> None:
        """`tick_s` went by without anything else."""

    def close(self) -> None:
        """Leave everything as it was found. From any thread, idempotent."""

    def tick_s(self) -> float | None:
        """How long the loop may wait; None for ever."""
        return None


class Loop:
    """Signals arrive through a pipe, so that no code of ours runs inside a handler."""

    def __init__(self) -> None:
        self._reading, self._writing = os.pipe()
        os.set_blocking(self._reading, False)
        os.set_blocking(self._writing, False)

    def wake(self) -> None:
        """From any thread."""
        try:
            os.write(self._writing, b"\0")
        except BlockingIOError:
            # The pipe is full of wakes that nobody took yet; one more says nothing new.
            return

    def run(self, face: Face) -> None:
        """Until standard input ends and the face has dealt with that."""
        for number in _SIGNALS:
            signal.signal(number, _ignore)
        signal.set_wakeup_fd(self._writing, warn_on_full_buffer=False)
        # Not epoll, which refuses a plain file or /dev/null as standard input.
        with selectors.PollSelector() as selector:
            selector.register(0, selectors.EVENT_READ)
            selector.register(self._reading, selectors.EVENT_READ)
            while True:
                ready = selector.select(face.tick_s())
                if not ready:
                    face.on_tick()
                for key, _ in ready:
                    if key.fd != 0:
                        self._take_wakes(face)
                    elif data := _read_input():
                        face.on_input(data)
                    else:
                        face.on_end()
                        return

    def _take_wakes(self, face: Face) -> None:
        wakes = os.read(self._reading, CHUNK_BYTES)
        for number in dict.fromkeys(wakes):
            if number:
                face.on_signal(number)
            else:
                face.on_wake()


def _ignore(_number: int, _frame: object) -> None:
    """Python writes the signal's number to the pipe only for signals that have a handler."""


def _read_input() -> bytes:
    try:
        return os.read(0, CHUNK_BYTES)
    except OSError:
        # A terminal whose other side is gone answers EIO instead of end of file.
        return b""
