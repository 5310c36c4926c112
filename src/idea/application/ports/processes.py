"""The processes that run agents, and who owns them."""

from collections.abc import AsyncIterator
from typing import Protocol

from idea.domain.sessions import Exit, OutputChunk, OutputStream, SpawnSpec, StopReport, TerminalSize


class AgentProcess(Protocol):
    """One process that a keeper owns. Its values are plain, so the keeper may be elsewhere."""

    @property
    def pid(self) -> int: ...

    async def write(self, data: bytes) -> None:
        """Hand over all of `data`, in order. Waits while the process does not read.

        Raises:
            Lost: the process has ended or closed its input.
        """
        ...

    async def close_input(self) -> None:
        """End of file for a process with pipes. Idempotent."""
        ...

    async def resize(self, size: TerminalSize) -> None: ...

    async def interrupt(self) -> None:
        """SIGINT to the process group."""
        ...

    async def stop(self, *, grace_s: float) -> StopReport:
        """End the whole session tree: close input and SIGTERM, after `grace_s` SIGKILL. Idempotent."""
        ...

    def output(self, stream: OutputStream, *, offset: int = 0) -> AsyncIterator[OutputChunk]:
        """Every byte from `offset` on, in order; ends when the stream does.

        A grandchild that holds the pipe delays the end by a bounded time only.
        """
        ...

    async def acknowledge(self, stream: OutputStream, offset: int) -> None:
        """Bytes below `offset` are dealt with and may be forgotten. Reading pauses at 1 MiB unacknowledged."""
        ...

    async def wait(self) -> Exit:
        """How the process ended; does not wait for its pipes."""
        ...


class Keeper(Protocol):
    """Owns processes and terminals. Takes no decisions."""

    async def spawn(self, spec: SpawnSpec) -> AgentProcess:
        """Raises `EngineFailed` when the program cannot be started; nothing is left behind."""
        ...
