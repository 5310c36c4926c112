"""A long request whose caller hangs up is cancelled: whoever asked is no longer there to be answered."""

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

from starlette.requests import Request

from idea.domain.errors import Cancelled, IdeaError

R = TypeVar("R")


async def run_while_connected(request: Request, work: Coroutine[object, object, R]) -> R:
    """The result of `work`, or its `IdeaError`. Raises `Cancelled` when the caller hung up first."""
    outcome: list[R | IdeaError] = []

    async def settle() -> None:
        try:
            outcome.append(await work)
        except IdeaError as error:
            outcome.append(error)

    async with asyncio.TaskGroup() as tasks:
        working = tasks.create_task(settle(), name="request-work")
        watching = tasks.create_task(_wait_for_disconnect(request), name="request-disconnect")
        await asyncio.wait((working, watching), return_when=asyncio.FIRST_COMPLETED)
        working.cancel()
        watching.cancel()
    if not outcome:
        raise Cancelled("the agent", "the requester")
    result = outcome[0]
    if isinstance(result, IdeaError):
        raise result
    return result


async def _wait_for_disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
