"""Claude Code's own sessions: `projects/<folder>/<id>.jsonl` in its configuration. Verified with 2.1.332."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from idea.adapters.conversations.heads import UUID, Head, Line, Places, describe, inner, newest, read_head, time_of
from idea.domain.earlier import EarlierConversation

MAX_NAME_CHARS: Final = 200
"""A longer folder's name is cut there, and something that we cannot compute is appended."""


def list_claude(places: Places) -> Iterator[EarlierConversation]:
    """The newest first. Those in which nobody said anything are left out: Claude does not resume them either."""
    for folder in _folders(places):
        for path in newest(folder):
            if path.suffix == ".jsonl" and UUID.fullmatch(path.stem):
                head = read_head(path)
                found = None if head is None else _read(path.stem, head, places.cwd)
                if found is not None:
                    yield found


def _folders(places: Places) -> list[Path]:
    home = places.env.get("HOME", "")
    base = Path(places.env.get("CLAUDE_CONFIG_DIR") or Path(home, ".claude"), "projects")
    if not base.is_absolute():
        return []
    name = re.sub(r"[^a-zA-Z0-9]", "-", os.path.realpath(places.cwd))
    if len(name) <= MAX_NAME_CHARS:
        return [base / name]
    return [path for path in newest(base) if path.name.startswith(name[:MAX_NAME_CHARS])]


def _read(conversation: str, head: Head, cwd: Path) -> EarlierConversation | None:
    folders = {line["cwd"] for line in head.lines if isinstance(line.get("cwd"), str)}
    # Another folder's name may be written in the same way.
    if folders and os.path.realpath(cwd) not in folders:
        return None
    for line in head.lines:
        words = _words(line)
        if words:
            return describe(conversation, head, words, time_of(line.get("timestamp")))
    return None


def _words(line: Line) -> str:
    """What the person said in this line, if that is what it is; a command of Claude's own stands in its tags."""
    if line.get("type") != "user" or line.get("isMeta") or line.get("isSidechain"):
        return ""
    content = inner(line, "message").get("content")
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, dict) and part.get("type") == "text"]
        content = next((text for text in texts if isinstance(text, str)), "")
    return content if isinstance(content, str) and not content.startswith("<") else ""
