"""A long request whose caller hangs up is cancelled: whoever asked is no longer there to be answered."""

from collections.abc import Coroutine
from typing import TypeVar

from starlette.requests import Request

from idea.domain.errors import Cancelled, IdeaError
from idea.doors.http.first_of import first_of

R = TypeVar("R")


async def run_while_connected(request: Request, work: Coroutine[object, object, R], *, target: str) -> R:
    """The result of `work`, or its `IdeaError`. Raises `Cancelled` when the caller hung up first."""

    async def settle() -> R | IdeaError:
        try:
            return await work
        except IdeaError as error:
            return error

    async def watch() -> R | IdeaError:
        while (await request.receive())["type"] != "http.disconnect":
            pass
        return Cancelled(target, "requester")

    outcome = await first_of(settle(), watch())
    if isinstance(outcome, IdeaError):
        raise outcome
    return outcome
