"""Is a test run kept to itself, and is what it leaves behind found?"""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests import isolation

LINGER = [sys.executable, "-I", "-S", "-c", "import sys; print(flush=True); sys.stdin.read()"]


def test_a_test_sees_empty_folders_and_no_keys() -> None:
    folders = [Path(os.environ[name]) for name in ("HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME")]

    assert len({folder.parent for folder in folders}) == 1
    # The socket's name comes on top, and a path to a socket ends at 104 bytes.
    assert all(len(str(folder)) < 40 for folder in folders)
    assert not [name for name in os.environ if name.endswith(("_API_KEY", "_TOKEN", "_proxy"))]


def test_a_run_in_the_background_hears_signals_all_the_same() -> None:
    source = (
        "import signal; from tests import isolation\n"
        "for number in (signal.SIGINT, signal.SIGHUP): signal.signal(number, signal.SIG_IGN)\n"
        "isolation.heed_signals()\n"
        "print(signal.SIG_IGN in map(signal.getsignal, (signal.SIGINT, signal.SIGHUP)))"
    )

    said = subprocess.run(
        [sys.executable, "-c", source], cwd=Path(__file__).parents[2], capture_output=True, timeout=30, check=True
    )

    assert said.stdout.strip() == b"False"


def test_a_process_left_behind_is_named_and_ended() -> None:
    before = isolation.running()
    process = subprocess.Popen(LINGER, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdin is not None
    process.stdout.readline()

    left = isolation.left_since(before, grace_s=0.1)

    assert [str(process.pid) in told for told in left] == [True]
    process.wait(5)
    process.stdin.close()
    process.stdout.close()


def test_a_thread_left_behind_is_named() -> None:
    before, released = isolation.running(), threading.Event()
    thread = threading.Thread(target=released.wait, name="forgotten")
    thread.start()

    left = isolation.left_since(before, grace_s=0.1)

    released.set()
    thread.join(5)
    assert left == ["thread forgotten"]


@pytest.mark.slow
def test_a_process_that_detached_itself_is_found_at_the_end(tmp_path: Path) -> None:
    leaky = tmp_path / "test_leaky.py"
    leaky.write_text(
        "import subprocess, sys\n"
        "def test_leaks(tmp_path):\n"
        '    daemon = \'import subprocess, sys; subprocess.Popen([sys.executable, "-c", '
        '"import time; time.sleep(30)"], start_new_session=True)\'\n'
        "    subprocess.run([sys.executable, '-c', daemon], check=True)\n",
        encoding="utf-8",
    )
    root = Path(__file__).parents[2]

    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "tests.conftest", "-c", str(root / "pyproject.toml"), str(leaky)],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=30,  # a pytest of its own, with the grace that survivors get
        check=False,
    )

    assert "1 passed" in run.stdout
    assert "still running after the last test" in run.stdout
    assert run.returncode == 1
