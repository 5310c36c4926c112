"""Starting what runs until it is told to end, and telling why one of them did not."""

import asyncio
from collections.abc import Coroutine
from typing import Protocol

from idea.domain.errors import IdeaError


class Lasting(Protocol):
    """Something that runs until it is cancelled or closed, and says when callers may use it."""

    def __call__(self, *, ready: asyncio.Event) -> Coroutine[object, object, None]: ...


async def start(tasks: asyncio.TaskGroup, run: Lasting, name: str) -> "asyncio.Task[None]":
    """If it fails instead of getting ready, the task group cancels us."""
    ready = asyncio.Event()
    task = tasks.create_task(run(ready=ready), name=name)
    await ready.wait()
    return task


def first_of(failures: BaseExceptionGroup[IdeaError]) -> IdeaError:
    """Of a task group's: one reason for whoever waits."""
    failure = failures.exceptions[0]
    return first_of(failure) if isinstance(failure, BaseExceptionGroup) else failure
