"""The line in which a person writes: several lines, a cursor, and what was sent before."""

from __future__ import annotations

import re

_LAST_WORD = re.compile(r"\S*\s*\Z")


class Composer:
    """The text being written and the cursor, counted in characters."""

    def __init__(self) -> None:
        self.text = ""
        self.cursor = 0
        self._sent: list[str] = []
        self._recalled = 0
        """Index into `_sent`; its length while a fresh text is written."""

    def insert(self, text: str) -> None:
        self.text = self.text[: self.cursor] + text + self.text[self.cursor :]
        self.cursor += len(text)

    def take(self) -> str:
        """The text to send; the composer is empty then."""
        text = self.text
        if text.strip():
            self._sent.append(text)
        self.clear()
        return text

    def clear(self) -> None:
        self._show("")
        self._recalled = len(self._sent)

    def edit(self, key: str) -> None:
        """Apply an editing key; others are ignored."""
        match key:
            case "newline":
                self.insert("\n")
            case "up":
                self._move_line(-1)
            case "down":
                self._move_line(1)
            case "left" | "right" | "home" | "end":
                self._move(key)
            case _:
                self._delete(key)

    def _move(self, key: str) -> None:
        before, after = self.text[: self.cursor], self.text[self.cursor :]
        match key:
            case "left":
                self.cursor = max(0, self.cursor - 1)
            case "right":
                self.cursor = min(len(self.text), self.cursor + 1)
            case "home":
                self.cursor = before.rfind("\n") + 1
            case "end":
                self.cursor = len(before) + len(after.partition("\n")[0])

    def _delete(self, key: str) -> None:
        before, after = self.text[: self.cursor], self.text[self.cursor :]
        match key:
            case "backspace":
                self._replace(before[:-1], after)
            case "delete":
                self._replace(before, after[1:])
            case "killLeft":
                self._replace(before[: before.rfind("\n") + 1], after)
            case "killRight":
                line, newline, rest = after.partition("\n")
                self._replace(before, newline + rest if line else rest)
            case "killWord":
                self._replace(_LAST_WORD.sub("", before), after)

    def _replace(self, before: str, after: str) -> None:
        self.text = before + after
        self.cursor = len(before)

    def _show(self, text: str) -> None:
        self.text = text
        self.cursor = len(text)

    def _move_line(self, step: int) -> None:
        """To the line above or below; beyond the first or last line to the text sent before or after."""
        lines = self.text.split("\n")
        line = self.text.count("\n", 0, self.cursor)
        column = self.cursor - (self.text.rfind("\n", 0, self.cursor) + 1)
        wanted = line + step
        if 0 <= wanted < len(lines):
            self.cursor = sum(len(before) + 1 for before in lines[:wanted]) + min(column, len(lines[wanted]))
        elif 0 <= self._recalled + step <= len(self._sent):
            self._recalled += step
            self._show(self._sent[self._recalled] if self._recalled < len(self._sent) else "")
