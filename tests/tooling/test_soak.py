"""Does what ends the long tests end all of them?"""

import os
import select
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.steps import ROOT
from tests.system.house import START_S, STOP_S, wait_gone

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="whether a stranger's child is gone is asked as Linux tells it"),
]

RUNS = """
import sys
from scripts.soak_runs import SUITES, Suite, main
SUITES["own"] = Suite("soak", (sys.argv.pop(1),))
sys.exit(0 if main() else 1)
"""
ENDLESS = """
import os, signal
from pathlib import Path
import pytest

@pytest.mark.soak
def test_endless():
    begun = Path(__file__).with_name("begun")
    begun.write_text(str(os.getpid()))
    signal.pause()
"""


def test_a_signal_ends_the_run_under_way_too(tmp_path: Path) -> None:
    (tmp_path / "test_endless.py").write_text(ENDLESS, encoding="utf-8")
    os.mkfifo(tmp_path / "begun")
    begun = os.open(tmp_path / "begun", os.O_RDWR | os.O_NONBLOCK)
    runs = subprocess.Popen(
        [sys.executable, "-c", RUNS, str(tmp_path), "own", "--runs", "9"], cwd=ROOT, stdout=subprocess.DEVNULL
    )
    try:
        assert select.select([begun], [], [], START_S)[0]
        pid = int(os.read(begun, 100))
        runs.terminate()
        code = runs.wait(STOP_S)
    finally:
        runs.kill()
        runs.wait(STOP_S)
        os.close(begun)

    assert code != 0
    assert wait_gone([pid]) == []
