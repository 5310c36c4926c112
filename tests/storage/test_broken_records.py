"""Records that somebody, a crash or a disk has damaged: what can be read is read, the rest is set aside and told."""

import logging
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.storage.looking import set_aside
from tests.storage.recording import ADA, OpenRecord, delegation_of, item_of, reopened


def _change(state: Path, statement: str, *parameters: object) -> None:
    connection = sqlite3.connect(state / "records.sqlite")
    with connection:
        connection.execute(statement, parameters)
    connection.close()


@pytest.mark.parametrize("content", [b"", b"\0" * 30_925, b"garbage" * 1_000, b"SQLite format 3\0" + b"\0" * 4_080])
async def test_a_file_that_is_no_database_is_set_aside_and_reported(state: Path, content: bytes) -> None:
    (state / "records.sqlite").write_bytes(content)

    records, troubles = await reopened(state)

    assert [trouble.why for trouble in troubles] == ["recordSetAside"]
    assert set_aside(state / "records.sqlite") == [content]
    await records.append(item_of(1))
    await records.aclose()


async def test_a_truncated_database_is_set_aside(records: OpenRecord, state: Path) -> None:
    for seq in range(1, 200):
        await records.append(item_of(seq, "x" * 1_000))
    await records.aclose()
    with (state / "records.sqlite").open("r+b") as file:
        file.truncate(40_000)

    again, troubles = await reopened(state)

    assert [trouble.why for trouble in troubles] == ["recordSetAside"]
    assert await again.last_seq(ADA) == 0
    await again.aclose()


@pytest.mark.parametrize(
    "statement", ["PRAGMA user_version = 999", "DROP TABLE items", "ALTER TABLE items DROP COLUMN tool"]
)
async def test_a_database_of_another_shape_is_set_aside(records: OpenRecord, state: Path, statement: str) -> None:
    await records.aclose()
    _change(state, statement)

    again, troubles = await reopened(state)

    assert [trouble.why for trouble in troubles] == ["recordSetAside"]
    await again.append(item_of(1))
    await again.aclose()


async def test_a_link_in_place_of_the_database_is_not_followed(state: Path, tmp_path: Path) -> None:
    (state / "records.sqlite").symlink_to(tmp_path / "outside.sqlite")

    records, troubles = await reopened(state)

    assert [trouble.why for trouble in troubles] == ["recordSetAside"]
    assert not (tmp_path / "outside.sqlite").exists()
    await records.aclose()


@pytest.fixture
async def crashed(records: OpenRecord, state: Path) -> Path:
    """The state of a server that was killed: what was said is in the log alone."""
    await records.append(item_of(1))
    left = state.parent / "crashed"
    left.mkdir()
    for name in ("records.sqlite", "records.sqlite-wal"):
        (left / name).write_bytes((state / name).read_bytes())
    return left


async def test_the_log_of_a_killed_server_is_read(crashed: Path) -> None:
    records, troubles = await reopened(crashed)

    assert (await records.last_seq(ADA), troubles) == (1, [])
    await records.aclose()


@pytest.mark.parametrize("spoil", [bytes, lambda size: b"foreign " * (size // 8)], ids=["zeroed", "foreign"])
async def test_a_log_that_is_none_is_set_aside_and_reported(crashed: Path, spoil: Callable[[int], bytes]) -> None:
    log = crashed / "records.sqlite-wal"
    spoilt = spoil(log.stat().st_size)
    log.write_bytes(spoilt)

    records, troubles = await reopened(crashed)

    assert [(one.why, one.about["fault"]) for one in troubles] == [("recordLogSetAside", "noLog")]
    assert set_aside(log) == [spoilt]
    await records.append(item_of(1))
    await records.aclose()


async def test_a_log_with_another_header_is_set_aside(crashed: Path) -> None:
    log = crashed / "records.sqlite-wal"
    content = bytearray(log.read_bytes())
    content[17] ^= 1  # a salt, which the header's own checksum covers
    log.write_bytes(content)

    records, troubles = await reopened(crashed)

    assert [trouble.why for trouble in troubles] == ["recordLogSetAside"]
    await records.aclose()


async def test_a_log_whose_database_is_gone_is_kept(crashed: Path) -> None:
    log = crashed / "records.sqlite-wal"
    kept = log.read_bytes()
    (crashed / "records.sqlite").unlink()

    records, troubles = await reopened(crashed)

    assert [trouble.why for trouble in troubles] == ["recordLogSetAside"]
    assert set_aside(log) == [kept]
    await records.aclose()


@pytest.mark.parametrize("ending", ["-wal", "-shm", "-journal"])
async def test_what_stands_beside_the_database_costs_it_nothing(crashed: Path, tmp_path: Path, ending: str) -> None:
    beside = crashed / f"records.sqlite{ending}"
    beside.unlink(missing_ok=True)
    beside.symlink_to(tmp_path / "outside")

    records, troubles = await reopened(crashed)

    assert [(one.why, one.about["fault"]) for one in troubles] == [("recordLogSetAside", "link")]
    assert not (tmp_path / "outside").exists()
    assert not set_aside(crashed / "records.sqlite")
    await records.aclose()


GARBAGE = [
    ("kind", "nonsense"),
    ("text", b"\xff"),
    ("at_us", "yesterday"),
    ("at_us", 2**62),
    ("tool", "{"),
    ("tool", "[]"),
    ("tool", "[" * 100_000),
    ("turn", b"\0\0"),
    ("delegation", b"x"),
    ("outcome", b"x"),
    ("fields", "[]"),
    ("fields", "{"),
]


@pytest.mark.parametrize(("column", "value"), GARBAGE)
async def test_garbage_in_one_row_costs_that_row_and_one_line_of_log(
    records: OpenRecord, state: Path, column: str, value: object, caplog: pytest.LogCaptureFixture
) -> None:
    for seq in range(1, 5):
        await records.append(item_of(seq))
    _change(state, f"UPDATE items SET {column} = ? WHERE seq = 3", value)

    with caplog.at_level(logging.WARNING):
        looks = [await records.list_items(ADA, before_seq=None, limit=3) for _ in range(3)]

    assert [[item.seq for item in look] for look in looks] == [[1, 2, 4]] * 3
    # The loop logs, too: a step that took long on a busy machine.
    assert len([record for record in caplog.records if record.name.startswith("idea.")]) == 1


async def test_bytes_that_are_no_text_do_not_hide_the_other_rows(records: OpenRecord, state: Path) -> None:
    for seq in (1, 2):
        await records.append(item_of(seq))
    _change(state, "UPDATE items SET text = CAST(x'ff41' AS TEXT) WHERE seq = 1")

    assert [item.text for item in await records.list_items(ADA, before_seq=None, limit=9)] == ["\ufffdA", "x"]


async def test_garbage_in_a_delegation_costs_that_one(records: OpenRecord, state: Path) -> None:
    for number in range(1, 4):
        await records.save_delegation(delegation_of(number))
    _change(state, "UPDATE delegations SET state = 'dreaming' WHERE number = 2")

    assert [one.number for one in await records.list_delegations(limit=9)] == [1, 3]
