"""What is kept of a stream: every byte from the acknowledged one on, in little memory and within the bound on disk."""

import os
import resource
import signal
from array import array
from collections.abc import Iterator
from pathlib import Path

import pytest

from idea.keeper.retained import CAPACITY_BYTES, KEPT_BYTES, MEMORY_BYTES, Retained
from idea.keeper.unlinked import Blob

MIB = 1024 * 1024


def pattern(start: int, length: int) -> bytes:
    """Bytes that tell their offset."""
    first = start - start % 8
    words = array("Q", range(first // 8, (start + length) // 8 + 1)).tobytes()
    return words[start - first : start - first + length]


def read_back(retained: Retained, offset: int, end: int) -> bool:
    """Whether everything from `offset` to `end` is there and right."""
    while offset < end:
        data = retained.read(offset, 300_000)
        if data != pattern(offset, len(data)):
            return False
        offset += len(data)
    return True


@pytest.fixture
def retained(tmp_path: Path) -> Iterator[Retained]:
    retained = Retained(tmp_path)
    yield retained
    retained.close()


def fill(retained: Retained, size: int) -> None:
    for _ in range(size // (MIB // 2)):
        retained.append(pattern(retained.end, MIB // 2))


def test_bytes_come_back_from_memory_and_from_disk(retained: Retained, tmp_path: Path) -> None:
    fill(retained, 5 * MIB)
    retained.append(pattern(retained.end, 12_345))
    retained.acknowledge(3 * MIB + 17)

    assert (retained.acknowledged, retained.end) == (3 * MIB + 17, 5 * MIB + 12_345)
    assert read_back(retained, 3 * MIB + 17, retained.end)
    assert list(tmp_path.iterdir()) == []


def disk_bytes() -> int:
    """Of the files without a name that this process has open."""
    found = 0
    for fd in os.listdir("/proc/self/fd"):
        try:
            stat = os.stat(f"/proc/self/fd/{fd}")
        except OSError:
            continue
        found += stat.st_size if stat.st_nlink == 0 else 0
    return found


@pytest.mark.slow
def test_the_file_is_used_again_and_given_back(retained: Retained) -> None:
    before = disk_bytes()
    fill(retained, 40 * MIB)
    for _ in range(4):
        # Never less than 20 MiB behind: the file is never empty.
        retained.acknowledge(retained.end - 20 * MIB)
        fill(retained, 20 * MIB)

    assert read_back(retained, retained.acknowledged, retained.end)
    assert disk_bytes() - before <= CAPACITY_BYTES
    retained.acknowledge(retained.end)
    assert disk_bytes() == before


@pytest.mark.slow
def test_at_the_bound_it_is_full_until_something_is_acknowledged(retained: Retained) -> None:
    seen = []
    fill(retained, KEPT_BYTES - MIB // 2)
    seen.append(retained.is_full)
    fill(retained, MIB // 2)
    seen.append(retained.is_full)
    retained.acknowledge(1)
    seen.append(retained.is_full)

    assert seen == [False, True, False]


@pytest.fixture
def full_disk() -> Iterator[None]:
    """No file of this process may be longer than 2 MiB."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2 * MIB, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, ignored)


def fill_disk(retained: Retained) -> None:
    while not retained.is_full:
        assert retained.end < KEPT_BYTES
        retained.append(pattern(retained.end, 64 * 1024))


@pytest.mark.usefixtures("full_disk")
def test_a_full_disk_loses_nothing_and_is_tried_again(retained: Retained) -> None:
    fill_disk(retained)
    assert read_back(retained, 0, retained.end)

    resource.setrlimit(resource.RLIMIT_FSIZE, resource.getrlimit(resource.RLIMIT_FSIZE)[1:] * 2)
    retained.relieve()

    assert not retained.is_full
    assert read_back(retained, 0, retained.end)


@pytest.mark.usefixtures("full_disk")
def test_after_a_full_disk_acknowledging_makes_room(retained: Retained) -> None:
    fill_disk(retained)

    retained.acknowledge(retained.end - MEMORY_BYTES // 2)

    assert not retained.is_full
    assert read_back(retained, retained.acknowledged, retained.end)


def test_a_blob_is_in_a_file_when_it_is_long_and_goes_with_its_last_reference(tmp_path: Path) -> None:
    before = set(os.listdir("/dev/fd"))
    blob = Blob(tmp_path)
    for start in (0, 20_000, 40_000):
        blob.append(pattern(start, 20_000))

    assert blob.size == 60_000
    assert blob.read(19_000, 30_000) == pattern(19_000, 30_000)
    assert list(tmp_path.iterdir()) == []
    del blob
    assert set(os.listdir("/dev/fd")) == before
