import asyncio
import itertools
import logging
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from idea.adapters.storage.database import Database
from idea.adapters.storage.migrations import STEPS
from idea.adapters.storage.records import SqliteRecords
from idea.adapters.storage.unfinished_work import SqliteUnfinishedWork
from idea.domain.conversation import Item, ItemKind
from idea.domain.delegation import Delegation, Requester, Source
from idea.domain.errors import Closed, IdeaError
from idea.domain.file_trouble import FileTrouble
from idea.domain.ids import AgentId, ConversationId, DelegationId, TurnId
from idea.domain.sessions import SessionRole
from tests.patience import PATIENCE_S
from tests.storage.looking import modes_in, set_aside

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
ADA = AgentId("ada")

WRITER = """
import asyncio, itertools, sys
from datetime import UTC, datetime
from pathlib import Path
from idea.adapters.storage.database import Database
from idea.adapters.storage.records import SqliteRecords
from idea.domain.conversation import Item, ItemKind
async def main():
    database = Database(Path(sys.argv[1]))
    await database.open()
    records = SqliteRecords(database)
    for seq in itertools.count(await records.last_seq("ada") + 1):
        await records.append(Item(seq, "ada", "t", ItemKind.ANSWER, "x" * 1000, datetime.now(UTC), "human"))
        print(seq, flush=True)
asyncio.run(main())
"""


def _item(seq: int, text: str = "x") -> Item:
    return Item(seq, ADA, TurnId("t"), ItemKind.ANSWER, text, NOON, "human")


def _delegation(number: int) -> Delegation:
    return Delegation(
        id=DelegationId(f"d{number}"),
        number=number,
        requester=Requester(Source.UI),
        requester_name="you",
        target=ADA,
        target_name="Ada",
        message="m",
        depth=1,
        asked_at=NOON,
    )


class _Record(SqliteRecords):
    """The tables together with the database that they are in."""

    def __init__(self, state: Path) -> None:
        self._own = Database(state)
        super().__init__(self._own)
        self.open = self._own.open
        self.aclose = self._own.aclose
        self.write_again = self._own.write_again


@pytest.fixture
def state(root: Path) -> Path:
    return root / ".ideai" / "state"


@pytest.fixture
async def records(state: Path) -> AsyncIterator[_Record]:
    records = _Record(state)
    assert await records.open() == []
    yield records
    await records.aclose()


async def _reopened(state: Path) -> tuple[_Record, Sequence[FileTrouble]]:
    records = _Record(state)
    return records, await records.open()


def _empty(state: Path) -> None:
    """Another folder in its place."""
    shutil.rmtree(state)
    state.mkdir(mode=0o700)


def _change(state: Path, statement: str, *parameters: object) -> None:
    connection = sqlite3.connect(state / "records.sqlite")
    with connection:
        connection.execute(statement, parameters)
    connection.close()


async def test_everything_is_there_after_a_restart_and_all_files_are_private(records: _Record, state: Path) -> None:
    await records.append(_item(1, "half a pair \ud800 and a NUL \0"))
    await records.save_delegation(_delegation(1))
    await records.save_conversation(ADA, ConversationId("c1"))
    assert modes_in(state, "records.sqlite*") == {0o600}
    await records.aclose()

    again, troubles = await _reopened(state)

    assert troubles == []
    assert list(await again.list_items(ADA, before_seq=None, limit=9)) == [_item(1, "half a pair ? and a NUL \0")]
    assert list(await again.list_delegations(limit=9)) == [_delegation(1)]
    assert await again.find_conversation(ADA) == "c1"
    await again.aclose()


async def test_how_a_turn_failed_is_kept_beside_its_sentence(records: _Record) -> None:
    item = replace(_item(1), kind=ItemKind.FAILURE, outcome="TARGET_RATE_LIMITED", fields={"untilMs": 17})
    ask = _delegation(1).fail("CANCELLED", "It was cancelled", at=NOON, fields={"by": "user"})
    await records.append(item)
    await records.save_delegation(ask)

    assert list(await records.list_items(ADA, before_seq=None, limit=9)) == [item]
    assert list(await records.list_delegations(limit=9)) == [ask]


async def test_a_record_of_the_first_version_is_taken_over_without_codes(state: Path) -> None:
    connection = _of_first_version(state)
    columns = "agent, seq, turn, kind, text, at_us, author"
    connection.execute(f"INSERT INTO items ({columns}) VALUES ('ada', 1, 't', 'failure', 'why', 0, 'ada')")
    connection.close()

    records, troubles = await _reopened(state)

    assert troubles == []
    (item,) = await records.list_items(ADA, before_seq=None, limit=9)
    assert (item.text, item.outcome, item.fields) == ("why", None, {})
    await records.append(replace(_item(2), outcome="TIMEOUT"))
    assert await records.last_seq(ADA) == 2
    await records.aclose()


async def test_what_was_kept_before_there_were_roles_is_the_agents_own(state: Path) -> None:
    connection = _of_first_version(state)
    for number, step in enumerate(STEPS[1:5], start=2):
        step(connection)
        connection.execute(f"PRAGMA user_version = {number:d}")
    connection.execute("INSERT INTO conversations VALUES ('ada', 'c1')")
    connection.execute(
        "INSERT INTO unfinished_sessions VALUES ('ada', 's1', 'pty', 'left', 'c1', 0, 'k', 'demo', 'spawn', 1, NULL)"
    )
    connection.close()

    records, troubles = await _reopened(state)
    again = Database(state)
    await again.open()
    sessions = await SqliteUnfinishedWork(again).list_sessions()
    await again.aclose()

    assert troubles == []
    assert await records.find_conversation(ADA) == "c1"
    assert await records.find_conversation(ADA, role=SessionRole.SIDE) is None
    assert [(one.session.id, one.session.role, one.spawn_id) for one in sessions] == [("s1", SessionRole.MAIN, "spawn")]
    await records.save_conversation(ADA, ConversationId("c2"), role=SessionRole.SIDE)
    assert await records.find_conversation(ADA) == "c1"
    await records.aclose()


def _of_first_version(state: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(state / "records.sqlite", isolation_level=None)
    STEPS[0](connection)
    connection.execute("PRAGMA user_version = 1")
    return connection


async def test_many_writers_at_once_lose_nothing(records: _Record) -> None:
    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
        for seq in range(1, 501):
            tasks.create_task(records.append(_item(seq)))

    assert await records.last_seq(ADA) == 500


async def test_a_record_whose_folder_is_removed_goes_on_in_a_new_file_with_all_that_is_written(
    records: _Record, state: Path
) -> None:
    await records.save_delegation(_delegation(1))
    _empty(state)

    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
        for seq in range(1, 101):
            tasks.create_task(records.append(_item(seq)))
        await asyncio.sleep(0)
        tasks.create_task(records.write_again())
        for seq in range(101, 201):
            tasks.create_task(records.append(_item(seq)))
    assert await records.last_seq(ADA) == 200
    await records.write_again()
    await records.aclose()

    again, troubles = await _reopened(state)
    assert troubles == []
    assert len(await again.list_items(ADA, before_seq=None, limit=900)) == 200
    assert list(await again.list_delegations(limit=9)) == [_delegation(1)]
    assert (modes_in(state, "records.sqlite*"), set_aside(state / "records.sqlite")) == ({0o600}, [])
    await again.aclose()


async def test_a_write_that_sqlite_refuses_takes_no_other_with_it(records: _Record) -> None:
    await records.append(_item(1))

    outcomes: list[str] = []

    async def append(item: Item) -> None:
        try:
            await records.append(item)
            outcomes.append("stored")
        except (IdeaError, OverflowError):
            outcomes.append("refused")

    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
        for seq in (1, 2, 2**70, 3):
            tasks.create_task(append(_item(seq)))

    assert sorted(outcomes) == ["refused", "refused", "stored", "stored"]
    assert [item.seq for item in await records.list_items(ADA, before_seq=None, limit=9)] == [1, 2, 3]


async def test_closing_commits_what_waits_and_later_calls_are_told(records: _Record, state: Path) -> None:
    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
        writes = [tasks.create_task(records.append(_item(seq))) for seq in range(1, 51)]
        await asyncio.sleep(0)
        await records.aclose()
        await records.aclose()
    assert all(write.done() for write in writes)

    with pytest.raises(Closed):
        await records.append(_item(51))
    with pytest.raises(Closed):
        await records.last_seq(ADA)
    again, _ = await _reopened(state)
    assert await again.last_seq(ADA) == 50
    await again.aclose()


@pytest.mark.parametrize("content", [b"", b"\0" * 30_925, b"garbage" * 1_000, b"SQLite format 3\0" + b"\0" * 4_080])
async def test_a_file_that_is_no_database_is_set_aside_and_reported(state: Path, content: bytes) -> None:
    (state / "records.sqlite").write_bytes(content)

    records, troubles = await _reopened(state)

    assert [trouble.why for trouble in troubles] == ["recordSetAside"]
    assert set_aside(state / "records.sqlite") == [content]
    await records.append(_item(1))
    await records.aclose()


async def test_a_truncated_database_is_set_aside(records: _Record, state: Path) -> None:
    for seq in range(1, 200):
        await records.append(_item(seq, "x" * 1_000))
    await records.aclose()
    with (state / "records.sqlite").open("r+b") as file:
        file.truncate(40_000)

    again, troubles = await _reopened(state)

    assert [trouble.why for trouble in troubles] == ["recordSetAside"]
    assert await again.last_seq(ADA) == 0
    await again.aclose()


@pytest.mark.parametrize(
    "statement", ["PRAGMA user_version = 999", "DROP TABLE items", "ALTER TABLE items DROP COLUMN tool"]
)
async def test_a_database_of_another_shape_is_set_aside(records: _Record, state: Path, statement: str) -> None:
    await records.aclose()
    _change(state, statement)

    again, troubles = await _reopened(state)

    assert [trouble.why for trouble in troubles] == ["recordSetAside"]
    await again.append(_item(1))
    await again.aclose()


async def test_a_link_in_place_of_the_database_is_not_followed(state: Path, tmp_path: Path) -> None:
    (state / "records.sqlite").symlink_to(tmp_path / "outside.sqlite")

    records, troubles = await _reopened(state)

    assert [trouble.why for trouble in troubles] == ["recordSetAside"]
    assert not (tmp_path / "outside.sqlite").exists()
    await records.aclose()


@pytest.fixture
async def crashed(records: _Record, state: Path) -> Path:
    """The state of a server that was killed: what was said is in the log alone."""
    await records.append(_item(1))
    left = state.parent / "crashed"
    left.mkdir()
    for name in ("records.sqlite", "records.sqlite-wal"):
        (left / name).write_bytes((state / name).read_bytes())
    return left


async def test_the_log_of_a_killed_server_is_read(crashed: Path) -> None:
    records, troubles = await _reopened(crashed)

    assert (await records.last_seq(ADA), troubles) == (1, [])
    await records.aclose()


@pytest.mark.parametrize("spoil", [bytes, lambda size: b"foreign " * (size // 8)], ids=["zeroed", "foreign"])
async def test_a_log_that_is_none_is_set_aside_and_reported(crashed: Path, spoil: Callable[[int], bytes]) -> None:
    log = crashed / "records.sqlite-wal"
    spoilt = spoil(log.stat().st_size)
    log.write_bytes(spoilt)

    records, troubles = await _reopened(crashed)

    assert [(one.why, one.about["fault"]) for one in troubles] == [("recordLogSetAside", "noLog")]
    assert set_aside(log) == [spoilt]
    await records.append(_item(1))
    await records.aclose()


async def test_a_log_with_another_header_is_set_aside(crashed: Path) -> None:
    log = crashed / "records.sqlite-wal"
    content = bytearray(log.read_bytes())
    content[17] ^= 1  # a salt, which the header's own checksum covers
    log.write_bytes(content)

    records, troubles = await _reopened(crashed)

    assert [trouble.why for trouble in troubles] == ["recordLogSetAside"]
    await records.aclose()


async def test_a_log_whose_database_is_gone_is_kept(crashed: Path) -> None:
    log = crashed / "records.sqlite-wal"
    kept = log.read_bytes()
    (crashed / "records.sqlite").unlink()

    records, troubles = await _reopened(crashed)

    assert [trouble.why for trouble in troubles] == ["recordLogSetAside"]
    assert set_aside(log) == [kept]
    await records.aclose()


@pytest.mark.parametrize("ending", ["-wal", "-shm", "-journal"])
async def test_what_stands_beside_the_database_costs_it_nothing(crashed: Path, tmp_path: Path, ending: str) -> None:
    beside = crashed / f"records.sqlite{ending}"
    beside.unlink(missing_ok=True)
    beside.symlink_to(tmp_path / "outside")

    records, troubles = await _reopened(crashed)

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
    records: _Record, state: Path, column: str, value: object, caplog: pytest.LogCaptureFixture
) -> None:
    for seq in range(1, 5):
        await records.append(_item(seq))
    _change(state, f"UPDATE items SET {column} = ? WHERE seq = 3", value)

    with caplog.at_level(logging.WARNING):
        looks = [await records.list_items(ADA, before_seq=None, limit=3) for _ in range(3)]

    assert [[item.seq for item in look] for look in looks] == [[1, 2, 4]] * 3
    # The loop logs, too: a step that took long on a busy machine.
    assert len([record for record in caplog.records if record.name.startswith("idea.")]) == 1


async def test_bytes_that_are_no_text_do_not_hide_the_other_rows(records: _Record, state: Path) -> None:
    for seq in (1, 2):
        await records.append(_item(seq))
    _change(state, "UPDATE items SET text = CAST(x'ff41' AS TEXT) WHERE seq = 1")

    assert [item.text for item in await records.list_items(ADA, before_seq=None, limit=9)] == ["\ufffdA", "x"]


async def test_garbage_in_a_delegation_costs_that_one(records: _Record, state: Path) -> None:
    for number in range(1, 4):
        await records.save_delegation(_delegation(number))
    _change(state, "UPDATE delegations SET state = 'dreaming' WHERE number = 2")

    assert [one.number for one in await records.list_delegations(limit=9)] == [1, 3]


async def test_a_delegation_is_one_row_however_often_it_is_saved(records: _Record) -> None:
    one = _delegation(1)
    for state in (one, one.start(TurnId("t"), at=NOON), one.answer("fine", at=NOON)):
        await records.save_delegation(state)

    assert list(await records.list_delegations(limit=9)) == [one.answer("fine", at=NOON)]


def _write_and_kill(state: Path, *, after: int) -> int:
    """A server that is killed once it has acknowledged so many items; the last number it acknowledged."""
    with subprocess.Popen([sys.executable, "-c", WRITER, str(state)], stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        acknowledged = [int(line) for line in itertools.islice(writer.stdout, after)][-1]
        writer.send_signal(signal.SIGKILL)
    return acknowledged


@pytest.mark.slow
async def test_a_killed_server_loses_nothing_that_was_acknowledged(state: Path) -> None:
    for kill in range(4):
        acknowledged = await asyncio.to_thread(_write_and_kill, state, after=20 + kill)

        records, troubles = await _reopened(state)

        assert troubles == []
        assert await records.last_seq(ADA) >= acknowledged
        await records.aclose()
