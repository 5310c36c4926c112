"""Several things at once of which the first to end decides."""

import asyncio
from collections.abc import Coroutine
from typing import TypeVar

R = TypeVar("R")


async def first_of(*works: Coroutine[object, object, R]) -> R:
    """The result of the first that ends; the others are cancelled and waited for. Failures belong in the result:
    what a work raises arrives as a group."""
    async with asyncio.TaskGroup() as tasks:
        running = [tasks.create_task(work, name=f"first-of-{number}") for number, work in enumerate(works)]
        done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        for task in running:
            task.cancel()
    return next(task.result() for task in running if task in done)
