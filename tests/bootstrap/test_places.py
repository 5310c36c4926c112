"""Which runtime folder a project keeps: the recorded one, as long as it is private to the user."""

import os
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from idea.adapters.storage.locks import ServerLock
from idea.bootstrap.places import demo_places, keep_runtime


@pytest.fixture
def state(tmp_path: Path) -> Path:
    (tmp_path / "state" / "locks").mkdir(parents=True)
    return tmp_path / "state"


@pytest.fixture
def short() -> Iterator[Path]:
    """Sockets would lie in it."""
    with TemporaryDirectory(prefix="idea-") as folder:
        yield Path(folder)


def test_the_first_choice_is_kept_while_it_is_there(state: Path, short: Path) -> None:
    first, second = short / "first", short / "second"
    for folder in (first, second):
        folder.mkdir(mode=0o700)

    assert keep_runtime(state, first) == first
    assert keep_runtime(state, second) == first

    first.rmdir()
    assert keep_runtime(state, second) == second
    assert keep_runtime(state, second) == second


def _bytes(content: bytes) -> Callable[[Path], object]:
    return lambda record: record.write_bytes(content)


@pytest.mark.parametrize(
    "spoil",
    [
        _bytes(b"\xff\xfe"),
        _bytes(b"/tmp/\0x"),
        _bytes(b""),
        _bytes(b"relative"),
        _bytes(b"/" + b"x" * 10_000),
        lambda record: record.mkdir(),
        lambda record: os.mkfifo(record),
        lambda record: record.symlink_to("/etc/passwd"),
    ],
    ids=["no text", "NUL", "empty", "relative", "long", "folder", "fifo", "link"],
)
def test_a_record_that_is_none_is_replaced(state: Path, short: Path, spoil: Callable[[Path], object]) -> None:
    spoil(state / "locks" / "runtime")

    assert keep_runtime(state, short) == short
    assert (state / "locks" / "runtime").read_text() == str(short)


def test_a_recorded_folder_that_others_can_enter_is_not_used_and_not_changed(state: Path, short: Path) -> None:
    open_to_all, link = short / "open", short / "link"
    open_to_all.mkdir()
    open_to_all.chmod(0o755)
    private = short / "private"
    private.mkdir(mode=0o700)
    link.symlink_to(private)
    for named in (open_to_all, link):
        (state / "locks" / "runtime").write_text(str(named))

        assert keep_runtime(state, short) == short

    assert stat.S_IMODE(open_to_all.stat().st_mode) == 0o755
    assert list(private.iterdir()) == []


def test_a_killed_demos_folder_goes_with_the_next_demo_and_a_running_ones_stays(
    short: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(short))
    killed, begun, running, young, younger, open_to_all = (short / f"idea-demo-{name}" for name in "abcdef")
    for folder in (killed, begun, running, young, younger, open_to_all):
        (folder / "run").mkdir(parents=True, mode=0o700)
        folder.chmod(0o755 if folder == open_to_all else 0o700)
        if folder not in (begun, younger):
            lock_file = folder / "run" / "server.lock"
            lock_file.write_text("{}")
            if folder != young:
                # Killed a minute ago.
                os.utime(lock_file, (time.time() - 60, time.time() - 60))
    os.utime(begun, (0, 0))
    lock = ServerLock(running / "run")
    lock.acquire(control=running / "control")
    os.utime(running / "run" / "server.lock", (0, 0))

    with demo_places({"XDG_RUNTIME_DIR": str(short)}, is_throw_away=True) as places:
        assert places.throw_away is not None
        left = set(short.glob("idea-demo-*")) - {places.throw_away}
    lock.release()

    assert left == {running, young, younger, open_to_all}
