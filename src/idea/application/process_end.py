"""What becomes of an agent's process when its session is over: its whole tree ends, unless it is us who leave."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from idea.application.ports import AgentProcess
from idea.domain.sessions import StopReport


@asynccontextmanager
async def ended_with(
    process: AgentProcess, *, grace_s: float, on_ended: Callable[[StopReport], None]
) -> AsyncIterator[None]:
    """The process ends with the block at the latest, also where that fails; what it left behind goes with it.

    `on_ended` is told how, before the block is left. Cancelling the block leaves the process alone: whoever does so
    ends the server, not the agent.
    """
    try:
        yield
    except asyncio.CancelledError:
        raise
    except BaseException as failure:
        if _is_cancelled():
            # The server leaves: what fails on its way out must not take the agent along.
            raise asyncio.CancelledError from failure
        on_ended(await process.stop(grace_s=grace_s))
        raise
    # Also after a natural end.
    on_ended(await process.stop(grace_s=grace_s))


def _is_cancelled() -> bool:
    """A task group that is cancelled raises what failed in it meanwhile, and not the cancel."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
