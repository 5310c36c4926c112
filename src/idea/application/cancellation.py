"""Whether a task was asked to end, also where what failed on its way out hides that."""

import asyncio


def is_cancelled() -> bool:
    """Of the task that asks. A task group that is cancelled raises what failed in it meanwhile, and not the cancel."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
