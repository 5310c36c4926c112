"""A project's keeper as a program of its own, started when there is none, and anew when it was killed."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from idea.adapters.keeper.keeper_program import start_keeper
from idea.adapters.keeper.process import KeptProcess
from idea.adapters.keeper.socket_keeper import SocketKeeper
from idea.domain.errors import IdeaError, Lost
from idea.domain.sessions import KeptChild, SpawnSpec

RENEW_S: Final = 10.0
"""How long a use waits for the keeper that comes after a lost one."""
AGAIN_S: Final = 0.5
"""Between attempts to get a new keeper: what kills keepers may go on for a while."""

_log = logging.getLogger(__name__)


class RenewedKeeper:
    """A `Keeper` whose processes outlive `run`. What a lost keeper had is lost; the next one is another `identity`."""

    outlives_server = True

    def __init__(self, socket: Path, *, state: Path, on_lost: Callable[[str], None]) -> None:
        """`on_lost` learns that a keeper went with all its agents, in a sentence."""
        self._socket = socket
        self._state = state
        self._on_lost = on_lost
        self._current: SocketKeeper | None = None
        self._is_leaving = False
        self._usable = asyncio.Event()

    async def run(self, *, ready: asyncio.Event) -> None:
        """Until `leave` or `stop_all`.

        Raises:
            Refused: no keeper can be started there.
            Conflict: the one that lives does not work with this version, or is ending.
            Lost: it does not answer.
        """
        # Cleared while there is none: whoever uses it waits for the next one.
        self._usable = ready
        is_first = True
        while not self._is_leaving:
            try:
                await start_keeper(self._socket, state=self._state)
                self._current = SocketKeeper(self._socket)
                await self._current.run(ready=self._usable)
            except IdeaError as error:
                if is_first and not self._usable.is_set():
                    raise
                _log.warning("the project has no keeper: %s", error)
            finally:
                self._usable.clear()
            is_first = False
            if not self._is_leaving:
                self._on_lost("The keeper of this project's agents was killed, and they with it.")
                await asyncio.sleep(AGAIN_S)

    async def leave(self) -> None:
        """The agents live on. Idempotent."""
        self._is_leaving = True
        if self._current is not None:
            await self._current.aclose()

    async def stop_all(self, *, grace_s: float) -> tuple[int, ...]:
        """Stop every agent and end the keeper; the survivors. Idempotent."""
        self._is_leaving = True
        if self._current is None:
            return ()
        try:
            return await self._current.stop_all(grace_s=grace_s)
        except Lost:
            # Killed: parent-death signals did its work.
            return ()

    @property
    def identity(self) -> str:
        return self._current.identity if self._current is not None else ""

    async def spawn(self, spec: SpawnSpec) -> KeptProcess:
        return await (await self._keeper()).spawn(spec)

    async def children(self) -> Sequence[KeptChild]:
        return await (await self._keeper()).children()

    async def attach(self, spawn_id: str) -> KeptProcess | None:
        return await (await self._keeper()).attach(spawn_id)

    async def forget(self, spawn_id: str) -> None:
        if self._usable.is_set():
            await (await self._keeper()).forget(spawn_id)

    async def lock(self, path: Path, name: str) -> None:
        await (await self._keeper()).lock(path, name)

    async def unlock(self, path: Path) -> None:
        # A lost one has let go of it.
        if self._usable.is_set():
            await (await self._keeper()).unlock(path)

    async def _keeper(self) -> SocketKeeper:
        """Waits for the next one when one was lost. Raises `Lost` when none comes."""
        try:
            async with asyncio.timeout(RENEW_S):
                await self._usable.wait()
        except TimeoutError as error:
            raise Lost("The keeper") from error
        assert self._current is not None
        return self._current
