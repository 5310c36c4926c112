import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from idea.adapters.storage.atomic import (
    PRIVATE,
    SHARED,
    ensure_folder,
    ensure_private_tree,
    read_file,
    remove_file,
    safe_child,
    set_aside,
    sweep_temporaries,
    write_file,
)
from idea.adapters.storage.unusable import UnusableFile
from idea.domain.errors import Conflict, Invalid, Refused

WRITER = """
import itertools, json, sys
from pathlib import Path
from idea.adapters.storage.atomic import PRIVATE, write_file
for number in itertools.count():
    text = json.dumps({"number": number, "filling": "x" * 200_000})
    write_file(Path(sys.argv[1]), text.encode(), mode=PRIVATE)
    print(number, flush=True)
"""


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    write_file(tmp_path / "a", b"one", mode=PRIVATE)
    write_file(tmp_path / "a", b"two", mode=PRIVATE)

    assert read_file(tmp_path / "a", limit_bytes=3) == b"two"
    assert read_file(tmp_path / "b", limit_bytes=3) is None
    assert os.listdir(tmp_path) == ["a"]


def test_private_files_are_private_whatever_the_umask_and_shared_ones_keep_their_mode(tmp_path: Path) -> None:
    (tmp_path / "shared").write_text("by hand")
    (tmp_path / "shared").chmod(0o664)
    earlier = os.umask(0)
    try:
        write_file(tmp_path / "private", b"x", mode=PRIVATE)
        write_file(tmp_path / "shared", b"x", mode=SHARED)
    finally:
        os.umask(earlier)

    assert (_mode(tmp_path / "private"), _mode(tmp_path / "shared")) == (0o600, 0o664)


def test_a_new_file_never_replaces_one_that_is_there(tmp_path: Path) -> None:
    write_file(tmp_path / "a", b"theirs", mode=SHARED, is_new=True)

    with pytest.raises(Conflict):
        write_file(tmp_path / "a", b"ours", mode=SHARED, is_new=True)

    assert (tmp_path / "a").read_bytes() == b"theirs"
    assert not list(tmp_path.glob(".*.tmp"))


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "/etc/passwd", "a\0b", "a\\b", "x" * 256, "é" * 128])
def test_a_name_that_leads_elsewhere_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(Invalid):
        safe_child(tmp_path, name)


def _link(path: Path) -> None:
    path.symlink_to("/etc/passwd")


def _endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _fifo(path: Path) -> None:
    os.mkfifo(path)


def _folder(path: Path) -> None:
    path.mkdir()


def _large(path: Path) -> None:
    path.write_bytes(b"x" * 101)


@pytest.mark.parametrize("plant", [_link, _endless, _fifo, _folder, _large])
def test_what_is_no_plain_file_is_refused_without_waiting(tmp_path: Path, plant: Callable[[Path], None]) -> None:
    plant(tmp_path / "a")
    opened = os.listdir("/dev/fd")

    with pytest.raises(UnusableFile):
        read_file(tmp_path / "a", limit_bytes=100)

    assert len(os.listdir("/dev/fd")) == len(opened)


def test_a_link_is_replaced_and_never_written_through(tmp_path: Path) -> None:
    (tmp_path / "outside").write_bytes(b"untouched")
    (tmp_path / "a").symlink_to(tmp_path / "outside")

    write_file(tmp_path / "a", b"ours", mode=SHARED)

    assert (tmp_path / "outside").read_bytes() == b"untouched"
    assert not (tmp_path / "a").is_symlink()


def test_a_folder_that_became_a_link_is_not_entered(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "folder").symlink_to(tmp_path / "outside")

    with pytest.raises(Refused):
        ensure_folder(tmp_path / "folder")
    with pytest.raises(Refused):
        write_file(tmp_path / "folder" / "a", b"x", mode=SHARED)
    with pytest.raises(Refused):
        read_file(tmp_path / "folder" / "a", limit_bytes=1)
    assert not list((tmp_path / "outside").iterdir())


def test_private_folders_are_made_private_again(tmp_path: Path) -> None:
    (tmp_path / "loose").mkdir(mode=0o755)

    ensure_folder(tmp_path / "loose", mode=0o700)
    ensure_private_tree(tmp_path / "not" / "there" / "yet")

    assert _mode(tmp_path / "loose") == 0o700
    assert _mode(tmp_path / "not" / "there" / "yet") == 0o700


def test_setting_aside_loses_nothing_even_twice_in_a_second(tmp_path: Path) -> None:
    kept = []
    for content in ("one", "two", "three"):
        (tmp_path / "a").write_text(content)
        kept.append(set_aside(tmp_path / "a"))

    assert [path.read_text() for path in kept] == ["one", "two", "three"]


def test_removing_takes_the_link_and_not_what_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("kept")
    (tmp_path / "a").symlink_to(tmp_path / "outside")

    remove_file(tmp_path / "a")
    remove_file(tmp_path / "a")

    assert (tmp_path / "outside").read_text() == "kept"
    assert not os.path.lexists(tmp_path / "a")


def test_only_old_leftovers_of_killed_writers_are_swept(tmp_path: Path) -> None:
    for name in (".a.0123.tmp", ".b.0123.tmp", "c.tmp"):
        (tmp_path / name).write_text("x")
    os.utime(tmp_path / ".a.0123.tmp", (0, 0))
    os.utime(tmp_path / "c.tmp", (0, 0))

    sweep_temporaries(tmp_path)

    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == [".b.0123.tmp", "c.tmp"]


@pytest.mark.slow
def test_a_writer_killed_at_any_moment_leaves_a_whole_file(tmp_path: Path) -> None:
    target = tmp_path / "state.json"
    for kill in range(8):
        with subprocess.Popen([sys.executable, "-c", WRITER, str(target)], stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            acknowledged = [int(writer.stdout.readline()) for _ in range(kill + 1)][-1]
            writer.send_signal(signal.SIGKILL)

        found = json.loads(target.read_text())

        assert found["number"] >= acknowledged
        assert len(found["filling"]) == 200_000
