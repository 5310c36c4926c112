"""The keeper as a program of its own, reached over its socket."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Final

from idea.adapters.keeper.greeting import ATTACH_S, Conversation, other_version
from idea.adapters.keeper.link import Link, OnHeld
from idea.adapters.keeper.linked import LinkedKeeper
from idea.domain.errors import Closed, Conflict, KeeperSilent, Lost
from idea.keeper.frames import BrokenFrame
from idea.keeper.protocol import PROTOCOL, Attach, Attached, Close, Command, Event, KeeperClosed, KeeperClosing

UNSENT_BYTES: Final = 16 * 1024 * 1024
"""A keeper that takes nothing any more is as good as gone; each writer has no more than 64 KiB on its way."""
CLOSE_S: Final = 5.0
"""Beyond the grace: the kills, their verification, and the keeper's own end."""


class SocketKeeper(LinkedKeeper):
    """A `Keeper` whose processes outlive `run`. Usable once that is ready; after a loss, a new one is needed."""

    outlives_server = True

    def __init__(
        self, path: Path, *, on_ending: Callable[[], None] = lambda: None, on_held: OnHeld | None = None
    ) -> None:
        """`path` is the keeper's socket. `on_ending`: somebody ends the keeper; `run` lasts until it has."""
        super().__init__(Link(self._post))
        self._link.on_held = on_held or self._link.on_held
        self._path = path
        self._on_ending = on_ending
        self._conversation: Conversation | None = None
        self.epoch = 0

    @property
    def is_lost(self) -> bool:
        """The connection ended, and neither `aclose` nor the keeper said why: it died, or another server attached."""
        return self._link.is_lost

    async def run(self, *, ready: asyncio.Event) -> None:
        """Attach and serve until `aclose`, the keeper's end, or the loss of the connection (`is_lost`). Once only.

        Raises:
            Lost: there is no keeper, or it does not answer.
            Conflict: it is ending, or it does not speak our protocol.
        """
        conversation = await Conversation.begin(self._path)
        if conversation is None:
            raise Lost("The keeper")
        try:
            await self._attach(conversation)
            self._conversation = conversation
            ready.set()
            await conversation.listen(self._received)
        finally:
            self._link.lose()
            conversation.close()

    def _received(self, event: Event) -> None:
        self._link.received(event)
        if isinstance(event, KeeperClosing):
            self._on_ending()

    async def aclose(self) -> None:
        """Leave it: `run` ends, the agents live on. Idempotent."""
        self._link.close()
        if self._conversation is not None:
            self._conversation.close()

    async def stop_all(self, *, grace_s: float) -> tuple[int, ...]:
        """Stop every agent and end the keeper; the survivors. `run` ends as well. Idempotent.

        Raises:
            Lost: it does not say that it has ended.
        """
        if not self._link.closed.is_set():
            self._link.post(Close(grace_s))
            try:
                async with asyncio.timeout(grace_s + CLOSE_S):
                    await self._link.closed.wait()
            except TimeoutError as error:
                raise KeeperSilent(self._link.pid) from error
        if self._link.survivors is None:
            raise Lost("The keeper")
        return self._link.survivors

    async def _attach(self, conversation: Conversation) -> None:
        hello = conversation.hello
        if hello.is_closing:
            raise Conflict(
                f"The project's keeper (process {hello.pid}) is ending. Try again in a moment.",
                why="keeperIsEnding",
                pid=hello.pid,
            )
        conversation.say(Attach(min(PROTOCOL, hello.protocol)))
        try:
            async with asyncio.timeout(ATTACH_S):
                answer = await conversation.next()
        except TimeoutError as error:
            raise KeeperSilent(hello.pid) from error
        if answer is None or isinstance(answer, KeeperClosed):
            raise Lost("The keeper")
        if not isinstance(answer, Attached):
            raise other_version(hello)
        self.epoch = answer.epoch
        self._identity = hello.identity
        self._link.pid = hello.pid

    def _post(self, command: Command) -> None:
        conversation = self._conversation
        if conversation is None:
            raise Closed("The keeper")
        try:
            conversation.say(command)
        except BrokenFrame as error:
            raise Conflict(f"That is too much for the keeper: {error}.") from error
        if conversation.unsent_bytes > UNSENT_BYTES:
            conversation.abort()
