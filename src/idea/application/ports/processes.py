"""The processes that run agents, and who owns them."""

from collections.abc import AsyncIterator, Sequence
from typing import Protocol

from idea.domain.sessions import (
    Exit,
    KeptChild,
    OutputChunk,
    OutputStream,
    Restored,
    SpawnSpec,
    StopReport,
    TerminalSize,
)


class AgentProcess(Protocol):
    """One process that a keeper owns. Its values are plain, so the keeper may be elsewhere."""

    @property
    def pid(self) -> int: ...

    async def write(self, data: bytes, *, write_id: str | None = None, answered: int | None = None) -> None:
        """Hand over all of `data`, in order. Waits while the process does not read.

        With the `write_id` of a write that was accepted before, this returns when that one is done and writes nothing.
        `answered` is kept with the data (which may be empty) in one step: up to that offset of its output the
        terminal's queries have their answers.

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

    def output(self, stream: OutputStream, *, offset: int = 0) -> AsyncIterator[OutputChunk | Restored]:
        """Every byte from `offset` on, in order; ends when the stream does.

        A terminal with a checkpoint that is not below `offset` begins with one `Restored`.
        A grandchild that holds the pipe delays the end by a bounded time only.
        """
        ...

    async def consumed(self, stream: OutputStream, offset: int) -> None:
        """Bytes below `offset` need no room any more. A reader gets 1 MiB ahead of this; then the process waits."""
        ...

    async def acknowledge(self, stream: OutputStream, offset: int) -> None:
        """Bytes below `offset` may be forgotten. Without a reader, the process goes on up to 64 MiB ahead of this.

        A terminal that has a checkpoint is acknowledged by the next one alone, or there would be a gap between both.
        """
        ...

    async def checkpoint(self, offset: int, data: bytes) -> None:
        """Keep `data` in place of the terminal's bytes below `offset`, and of the checkpoint before; both or neither.

        Raises:
            Lost: the keeper is gone, or cannot keep it; all that it had is as before.
        """
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

    def has_ended(self, identity: str) -> bool:
        """This keeper of ours is ending, or is gone: whatever ended since went with it."""
        ...

    @property
    def outlives_server(self) -> bool:
        """Whether its processes live on without us, and another server may take them over."""
        ...

    async def spawn(self, spec: SpawnSpec) -> AgentProcess:
        """Nothing is left behind when it fails.

        Raises:
            EngineFailed: the program cannot be started.
            Lost: the keeper has ended, and the agent's lock with it: another one may start it.
            Closed: we left the keeper.
        """
        ...

    async def children(self) -> Sequence[KeptChild]:
        """What it owns, and what has ended and was not forgotten. Raises `Lost`, `Closed`."""
        ...

    async def attach(self, spawn_id: str) -> AgentProcess | None:
        """One of those; None if there is none such. Raises `Lost`, `Closed`."""
        ...

    async def forget(self, spawn_id: str) -> None:
        """Its exit and its output are taken over. One that still lives is forgotten at its end. Idempotent."""
        ...
