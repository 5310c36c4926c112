"""The one thread that writes to a SQLite database: what waits together is committed together."""

import asyncio
import logging
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from idea.domain.errors import Closed, Conflict, IdeaError

RecordWrite = Callable[[sqlite3.Connection], None]

MAX_GROUP: Final = 500
"""Writes in one commit; more would hold the lock, and the first of them, for too long."""
BUSY_MS: Final = 5_000
"""How long to wait for another process's transaction."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Job:
    write: RecordWrite
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[None]

    def settle(self, error: Exception | None) -> None:
        try:
            self.loop.call_soon_threadsafe(self._settle, error)
        except RuntimeError:
            # The caller's loop is closed: nobody waits any more, and what was written is written.
            _log.debug("a write was committed after its caller's loop had closed")

    def _settle(self, error: Exception | None) -> None:
        if self.done.done():
            return
        if error is None:
            self.done.set_result(None)
        else:
            self.done.set_exception(error)


class RecordWriter:
    """Owns the writing connection and its thread. A write survives the cancellation of who asked for it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """The connection was opened with `check_same_thread=False`, in autocommit mode; it is ours from now on."""
        self._connection = connection
        # Without a size: each entry has a caller who waits for its commit, and callers are few.
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._is_closed = False
        self._thread = threading.Thread(target=self._work, name="records-writer", daemon=True)
        self._thread.start()

    async def write(self, write: RecordWrite) -> None:
        """Returns when the write is on the disk.

        Raises:
            Closed: after `close`.
            IdeaError: SQLite refused it; the writes that were committed with it are not touched.
        """
        if self._is_closed:
            raise Closed("The project's record")
        loop = asyncio.get_running_loop()
        job = _Job(write, loop, loop.create_future())
        self._jobs.put(job)
        await job.done

    def close(self) -> None:
        """Write what waits, end the thread, close the connection. Idempotent; blocking."""
        if not self._is_closed:
            self._is_closed = True
            self._jobs.put(None)
        self._thread.join()

    def _work(self) -> None:
        is_open = True
        while is_open:
            group: list[_Job] = []
            job = self._jobs.get()
            while job is not None:
                group.append(job)
                if len(group) == MAX_GROUP or self._jobs.empty():
                    break
                job = self._jobs.get()
            is_open = job is not None
            if group:
                self._commit(group)
        self._connection.close()

    def _commit(self, group: Sequence[_Job]) -> None:
        failures: dict[int, Exception] = {}
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            for number, job in enumerate(group):
                failure = self._run(job.write)
                if failure is not None:
                    failures[number] = failure
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            failure = _explain(error)
            failures = dict.fromkeys(range(len(group)), failure)
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        for number, job in enumerate(group):
            job.settle(failures.get(number))

    def _run(self, write: RecordWrite) -> Exception | None:
        """In a savepoint of its own, so that a bad write takes no other with it."""
        self._connection.execute("SAVEPOINT one")
        failure: Exception | None = None
        try:
            write(self._connection)
        except sqlite3.OperationalError:
            # The disk or the file itself: nothing of this group can be kept.
            raise
        except Exception as error:  # noqa: BLE001 - handed to the caller; the thread must outlive one bad value
            self._connection.execute("ROLLBACK TO one")
            failure = _explain(error) if isinstance(error, sqlite3.Error) else error
        self._connection.execute("RELEASE one")
        return failure


def _explain(error: sqlite3.Error) -> IdeaError:
    _log.error("the project's record could not be written: %s", error)
    return Conflict(f"The project's record could not be written: {error}.", why="recordUnwritable", detail=str(error))
