"""A running keeper, and specs of small real programs for it."""

import asyncio
import itertools
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from idea.adapters.keeper.in_process import InProcessKeeper
from idea.domain.sessions import SpawnSpec, TerminalSize

SpecOf = Callable[..., SpawnSpec]


@pytest.fixture
async def keeper() -> AsyncIterator[InProcessKeeper]:
    keeper, ready = InProcessKeeper(), asyncio.Event()
    async with asyncio.timeout(55), asyncio.TaskGroup() as tasks:
        tasks.create_task(keeper.run(ready=ready), name="keeper")
        await ready.wait()
        yield keeper
        await keeper.aclose()


@pytest.fixture
def spec_of(tmp_path: Path) -> SpecOf:
    """Builds a spec: argv, or Python source with `python=`; pipes unless a size is given."""
    numbers = itertools.count()

    def build(
        *argv: str, python: str | None = None, terminal: TerminalSize | None = None, env: dict[str, str] | None = None
    ) -> SpawnSpec:
        if python is not None:
            argv = (sys.executable, "-I", "-S", "-c", python)
        return SpawnSpec(
            spawn_id=f"spawn-{next(numbers)}",
            argv=argv,
            cwd=str(tmp_path),
            env={"PATH": "/usr/bin:/bin"} if env is None else env,
            terminal=terminal,
        )

    return build
