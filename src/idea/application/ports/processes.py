"""The processes that run agents, and who owns them."""

from collections.abc import AsyncIterator
from typing import Protocol

from idea.domain.sessions import Exit, OutputChunk, OutputStream, SpawnSpec, StopReport, TerminalSize


class AgentProcess(Protocol):
    """One process that a keeper owns. Its values are plain, so the keeper may be elsewhere."""

    @property
    def pid(self) -> int: ...

    async def write(self, data: bytes, *, write_id: str | None = None, answered: int | None = None) -> None:
        """Hand over all of `data`, in order. Waits while the process does not read.

        What was accepted under a `write_id` is not written again. `answered` says, in the same step, up to which offset
        of its output a terminal's queries have been answered.

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

    async def consumed(self, stream: OutputStream, offset: int) -> None:
        """Bytes below `offset` were taken in: there is room for more. The process is read at most 1 MiB ahead."""
        ...

    async def acknowledge(self, stream: OutputStream, offset: int) -> None:
        """Bytes below `offset` are dealt with for good and may be forgotten. Of others 64 MiB are kept."""
        ...

    def acknowledged(self, stream: OutputStream) -> int:
        """Up to which offset the output had been acknowledged when we attached to it."""
        ...

    async def wait(self) -> Exit:
        """How the process ended; does not wait for its pipes."""
        ...


class Keeper(Protocol):
    """Owns processes and terminals. Takes no decisions."""

    @property
    def identity(self) -> str:
        """Of this one keeper, from its start to its end: another one has none of its processes."""
        ...

    async def attach(self, spawn_id: str) -> AgentProcess | None:
        """A process that was spawned earlier, perhaps by a server before; it may have ended. None if there is none."""
        ...

    async def forget(self, spawn_id: str) -> None:
        """Nothing of this process is needed any more. Ends nothing; idempotent."""
        ...

    async def spawn(self, spec: SpawnSpec) -> AgentProcess:
        """Raises `EngineFailed` when the program cannot be started; nothing is left behind."""
        ...
