"""Claude Code's stream-json protocol: one process for the whole session, JSON lines in both directions.

Above: the session runner, which owns the process. Verified with 2.1.332; the tests' transcripts show the lines.
"""

import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from idea.adapters.engines.claude_permissions import ClaudePermissions
from idea.adapters.engines.claude_tools import result_text, summarize, tool_name
from idea.adapters.engines.jsonl import (
    EMPTY,
    Json,
    clipped,
    count_of,
    find_object,
    instant_of,
    last_line,
    object_of,
    objects_of,
    one_line,
    render_line,
    strings_of,
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
    EngineReady,
    Failed,
    FailureKind,
    Final,
    Heartbeat,
    RateLimited,
    ResumeRefused,
    SpontaneousTurn,
    TextDelta,
    ToolActivity,
    ToolPhase,
    UsageReported,
)
from idea.domain.sessions import Exit

INITIALIZE = "idea-initialize"
NO_CONVERSATION = "No conversation found"
MAX_CALLS = 1000
"""Tool calls of one turn that are remembered for their result."""


@dataclass(slots=True)
class _Turn:
    """The prompt that awaits its terminal event."""

    message_id: str
    is_taken: bool = False
    """Claude said that it works on this very message."""
    is_interrupted: bool = False
    is_limited: bool = False


class ClaudeEngine:
    """One session of Claude Code."""

    lifetime = EngineLifetime.SESSION

    def __init__(self, *, conversation: ConversationId | None, new_id: Callable[[], str] | None = None) -> None:
        """`new_id` makes a UUID for each message, by which Claude says when it takes it up."""
        self._conversation = conversation
        self._new_id = new_id or (lambda: str(uuid.uuid4()))
        self._permissions = ClaudePermissions()
        self._is_ready = False
        self._is_refused = False
        self._identified = ""
        self._turn: _Turn | None = None
        self._is_unprompted = False
        """A turn runs that we did not start: a background task ended, a peer's message came."""
        self._held: str | None = None
        """The last complete text, until it is known whether the turn goes on after it."""
        self._calls: dict[str, tuple[str, Json]] = {}
        self._spent_usd = 0.0
        """Claude counts the cost of its process, not of the turn."""
        self._readers: Mapping[str, Callable[[Json], Sequence[EngineEvent]]] = {
            "assistant": self._assistant,
            "user": self._user,
            "stream_event": self._streamed,
            "system": self._system,
            "tool_progress": self._progressed,
            "rate_limit_event": self._limited,
            "command_lifecycle": self._moved_on,
            "control_request": self._asked,
            "control_cancel_request": self._withdrawn,
            "control_response": self._responded,
            "result": self._result,
        }

    def opened(self) -> bytes:
        return render_line({"type": "control_request", "request_id": INITIALIZE, "request": {"subtype": "initialize"}})

    def prompt(self, text: str) -> bytes:
        self._turn = _Turn(self._new_id())
        message = {"role": "user", "content": text}
        return render_line(
            {
                "type": "user",
                "message": message,
                "uuid": self._turn.message_id,
                "session_id": "",
                "parent_tool_use_id": None,
            }
        )

    def interrupt(self) -> bytes | None:
        if self._turn is not None:
            self._turn.is_interrupted = True
        elif not self._is_unprompted:
            return b""
        return render_line(
            {"type": "control_request", "request_id": self._new_id(), "request": {"subtype": "interrupt"}},
        )

    def answer(self, request: str, decision: Decision) -> bytes:
        said = self._permissions.answer(request, decision)
        return b"" if said is None else render_line(said)

    def feed(self, line: bytes) -> Sequence[EngineEvent]:
        if not line.strip():
            return ()
        said = find_object(line)
        if said is None:
            return (unreadable(line, "not a JSON object"),)
        kind = text_of(said, "type")
        if not kind:
            return (unreadable(line, "no type"),)
        reader = self._readers.get(kind)
        # A newer version says more; what we do not know can wait for us.
        return self._alive() if reader is None else reader(said)

    def closed(self, exit: Exit, stderr_tail: str) -> Sequence[EngineEvent]:
        events: list[EngineEvent] = []
        if NO_CONVERSATION in stderr_tail:
            events += self._refuse(last_line(stderr_tail))
        tail = last_line(stderr_tail)
        reason = f"Claude Code ended with {exit}" + (f": {tail}" if tail else "")
        kind = FailureKind.INTERRUPTED if self._turn and self._turn.is_interrupted else FailureKind.DIED
        return (*events, *self._fail(kind, reason))

    # --- whose output is it ---------------------------------------------------------------------------------

    @property
    def _is_ours(self) -> bool:
        return self._turn is not None and (self._turn.is_taken or not self._is_unprompted)

    def _begins(self) -> None:
        """Claude works; without a prompt of ours it does so by itself."""
        if self._turn is None:
            self._is_unprompted = True

    def _lifecycle(self, message_id: str, state: str) -> None:
        """Where a message of ours stands. One that came while Claude worked by itself may join that very turn."""
        if self._turn is None or message_id != self._turn.message_id:
            return
        if state == "queued":
            self._is_unprompted = True
        elif state == "started":
            self._turn.is_taken = True
            self._held = None

    def _moved_on(self, said: Json) -> Sequence[EngineEvent]:
        self._lifecycle(text_of(said, "command_uuid"), text_of(said, "state"))
        return self._alive()

    def _alive(self, note: str = "") -> Sequence[EngineEvent]:
        return (Heartbeat(note),) if self._turn is not None else ()

    # --- what it says ---------------------------------------------------------------------------------------

    def _assistant(self, said: Json) -> Sequence[EngineEvent]:
        self._begins()
        is_inner = bool(said.get("parent_tool_use_id"))
        events: list[EngineEvent] = []
        for block in objects_of(object_of(said, "message"), "content"):
            match text_of(block, "type"):
                case "text" if is_inner or said.get("is_api_error_message") or said.get("aborted"):
                    # A subagent's words, an error that the result repeats, or half a sentence: no message of this turn.
                    events += self._alive()
                case "text":
                    events += self._announced()
                    self._held = text_of(block, "text")
                case "tool_use":
                    events += () if is_inner else self._announced()
                    events += self._called(block)
                case _:
                    events += self._alive()
        return events

    def _announced(self) -> Sequence[EngineEvent]:
        """The text held back was not the last one, so it was an announcement."""
        held, self._held = self._held, None
        return (Announcement(held),) if held and held.strip() and self._is_ours else ()

    def _called(self, block: Json) -> Sequence[EngineEvent]:
        name, arguments, call_id = text_of(block, "name"), object_of(block, "input"), text_of(block, "id")
        if len(self._calls) < MAX_CALLS:
            self._calls[call_id] = name, arguments
        if not self._is_ours:
            return self._alive()
        shown = clipped(json.dumps(arguments, ensure_ascii=False)) if arguments else ""
        return (ToolActivity(call_id, tool_name(name), summarize(name, arguments), ToolPhase.STARTED, shown),)

    def _user(self, said: Json) -> Sequence[EngineEvent]:
        if said.get("isReplay"):
            self._lifecycle(text_of(said, "uuid"), "started")
            return self._alive()
        self._begins()
        events: list[EngineEvent] = []
        for block in objects_of(object_of(said, "message"), "content"):
            if text_of(block, "type") != "tool_result":
                continue
            call_id = text_of(block, "tool_use_id")
            name, arguments = self._calls.get(call_id, ("", EMPTY))
            if name and self._is_ours:
                phase = ToolPhase.FAILED if block.get("is_error") else ToolPhase.ENDED
                summary = summarize(name, arguments)
                events.append(ToolActivity(call_id, tool_name(name), summary, phase, result_text(name, block)))
        return events or self._alive()

    def _streamed(self, said: Json) -> Sequence[EngineEvent]:
        self._begins()
        event = object_of(said, "event")
        delta = object_of(event, "delta")
        if text_of(delta, "type") == "text_delta" and not said.get("parent_tool_use_id") and self._is_ours:
            text = text_of(delta, "text")
            return (TextDelta(text),) if text else ()
        # Not for each piece of a tool's input: a long file would be thousands of signs of life.
        return self._alive() if text_of(event, "type") == "content_block_start" else ()

    def _system(self, said: Json) -> Sequence[EngineEvent]:
        match text_of(said, "subtype"):
            case "init":
                return self._initialized(said)
            case "api_retry":
                why = text_of(said, "error").replace("_", " ") or "no connection"
                status = count_of(said, "error_status")
                code = f" ({status})" if status else ""
                attempts = f"{count_of(said, 'attempt')} of {count_of(said, 'max_retries')}"
                return self._alive(f"The model cannot be reached: {why}{code}. Retry {attempts}.")
            case _:
                return self._alive()

    def _initialized(self, said: Json) -> Sequence[EngineEvent]:
        """Said at the beginning of each turn, not of the process."""
        self._begins()
        events = self._alive()
        for server in objects_of(said, "mcp_servers"):
            if text_of(server, "name") == "idea" and text_of(server, "status") != "connected":
                events = self._alive(f"IdeA's tools are not there: their server is {text_of(server, 'status')}")
        conversation = text_of(said, "session_id")
        if conversation and conversation != self._identified:
            self._identified = conversation
            return (ConversationIdentified(ConversationId(conversation)), *events)
        return events

    def _responded(self, said: Json) -> Sequence[EngineEvent]:
        if text_of(object_of(said, "response"), "request_id") != INITIALIZE or self._is_ready:
            return self._alive()
        # An error as the answer is an answer, too: it listens.
        self._is_ready = True
        return (EngineReady(),)

    def _asked(self, said: Json) -> Sequence[EngineEvent]:
        self._begins()
        _, called_with = self._calls.get(text_of(object_of(said, "request"), "tool_use_id"), ("", EMPTY))
        return (self._permissions.ask(said, called_with),)

    def _withdrawn(self, said: Json) -> Sequence[EngineEvent]:
        self._permissions.withdraw(text_of(said, "request_id"))
        return self._alive()

    def _progressed(self, said: Json) -> Sequence[EngineEvent]:
        seconds = count_of(said, "elapsed_time_seconds")
        return self._alive(f"{tool_name(text_of(said, 'tool_name'))} has been running for {seconds} s")

    def _limited(self, said: Json) -> Sequence[EngineEvent]:
        info = object_of(said, "rate_limit_info")
        if text_of(info, "status") != "rejected" or info.get("isUsingOverage") is True:
            return self._alive()
        if self._turn is not None:
            self._turn.is_limited = True
        return (RateLimited(instant_of(info, "resetsAt")),)

    # --- how it ends ----------------------------------------------------------------------------------------

    def _result(self, said: Json) -> Sequence[EngineEvent]:
        origin = text_of(object_of(said, "origin"), "kind")
        is_for_us = self._turn is not None and (origin in ("", "human") or self._turn.is_taken)
        text = text_of(said, "result")
        trouble = one_line(text or "; ".join(strings_of(said, "errors")), 500)
        if NO_CONVERSATION in trouble:
            return (*self._refuse(trouble), *self._fail(FailureKind.ENGINE, trouble))
        usage = self._usage(said)
        if not is_for_us:
            was_unprompted, self._is_unprompted, self._held = self._is_unprompted or bool(origin), False, None
            self._calls.clear()
            return (*usage, SpontaneousTurn(text)) if was_unprompted else usage
        if said.get("is_error") or text_of(said, "terminal_reason") not in ("", "completed"):
            return (*self._announced(), *usage, *self._failed_result(said, trouble))
        if self._held == text:
            self._held = None
        events = (*self._announced(), *usage, Final(text))
        self._end()
        return events

    def _failed_result(self, said: Json, trouble: str) -> Sequence[EngineEvent]:
        assert self._turn is not None
        reason = text_of(said, "terminal_reason")
        if reason.startswith("aborted") or (self._turn.is_interrupted and not text_of(said, "result")):
            return self._fail(FailureKind.INTERRUPTED, "The turn was interrupted.")
        reason = trouble or f"Claude Code gave up: {reason or text_of(said, 'subtype')}"
        if self._turn.is_limited:
            return self._fail(FailureKind.LIMITED, reason)
        if text_of(said, "api_error") == "usage_limit_reached":
            return (RateLimited(None), *self._fail(FailureKind.LIMITED, reason))
        return self._fail(FailureKind.ENGINE, reason)

    def _usage(self, said: Json) -> Sequence[EngineEvent]:
        usage = object_of(said, "usage")
        total = said.get("total_cost_usd")
        cost = None
        if isinstance(total, int | float) and not isinstance(total, bool):
            # Rounded, because the difference of two sums has a tail of noise.
            cost, self._spent_usd = round(max(total - self._spent_usd, 0.0), 8), float(total)
        read = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
        tokens = sum(count_of(usage, key) for key in read), count_of(usage, "output_tokens")
        return (UsageReported(*tokens, cost_usd=cost),) if any(tokens) and self._turn is not None else ()

    def _refuse(self, reason: str) -> Sequence[EngineEvent]:
        if self._is_refused:
            return ()
        self._is_refused = True
        return (ResumeRefused(self._conversation, reason),)

    def _fail(self, kind: FailureKind, reason: str) -> Sequence[EngineEvent]:
        if self._turn is None:
            return ()
        self._end()
        return (Failed(kind, reason),)

    def _end(self) -> None:
        self._turn, self._held, self._is_unprompted = None, None, False
        self._calls.clear()
        self._permissions.clear()
