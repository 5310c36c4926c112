"""A long request whose caller hangs up, or may no longer come in, is cancelled: nobody is there to be answered."""

import asyncio
from collections.abc import Coroutine
from http import HTTPStatus
from typing import TypeVar

from starlette.requests import Request

from idea.domain.errors import Cancelled, IdeaError
from idea.doors.http.errors import TransportRefusal
from idea.doors.http.first_of import first_of

R = TypeVar("R")


async def run_while_connected(
    request: Request, work: Coroutine[object, object, R], *, target: str, revoked: asyncio.Event
) -> R:
    """The result of `work`, or its `IdeaError`.

    Raises:
        Cancelled: the caller hung up first.
        TransportRefusal: its credential was revoked first.
    """

    async def settle() -> R | IdeaError | TransportRefusal:
        try:
            return await work
        except IdeaError as error:
            return error

    async def watch() -> R | IdeaError | TransportRefusal:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        return Cancelled(target, "requester")

    async def lose_credential() -> R | IdeaError | TransportRefusal:
        await revoked.wait()
        return TransportRefusal(HTTPStatus.UNAUTHORIZED, "The request's credential was revoked.")

    outcome = await first_of(settle(), watch(), lose_credential())
    if isinstance(outcome, (IdeaError, TransportRefusal)):
        raise outcome
    return outcome
