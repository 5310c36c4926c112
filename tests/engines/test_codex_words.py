"""How Codex's tools read to a person."""

import json

import pytest

from idea.adapters.engines.codex import CodexExecEngine
from idea.domain.replies import ToolActivity


@pytest.mark.parametrize(
    ("command", "summary"),
    [
        ("/bin/bash -lc 'ls -la'", "$ ls -la"),
        ("/bin/bash -lc ls", "$ ls"),
        # Where the command has quotes of its own, Codex takes the other kind around it.
        ("/bin/bash -lc \"touch 'a' && ls\"", "$ touch 'a' && ls"),
        ("zsh -c 'echo '\\''hi'\\'''", "$ echo 'hi'"),
        ("git commit -m 'two words'", "$ git commit -m 'two words'"),
        ("echo 'never closed", "$ echo 'never closed"),
    ],
)
def test_a_command_is_shown_without_the_shell_around_it(command: str, summary: str) -> None:
    engine = CodexExecEngine(conversation=None)
    engine.prompt("go", "m")
    item = {"id": "item_1", "type": "command_execution", "command": command, "status": "in_progress"}

    (activity,) = engine.feed(json.dumps({"type": "item.started", "item": item}).encode())

    assert isinstance(activity, ToolActivity)
    assert activity.summary == summary


@pytest.mark.parametrize(
    ("server", "tool", "summary"),
    [
        ("idea", "idea_ask_agent", "idea_ask_agent → QA"),
        ("idea_team", "idea_ask_agent", "idea_ask_agent → QA"),
        ("idea", "open_file", "idea: open_file"),
        ("ideas", "idea_ask_agent", "ideas: idea_ask_agent"),
    ],
)
def test_only_our_tools_are_shown_without_their_server(server: str, tool: str, summary: str) -> None:
    engine = CodexExecEngine(conversation=None)
    engine.prompt("go", "m")
    item = {"id": "item_1", "type": "mcp_tool_call", "server": server, "tool": tool, "arguments": {"agent": "QA"}}

    (activity,) = engine.feed(json.dumps({"type": "item.started", "item": item}).encode())

    assert isinstance(activity, ToolActivity)
    assert activity.summary == summary
