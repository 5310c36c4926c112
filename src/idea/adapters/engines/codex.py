"""`codex exec --json`: one process a turn, the prompt on its standard input, events as JSON lines.

Above: the session runner, which starts each turn's process and ends it with SIGINT to interrupt. Verified with 0.171.0.
"""

import json
import shlex
from collections.abc import Mapping, Sequence

from idea.adapters.engines.jsonl import (
    EMPTY,
    Json,
    clipped,
    count_of,
    find_error,
    find_object,
    last_line,
    object_of,
    objects_of,
    one_line,
    text_of,
    unreadable,
)
from idea.application.ports import EngineLifetime
from idea.domain.ids import ConversationId
from idea.domain.replies import (
    Announcement,
    ConversationIdentified,
    Decision,
    EngineEvent,
    Failed,
    FailureKind,
    Final,
    Heartbeat,
    RateLimited,
    ResumeRefused,
    ToolActivity,
    ToolPhase,
    UsageReported,
)
from idea.domain.sessions import Exit
from idea.domain.tool_server import is_our_tool

NO_CONVERSATION = "no rollout found"
LIMITED = ("hit your usage limit", "quota exceeded")
"""How the messages of a used-up plan begin, in lower case. A plain 429 is retried and reads otherwise."""


class CodexExecEngine:
    """One conversation of Codex; a process a turn."""

    lifetime = EngineLifetime.TURN

    def __init__(self, *, conversation: ConversationId | None) -> None:
        self._conversation = conversation
        self._totals: tuple[int, int] | None = None if conversation else (0, 0)
        """Tokens of the conversation before this turn, which Codex counts along; None if unknown."""
        self._identified = ""
        self._is_open = False
        self._is_interrupted = False
        self._held: str | None = None
        """The last message, until it is known whether another one follows."""
        self._trouble = ""
        """The last `error` line; fatal only if the turn then fails."""

    def opened(self) -> bytes:
        return b""

    def prompt(self, text: str, message_id: str) -> bytes:
        self._is_open, self._is_interrupted = True, False
        self._held, self._trouble = None, ""
        return text.encode("utf-8", "replace")

    def interrupt(self) -> bytes | None:
        self._is_interrupted = self._is_open
        return None

    def answer(self, request: str, decision: Decision) -> bytes:
        """Headless Codex never asks."""
        return b""

    def feed(self, line: bytes) -> Sequence[EngineEvent]:
        if not line.strip():
            return ()
        said = find_object(line)
        if said is None:
            return (unreadable(line, "not a JSON object"),)
        match text_of(said, "type"):
            case "thread.started":
                return self._identify(text_of(said, "thread_id"))
            case "item.started" | "item.updated" | "item.completed" as happening:
                return self._item(object_of(said, "item"), is_over=happening == "item.completed")
            case "turn.completed":
                return self._completed(object_of(said, "usage"))
            case "turn.failed":
                return self._fail(text_of(object_of(said, "error"), "message") or self._trouble or "no reason given")
            case "error":
                # It may go on: "Reconnecting... 1/5" is one of these, too.
                self._trouble = text_of(said, "message")
                return self._alive(one_line(self._trouble))
            case "":
                return (unreadable(line, "no type"),)
            case _:
                return self._alive()

    @property
    def is_at_rest(self) -> bool:
        return not self._is_open

    def carry(self) -> Mapping[str, object]:
        return {"totals": self._totals}

    def recall(self, carried: Mapping[str, object]) -> None:
        match carried:
            case {"totals": [int(read), int(written)]}:
                self._totals = read, written

    def closed(self, exit: Exit, last_words: str) -> Sequence[EngineEvent]:
        if not self._is_open:
            return ()
        tail = last_line(last_words)
        if NO_CONVERSATION in last_words:
            refused = ResumeRefused(self._conversation, tail)
            self._is_open = False
            return (refused, Failed(FailureKind.ENGINE, tail))
        if self._is_interrupted:
            return self._interrupted()
        if self._trouble:
            return self._fail(self._trouble)
        self._is_open = False
        error = find_error(last_words)
        if error and exit.code:
            # It gave up by itself: a setting it cannot read, a server that does not start. Once more helps nobody.
            return (Failed(FailureKind.ENGINE, f"Codex ended with {exit}: {error}", last_words),)
        return (Failed(FailureKind.DIED, f"Codex ended with {exit}" + (f": {tail}" if tail else ""), last_words),)

    def _identify(self, conversation: str) -> Sequence[EngineEvent]:
        if not conversation or conversation == self._identified:
            return self._alive()
        if self._conversation is not None and conversation != self._conversation:
            self._totals = (0, 0)
        self._identified = conversation
        self._conversation = ConversationId(conversation)
        return (ConversationIdentified(self._conversation),)

    def _alive(self, note: str = "") -> Sequence[EngineEvent]:
        return (Heartbeat(note),) if self._is_open else ()

    def _item(self, item: Json, *, is_over: bool) -> Sequence[EngineEvent]:
        kind = text_of(item, "type")
        if not self._is_open:
            return ()
        if kind == "agent_message":
            if not is_over:
                return self._alive()
            events = self._announced()
            self._held = text_of(item, "text")
            return events or self._alive()
        if kind == "error":
            # About Codex itself (an unknown model's metadata …): nothing that the turn waits for, nor why it fails.
            return self._alive()
        tool = _tool(kind, item)
        if tool is None:
            return self._alive()
        name, summary = tool
        phase = ToolPhase.STARTED if not is_over else ToolPhase.FAILED if _has_failed(item) else ToolPhase.ENDED
        activity = ToolActivity(text_of(item, "id"), name, summary, phase, clipped(_shown(item, is_over=is_over)))
        return (*self._announced(), activity)

    def _announced(self) -> Sequence[EngineEvent]:
        held, self._held = self._held, None
        return (Announcement(held),) if held and held.strip() else ()

    def _completed(self, usage: Json) -> Sequence[EngineEvent]:
        if not self._is_open:
            return ()
        self._is_open = False
        text, self._held = self._held or "", None
        return (*self._usage(usage), Final(text))

    def _usage(self, usage: Json) -> Sequence[EngineEvent]:
        before = self._totals
        now = count_of(usage, "input_tokens"), count_of(usage, "output_tokens")
        self._totals = now
        if before is None or not any(now):
            return ()
        return (UsageReported(max(now[0] - before[0], 0), max(now[1] - before[1], 0)),)

    def _interrupted(self) -> Sequence[EngineEvent]:
        self._is_open, self._held = False, None
        return (Failed(FailureKind.INTERRUPTED, "The turn was interrupted."),)

    def _fail(self, reason: str) -> Sequence[EngineEvent]:
        if not self._is_open:
            return ()
        if self._is_interrupted:
            return self._interrupted()
        events = self._announced()
        self._is_open = False
        shown = one_line(reason, 500)
        plain = reason.lower().replace("\u2019", "'")
        if any(sign in plain for sign in LIMITED):
            # It says a time of day without its date or zone; better none than a wrong one.
            return (*events, RateLimited(None), Failed(FailureKind.LIMITED, shown))
        return (*events, Failed(FailureKind.ENGINE, shown))


def _tool(kind: str, item: Json) -> tuple[str, str] | None:
    """The tool's name and a line about this call; None for what is no tool."""
    match kind:
        case "command_execution":
            return "Shell", one_line(f"$ {_command(text_of(item, 'command'))}")
        case "mcp_tool_call":
            server, name = text_of(item, "server"), text_of(item, "tool")
            agent = text_of(object_of(item, "arguments"), "agent")
            is_ours = is_our_tool(server, name)
            shown = name if is_ours else f"{server}: {name}"
            return shown, one_line(f"{shown} → {agent}" if is_ours and agent else shown)
        case "file_change":
            paths = ", ".join(text_of(change, "path") for change in objects_of(item, "changes"))
            return "Edit", one_line(f"Edit {paths}")
        case "web_search":
            return "Web search", one_line(f"Search: {text_of(item, 'query')}")
        case "collab_tool_call" | "custom_tool_call" | "dynamic_tool_call":
            name = text_of(item, "tool") or text_of(item, "name") or kind
            return name, one_line(name)
        case _:
            return None


def _command(command: str) -> str:
    """Without the shell that Codex wraps around each command."""
    try:
        words = shlex.split(command)
    except ValueError:
        return command
    return words[2] if len(words) == 3 and words[1] in ("-c", "-lc") else command


def _has_failed(item: Json) -> bool:
    return text_of(item, "status") in ("failed", "declined") or bool(item.get("error"))


def _shown(item: Json, *, is_over: bool) -> str:
    """The call's input while it runs, its result afterwards."""
    error = text_of(object_of(item, "error"), "message")
    if error:
        return error
    if not is_over:
        arguments = item.get("arguments") or EMPTY
        return text_of(item, "command") or (json.dumps(arguments, ensure_ascii=False) if arguments else "")
    parts = [text_of(part, "text") for part in objects_of(object_of(item, "result"), "content")]
    return text_of(item, "aggregated_output") or "\n".join(parts)
