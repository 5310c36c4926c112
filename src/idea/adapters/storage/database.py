"""One SQLite database per project: found sound or set aside, one writer, readers beside it."""

import asyncio
import logging
import os
import sqlite3
import stat
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, TypeVar

from idea.adapters.storage.atomic import PRIVATE, as_idea_error, set_aside
from idea.adapters.storage.migrations import FutureVersion, migrate
from idea.adapters.storage.record_rows import BadRow, Row
from idea.adapters.storage.record_writer import BUSY_MS, RecordWriter
from idea.adapters.storage.unusable import UnusableFile, wrong_kind
from idea.adapters.storage.write_ahead_log import holds_unread_pages
from idea.domain.errors import Closed, Conflict
from idea.domain.file_trouble import FileTrouble
from idea.domain.unicode import without_lone_surrogates

DATABASE: Final = "records.sqlite"
LOG: Final = "-wal"
BESIDE: Final = (LOG, "-shm", "-journal")
"""What SQLite keeps beside it, or takes for its own."""
QUICK_CHECK_BYTES: Final = 32 * 1024 * 1024
"""Above it a check of every page would delay the opening by seconds; then SQLite finds damage when it reads."""
MAX_LOGGED_ROWS: Final = 1_000

T = TypeVar("T")

_log = logging.getLogger(__name__)


class Database:
    """What the tables' classes share. `open` it before anything else, `aclose` it at the end."""

    def __init__(self, state: Path) -> None:
        """`state` is the project's private folder."""
        self._path = state / DATABASE
        self._writer: RecordWriter | None = None
        self._reader: sqlite3.Connection | None = None
        self._reading = threading.Lock()
        """The reading connection serves one thread at a time."""
        self._may_write = asyncio.Event()
        """Cleared while the file is replaced."""
        self._may_write.set()
        self._identity: tuple[int, int] | None = None
        """Of the file that is open, which may be gone from its folder."""
        self.begins_anew = False
        """There was no record of an earlier server, or none that could be used."""
        self._bad_rows: set[tuple[str, object]] = set()

    async def open(self) -> Sequence[FileTrouble]:
        """What could not be used of it, and was set aside.

        Raises:
            Refused, Conflict: none can be created here.
        """
        return await asyncio.to_thread(self._open)

    async def aclose(self) -> None:
        """Commit what waits and close. Idempotent."""
        await asyncio.to_thread(self._close)

    async def write_again(self) -> None:
        """Where its file was removed, what is open goes on in a new one, with all that it has; writes wait meanwhile.

        Raises:
            Refused, Conflict: it cannot be written. It goes on without a file.
        """
        self._may_write.clear()
        try:
            if self._writer is not None:
                # Behind all that are on their way.
                await self._writer.write(lambda _: None)
            await asyncio.to_thread(self._write_again)
        finally:
            self._may_write.set()

    async def execute(self, *statements: tuple[str, Row]) -> None:
        """All of them or none. Returns when they are committed. Raises `Conflict` when they cannot be, `Closed`."""

        def write(connection: sqlite3.Connection) -> None:
            for statement, row in statements:
                connection.execute(
                    statement, [without_lone_surrogates(value) if isinstance(value, str) else value for value in row]
                )

        await self._may_write.wait()
        if self._writer is None:
            raise Closed("The project's record")
        await self._writer.write(write)

    async def read(self, take: Callable[[Iterator[Row]], T], statement: str, parameters: Row = ()) -> T:
        """What `take` makes of the rows, in a thread. Raises `Conflict`, `Closed`."""

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

    def parsed(self, table: str, rows: Iterator[Row], parse: Callable[[Row], T], limit: int | None = None) -> list[T]:
        """The first `limit` rows that can be understood; others are skipped and logged once."""
        found: list[T] = []
        for row in rows:
            if len(found) == limit:
                break
            try:
                found.append(parse(row))
            except BadRow as error:
                self._log_once(table, row, error)
        return found

    def _open(self) -> Sequence[FileTrouble]:
        troubles = self._look_at_files()
        try:
            connection = self._connect()
        except FutureVersion:
            fault = UnusableFile("it was written by a later version of IdeA", "laterVersion")
            troubles.append(self._set_aside(fault))
            connection = self._connect()
        except sqlite3.DatabaseError as error:
            fault = UnusableFile(f"it is damaged ({error})", "noDatabase", detail=str(error))
            troubles.append(self._set_aside(fault))
            connection = self._connect()
        self._use(connection)
        return troubles

    def _use(self, connection: sqlite3.Connection) -> None:
        self._reader = sqlite3.connect(f"{self._path.as_uri()}?mode=ro", uri=True, check_same_thread=False)
        self._reader.execute("PRAGMA query_only = ON")
        # The log is opened with the first reading; when its folder is removed, it is too late for that.
        self._reader.execute("SELECT count(*) FROM sqlite_master").fetchone()
        # Bytes that are no UTF-8 would end the whole query otherwise.
        self._reader.text_factory = lambda content: content.decode("utf-8", "replace")
        self._writer = RecordWriter(connection)
        self._identity = _identity(self._path)

    def _write_again(self) -> None:
        if self._reader is None or self._writer is None or _identity(self._path) == self._identity:
            return
        draft = self._path.with_name(f".{self._path.name}.new")
        try:
            with closing(_create(draft)) as copy, self._reading:
                self._reader.backup(copy)
            if _identity(self._path) is not None:
                set_aside(self._path)
            for ending in BESIDE:
                # Of the file that is gone; what is open needs no name, and the new one must not read it.
                Path(f"{self._path}{ending}").unlink(missing_ok=True)
            # At one stroke: a server that is killed in between leaves no half of a record.
            os.replace(draft, self._path)
            connection = self._connect()
        except (OSError, sqlite3.Error) as error:
            draft.unlink(missing_ok=True)
            raise Conflict(
                f"The project's record could not be written: {error}.", why="recordUnwritable", detail=str(error)
            ) from error
        with self._reading:
            older, reader = self._writer, self._reader
            self._use(connection)
            reader.close()
        older.close()

    def _look_at_files(self) -> list[FileTrouble]:
        """SQLite would follow a link, take an emptied file for a new database, and a foreign log for an empty one."""
        fault = _fault_of(self._path)
        if fault is not None:
            return [self._set_aside(fault)]
        is_alone = self.begins_anew = not os.path.lexists(self._path)
        found = []
        for ending in BESIDE:
            beside = Path(f"{self._path}{ending}")
            fault = _fault_beside(beside, is_alone=is_alone)
            if fault is not None:
                found.append(_set_aside_beside(beside, fault))
        return found

    def _set_aside(self, fault: UnusableFile) -> FileTrouble:
        aside = set_aside(self._path)
        self.begins_anew = True
        for ending in BESIDE:
            # With the same ending, so that SQLite finds them should somebody try to rescue it.
            with suppress(FileNotFoundError):
                os.rename(f"{self._path}{ending}", f"{aside}{ending}")
        sentence = (
            f"The record of conversations could not be used: {fault.reason}. "
            f"It was renamed to {aside.name}; a new one begins."
        )
        return FileTrouble(sentence, "recordSetAside", {**fault.fields(), "name": aside.name})

    def _connect(self) -> sqlite3.Connection:
        """The writing connection, on a sound database of the newest version. Raises `sqlite3.DatabaseError`."""
        try:
            connection = _create(self._path)
        except OSError as error:
            raise as_idea_error(error, self._path, "opened") from error
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

    def _log_once(self, table: str, row: Row, error: BadRow) -> None:
        name = (table, row[:2])
        if name not in self._bad_rows and len(self._bad_rows) < MAX_LOGGED_ROWS:
            self._bad_rows.add(name)
            _log.warning("a row of %s is skipped, %r: %s", table, row[:2], error)


def _create(path: Path) -> sqlite3.Connection:
    """A connection to the file, made if it is not there; raises `OSError`."""
    # Created by us, since SQLite would give it the umask's mode; its other files get the mode of this one.
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, PRIVATE))
    os.chmod(path, PRIVATE)
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _fault_of(path: Path) -> UnusableFile | None:
    """None too where there is nothing by that name."""
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        return wrong_kind(status.st_mode)
    return UnusableFile("it is empty", "empty") if status.st_size == 0 else None


def _fault_beside(path: Path, *, is_alone: bool) -> UnusableFile | None:
    """`is_alone`: the database itself is not there, and SQLite would remove what is beside a new one."""
    fault = _fault_of(path)
    if fault is not None:
        return None if fault.fault == "empty" else fault
    try:
        if path.name.endswith(LOG) and (holds_unread_pages(path) or (is_alone and path.exists())):
            return UnusableFile("it is not the log of this record", "noLog")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise as_idea_error(error, path, "read") from error
    return None


def _set_aside_beside(path: Path, fault: UnusableFile) -> FileTrouble:
    name = set_aside(path).name
    sentence = (
        f"The newest of the record of conversations could not be used: {fault.reason}. "
        f"Its file was renamed to {name}; what is older is there."
    )
    return FileTrouble(sentence, "recordLogSetAside", {**fault.fields(), "name": name})
