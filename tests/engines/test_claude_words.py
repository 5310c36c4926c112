"""How Claude's tools and questions read, and how a person's decision is put to it."""

import json
from typing import Any

import pytest

from idea.adapters.engines.claude import ClaudeEngine
from idea.adapters.engines.claude_permissions import MAX_QUESTION_CHARS
from idea.adapters.engines.claude_tools import detail, question, summarize
from idea.domain.replies import Decision, Heartbeat, PermissionRequested

RULE: dict[str, object] = {
    "type": "addRules",
    "rules": [{"toolName": "Bash", "ruleContent": "npm test"}],
    "behavior": "allow",
}
EDITS: dict[str, object] = {"type": "setMode", "mode": "acceptEdits", "destination": "session"}
FOLDER: dict[str, object] = {"type": "addDirectories", "directories": ["/"], "destination": "session"}
EVERYTHING: dict[str, object] = {"type": "setMode", "mode": "bypassPermissions", "destination": "session"}


@pytest.mark.parametrize(
    ("tool", "arguments", "line"),
    [
        ("Bash", {"command": "npm test", "description": "Run"}, "Bash: npm test"),
        ("Bash", {"command": "cat <<E\nlong\nE"}, "Bash: cat <<E long E"),
        ("Read", {"file_path": "src/x.py"}, "Read src/x.py"),
        ("Grep", {"pattern": "TODO", "path": "src"}, "Grep: TODO"),
        ("mcp__idea__idea_ask_agent", {"agent": "Architect", "message": "?"}, "idea_ask_agent → Architect"),
        ("mcp__idea_team__idea_ask_agent", {"agent": "Architect", "message": "?"}, "idea_ask_agent → Architect"),
        ("mcp__idea__open_file", {"path": "a.py", "agent": "x"}, "idea: open_file: a.py"),
        ("mcp__github__search", {"query": "bug"}, "github: search: bug"),
        ("Odd", {"command": 7}, "Odd"),
    ],
)
def test_an_activity_is_one_line(tool: str, arguments: dict[str, object], line: str) -> None:
    assert summarize(tool, arguments) == line


def test_a_long_command_is_shortened_to_a_line() -> None:
    assert len(summarize("Bash", {"command": "x " * 1_000_000})) <= 160


def test_an_edit_is_asked_about_with_its_diff() -> None:
    arguments = {"file_path": "a.py", "old_string": "one\ntwo", "new_string": "one\nTWO"}

    assert question("Edit", arguments) == "Edit a.py"
    assert detail("Edit", arguments) == "--- a.py\n+++ a.py\n@@\n one\n-two\n+TWO"


def test_a_huge_edit_is_not_compared() -> None:
    shown = detail("Edit", {"file_path": "a", "old_string": "x\n" * 60_000, "new_string": "y\n" * 60_000})

    assert shown.startswith("--- a\n+++ a\nx\n")


def asked(
    suggestions: list[dict[str, object]], *, tool: str = "Bash", path: str = "", subtype: str = "can_use_tool"
) -> bytes:
    request = {
        "subtype": subtype,
        "tool_name": tool,
        "input": {"file_path": path} if path else {"command": "npm test"},
        "permission_suggestions": suggestions,
    }
    return json.dumps({"type": "control_request", "request_id": "r1", "request": request}).encode()


def answered(
    suggestions: list[dict[str, object]], decision: Decision, *, tool: str = "Bash", path: str = ""
) -> dict[str, Any]:
    engine = ClaudeEngine(conversation=None)
    engine.prompt("go", "m")
    engine.feed(asked(suggestions, tool=tool, path=path))
    said: dict[str, Any] = json.loads(engine.answer("r1", decision))
    assert said["response"]["request_id"] == "r1"
    response: dict[str, Any] = said["response"]["response"]
    return response


@pytest.mark.parametrize(
    ("suggestions", "granted"),
    [
        ([RULE | {"destination": "localSettings"}, FOLDER, EDITS], [RULE | {"destination": "session"}]),
    ],
)
def test_allowing_for_the_session_grants_only_what_was_asked_and_writes_no_file(
    suggestions: list[dict[str, object]], granted: list[dict[str, object]]
) -> None:
    said = answered(suggestions, Decision.ALLOW_SESSION)

    assert said == {"behavior": "allow", "updatedInput": {"command": "npm test"}, "updatedPermissions": granted}


def test_a_tool_that_writes_files_is_allowed_for_the_session_alone_and_not_with_what_a_mode_would_let_pass() -> None:
    said = answered([FOLDER, EDITS], Decision.ALLOW_SESSION, tool="Write", path="/shop/notes.txt")

    rule = {"toolName": "Edit", "ruleContent": "//shop/notes.txt"}
    grant = {"type": "addRules", "rules": [rule], "behavior": "allow", "destination": "session"}
    assert said["updatedPermissions"] == [grant]


@pytest.mark.parametrize("path", ["notes.txt", "/shop/*", "/shop/a b", "/shop/[x]", ""])
def test_a_file_that_a_rule_could_not_name_alone_is_not_offered_for_the_session(path: str) -> None:
    engine = ClaudeEngine(conversation=None)
    engine.prompt("go", "m")

    [event] = engine.feed(asked([EDITS], tool="Write", path=path))

    assert isinstance(event, PermissionRequested)
    assert event.choices == (Decision.ALLOW_ONCE, Decision.DENY)


@pytest.mark.parametrize("suggestions", [[], [EVERYTHING], [FOLDER], [FOLDER, EDITS]])
def test_what_would_allow_more_is_not_offered_for_the_session(suggestions: list[dict[str, object]]) -> None:
    engine = ClaudeEngine(conversation=None)
    engine.prompt("go", "m")

    [event] = engine.feed(asked(suggestions))

    assert isinstance(event, PermissionRequested)
    assert event.choices == (Decision.ALLOW_ONCE, Decision.DENY)


def test_allowing_once_grants_nothing_more_and_denying_says_what_to_do() -> None:
    assert answered([EDITS], Decision.ALLOW_ONCE) == {"behavior": "allow", "updatedInput": {"command": "npm test"}}
    denied = answered([EDITS], Decision.DENY)
    assert denied["behavior"] == "deny"
    assert "did not allow" in denied["message"]


def test_a_question_that_no_button_answers_can_only_be_denied() -> None:
    engine = ClaudeEngine(conversation=None)
    engine.prompt("go", "m")

    [event] = engine.feed(asked([], subtype="elicitation"))

    assert isinstance(event, PermissionRequested)
    assert event.choices == (Decision.DENY,)
    assert json.loads(engine.answer("r1", Decision.DENY))["response"]["subtype"] == "error"


def test_a_settled_withdrawn_or_unknown_question_takes_no_answer() -> None:
    engine = ClaudeEngine(conversation=None)
    engine.prompt("go", "m")
    engine.feed(asked([]))
    engine.feed(b'{"type": "control_cancel_request", "request_id": "r1"}')

    assert engine.answer("r1", Decision.ALLOW_ONCE) == b""
    assert engine.answer("never asked", Decision.DENY) == b""


def test_a_question_hides_nothing_that_a_person_could_read() -> None:
    engine = ClaudeEngine(conversation=None)
    request = {"subtype": "can_use_tool", "tool_name": "Bash", "input": {"command": "x" * 1_000_000}}
    line = json.dumps({"type": "control_request", "request_id": "r1", "request": request}).encode()

    [event] = engine.feed(line)

    assert isinstance(event, PermissionRequested)
    assert event.detail.startswith("x" * MAX_QUESTION_CHARS)
    assert event.detail.endswith(
        f"[{1_000_000 - MAX_QUESTION_CHARS} more characters are not shown: it can only be denied]"
    )
    assert event.choices == (Decision.DENY,)


def test_nothing_is_interrupted_while_nothing_runs() -> None:
    assert ClaudeEngine(conversation=None).interrupt() == b""


def test_a_prompt_goes_as_one_line_whatever_it_holds() -> None:
    line = ClaudeEngine(conversation=None).prompt('two\nlines, "quotes", é, 🙂 and a lone \ud83d', "m")

    assert line.count(b"\n") == 1
    assert json.loads(line)["message"]["content"] == 'two\nlines, "quotes", é, 🙂 and a lone ?'


@pytest.mark.parametrize(
    ("servers", "is_told"),
    [
        ({"idea": "failed"}, True),
        ({"idea": "connected", "other": "failed"}, False),
        # The user's own, so that ours has another name.
        ({"idea": "failed", "idea_team": "connected"}, False),
        ({"idea_team": "pending", "idea": "connected"}, True),
    ],
)
def test_it_is_told_when_our_tools_are_missing(servers: dict[str, str], *, is_told: bool) -> None:
    engine = ClaudeEngine(conversation=None)
    engine.prompt("go", "m")
    said = [{"name": name, "status": status} for name, status in servers.items()]

    events = engine.feed(json.dumps({"type": "system", "subtype": "init", "mcp_servers": said}).encode())

    assert any(isinstance(event, Heartbeat) and event.note for event in events) is is_told
