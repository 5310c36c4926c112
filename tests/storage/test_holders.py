"""The process that holds a lock is ended when a person agreed to that, and no other one."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from idea.adapters.storage.holders import end_process, name_process
from idea.keeper.tree import start_time

DEAF = "import signal, sys; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('on', flush=True); sys.stdin.read()"
KIND = "import sys; print('on', flush=True); sys.stdin.read()"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="only there a process can be named beyond doubt"),
]


@pytest.fixture(params=[KIND, DEAF], ids=["leaves", "deaf"])
def holder(request: pytest.FixtureRequest) -> Iterator["subprocess.Popen[bytes]"]:
    arguments = [sys.executable, "-c", request.param]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"on\n"
        yield process
        process.kill()


def test_the_holder_is_ended_also_one_that_hears_nothing(holder: "subprocess.Popen[bytes]") -> None:
    started = start_time(holder.pid)
    assert started is not None

    assert end_process(holder.pid, started, leave_s=0.5)

    assert holder.wait(5) in (-signal.SIGTERM, -signal.SIGKILL)


def test_who_got_its_pid_later_is_left_alone(holder: "subprocess.Popen[bytes]") -> None:
    assert end_process(holder.pid, "1", leave_s=0.5)

    assert holder.poll() is None


def test_a_name_is_of_one_living_process_and_never_our_own(holder: "subprocess.Popen[bytes]") -> None:
    started = start_time(holder.pid)

    assert name_process({"pid": holder.pid, "started": started}) == f"{holder.pid}:{started}"
    assert name_process({"pid": holder.pid, "started": "1"}) is None
    assert name_process({"pid": holder.pid}) is None
    assert name_process({"pid": os.getpid(), "started": start_time(os.getpid())}) is None
