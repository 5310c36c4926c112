"""Claude Code's stream-json protocol: one process for the whole session, JSON lines in both directions.

Above: the session runner, which owns the process. Verified with 2.1.332; the tests' transcripts show the lines.
"""

import uuid
from collections.abc import Callable, Mapping, Sequence

from idea.adapters.engines import claude_requests
from idea.adapters.engines.claude_calls import ClaudeCalls, started
from idea.adapters.engines.claude_notes import find_limit, missing_tools_note, retry_note, tool_note
from idea.adapters.engines.claude_permissions import ClaudePermissions
from idea.adapters.engines.claude_turns import ClaudeTurns, PromptedTurn, command_of
from idea.adapters.engines.claude_usage import ClaudeUsage
from idea.adapters.engines.jsonl import (
    Json,
    count_of,
    find_error,
    find_object,
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
)
from idea.domain.sessions import Exit

NO_CONVERSATION = "No conversation found"


class ClaudeEngine:
    """One session of Claude Code."""

    lifetime = EngineLifetime.SESSION

    def __init__(self, *, conversation: ConversationId | None, new_id: Callable[[], str] | None = None) -> None:
        """`new_id` makes the id of each request to Claude."""
        self._conversation = conversation
        self._new_id = new_id or (lambda: str(uuid.uuid4()))
        self._permissions = ClaudePermissions()
        self._is_ready = False
        self._is_refused = False
        self._identified = ""
        self._turns = ClaudeTurns()
        self._calls = ClaudeCalls()
        self._usage = ClaudeUsage()
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
            "conversation_reset": self._reset,
            "result": self._result,
        }

    def opened(self) -> bytes:
        return claude_requests.initialize()

    def prompt(self, text: str, message_id: str) -> bytes:
        """By `message_id` Claude says when it takes the message up."""
        self._turns.prompted = turn = PromptedTurn(message_id, command_of(text))
        return claude_requests.user_message(text, turn.message_id)

    def interrupt(self) -> bytes | None:
        if self._turns.prompted is not None:
            self._turns.prompted.is_interrupted = True
        elif not self._turns.is_unprompted:
            return b""
        return claude_requests.interrupt(self._new_id())

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

    @property
    def is_at_rest(self) -> bool:
        return self._turns.prompted is None and not self._turns.is_unprompted

    def carry(self) -> Mapping[str, object]:
        return {"spentUsd": self._usage.spent_usd, "conversation": self._identified}

    def recall(self, carried: Mapping[str, object]) -> None:
        match carried:
            case {"spentUsd": int() | float() as spent, "conversation": str(conversation)}:
                self._usage.spent_usd, self._identified = float(spent), conversation

    def closed(self, exit: Exit, last_words: str) -> Sequence[EngineEvent]:
        events: list[EngineEvent] = []
        if NO_CONVERSATION in last_words:
            events += self._refuse(last_line(last_words))
        words = find_error(last_words) or last_line(last_words)
        reason = f"Claude Code ended with {exit}" + (f": {words}" if words else "")
        kind = FailureKind.INTERRUPTED if self._turns.is_interrupted else FailureKind.DIED
        return (*events, *self._fail(kind, reason, last_words))

    # --- what it says ---------------------------------------------------------------------------------------

    def _moved_on(self, said: Json) -> Sequence[EngineEvent]:
        self._turns.move(text_of(said, "command_uuid"), text_of(said, "state"))
        return self._alive()

    def _alive(self, note: str = "") -> Sequence[EngineEvent]:
        return (Heartbeat(note),) if self._turns.prompted is not None else ()

    def _assistant(self, said: Json) -> Sequence[EngineEvent]:
        self._turns.note_work()
        is_inner = bool(said.get("parent_tool_use_id"))
        events: list[EngineEvent] = []
        for block in objects_of(object_of(said, "message"), "content"):
            match text_of(block, "type"):
                case "text" if is_inner or said.get("is_api_error_message") or said.get("aborted"):
                    # A subagent's words, an error that the result repeats, or half a sentence: no message of this turn.
                    events += self._alive()
                case "text":
                    events += self._announced()
                    self._turns.hold(text_of(block, "text"))
                case "tool_use":
                    events += () if is_inner else self._announced()
                    events += self._called(block)
                case _:
                    events += self._alive()
        return events

    def _announced(self) -> Sequence[EngineEvent]:
        text = self._turns.release()
        return (Announcement(text),) if text else ()

    def _called(self, block: Json) -> Sequence[EngineEvent]:
        self._calls.note(block)
        return (started(block),) if self._turns.is_ours else self._alive()

    def _user(self, said: Json) -> Sequence[EngineEvent]:
        if said.get("isReplay"):
            self._turns.move(text_of(said, "uuid"), "started")
            self._turns.hold_output(text_of(object_of(said, "message"), "content"))
            return self._alive()
        self._turns.note_work()
        events: list[EngineEvent] = []
        for block in objects_of(object_of(said, "message"), "content"):
            is_result = text_of(block, "type") == "tool_result"
            ended = self._calls.find_ended(block) if is_result and self._turns.is_ours else None
            events += () if ended is None else (ended,)
        return events or self._alive()

    def _streamed(self, said: Json) -> Sequence[EngineEvent]:
        self._turns.note_work()
        event = object_of(said, "event")
        delta = object_of(event, "delta")
        if text_of(delta, "type") == "text_delta" and not said.get("parent_tool_use_id") and self._turns.is_ours:
            text = text_of(delta, "text")
            return (TextDelta(text),) if text else ()
        # Not for each piece of a tool's input: a long file would be thousands of signs of life.
        return self._alive() if text_of(event, "type") == "content_block_start" else ()

    def _system(self, said: Json) -> Sequence[EngineEvent]:
        match text_of(said, "subtype"):
            case "init":
                return self._initialized(said)
            case "api_retry":
                return self._alive(retry_note(said))
            case _:
                return self._alive()

    def _initialized(self, said: Json) -> Sequence[EngineEvent]:
        """Said at the beginning of each turn, not of the process."""
        self._turns.note_work()
        events = self._alive(missing_tools_note(said))
        conversation = text_of(said, "session_id")
        if conversation and conversation != self._identified:
            self._identified = conversation
            return (ConversationIdentified(ConversationId(conversation)), *events)
        return events

    def _reset(self, said: Json) -> Sequence[EngineEvent]:
        """Cleared by the message: what it gets now is new, and what it was asked for was there until now."""
        if self._identified or self._conversation is None:
            return self._alive()
        self._identified = self._conversation
        return (ConversationIdentified(self._conversation), *self._alive())

    def _responded(self, said: Json) -> Sequence[EngineEvent]:
        if text_of(object_of(said, "response"), "request_id") != claude_requests.INITIALIZE or self._is_ready:
            return self._alive()
        # An error as the answer is an answer, too: it listens.
        self._is_ready = True
        return (EngineReady(),)

    def _asked(self, said: Json) -> Sequence[EngineEvent]:
        self._turns.note_work()
        called_with = self._calls.arguments(text_of(object_of(said, "request"), "tool_use_id"))
        return (self._permissions.ask(said, called_with),)

    def _withdrawn(self, said: Json) -> Sequence[EngineEvent]:
        self._permissions.withdraw(text_of(said, "request_id"))
        return self._alive()

    def _progressed(self, said: Json) -> Sequence[EngineEvent]:
        return self._alive(tool_note(said))

    def _limited(self, said: Json) -> Sequence[EngineEvent]:
        limit = find_limit(said)
        if limit is None:
            return self._alive()
        if self._turns.prompted is not None:
            self._turns.prompted.is_limited = True
        return (limit,)

    # --- how it ends ----------------------------------------------------------------------------------------

    def _result(self, said: Json) -> Sequence[EngineEvent]:
        origin = text_of(object_of(said, "origin"), "kind")
        text = text_of(said, "result")
        trouble = one_line(text or "; ".join(strings_of(said, "errors")), 500)
        if NO_CONVERSATION in trouble:
            return (*self._refuse(trouble), *self._fail(FailureKind.ENGINE, trouble))
        used = self._usage.take(said)
        usage = (used,) if used is not None and self._turns.prompted is not None else ()
        if not self._turns.is_answered_by(origin):
            was_unprompted = self._turns.is_unprompted or bool(origin)
            self._turns.end_unprompted()
            self._calls.clear()
            return (*usage, SpontaneousTurn(text)) if was_unprompted else usage
        if said.get("is_error") or text_of(said, "terminal_reason") not in ("", "completed"):
            return (*self._announced(), *usage, *self._failed_result(said, trouble))
        self._turns.take_answer(text)
        if not text.strip() and not count_of(said, "num_turns"):
            text = self._turns.answer_of_command()
        events = (*self._announced(), *usage, Final(text))
        self._end()
        return events

    def _failed_result(self, said: Json, trouble: str) -> Sequence[EngineEvent]:
        turn = self._turns.prompted
        assert turn is not None
        reason = text_of(said, "terminal_reason")
        if reason.startswith("aborted") or (turn.is_interrupted and not text_of(said, "result")):
            return self._fail(FailureKind.INTERRUPTED, "The turn was interrupted.")
        reason = trouble or f"Claude Code gave up: {reason or text_of(said, 'subtype')}"
        if turn.is_limited:
            return self._fail(FailureKind.LIMITED, reason)
        if text_of(said, "api_error") == "usage_limit_reached":
            return (RateLimited(None), *self._fail(FailureKind.LIMITED, reason))
        return self._fail(FailureKind.ENGINE, reason)

    def _refuse(self, reason: str) -> Sequence[EngineEvent]:
        if self._is_refused:
            return ()
        self._is_refused = True
        return (ResumeRefused(self._conversation, reason),)

    def _fail(self, kind: FailureKind, reason: str, tail: str = "") -> Sequence[EngineEvent]:
        if self._turns.prompted is None:
            return ()
        self._end()
        return (Failed(kind, reason, tail),)

    def _end(self) -> None:
        self._turns.end()
        self._calls.clear()
        self._permissions.clear()
