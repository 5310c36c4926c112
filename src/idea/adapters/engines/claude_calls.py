"""The tool calls of one turn of Claude Code: what each was, until its result comes."""

import json
from typing import Final

from idea.adapters.engines.claude_tools import result_text, summarize, tool_name
from idea.adapters.engines.jsonl import EMPTY, Json, clipped, object_of, text_of
from idea.domain.replies import ToolActivity, ToolPhase

MAX_CALLS: Final = 1000
"""Tool calls of one turn that are remembered for their result."""


class ClaudeCalls:
    def __init__(self) -> None:
        self._known: dict[str, tuple[str, Json]] = {}

    def note(self, block: Json) -> None:
        """Remember a `tool_use` block."""
        if len(self._known) < MAX_CALLS:
            self._known[text_of(block, "id")] = text_of(block, "name"), object_of(block, "input")

    def find_ended(self, block: Json) -> ToolActivity | None:
        """What a `tool_result` block ends, or None if that call is not known."""
        call_id = text_of(block, "tool_use_id")
        name, arguments = self._known.get(call_id, ("", EMPTY))
        if not name:
            return None
        phase = ToolPhase.FAILED if block.get("is_error") else ToolPhase.ENDED
        return ToolActivity(call_id, tool_name(name), summarize(name, arguments), phase, result_text(name, block))

    def arguments(self, call_id: str) -> Json:
        """Empty if the call is not known."""
        return self._known.get(call_id, ("", EMPTY))[1]

    def clear(self) -> None:
        self._known.clear()


def started(block: Json) -> ToolActivity:
    """The beginning of the call in a `tool_use` block."""
    name, arguments = text_of(block, "name"), object_of(block, "input")
    shown = clipped(json.dumps(arguments, ensure_ascii=False)) if arguments else ""
    return ToolActivity(text_of(block, "id"), tool_name(name), summarize(name, arguments), ToolPhase.STARTED, shown)
