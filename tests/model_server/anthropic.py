"""Anthropic Messages: a request's conversation, and an answer as server-sent events or as one object."""

import json
import time
import uuid
from collections.abc import Iterator, Mapping
from typing import Any

from tests.model_server.scenarios import LIMIT_S, Call, Refusal, Spoken, Step, Text, Thinking, pieces, plain, resolve

Body = Mapping[str, Any]
Event = tuple[str, dict[str, object]]
USAGE = {"input_tokens": 100, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 20}


def conversation(body: Body) -> list[Spoken]:
    spoken = []
    for message in body.get("messages", []):
        content = message["content"]
        for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
            if block["type"] == "text":
                spoken.append(Spoken(message["role"], block["text"]))
            elif block["type"] == "tool_result":
                spoken.append(Spoken("tool", plain(block.get("content", ""))))
    return spoken


def has_tools(body: Body) -> bool:
    return bool(body.get("tools"))


def events(body: Body, step: Step) -> Iterator[Event]:
    message = {**_message(body), "content": [], "stop_reason": None}
    yield "message_start", {"type": "message_start", "message": message}
    for index, block in enumerate(_content(body, step)):
        empty = {key: value[:0] if isinstance(value, str) else {} for key, value in block.items() if key in EMPTIED}
        start = {"type": "content_block_start", "index": index, "content_block": {**block, **empty}}
        yield "content_block_start", start
        for delta in _deltas(block):
            yield "content_block_delta", {"type": "content_block_delta", "index": index, "delta": delta}
        yield "content_block_stop", {"type": "content_block_stop", "index": index}
    ended = {"stop_reason": "tool_use" if step.calls else "end_turn", "stop_sequence": None}
    yield "message_delta", {"type": "message_delta", "delta": ended, "usage": USAGE}
    yield "message_stop", {"type": "message_stop"}


EMPTIED = ("text", "thinking", "signature", "input")
"""What a block's start leaves for its deltas."""


def whole(body: Body, step: Step) -> dict[str, object]:
    """What a client gets that did not ask for a stream."""
    return {
        **_message(body),
        "content": list(_content(body, step)),
        "stop_reason": "tool_use" if step.calls else "end_turn",
    }


def refusal(kind: Refusal) -> tuple[int, dict[str, str], dict[str, object]]:
    """Status, headers and body."""
    match kind:
        case Refusal.KEY:
            return 401, {}, _error("authentication_error", "invalid x-api-key")
        case Refusal.OVERLOAD:
            return 529, {}, _error("overloaded_error", "Overloaded")
        case Refusal.THROTTLE:
            return 429, {"retry-after": str(LIMIT_S)}, _error("rate_limit_error", "Too many requests")
        case Refusal.LIMIT:
            prefix, reset = "anthropic-ratelimit-unified", str(int(time.time()) + LIMIT_S)
            window = {f"{prefix}-5h-status": "rejected", f"{prefix}-5h-reset": reset, f"{prefix}-5h-utilization": "1.0"}
            headers = {
                "retry-after": str(LIMIT_S),
                f"{prefix}-status": "rejected",
                f"{prefix}-reset": reset,
                f"{prefix}-representative-claim": "five_hour",
                **window,
            }
            return 429, headers, _error("rate_limit_error", "This request would exceed your account's rate limit.")


def _content(body: Body, step: Step) -> Iterator[dict[str, Any]]:
    offered = [str(tool["name"]) for tool in body.get("tools", []) if "name" in tool]
    for block in step.blocks:
        match block:
            case Text(text):
                yield {"type": "text", "text": text}
            case Thinking(text):
                yield {"type": "thinking", "thinking": text, "signature": "c2ln"}
            case Call(tool, arguments):
                name = resolve(tool, offered)
                yield {"type": "tool_use", "id": f"toolu_{uuid.uuid4().hex}", "name": name, "input": dict(arguments)}


def _deltas(block: Mapping[str, Any]) -> Iterator[dict[str, object]]:
    match block["type"]:
        case "text":
            for piece in pieces(block["text"]):
                yield {"type": "text_delta", "text": piece}
        case "thinking":
            yield {"type": "thinking_delta", "thinking": block["thinking"]}
            yield {"type": "signature_delta", "signature": block["signature"]}
        case _:
            yield {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}


def _message(body: Body) -> dict[str, object]:
    return {
        "id": f"msg_{uuid.uuid4().hex}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model"),
        "stop_sequence": None,
        "usage": USAGE,
    }


def _error(kind: str, message: str) -> dict[str, object]:
    return {"type": "error", "error": {"type": kind, "message": message}}
