"""What does a program answer when asked its version? A short child of our own, bounded in time and output."""

import asyncio
import contextlib
import os
import re
import signal
from collections.abc import Mapping, Sequence
from typing import Final

PROBE_S: Final = 5.0
"""The slowest CLI that was measured needs 1.5 s when the machine is idle."""
DRAIN_S: Final = 0.5
"""For output already in the pipe; a grandchild may hold the pipe open for ever."""
REAP_S: Final = 1.0
"""A killed process is gone within milliseconds, unless the machine is on its knees."""
MAX_ANSWER_BYTES: Final = 4096
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)+(?:-[0-9A-Za-z][0-9A-Za-z.-]*)?")


class _Probe(asyncio.SubprocessProtocol):
    """Knows when the process itself is gone, which asyncio's own `wait` tells only once the pipes close too."""

    def __init__(self) -> None:
        self.exited = asyncio.Event()
        self.drained = asyncio.Event()
        self.answer = b""

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self.answer = (self.answer + data)[:MAX_ANSWER_BYTES]

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        self.drained.set()

    def process_exited(self) -> None:
        self.exited.set()


async def ask_version(argv: Sequence[str], environment: Mapping[str, str]) -> tuple[str | None, str | None]:
    """The number in its answer, else the answer's first line; or None and a sentence about what went wrong."""
    loop = asyncio.get_running_loop()
    try:
        transport, probe = await loop.subprocess_exec(
            _Probe,
            *argv,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=dict(environment),
            cwd="/",
            start_new_session=True,
        )
    except OSError as error:
        return None, f"{argv[0]} cannot be started: {error.strerror}."
    try:
        async with asyncio.timeout(PROBE_S):
            await probe.exited.wait()
            async with asyncio.timeout(DRAIN_S):
                await probe.drained.wait()
    except TimeoutError:
        if not probe.exited.is_set():
            return None, f"{argv[0]} did not tell its version within {PROBE_S:g} s."
    finally:
        _end_group(transport.get_pid())
        # Reaped before it is let go, or its end would be nobody's to see.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(REAP_S):
                await probe.exited.wait()
        transport.close()
    code = transport.get_returncode()
    line = probe.answer.decode("utf-8", "replace").strip().partition("\n")[0].strip()
    if code != 0:
        return None, f"{argv[0]} ended with code {code} when asked its version."
    return version_in(line) or None, None


def version_in(line: str) -> str:
    """Without the name, which stands beside it anyway, and without what tells one build of it from another."""
    number = _NUMBER.search(line)
    return number[0] if number else line


def _end_group(pid: int) -> None:
    """Whatever it left behind, too; the pid is the group's, since the probe leads a session of its own."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
