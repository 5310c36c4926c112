"""What a CLI says of its session: that it is ready, which conversation it is in, that it refuses one."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from idea.application.structured.engine_output import OnSessionEvent, SessionEvent
from idea.application.structured.resumption import Resumption
from idea.domain.ids import ConversationId
from idea.domain.replies import ConversationIdentified, EngineReady, ResumeRefused

CATCH_UP_S: Final = 10.0
"""A CLI that says so much between its turns is not waited for."""


class EngineClaims:
    """Judged before they are told on."""

    def __init__(
        self,
        resumption: Resumption,
        *,
        on_event: OnSessionEvent,
        on_refused: Callable[[ResumeRefused], None],
        is_catching_up: bool,
    ) -> None:
        """`on_refused` is called once, before `on_event` hears of it.

        `is_catching_up`: the rest of the turn before is to be read first, or it would be taken for the next one's.
        """
        self._resumption = resumption
        self._on_event = on_event
        self._on_refused = on_refused
        self._is_catching_up = is_catching_up
        self._was_refused = asyncio.Event()
        self.ready = asyncio.Event()
        """Set when it says so; whoever runs the session may put their own here."""
        self.conversation: ConversationId | None = None
        """As it was last named."""

    @property
    def refusal(self) -> ResumeRefused | None:
        return self._resumption.refusal

    async def take(self, event: SessionEvent) -> None:
        event = self._resumption.judge(event)
        match event:
            case ResumeRefused():
                if self._was_refused.is_set():
                    # Said on both of its outputs.
                    return
                self._was_refused.set()
                self._on_refused(event)
            case EngineReady():
                if self._is_catching_up:
                    # Heard by the server before this one, and now read again.
                    return
                self.ready.set()
            case ConversationIdentified(conversation=conversation):
                self.conversation = conversation
        await self._on_event(event)

    async def take_last_words(self, text: str) -> None:
        """Of a process that has failed: the end of its stderr."""
        if (refusal := self._resumption.read_last_words(text)) is not None:
            await self.take(refusal)

    async def be_ready_again(self, has_caught_up: asyncio.Event) -> None:
        """As the server before said, but not too early."""
        if self._is_catching_up:
            with suppress(TimeoutError):
                async with asyncio.timeout(CATCH_UP_S):
                    await has_caught_up.wait()
        self._is_catching_up = False
        await self.take(EngineReady())

    def expect_same(self) -> None:
        """The next process is asked to go on with what this session is in."""
        if self.conversation is not None:
            self._resumption.expect(self.conversation)

    async def wait_refused(self) -> None:
        """For as long as the CLI does not refuse."""
        await self._was_refused.wait()
