"""How Claude Code's tools read to a person: one line for the activity, and what a permission question shows."""

import difflib
import json
from typing import Final

from idea.adapters.engines.jsonl import Json, clipped, find_object, objects_of, one_line, text_of
from idea.domain.replies import ASK_TOOL
from idea.domain.tool_server import is_our_tool

TELLING_INPUTS: Final = (
    "command",
    "file_path",
    "notebook_path",
    "pattern",
    "path",
    "url",
    "query",
    "description",
    "prompt",
    "skill",
)
"""The first of these that a call has says what it is about."""

MAX_DIFF_CHARS: Final = 100_000
"""Longer texts are shown whole instead of compared: comparing takes quadratic time."""


def tool_name(name: str) -> str:
    """`mcp__idea__idea_ask_agent` → `idea_ask_agent`; another server's tool keeps that server's name."""
    if not name.startswith("mcp__"):
        return name
    server, tool = _server_and_tool(name)
    return tool if is_our_tool(server, tool) else f"{server}: {tool}"


def _server_and_tool(name: str) -> tuple[str, str]:
    server, _, tool = name.removeprefix("mcp__").partition("__")
    return server, tool


def summarize(name: str, arguments: Json) -> str:
    """One line: `Bash: npm test`, `Read src/x.py`, `idea_ask_agent → Architect`."""
    shown = tool_name(name)
    agent = text_of(arguments, "agent")
    if is_our_tool(*_server_and_tool(name)) and agent:
        return one_line(f"{shown} → {agent}")
    about = next((text_of(arguments, key) for key in TELLING_INPUTS if text_of(arguments, key)), "")
    joint = " " if "file_path" in arguments else ": "
    return one_line(shown + joint + about if about else shown)


def question(name: str, arguments: Json) -> str:
    """The title of a permission question."""
    path = text_of(arguments, "file_path") or text_of(arguments, "notebook_path")
    match name:
        case "Bash":
            return "Run a command"
        case "Write":
            return one_line(f"Write {path}")
        case "Edit" | "MultiEdit" | "NotebookEdit":
            return one_line(f"Edit {path}")
        case "WebFetch":
            return one_line(f"Fetch {text_of(arguments, 'url')}")
        case "ExitPlanMode":
            return "Carry out this plan"
        case _:
            return one_line(f"Use {tool_name(name)}")


def detail(name: str, arguments: Json) -> str:
    """The command, the change or the input, verbatim."""
    match name:
        case "Bash":
            return text_of(arguments, "command")
        case "ExitPlanMode":
            return text_of(arguments, "plan")
        case "Edit":
            return _change(
                text_of(arguments, "file_path"), text_of(arguments, "old_string"), text_of(arguments, "new_string")
            )
        case "Write":
            return _change(text_of(arguments, "file_path"), "", text_of(arguments, "content"))
        case _:
            return json.dumps(arguments, ensure_ascii=False, indent=2) if arguments else ""


def result_text(name: str, block: Json) -> str:
    """What a `tool_result` block says, clipped."""
    content = block.get("content")
    text = (
        content if isinstance(content, str) else "\n".join(text_of(one, "text") for one in objects_of(block, "content"))
    )
    if tool_name(name) == ASK_TOOL:
        # Claude gives its model the answer as data; a person reads the words in it.
        told = find_object(text.encode("utf-8", "replace"))
        text = (text_of(told, "reply") if told is not None else "") or text
    return clipped(text)


def _change(path: str, old: str, new: str) -> str:
    """A unified diff without line numbers: the call does not say where in the file its text stands."""
    if len(old) + len(new) > MAX_DIFF_CHARS:
        return f"--- {path}\n+++ {path}\n{old}\n→\n{new}"
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), path if old else "/dev/null", path, lineterm="")
    return "\n".join("@@" if line.startswith("@@ ") else line for line in lines)
