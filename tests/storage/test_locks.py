import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from idea.adapters.storage.locks import ServerLock, find_holder
from idea.domain.errors import Conflict

HOLDER = """
import sys
from pathlib import Path
from idea.adapters.storage.locks import ServerLock
server = ServerLock(Path(sys.argv[1]))
server.acquire(control=Path("/run/control.sock"))
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def runtime(tmp_path: Path) -> Path:
    return tmp_path / "runtime"


@pytest.fixture
def other_server(runtime: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Another process that holds the server's lock."""
    arguments = [sys.executable, "-c", HOLDER, str(runtime)]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        yield process
        process.kill()


@pytest.mark.slow
def test_a_killed_holder_lets_go(runtime: Path, other_server: subprocess.Popen[bytes]) -> None:
    inode = (runtime / "server.lock").stat().st_ino
    other_server.send_signal(signal.SIGKILL)
    other_server.wait(5)
    server = ServerLock(runtime)

    assert find_holder(runtime) is None
    server.acquire(control=Path("/run/ours.sock"))

    assert (runtime / "server.lock").stat().st_ino == inode
    server.release()


@pytest.mark.slow
def test_a_second_server_learns_where_the_first_is(runtime: Path, other_server: subprocess.Popen[bytes]) -> None:
    holder = find_holder(runtime)

    assert holder is not None
    assert (holder.pid, holder.control) == (other_server.pid, Path("/run/control.sock"))
    with pytest.raises(Conflict):
        ServerLock(runtime).acquire(control=Path("/run/second.sock"))
    assert runtime.stat().st_mode & 0o777 == 0o700


def test_nobody_holds_what_was_never_locked_and_looking_creates_nothing(runtime: Path) -> None:
    assert find_holder(runtime) is None
    assert not runtime.exists()


@pytest.mark.slow
def test_a_disk_that_takes_no_note_keeps_nobody_from_the_lock(runtime: Path) -> None:
    full = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))"
    arguments = [sys.executable, "-c", full + HOLDER, str(runtime)]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"

        with pytest.raises(Conflict):
            ServerLock(runtime).acquire(control=Path("/run/second.sock"))
        process.kill()
