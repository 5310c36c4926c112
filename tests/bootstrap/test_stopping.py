"""What the signals that end a server do."""

import asyncio
import os
import signal
from collections.abc import Iterator

import pytest

from idea.bootstrap.stopping import Stopping


@pytest.fixture
def own_signals() -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("own_signals")
def test_a_ctrl_c_in_the_last_moments_does_not_make_a_failure_of_the_end() -> None:
    said: list[str] = []

    async def serve() -> None:
        stopping = Stopping(said.append)
        with stopping.heard():
            os.kill(os.getpid(), signal.SIGINT)
            async with asyncio.timeout(5):
                await stopping.asked.wait()
        os.kill(os.getpid(), signal.SIGINT)

    asyncio.run(serve())
    os.kill(os.getpid(), signal.SIGINT)

    assert said == ["Stopping …"]
