"""What counts as a process that runs."""

import os
import subprocess
import sys

import pytest

from idea.keeper.tree import is_running


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody can look at the dead")
def test_who_has_ended_does_not_run_even_before_anybody_waited_for_it() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        assert is_running(child.pid)
        assert child.stdin is not None
        child.stdin.close()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)

        assert not is_running(child.pid)
    assert not is_running(child.pid)
    assert is_running(os.getpid())
