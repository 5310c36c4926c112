"""The sole right to an agent, held by the keeper that runs it: while the agent lives, no other server gets it."""

from pathlib import Path
from typing import Protocol

from idea.adapters.storage.atomic import ensure_folder, safe_child
from idea.domain.ids import AgentId


class LockingKeeper(Protocol):
    async def lock(self, path: Path, name: str) -> None: ...

    async def unlock(self, path: Path) -> None: ...


class KeptAgentLocks:
    """A `ports.AgentLocks`: one lock file per agent in the project's `state/locks`, the same for every server."""

    def __init__(self, keeper: LockingKeeper, state: Path) -> None:
        """`state` is the project's private folder; it exists."""
        self._keeper = keeper
        self._folder = state / "locks"

    async def acquire(self, agent: AgentId, name: str) -> str:
        """The lock's path. Raises `Refused`, naming the holder, when another has it. Idempotent for ourselves."""
        path = self._path(agent)
        await self._keeper.lock(path, name)
        return str(path)

    async def release(self, agent: AgentId) -> None:
        """Idempotent."""
        await self._keeper.unlock(self._path(agent))

    def _path(self, agent: AgentId) -> Path:
        return safe_child(ensure_folder(self._folder, mode=0o700), agent)
