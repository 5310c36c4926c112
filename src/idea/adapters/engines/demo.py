"""Speaks the demo agent's JSON lines, see `docs/wire/demo.md`. Bytes in, events out; no I/O."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final as Constant

from idea.application.ports import EngineLifetime
from idea.domain.ids import ConversationId, RequestId
from idea.domain.replies import (
    MAX_DETAIL_CHARS,
    Announcement,
    ConversationIdentified,
    Decision,
    EngineEvent,
    EngineReady,
    Failed,
    FailureKind,
    Final,
    Heartbeat,
    PermissionRequested,
    RateLimited,
    ResumeRefused,
    SpontaneousTurn,
    TextDelta,
    ToolActivity,
    ToolPhase,
    Unreadable,
    UsageReported,
)
from idea.domain.sessions import Exit

SHOWN_GARBAGE_BYTES: Constant = 200
TAIL_CHARS: Constant = 400
"""Of stderr, in the sentence about a death."""
CHOICES: Constant = (Decision.ALLOW_ONCE, Decision.ALLOW_SESSION, Decision.DENY)

Line = dict[str, object]


class DemoEngine:
    """One session of a demo agent, which plays its prompts one after another.

    Lines count only between a `turn` line and that turn's `result` or `error`: whatever comes late belongs to nobody.
    """

    lifetime = EngineLifetime.SESSION

    def __init__(self, *, conversation: ConversationId | None = None) -> None:
        """`conversation` is what the launch resumes or begins."""
        self._conversation = conversation
        self._open_prompts = 0
        """Prompts whose terminal event has not been given yet."""
        self._is_playing = False
        self._has_said_limit = False
        self._permissions: set[str] = set()
        """Requests of the running turn that wait for an answer."""

    def opened(self) -> bytes:
        return b""

    def prompt(self, text: str, message_id: str) -> bytes:
        self._open_prompts += 1
        return _encode({"type": "prompt", "text": text})

    def interrupt(self) -> bytes | None:
        return _encode({"type": "interrupt"})

    def answer(self, request: str, decision: Decision) -> bytes:
        """An unknown or settled request gives empty bytes."""
        if request not in self._permissions:
            return b""
        self._permissions.discard(request)
        return _encode({"type": "permission", "id": request, "decision": decision.value})

    def feed(self, line: bytes) -> Sequence[EngineEvent]:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return [_unreadable(line, "no JSON")]
        if not isinstance(message, dict):
            return [_unreadable(line, "no object")]
        try:
            return self._read(message)
        except (KeyError, TypeError, ValueError, OverflowError, OSError) as error:
            return [_unreadable(line, repr(error))]

    @property
    def is_at_rest(self) -> bool:
        return self._open_prompts == 0

    def carry(self) -> Mapping[str, object]:
        """Its lines say everything anew in each turn."""
        return {}

    def recall(self, carried: Mapping[str, object]) -> None:
        return

    def closed(self, exit: Exit, last_words: str) -> Sequence[EngineEvent]:
        """Every open prompt ends here; a second call finds none."""
        waiting, self._open_prompts, self._is_playing = self._open_prompts, 0, False
        self._permissions.clear()
        said = last_words.strip()[-TAIL_CHARS:]
        reason = f"The demo agent ended with {exit} before it answered." + (f" It said: {said}" if said else "")
        return [Failed(FailureKind.DIED, reason, last_words)] * waiting

    def _read(self, line: Line) -> Sequence[EngineEvent]:
        match line:
            case {"type": "ready"}:
                self._conversation = ConversationId(_text(line, "conversation"))
                return [ConversationIdentified(self._conversation), EngineReady()]
            case {"type": "error", "kind": "resume"}:
                return [ResumeRefused(self._conversation, _text(line, "message"))]
            case {"type": "spontaneous"}:
                return [SpontaneousTurn(_text(line, "text"))]
            case {"type": "turn"}:
                self._is_playing = self._open_prompts > 0
                self._has_said_limit = False
                return []
            case {"type": "result" | "error"}:
                return self._end(line) if self._is_playing else []
            case {"type": str(kind)} if kind in _DURING_A_TURN:
                event = _DURING_A_TURN[kind](line)
                return self._note(event) if self._is_playing else []
            case _:
                raise ValueError(f"unknown type {line.get('type')!r}")

    def _note(self, event: EngineEvent) -> Sequence[EngineEvent]:
        match event:
            case PermissionRequested(request_id=request):
                self._permissions.add(request)
            case RateLimited():
                self._has_said_limit = True
        return [event]

    def _end(self, line: Line) -> Sequence[EngineEvent]:
        """A line that ends a turn ends it even if the rest of the line makes no sense."""
        self._open_prompts -= 1
        self._is_playing = False
        self._permissions.clear()
        match line:
            case {"type": "result", "text": str(text)}:
                return [Final(text)]
            case {"type": "error", "kind": "interrupted"}:
                return [Failed(FailureKind.INTERRUPTED, _message(line))]
            case {"type": "error", "kind": "limited"}:
                before = [] if self._has_said_limit else [RateLimited()]
                return [*before, Failed(FailureKind.LIMITED, _message(line))]
            case _:
                return [Failed(FailureKind.ENGINE, _message(line))]


def _tool(line: Line) -> ToolActivity:
    return ToolActivity(
        call_id=_text(line, "id"),
        tool=_text(line, "name"),
        summary=_text(line, "summary"),
        phase=ToolPhase(_text(line, "phase")),
        detail=str(line.get("detail", ""))[:MAX_DETAIL_CHARS],
    )


def _permission(line: Line) -> PermissionRequested:
    return PermissionRequested(
        request_id=RequestId(_text(line, "id")),
        tool=_text(line, "tool"),
        title=_text(line, "title"),
        detail=_text(line, "detail"),
        choices=CHOICES,
    )


def _limit(line: Line) -> RateLimited:
    until_ms = line.get("untilMs")
    return RateLimited(None if until_ms is None else datetime.fromtimestamp(_number(until_ms) / 1000, UTC))


_DURING_A_TURN: Constant[Mapping[str, Callable[[Line], EngineEvent]]] = {
    "delta": lambda line: TextDelta(_text(line, "text")),
    "message": lambda line: Announcement(_text(line, "text")),
    "tool": _tool,
    "heartbeat": lambda _line: Heartbeat(),
    "permission": _permission,
    "usage": lambda line: UsageReported(_number(line["inputTokens"]), _number(line["outputTokens"])),
    "limit": _limit,
}


def _encode(message: Mapping[str, str]) -> bytes:
    return json.dumps(message, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def _text(line: Line, key: str) -> str:
    value = line[key]
    if not isinstance(value, str):
        raise TypeError(f"{key} is no text")
    return value


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is no whole number")
    return value


def _message(line: Line) -> str:
    message = line.get("message")
    return message if isinstance(message, str) and message else "The demo agent gave no reason."


def _unreadable(line: bytes, reason: str) -> Unreadable:
    return Unreadable(line=line[:SHOWN_GARBAGE_BYTES].decode("utf-8", "replace"), reason=reason)
