"""The record of conversations and delegations: one SQLite database per project, one writer, readers beside it."""

import asyncio
import logging
import os
import sqlite3
import stat
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeVar

from idea.adapters.storage.atomic import PRIVATE, as_idea_error, describe_kind, set_aside
from idea.adapters.storage.migrations import FutureVersion, migrate
from idea.adapters.storage.record_rows import (
    INSERT_ITEM,
    SAVE_DELEGATION,
    SELECT_DELEGATIONS,
    SELECT_ITEMS,
    BadRow,
    Row,
    delegation_from_row,
    delegation_to_row,
    item_from_row,
    item_to_row,
    storable,
)
from idea.adapters.storage.record_writer import BUSY_MS, RecordWriter
from idea.domain.conversation import Item
from idea.domain.delegation import Delegation
from idea.domain.errors import Closed, Conflict
from idea.domain.ids import AgentId, ConversationId

DATABASE: Final = "records.sqlite"
QUICK_CHECK_BYTES: Final = 32 * 1024 * 1024
"""Above it a check of every page would delay the opening by seconds; then SQLite finds damage when it reads."""
SAVE_CONVERSATION: Final = "INSERT OR REPLACE INTO conversations (agent, conversation) VALUES (?, ?)"
FORGET_CONVERSATION: Final = "DELETE FROM conversations WHERE agent = ?"
MAX_SEQ: Final = 2**63 - 1
MAX_LOGGED_ROWS: Final = 1_000

T = TypeVar("T")

_log = logging.getLogger(__name__)


class SqliteRecords:
    """A `ports.Records`. `open` it before anything else, `aclose` it at the end."""

    def __init__(self, state: Path) -> None:
        """`state` is the project's private folder."""
        self._path = state / DATABASE
        self._writer: RecordWriter | None = None
        self._reader: sqlite3.Connection | None = None
        self._reading = threading.Lock()
        """The reading connection serves one thread at a time."""
        self._bad_rows: set[tuple[str, object]] = set()

    async def open(self) -> str | None:
        """A sentence for the person if the database could not be used and was set aside.

        Raises:
            Refused, Conflict: none can be created here.
        """
        return await asyncio.to_thread(self._open)

    async def aclose(self) -> None:
        """Commit what waits and close. Idempotent."""
        await asyncio.to_thread(self._close)

    async def append(self, item: Item) -> None:
        """Returns when the item is committed. Raises `Conflict` when it cannot be written."""
        row = item_to_row(item)
        await self._write(lambda connection: _execute(connection, INSERT_ITEM, row))

    async def list_items(self, agent: AgentId, *, before_seq: int | None, limit: int) -> Sequence[Item]:
        """Ascending; the `limit` items that end just below `before_seq` (None: at the newest)."""
        parameters = (agent, MAX_SEQ if before_seq is None else min(before_seq, MAX_SEQ))
        return await self._read(
            lambda rows: self._newest("items", rows, item_from_row, limit), SELECT_ITEMS, parameters
        )

    async def last_seq(self, agent: AgentId) -> int:
        """0 if there is none."""
        found = await self._read(_first, "SELECT max(seq) FROM items WHERE agent = ?", (agent,))
        return found if isinstance(found, int) else 0

    async def save_delegation(self, delegation: Delegation) -> None:
        row = delegation_to_row(delegation)
        await self._write(lambda connection: _execute(connection, SAVE_DELEGATION, row))

    async def list_delegations(self, *, limit: int) -> Sequence[Delegation]:
        """The newest `limit`, ascending by number."""
        return await self._read(
            lambda rows: self._newest("delegations", rows, delegation_from_row, limit), SELECT_DELEGATIONS, ()
        )

    async def save_conversation(self, agent: AgentId, conversation: ConversationId | None) -> None:
        """Remember what a later launch resumes; None forgets it."""
        if conversation is None:
            await self._write(lambda connection: _execute(connection, FORGET_CONVERSATION, (agent,)))
        else:
            await self._write(lambda connection: _execute(connection, SAVE_CONVERSATION, (agent, conversation)))

    async def find_conversation(self, agent: AgentId) -> ConversationId | None:
        found = await self._read(_first, "SELECT conversation FROM conversations WHERE agent = ?", (agent,))
        return ConversationId(found) if isinstance(found, str) else None

    def _open(self) -> str | None:
        notice = self._look_at_file()
        try:
            connection = self._connect()
        except FutureVersion:
            notice = self._set_aside("it was written by a later version of IdeA")
            connection = self._connect()
        except sqlite3.DatabaseError as error:
            notice = self._set_aside(f"it is damaged ({error})")
            connection = self._connect()
        self._reader = sqlite3.connect(f"{self._path.as_uri()}?mode=ro", uri=True, check_same_thread=False)
        self._reader.execute("PRAGMA query_only = ON")
        # Bytes that are no UTF-8 would end the whole query otherwise.
        self._reader.text_factory = lambda content: content.decode("utf-8", "replace")
        self._writer = RecordWriter(connection)
        return notice

    def _look_at_file(self) -> str | None:
        """SQLite would follow a link, and take an emptied file for a new database."""
        try:
            status = os.lstat(self._path)
        except FileNotFoundError:
            return None
        if not stat.S_ISREG(status.st_mode):
            return self._set_aside(f"it is {describe_kind(status.st_mode)}")
        return self._set_aside("it is empty") if status.st_size == 0 else None

    def _set_aside(self, reason: str) -> str:
        aside = set_aside(self._path)
        for ending in ("-wal", "-shm"):
            # With the same ending, so that SQLite finds them should somebody try to rescue it.
            with suppress(FileNotFoundError):
                os.rename(f"{self._path}{ending}", f"{aside}{ending}")
        what = "The record of conversations could not be used"
        return f"{what}: {reason}. It was renamed to {aside.name}; a new one begins."

    def _connect(self) -> sqlite3.Connection:
        """The writing connection, on a sound database of the newest version. Raises `sqlite3.DatabaseError`."""
        try:
            # Created by us, since SQLite would give it the umask's mode; its other files get the mode of this one.
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, PRIVATE))
            os.chmod(self._path, PRIVATE)
        except OSError as error:
            raise as_idea_error(error, self._path, "opened") from error
        connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
        try:
            connection.execute(f"PRAGMA busy_timeout = {BUSY_MS:d}")
            if self._path.stat().st_size < QUICK_CHECK_BYTES:
                (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
                if verdict != "ok":
                    raise sqlite3.DatabaseError(verdict)
            connection.execute("PRAGMA journal_mode = WAL")
            # What was acknowledged survives a power cut too; commits are grouped, so it costs little.
            connection.execute("PRAGMA synchronous = FULL")
            migrate(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _close(self) -> None:
        writer, self._writer = self._writer, None
        with self._reading:
            reader, self._reader = self._reader, None
            # Before the writer: the last connection to close folds the log into the database.
            if reader is not None:
                reader.close()
        if writer is not None:
            writer.close()

    async def _write(self, write: Callable[[sqlite3.Connection], None]) -> None:
        if self._writer is None:
            raise Closed("The project's record")
        await self._writer.write(write)

    async def _read(self, take: Callable[[Iterator[Row]], T], statement: str, parameters: Row) -> T:
        def read() -> T:
            with self._reading:
                if self._reader is None:
                    raise Closed("The project's record")
                cursor = self._reader.execute(statement, parameters)
                try:
                    return take(cursor)
                finally:
                    # An open cursor would keep the log from being folded in.
                    cursor.close()

        try:
            return await asyncio.to_thread(read)
        except sqlite3.Error as error:
            _log.exception("the project's record could not be read")
            raise Conflict(
                f"The project's record could not be read: {error}.", why="recordUnreadable", detail=str(error)
            ) from error

    def _newest(self, table: str, rows: Iterator[Row], parse: Callable[[Row], T], limit: int) -> Sequence[T]:
        """The first `limit` rows that can be understood, turned round; others are skipped and logged once."""
        found: list[T] = []
        for row in rows:
            if len(found) >= limit:
                break
            try:
                found.append(parse(row))
            except BadRow as error:
                self._log_once(table, row, error)
        return found[::-1]

    def _log_once(self, table: str, row: Row, error: BadRow) -> None:
        name = (table, row[:2])
        if name not in self._bad_rows and len(self._bad_rows) < MAX_LOGGED_ROWS:
            self._bad_rows.add(name)
            _log.warning("a row of %s is skipped, %r: %s", table, row[:2], error)


def _execute(connection: sqlite3.Connection, statement: str, row: Row) -> None:
    connection.execute(statement, [storable(value) if isinstance(value, str) else value for value in row])


def _first(rows: Iterator[Row]) -> object:
    row = next(rows, None)
    return None if row is None else row[0]
