"""A conversation that outlives the process: one JSON line per prompt and answer."""

from __future__ import annotations

import json
import os
import re

from idea.demo.ids import uuid7

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
"""Full match required, since an id becomes a file name."""


class NoConversation(Exception):
    """The conversation cannot be gone on with, or begun; the text says why."""


class Memory:
    """The prompts (bodies) and answers of one conversation."""

    def __init__(self, conversation: str, path: str, entries: list[tuple[str, str]]) -> None:
        self.conversation = conversation
        self._path = path
        self._entries = entries
        """(role, text), role `prompt` or `answer`."""

    @property
    def entries(self) -> tuple[tuple[str, str], ...]:
        return tuple(self._entries)

    @property
    def first_prompt(self) -> str:
        """Empty if nothing was said."""
        return next((text for role, text in self._entries if role == "prompt"), "")

    def add(self, role: str, text: str) -> None:
        """Kept on disk before it is believed; a full disk loses the line, not the turn."""
        self._entries.append((role, text))
        if not self._path:
            return
        line = json.dumps({"role": role, "text": text}) + "\n"
        try:
            with open(self._path, "a", encoding="utf-8") as file:
                file.write(line)
        except OSError:
            return


def begin(state_dir: str, conversation: str) -> Memory:
    """A new conversation, with an id of our own unless one is given.

    Raises `NoConversation` if the id is taken or unusable.
    """
    conversation = conversation or uuid7()
    path = _path(state_dir, conversation)
    if path:
        try:
            # Made at once: a session that is stopped before its first prompt can be resumed all the same.
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))
        except OSError as error:
            raise NoConversation(f"Conversation {conversation} cannot begin: {error.strerror}") from error
    return Memory(conversation, path, [])


def resume(state_dir: str, conversation: str) -> Memory:
    """Raises `NoConversation` if there is none of that id."""
    path = _path(state_dir, conversation)
    entries = []
    try:
        with open(path, encoding="utf-8") as file:
            for line in file:
                entry = json.loads(line)
                entries.append((str(entry["role"]), str(entry["text"])))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise NoConversation(f"No conversation found with the id {conversation}") from error
    return Memory(conversation, path, entries)


def _path(state_dir: str, conversation: str) -> str:
    if not _ID.fullmatch(conversation):
        raise NoConversation(f"{conversation!r} is no conversation id")
    return os.path.join(state_dir, f"{conversation}.jsonl") if state_dir else ""
