"""A project's keeper as a program of its own, started when there is none, and anew when it was killed."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from idea.adapters.keeper.keeper_program import start_keeper
from idea.adapters.keeper.link import OnHeld
from idea.adapters.keeper.process import KeptProcess
from idea.adapters.keeper.socket_keeper import SocketKeeper
from idea.domain.errors import IdeaError, Lost
from idea.domain.sessions import KeptChild, SpawnSpec

RENEW_S: Final = 20.0
"""How long a use waits for the keeper that comes after a lost one: longer than its start is given."""
AGAIN_S: Final = 0.5
"""After a loss: what kills keepers may go on for a moment."""
LONGEST_AGAIN_S: Final = 60.0
"""Each attempt that fails doubles the rest, up to this; whoever needs a keeper ends it."""

_log = logging.getLogger(__name__)


class RenewedKeeper:
    """A `Keeper` whose processes outlive `run`. What a lost keeper had is lost; the next one is another `identity`."""

    outlives_server = True

    def __init__(
        self, socket: Path, *, state: Path, on_lost: Callable[[IdeaError | None], None], on_held: OnHeld | None = None
    ) -> None:
        """`on_lost` learns that a keeper ended with all its agents, and then why no other one starts, once a reason."""
        self._socket = socket
        self._state = state
        self._on_lost = on_lost
        self._on_held = on_held
        self._current: SocketKeeper | None = None
        self._holders: dict[Path, SocketKeeper] = {}
        """Which keeper was given each agent's lock: with it the lock is gone."""
        self._failure: IdeaError | None = None
        """Why the last attempt came to no keeper. Holds while that is decided."""
        self._told = ""
        """The failure that `on_lost` was last told."""
        self._decided = asyncio.Event()
        """The last attempt came to a keeper, or to a failure."""
        self._wanted = asyncio.Event()
        """Somebody waits for the next attempt, or nobody wants one any more."""
        self._is_leaving = False

    async def run(self, *, ready: asyncio.Event) -> None:
        """Until `leave` or `stop_all`. `ready` is set for the first keeper.

        Raises:
            Refused: no keeper can be started there.
            Conflict: the one that lives does not work with this version, or is ending.
            Lost: it does not answer.
        """
        self._decided = ready
        await self._serve()
        rest_s = AGAIN_S
        while not self._is_leaving:
            if self._failure is None:
                self._decided.clear()
                self._told = ""
                self._on_lost(None)
                rest_s = AGAIN_S
            with suppress(TimeoutError):
                async with asyncio.timeout(rest_s):
                    await self._wanted.wait()
            self._wanted.clear()
            if not self._is_leaving:
                await self._renew()
                rest_s = min(2 * rest_s, LONGEST_AGAIN_S)

    async def _serve(self) -> None:
        """One keeper's life, or what is left of it; raises what keeps it from being used."""
        await start_keeper(self._socket, state=self._state)
        if self._is_leaving:
            return
        # While it ends nothing starts in it, and no other one in its place: whoever wants a keeper waits for the next.
        self._current = SocketKeeper(self._socket, on_ending=self._decided.clear, on_held=self._on_held)
        await self._current.run(ready=self._decided)

    async def _renew(self) -> None:
        self._decided.clear()
        self._failure = None
        try:
            await self._serve()
        except IdeaError as error:
            self._failure = error
            self._decided.set()
            if str(error) != self._told:
                self._told = str(error)
                _log.warning("the project has no keeper: %s", error)
                self._on_lost(error)

    async def leave(self) -> None:
        """The agents live on. Idempotent."""
        self._end()
        if self._current is not None:
            await self._current.aclose()

    async def stop_all(self, *, grace_s: float) -> tuple[int, ...]:
        """Stop every agent and end the keeper; the survivors. Idempotent."""
        self._end()
        if self._current is None:
            return ()
        try:
            return await self._current.stop_all(grace_s=grace_s)
        except Lost:
            # Killed: parent-death signals did its work.
            return ()

    def _end(self) -> None:
        self._is_leaving = True
        self._wanted.set()

    @property
    def identity(self) -> str:
        return self._current.identity if self._current is not None else ""

    def has_ended(self, identity: str) -> bool:
        return identity != self.identity or self._current is None or self._current.has_ended(identity)

    async def spawn(self, spec: SpawnSpec) -> KeptProcess:
        keeper = await self._keeper()
        if spec.lock is not None and self._holders.get(Path(spec.lock)) is not keeper:
            raise Lost("The keeper")
        return await keeper.spawn(spec)

    async def children(self) -> Sequence[KeptChild]:
        return await (await self._keeper()).children()

    async def attach(self, spawn_id: str) -> KeptProcess | None:
        return await (await self._keeper()).attach(spawn_id)

    async def forget(self, spawn_id: str) -> None:
        if self._is_usable:
            await (await self._keeper()).forget(spawn_id)

    async def lock(self, path: Path, name: str) -> None:
        keeper = await self._keeper()
        await keeper.lock(path, name)
        self._holders[path] = keeper

    async def unlock(self, path: Path) -> None:
        self._holders.pop(path, None)
        # A lost one has let go of it.
        if self._is_usable:
            await (await self._keeper()).unlock(path)

    @property
    def _is_usable(self) -> bool:
        return self._decided.is_set() and self._failure is None

    async def _keeper(self) -> SocketKeeper:
        """Has the next one started at once when there is none. Raises why there is none, `Lost` when nobody says."""
        if self._failure is not None and self._decided.is_set():
            self._decided.clear()
            self._wanted.set()
        try:
            async with asyncio.timeout(RENEW_S):
                await self._decided.wait()
        except TimeoutError as error:
            raise Lost("The keeper") from error
        if self._failure is not None:
            raise self._failure
        assert self._current is not None
        return self._current
