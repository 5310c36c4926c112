"""Codex's own threads: `sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl` in its home. Verified with 0.171.0."""

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from idea.adapters.conversations.heads import (
    MAX_LOOKED_INTO,
    UUID,
    Head,
    Line,
    Places,
    describe,
    inner,
    names,
    read_head,
    time_of,
)
from idea.domain.earlier import EarlierConversation

UUID_CHARS: Final = 36


def list_codex(places: Places) -> Iterator[EarlierConversation]:
    """Those of this folder, by their beginning, the newest first."""
    for path in islice(_paths(places), MAX_LOOKED_INTO):
        conversation = path.stem[-UUID_CHARS:]
        head = read_head(path) if UUID.fullmatch(conversation) else None
        found = None if head is None else _read(conversation, head, places.cwd)
        if found is not None:
            yield found


def _paths(places: Places) -> Iterator[Path]:
    base = Path(places.env.get("CODEX_HOME") or Path(places.env.get("HOME", ""), ".codex"), "sessions")
    if not base.is_absolute():
        return
    for year in names(base):
        for month in names(base / year):
            for day in names(base / year / month):
                folder = base / year / month / day
                yield from (folder / name for name in names(folder) if name.endswith(".jsonl"))


def _read(conversation: str, head: Head, cwd: Path) -> EarlierConversation | None:
    if not head.lines or head.lines[0].get("type") != "session_meta":
        return None
    about = inner(head.lines[0], "payload")
    folder = about.get("cwd")
    if not isinstance(folder, str) or os.path.realpath(folder) != os.path.realpath(cwd):
        return None
    words = next((said for said in map(_words, head.lines) if said), "")
    return describe(conversation, head, words, time_of(about.get("timestamp"))) if words else None


def _words(line: Line) -> str:
    if line.get("type") != "event_msg":
        return ""
    said = inner(line, "payload")
    if said.get("type") == "user_message":
        # Before 0.150.
        message = said.get("message")
        return message if isinstance(message, str) else ""
    item = inner(said, "item")
    content = item.get("content")
    if item.get("type") != "UserMessage" or not isinstance(content, list):
        return ""
    texts = [part.get("text") for part in content if isinstance(part, dict)]
    return next((text for text in texts if isinstance(text, str)), "")
