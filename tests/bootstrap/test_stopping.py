"""What the signals that end a server do."""

import asyncio
import os
import signal
import subprocess
import sys
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


@pytest.mark.usefixtures("own_signals")
async def test_a_second_ctrl_c_says_what_it_stops_and_what_one_more_does() -> None:
    said: list[str] = []
    stopping = Stopping(said.append)
    with stopping.heard():
        stopping.ask(signal.SIGINT)
        stopping.ask(signal.SIGINT)

    assert stopping.insisted.is_set()
    assert said == ["Stopping …", "Stopping the agents too … Once more ends all at once."]


_DECIDED = """
import asyncio, os, signal
from idea.bootstrap.stopping import Stopping

async def serve():
    stopping = Stopping(print)
    with stopping.heard():
        os.kill(os.getpid(), signal.SIGINT)
        await stopping.asked.wait()
        stopping.decide()
        os.kill(os.getpid(), signal.SIGINT)
        await stopping.insisted.wait()

asyncio.run(serve())
"""


@pytest.mark.slow
def test_a_second_ctrl_c_ends_at_once_what_stops_anyway() -> None:
    ended = subprocess.run(
        [sys.executable, "-u", "-c", _DECIDED], capture_output=True, text=True, timeout=20, check=False
    )

    assert (ended.returncode, ended.stdout) == (130, "Stopping …\nStopping at once.\n")
