"""One life of a demo agent: what its turns and their steps share."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from idea.demo.mcp_client import McpClient
from idea.demo.memory import Memory
from idea.demo.options import Options
from idea.demo.script import Script

Line = dict[str, object]
"""What an agent says, one JSON object of the chat face; the terminal face draws the same lines."""

CHARS_PER_TOKEN = 4
"""The usual rule of thumb; a scripted agent has no tokenizer."""


class Answered(Exception):
    """Ends a turn with its answer."""


class TurnFailed(Exception):
    """Ends a turn with an `error` line of this kind."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Session:
    """What lasts from start to end: conversation, permissions given, a limit that holds."""

    def __init__(
        self,
        options: Options,
        *,
        script: Script,
        memory: Memory,
        mcp: McpClient | None,
        emit: Callable[[Line], None],
        end: Callable[[int], None],
    ) -> None:
        self.options = options
        self.script = script
        self.memory = memory
        self.mcp = mcp
        self.allowed: set[str] = set()
        """Titles that were allowed for the session."""
        self.limited_until_ms: int | None = None
        self.end = end
        """End the process with an exit code, leaving the terminal as it was; does not return."""
        self._emit = emit
        self._written_chars = 0
        self._ids = 0

    def emit(self, kind: str, /, **fields: object) -> None:
        text = fields.get("text")
        if isinstance(text, str):
            self._written_chars += len(text)
        self._emit({"type": kind, **fields})

    def next_id(self, prefix: str) -> str:
        self._ids += 1
        return f"{prefix}-{self._ids}"

    def later(self, seconds: float, kind: str, /, **fields: object) -> None:
        """Say a line `seconds` from now, whatever happens until then."""
        timer = threading.Timer(seconds, self._emit, [{"type": kind, **fields}])
        timer.daemon = True
        timer.start()

    def report_usage(self, prompt: str, answer: str = "") -> None:
        """The turn's tokens so far; starts anew with `begin_turn`."""
        self._emit(
            {
                "type": "usage",
                "inputTokens": 1 + len(prompt) // CHARS_PER_TOKEN,
                "outputTokens": (self._written_chars + len(answer)) // CHARS_PER_TOKEN,
            }
        )

    def begin_turn(self) -> None:
        self._written_chars = 0
        self.emit("turn", state="started")

    def refuse(self, until_ms: int | None) -> TurnFailed:
        """Say that a limit was hit; the error to raise."""
        self._emit({"type": "limit", "untilMs": until_ms})
        resets = time.strftime(" · resets at %H:%M:%S", time.localtime(until_ms / 1000)) if until_ms else ""
        return TurnFailed("limited", f"Usage limit reached{resets}")
