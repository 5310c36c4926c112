"""The tables of the records, as numbered steps. Append only: a released step is never edited."""

import sqlite3
from collections.abc import Callable, Sequence


def _create_tables(connection: sqlite3.Connection) -> None:
    """Times are microseconds since 1970 UTC; they give back exactly what was stored."""
    connection.execute(
        """CREATE TABLE items (
            id INTEGER PRIMARY KEY,
            agent TEXT NOT NULL,
            seq INTEGER NOT NULL,
            turn TEXT NOT NULL,
            kind TEXT NOT NULL,
            text TEXT NOT NULL,
            at_us INTEGER NOT NULL,
            author TEXT NOT NULL,
            delegation TEXT,
            tool TEXT,
            UNIQUE (agent, seq)
        )"""
    )
    connection.execute(
        """CREATE TABLE delegations (
            id TEXT PRIMARY KEY,
            number INTEGER NOT NULL,
            source TEXT NOT NULL,
            requester_agent TEXT,
            requester_turn TEXT,
            requester_name TEXT NOT NULL,
            target TEXT NOT NULL,
            target_name TEXT NOT NULL,
            message TEXT NOT NULL,
            depth INTEGER NOT NULL,
            asked_us INTEGER NOT NULL,
            state TEXT NOT NULL,
            turn TEXT,
            started_us INTEGER,
            settled_us INTEGER,
            reply TEXT,
            outcome TEXT,
            explanation TEXT
        )"""
    )
    connection.execute("CREATE INDEX delegations_by_number ON delegations (number)")
    connection.execute("CREATE TABLE conversations (agent TEXT PRIMARY KEY, conversation TEXT NOT NULL)")


def _tell_failures_apart(connection: sqlite3.Connection) -> None:
    """How a turn failed, as a code and a JSON object, so that it can be told in any language. Earlier rows: NULL."""
    connection.execute("ALTER TABLE items ADD COLUMN outcome TEXT")
    connection.execute("ALTER TABLE items ADD COLUMN fields TEXT")
    connection.execute("ALTER TABLE delegations ADD COLUMN fields TEXT")


def _keep_unfinished_work(connection: sqlite3.Connection) -> None:
    """What a killed server was at. JSON columns are objects that are only ever read whole."""
    connection.execute(
        """CREATE TABLE unfinished_sessions (
            agent TEXT PRIMARY KEY,
            id TEXT NOT NULL,
            kind TEXT NOT NULL,
            node TEXT,
            conversation TEXT,
            started_us INTEGER NOT NULL,
            keeper TEXT NOT NULL,
            profile TEXT NOT NULL,
            spawn TEXT,
            is_ready INTEGER NOT NULL,
            carried TEXT
        )"""
    )
    connection.execute(
        """CREATE TABLE unfinished_turns (
            id TEXT PRIMARY KEY,
            agent TEXT NOT NULL,
            number INTEGER NOT NULL,
            source TEXT NOT NULL,
            requester_agent TEXT,
            requester_turn TEXT,
            requester_name TEXT NOT NULL,
            delegation TEXT,
            message TEXT NOT NULL,
            limit_s REAL,
            since_us INTEGER NOT NULL,
            begun_us INTEGER,
            spawn TEXT,
            replay_from INTEGER,
            prompt_at INTEGER,
            shown_tools INTEGER
        )"""
    )
    connection.execute(
        "CREATE TABLE decisions (turn TEXT NOT NULL, request TEXT NOT NULL, decision TEXT NOT NULL,"
        " PRIMARY KEY (turn, request))"
    )
    connection.execute("CREATE INDEX items_by_turn ON items (agent, turn, kind)")


def _find_open_delegations(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE INDEX open_delegations ON delegations (number) WHERE settled_us IS NULL")


def _name_calls(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE unfinished_turns ADD COLUMN call TEXT")


def _tell_roles_apart(connection: sqlite3.Connection) -> None:
    """An agent may have two sessions, and a conversation for each. All that stood here was of the main one."""
    connection.execute("ALTER TABLE conversations RENAME TO old_conversations")
    connection.execute(
        "CREATE TABLE conversations (agent TEXT NOT NULL, role TEXT NOT NULL, conversation TEXT NOT NULL,"
        " PRIMARY KEY (agent, role))"
    )
    connection.execute("INSERT INTO conversations SELECT agent, 'main', conversation FROM old_conversations")
    connection.execute("DROP TABLE old_conversations")
    connection.execute("ALTER TABLE unfinished_sessions RENAME TO old_sessions")
    connection.execute(
        """CREATE TABLE unfinished_sessions (
            agent TEXT NOT NULL,
            role TEXT NOT NULL,
            id TEXT NOT NULL,
            kind TEXT NOT NULL,
            node TEXT,
            conversation TEXT,
            started_us INTEGER NOT NULL,
            keeper TEXT NOT NULL,
            profile TEXT NOT NULL,
            spawn TEXT,
            is_ready INTEGER NOT NULL,
            carried TEXT,
            PRIMARY KEY (agent, role)
        )"""
    )
    connection.execute(
        "INSERT INTO unfinished_sessions SELECT agent, 'main', id, kind, node, conversation, started_us, keeper,"
        " profile, spawn, is_ready, carried FROM old_sessions"
    )
    connection.execute("DROP TABLE old_sessions")


def _wait_for_limits(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE unfinished_turns ADD COLUMN waits_for_limit INTEGER NOT NULL DEFAULT 0")


STEPS: Sequence[Callable[[sqlite3.Connection], None]] = (
    _create_tables,
    _tell_failures_apart,
    _keep_unfinished_work,
    _find_open_delegations,
    _name_calls,
    _tell_roles_apart,
    _wait_for_limits,
)

CHECKS: Sequence[str] = (
    "SELECT agent, seq, turn, kind, text, at_us, author, delegation, tool, outcome, fields FROM items LIMIT 1",
    "SELECT id, number, source, state, fields FROM delegations LIMIT 1",
    "SELECT agent, role, conversation FROM conversations LIMIT 1",
    "SELECT agent, role, id, carried FROM unfinished_sessions LIMIT 1",
    "SELECT id, agent, shown_tools, call, waits_for_limit FROM unfinished_turns LIMIT 1",
    "SELECT turn, request, decision FROM decisions LIMIT 1",
)
"""What must work on a sound database of the newest version."""


class FutureVersion(Exception):
    """A later version of IdeA wrote this database."""


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the database to the newest version, each step with its number in one transaction.

    Raises:
        FutureVersion: nothing was changed.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(STEPS):
        raise FutureVersion
    for number, step in enumerate(STEPS[version:], start=version + 1):
        connection.execute("BEGIN IMMEDIATE")
        step(connection)
        # A pragma takes no parameters.
        connection.execute(f"PRAGMA user_version = {number:d}")
        connection.execute("COMMIT")
    for check in CHECKS:
        connection.execute(check).fetchone()
