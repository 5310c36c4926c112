"""A request that the server's end cuts off is told so."""

import asyncio
from collections.abc import Awaitable, Callable

from starlette.types import Message, Receive, Scope, Send

Respond = Callable[[Send], Awaitable[None]]
Answering = Callable[[Scope, Receive, Send], Awaitable[None]]


async def answer_to_the_end(app: Answering, scope: Scope, receive: Receive, send: Send, *, cut_off: Respond) -> None:
    """As `app` answers; `cut_off` answers in its place where it was cancelled before it began."""
    has_begun = False

    async def note(message: Message) -> None:
        nonlocal has_begun
        has_begun = True
        await send(message)

    try:
        await app(scope, receive, note)
    except asyncio.CancelledError:
        # Nothing but the listener's end cancels a request, and that waits for this task's end alone: passed on, it
        # would be shown to the caller as a fault and logged as one.
        if has_begun:
            raise
        await cut_off(send)
