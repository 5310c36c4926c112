"""The beginnings of a CLI's own files: never a whole one, never a link, never one that blocks."""

import json
import os
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from idea.domain.delegation import unframe
from idea.domain.earlier import MAX_FIRST_WORDS_CHARS, EarlierConversation
from idea.domain.ids import ConversationId

HEAD_BYTES: Final = 128 * 1024
"""What a CLI writes before the person's first words is some 20 kB."""
SAID_CHARS: Final = 2_000
"""Of which the first words are taken."""
MAX_ENTRIES: Final = 20_000
"""Of one folder; more is nothing that a person has made."""
MAX_LOOKED_INTO: Final = 400
"""Files whose beginning is read for one list."""
UUID: Final = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")

Line = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Places:
    """Where to look: the CLI's environment, the folder it runs in, and the agent's run directory."""

    env: Mapping[str, str]
    cwd: Path
    run_dir: Path


@dataclass(frozen=True, slots=True)
class Head:
    lines: tuple[Line, ...]
    """The whole ones within the first `HEAD_BYTES`; what is no JSON object is left out."""
    size_bytes: int
    changed_at: datetime


def newest(folder: Path) -> Iterator[Path]:
    """The entries of a folder by their time of change, the newest first; nothing where it cannot be read."""
    found: list[tuple[float, str]] = []
    try:
        with os.scandir(folder) as entries:
            for entry, _ in zip(entries, range(MAX_ENTRIES), strict=False):
                found.append((entry.stat(follow_symlinks=False).st_mtime, entry.name))
    except OSError:
        return
    for _, name in sorted(found, reverse=True):
        yield folder / name


def names(folder: Path) -> list[str]:
    """Descending; empty where it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return sorted((entry.name for entry, _ in zip(entries, range(MAX_ENTRIES), strict=False)), reverse=True)
    except OSError:
        return []


def read_head(path: Path) -> Head | None:
    """None for whatever is no readable regular file."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    try:
        known = os.fstat(descriptor)
        if not stat.S_ISREG(known.st_mode):
            return None
        content = os.pread(descriptor, HEAD_BYTES, 0)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    whole = content if len(content) == known.st_size else content[: content.rfind(b"\n") + 1]
    lines = tuple(line for line in map(_parse, whole.splitlines()) if line is not None)
    return Head(lines, known.st_size, datetime.fromtimestamp(known.st_mtime, UTC))


def _parse(line: bytes) -> Line | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def inner(line: Line, key: str) -> Line:
    """An object within; empty where there is none."""
    value = line.get(key)
    return value if isinstance(value, dict) else {}


def time_of(value: object) -> datetime | None:
    """An ISO time with its zone; None for anything else."""
    try:
        found = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return found.astimezone(UTC) if found is not None and found.tzinfo is not None else None


def describe(conversation: str, head: Head, words: str, began_at: datetime | None) -> EarlierConversation:
    said = unframe(words[:SAID_CHARS])
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in said).split())
    return EarlierConversation(
        ConversationId(conversation),
        line if len(line) <= MAX_FIRST_WORDS_CHARS else f"{line[: MAX_FIRST_WORDS_CHARS - 1]}…",
        began_at or head.changed_at,
        head.changed_at,
        head.size_bytes,
    )
