"""What a project records is kept, whoever writes and whatever happens meanwhile."""

import asyncio
import itertools
import shutil
import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from idea.adapters.storage.database import Database
from idea.adapters.storage.migrations import STEPS
from idea.adapters.storage.unfinished_work import SqliteUnfinishedWork
from idea.domain.conversation import Item, ItemKind
from idea.domain.errors import Closed, IdeaError
from idea.domain.ids import ConversationId, TurnId
from idea.domain.sessions import SessionRole
from tests.patience import PATIENCE_S
from tests.storage.looking import modes_in, set_aside
from tests.storage.recording import ADA, NOON, OpenRecord, delegation_of, item_of, reopened

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


def _empty(state: Path) -> None:
    """Another folder in its place."""
    shutil.rmtree(state)
    state.mkdir(mode=0o700)


async def test_everything_is_there_after_a_restart_and_all_files_are_private(records: OpenRecord, state: Path) -> None:
    await records.append(item_of(1, "half a pair \ud800 and a NUL \0"))
    await records.save_delegation(delegation_of(1))
    await records.save_conversation(ADA, ConversationId("c1"))
    assert modes_in(state, "records.sqlite*") == {0o600}
    await records.aclose()

    again, troubles = await reopened(state)

    assert troubles == []
    assert list(await again.list_items(ADA, before_seq=None, limit=9)) == [item_of(1, "half a pair ? and a NUL \0")]
    assert list(await again.list_delegations(limit=9)) == [delegation_of(1)]
    assert await again.find_conversation(ADA) == "c1"
    await again.aclose()


async def test_how_a_turn_failed_is_kept_beside_its_sentence(records: OpenRecord) -> None:
    item = replace(item_of(1), kind=ItemKind.FAILURE, outcome="TARGET_RATE_LIMITED", fields={"untilMs": 17})
    ask = delegation_of(1).fail("CANCELLED", "It was cancelled", at=NOON, fields={"by": "user"})
    await records.append(item)
    await records.save_delegation(ask)

    assert list(await records.list_items(ADA, before_seq=None, limit=9)) == [item]
    assert list(await records.list_delegations(limit=9)) == [ask]


async def test_a_record_of_the_first_version_is_taken_over_without_codes(state: Path) -> None:
    connection = _of_first_version(state)
    columns = "agent, seq, turn, kind, text, at_us, author"
    connection.execute(f"INSERT INTO items ({columns}) VALUES ('ada', 1, 't', 'failure', 'why', 0, 'ada')")
    connection.close()

    records, troubles = await reopened(state)

    assert troubles == []
    (item,) = await records.list_items(ADA, before_seq=None, limit=9)
    assert (item.text, item.outcome, item.fields) == ("why", None, {})
    await records.append(replace(item_of(2), outcome="TIMEOUT"))
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

    records, troubles = await reopened(state)
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


async def test_many_writers_at_once_lose_nothing(records: OpenRecord) -> None:
    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
        for seq in range(1, 501):
            tasks.create_task(records.append(item_of(seq)))

    assert await records.last_seq(ADA) == 500


async def test_a_record_whose_folder_is_removed_goes_on_in_a_new_file_with_all_that_is_written(
    records: OpenRecord, state: Path
) -> None:
    await records.save_delegation(delegation_of(1))
    _empty(state)

    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
        for seq in range(1, 101):
            tasks.create_task(records.append(item_of(seq)))
        await asyncio.sleep(0)
        tasks.create_task(records.write_again())
        for seq in range(101, 201):
            tasks.create_task(records.append(item_of(seq)))
    assert await records.last_seq(ADA) == 200
    await records.write_again()
    await records.aclose()

    again, troubles = await reopened(state)
    assert troubles == []
    assert len(await again.list_items(ADA, before_seq=None, limit=900)) == 200
    assert list(await again.list_delegations(limit=9)) == [delegation_of(1)]
    assert (modes_in(state, "records.sqlite*"), set_aside(state / "records.sqlite")) == ({0o600}, [])
    await again.aclose()


async def test_a_write_that_sqlite_refuses_takes_no_other_with_it(records: OpenRecord) -> None:
    await records.append(item_of(1))

    outcomes: list[str] = []

    async def append(item: Item) -> None:
        try:
            await records.append(item)
            outcomes.append("stored")
        except (IdeaError, OverflowError):
            outcomes.append("refused")

    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
        for seq in (1, 2, 2**70, 3):
            tasks.create_task(append(item_of(seq)))

    assert sorted(outcomes) == ["refused", "refused", "stored", "stored"]
    assert [item.seq for item in await records.list_items(ADA, before_seq=None, limit=9)] == [1, 2, 3]


async def test_closing_commits_what_waits_and_later_calls_are_told(records: OpenRecord, state: Path) -> None:
    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
        writes = [tasks.create_task(records.append(item_of(seq))) for seq in range(1, 51)]
        await asyncio.sleep(0)
        await records.aclose()
        await records.aclose()
    assert all(write.done() for write in writes)

    with pytest.raises(Closed):
        await records.append(item_of(51))
    with pytest.raises(Closed):
        await records.last_seq(ADA)
    again, _ = await reopened(state)
    assert await again.last_seq(ADA) == 50
    await again.aclose()


async def test_a_delegation_is_one_row_however_often_it_is_saved(records: OpenRecord) -> None:
    one = delegation_of(1)
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

        records, troubles = await reopened(state)

        assert troubles == []
        assert await records.last_seq(ADA) >= acknowledged
        await records.aclose()
