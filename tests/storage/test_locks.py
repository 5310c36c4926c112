import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from idea.adapters.storage.locks import AgentFileLocks, ServerLock, find_holder
from idea.domain.errors import Conflict, Invalid, Refused
from idea.domain.ids import AgentId

HOLDER = """
import sys
from pathlib import Path
from idea.adapters.storage.locks import AgentFileLocks, ServerLock
agents, server = AgentFileLocks(Path(sys.argv[1])), ServerLock(Path(sys.argv[2]))
agents.acquire("a1", "Main")
server.acquire(control=Path("/run/control.sock"))
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def state(root: Path) -> Path:
    return root / ".ideai" / "state"


@pytest.fixture
def runtime(tmp_path: Path) -> Path:
    return tmp_path / "runtime"


@pytest.fixture
def other_server(state: Path, runtime: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Another process that holds the agent a1 and the server's lock."""
    arguments = [sys.executable, "-c", HOLDER, str(state), str(runtime)]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        yield process
        process.kill()


@pytest.mark.slow
def test_an_agent_of_another_server_is_refused_by_the_holders_pid(
    state: Path, other_server: subprocess.Popen[bytes]
) -> None:
    locks = AgentFileLocks(state)

    with pytest.raises(Refused) as refused:
        locks.acquire(AgentId("a1"), "Main")

    assert str(other_server.pid) in refused.value.reason
    locks.acquire(AgentId("a2"), "QA")
    locks.release_all()


@pytest.mark.slow
def test_a_killed_holder_lets_go(state: Path, runtime: Path, other_server: subprocess.Popen[bytes]) -> None:
    inode = (state / "locks" / "a1").stat().st_ino
    other_server.send_signal(signal.SIGKILL)
    other_server.wait(5)
    locks, server = AgentFileLocks(state), ServerLock(runtime)

    assert find_holder(runtime) is None
    locks.acquire(AgentId("a1"), "Main")
    server.acquire(control=Path("/run/ours.sock"))

    assert (state / "locks" / "a1").stat().st_ino == inode
    locks.release_all()
    server.release()


@pytest.mark.slow
def test_a_second_server_learns_where_the_first_is(runtime: Path, other_server: subprocess.Popen[bytes]) -> None:
    holder = find_holder(runtime)

    assert holder is not None
    assert (holder.pid, holder.control) == (other_server.pid, Path("/run/control.sock"))
    with pytest.raises(Conflict):
        ServerLock(runtime).acquire(control=Path("/run/second.sock"))
    assert runtime.stat().st_mode & 0o777 == 0o700


def test_two_servers_in_one_process_exclude_one_another_too(state: Path) -> None:
    first, second = AgentFileLocks(state), AgentFileLocks(state)
    first.acquire(AgentId("a"), "Main")
    first.acquire(AgentId("a"), "Main")

    with pytest.raises(Refused):
        second.acquire(AgentId("a"), "Main")
    first.release(AgentId("a"))
    first.release(AgentId("a"))
    second.acquire(AgentId("a"), "Main")

    second.release_all()


def test_nobody_holds_what_was_never_locked_and_looking_creates_nothing(runtime: Path) -> None:
    assert find_holder(runtime) is None
    assert not runtime.exists()


def test_a_lock_that_is_a_link_or_a_fifo_is_refused(state: Path, tmp_path: Path) -> None:
    (state / "locks").mkdir()
    (state / "locks" / "a").symlink_to(tmp_path / "outside")
    os.mkfifo(state / "locks" / "b")
    locks = AgentFileLocks(state)

    for agent in ("a", "b"):
        with pytest.raises(Refused):
            locks.acquire(AgentId(agent), "Main")
    with pytest.raises(Invalid):
        locks.acquire(AgentId("../../x"), "Main")

    assert not (tmp_path / "outside").exists()


def test_a_note_of_garbage_is_overwritten(state: Path) -> None:
    (state / "locks").mkdir()
    (state / "locks" / "a").write_bytes(b"\0" * 10_000)
    locks = AgentFileLocks(state)

    locks.acquire(AgentId("a"), "Main")

    assert f'"pid": {os.getpid()}' in (state / "locks" / "a").read_text()
    locks.release_all()
    assert (state / "locks" / "a").read_text() == ""
