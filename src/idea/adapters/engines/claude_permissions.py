"""Claude Code's permission questions: which are open, and the answer to each in its own words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from idea.adapters.engines.claude_tools import detail, question, tool_name
from idea.adapters.engines.jsonl import EMPTY, Json, object_of, objects_of, one_line, text_of
from idea.domain.counted import counted
from idea.domain.ids import RequestId
from idea.domain.replies import Decision, PermissionRequested

DENIED: Final = (
    "The person did not allow this. Do not reach the same effect in another way; go on without it, "
    "or end your turn and say what you need it for."
)
MAX_QUESTION_CHARS: Final = 100_000
"""Nobody reads more. Far above what other events carry: a person must see all that they allow."""
WRITING_TOOLS: Final = ("Write", "Edit", "MultiEdit", "NotebookEdit")
PATTERN_CHARS: Final = frozenset("*?[]{}!#\\() ")
"""A rule's path is a pattern: with one of these it could mean other files too, or none."""
MAX_OPEN: Final = 256
"""Far more than a turn ever has at once; older ones are forgotten first."""


@dataclass(frozen=True, slots=True)
class _Asked:
    is_tool: bool
    arguments: Json
    grants: Sequence[Json]
    """What `allow for the session` would add to Claude's rules; empty if it cannot be offered."""


class ClaudePermissions:
    def __init__(self) -> None:
        self._open: dict[str, _Asked] = {}

    def ask(self, line: Json, called_with: Json) -> PermissionRequested:
        """Note a `control_request`; `called_with` is the input of the tool call that it is about, if known."""
        request_id, request = text_of(line, "request_id"), object_of(line, "request")
        if text_of(request, "subtype") != "can_use_tool":
            # Some other server asks the person something that no button of ours answers.
            self._note(request_id, _Asked(is_tool=False, arguments=EMPTY, grants=()))
            title = one_line(text_of(request, "message") or f"Claude Code asks: {text_of(request, 'subtype')}")
            return PermissionRequested(RequestId(request_id), "Claude Code", title, "", (Decision.DENY,))
        name, arguments = text_of(request, "tool_name"), object_of(request, "input")
        grants = _session_grants(name, arguments, objects_of(request, "permission_suggestions"))
        self._note(request_id, _Asked(is_tool=True, arguments=arguments, grants=grants))
        # A plan's text stands in the call only.
        text = detail(name, arguments) or detail(name, called_with)
        for_session = (Decision.ALLOW_SESSION,) if grants else ()
        # What cannot be shown whole is nobody's to allow.
        allowing = (Decision.ALLOW_ONCE, *for_session) if len(text) <= MAX_QUESTION_CHARS else ()
        return PermissionRequested(
            RequestId(request_id),
            tool_name(name),
            question(name, arguments),
            _readable(text),
            (*allowing, Decision.DENY),
        )

    def answer(self, request_id: str, decision: Decision) -> Json | None:
        """The `control_response`, or None if the question is no longer open."""
        asked = self._open.pop(request_id, None)
        if asked is None:
            return None
        if not asked.is_tool:
            return _response({"subtype": "error", "request_id": request_id, "error": DENIED})
        if decision is Decision.DENY:
            said: Json = {"behavior": "deny", "message": DENIED}
        else:
            said = {"behavior": "allow", "updatedInput": asked.arguments}
            if decision is Decision.ALLOW_SESSION:
                said = {**said, "updatedPermissions": asked.grants}
        return _response({"subtype": "success", "request_id": request_id, "response": said})

    def withdraw(self, request_id: str) -> None:
        """Claude no longer waits for the answer."""
        self._open.pop(request_id, None)

    def clear(self) -> None:
        """The turn is over, and its questions with it."""
        self._open.clear()

    def _note(self, request_id: str, asked: _Asked) -> None:
        while len(self._open) >= MAX_OPEN:
            del self._open[next(iter(self._open))]
        self._open[request_id] = asked


def _session_grants(tool: str, arguments: Json, suggestions: Sequence[Json]) -> Sequence[Json]:
    """Claude's suggested rules, for this session only; failing these, a rule for the one file that is to be written.

    A rule is suggested for the project's settings file, which is not ours to write. Other suggestions (more folders,
    other modes) allow more than the question was about: the mode that accepts edits also lets `rm` and `mv` pass.
    """
    rules = [
        {**one, "destination": "session"}
        for one in suggestions
        if text_of(one, "type") == "addRules" and text_of(one, "behavior") == "allow"
    ]
    path = text_of(arguments, "file_path") or text_of(arguments, "notebook_path")
    if rules or tool not in WRITING_TOOLS or not path.startswith("/") or set(path) & PATTERN_CHARS:
        return rules
    # Rules for edits are those of every tool that writes; two slashes are the root of the disk.
    rule = {"toolName": "Edit", "ruleContent": f"/{path}"}
    return [{"type": "addRules", "rules": [rule], "behavior": "allow", "destination": "session"}]


def _readable(text: str) -> str:
    hidden = len(text) - MAX_QUESTION_CHARS
    if hidden <= 0:
        return text
    what = counted(hidden, "more character is", "more characters are")
    return f"{text[:MAX_QUESTION_CHARS]}\n[{what} not shown: it can only be denied]"


def _response(said: Json) -> Json:
    return {"type": "control_response", "response": said}
