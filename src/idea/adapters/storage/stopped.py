"""Which agents a person stopped while no server was there, in `state/stopped.json`: for the next server to know."""

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from idea.adapters.storage.atomic import remove_file
from idea.adapters.storage.json_state import read_state, write_state
from idea.adapters.storage.unusable import UnusableFile
from idea.domain.ids import AgentId

STOPPED_FILE: Final = "stopped.json"


class StoppedFile:
    """A `ports.StoppedAgents`; `note` is for whoever stops them."""

    def __init__(self, state: Path) -> None:
        """`state` is the project's private folder."""
        self._path = state / STOPPED_FILE

    def note(self, agents: Iterable[str]) -> None:
        """These too. Blocking, for a command. Raises `Refused`, `Conflict`."""
        write_state(self._path, {"agents": sorted({*self._read(), *agents})})

    async def load(self) -> frozenset[AgentId]:
        return await asyncio.to_thread(self._read)

    async def forget(self) -> None:
        """Idempotent. Raises `Refused`, `Conflict`."""
        await asyncio.to_thread(remove_file, self._path)

    def _read(self) -> frozenset[AgentId]:
        try:
            found = (read_state(self._path) or {}).get("agents", [])
        except UnusableFile:
            # Written again, or removed, in a moment: at worst an agent is offered that nobody wants.
            return frozenset()
        agents = found if isinstance(found, list) else []
        return frozenset(AgentId(agent) for agent in agents if isinstance(agent, str))
