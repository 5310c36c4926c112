"""The clock of the event loop in the hands of a test, and terminals with real programs."""

import asyncio
from pathlib import Path

import pytest

from tests.application.terminals import Start, starting_in


class LoopTime:
    """Stands still until it is moved, so that a limit passes when the test says so and not on a slow machine.

    What bounds a test passes with it, too; what hangs is ended by pytest's own limit.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._now_s = loop.time()

    def now_s(self) -> float:
        return self._now_s

    def move(self, seconds: float) -> None:
        self._now_s += seconds
        # It looks at its timers when it has something to do.
        self._loop.call_soon(int)


@pytest.fixture
async def loop_time(monkeypatch: pytest.MonkeyPatch) -> LoopTime:
    loop = asyncio.get_running_loop()
    time = LoopTime(loop)
    monkeypatch.setattr(loop, "time", time.now_s)
    return time


@pytest.fixture
def start(tmp_path: Path) -> Start:
    return starting_in(tmp_path)
