"""OpenAI Responses: a request's conversation, and an answer as server-sent events."""

import itertools
import json
import time
import uuid
from collections.abc import Iterator, Mapping
from typing import Any

from tests.model_server.scenarios import LIMIT_S, Call, Refusal, Spoken, Step, Text, Thinking, pieces, plain, resolve

Body = Mapping[str, Any]
Event = tuple[str, dict[str, object]]


def conversation(body: Body) -> list[Spoken]:
    given = body.get("input", [])
    spoken = []
    for item in [{"role": "user", "content": given}] if isinstance(given, str) else given:
        if item.get("type", "message") == "message":
            spoken.append(Spoken(item["role"], plain(item["content"])))
        elif item["type"].endswith("_call_output"):
            spoken.append(Spoken("tool", plain(item["output"])))
    return spoken


def has_tools(body: Body) -> bool:
    return bool(body.get("tools"))


def events(body: Body, step: Step) -> Iterator[Event]:
    numbers = itertools.count(1)

    def event(kind: str, **fields: object) -> Event:
        return kind, {"type": kind, "sequence_number": next(numbers), **fields}

    response = {
        "id": f"resp_{uuid.uuid4().hex}",
        "object": "response",
        "created_at": int(time.time()),
        "model": body.get("model"),
    }
    yield event("response.created", response={**response, "status": "in_progress", "output": []})
    items = list(_items(body, step))
    for index, item in enumerate(items):
        yield event("response.output_item.added", output_index=index, item=item)
        if item["type"] == "message":
            place = {"output_index": index, "item_id": item["id"], "content_index": 0}
            text = item["content"][0]["text"]
            for piece in pieces(text):
                yield event("response.output_text.delta", **place, delta=piece)
            yield event("response.output_text.done", **place, text=text)
        yield event("response.output_item.done", output_index=index, item=item)
    done = {**response, "status": "completed", "output": items, "usage": USAGE, "end_turn": step.calls == 0}
    yield event("response.completed", response=done)


USAGE = {
    "input_tokens": 100,
    "input_tokens_details": {"cached_tokens": 0},
    "output_tokens": 20,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": 120,
}


def whole(body: Body, step: Step) -> dict[str, object]:
    """What a client gets that did not ask for a stream."""
    *_, (_, last) = events(body, step)
    response = last["response"]
    assert isinstance(response, dict)
    return response


def refusal(kind: Refusal) -> tuple[int, dict[str, str], dict[str, object]]:
    """Status, headers and body."""
    match kind:
        case Refusal.KEY:
            return 401, {}, _error("invalid_request_error", "Incorrect API key provided")
        case Refusal.OVERLOAD:
            return 503, {}, _error("server_error", "Overloaded")
        case Refusal.THROTTLE:
            return 429, {"retry-after": "1"}, _error("rate_limit_exceeded", "Rate limit reached for requests")
        case Refusal.LIMIT:
            resets_at = int(time.time()) + LIMIT_S
            error = {"type": "usage_limit_reached", "message": "The usage limit has been reached", "plan_type": "plus"}
            headers = {
                "x-codex-primary-used-percent": "100",
                "x-codex-primary-window-minutes": "300",
                "x-codex-primary-reset-at": str(resets_at),
            }
            return 429, headers, {"error": {**error, "resets_at": resets_at, "resets_in_seconds": LIMIT_S}}


def _items(body: Body, step: Step) -> Iterator[dict[str, Any]]:
    offered = dict(_offered(body))
    for block in step.blocks:
        match block:
            case Text(text):
                content = [{"type": "output_text", "text": text, "annotations": []}]
                yield {**_item("message"), "role": "assistant", "status": "completed", "content": content}
            case Thinking(text):
                yield {**_item("reasoning"), "summary": [{"type": "summary_text", "text": text}]}
            case Call(tool, arguments):
                name = resolve(tool, list(offered))
                call = {**_item("function_call"), "call_id": f"call_{uuid.uuid4().hex}", "status": "completed"}
                space = {"namespace": offered[name]} if offered.get(name) else {}
                yield {**call, "name": name, "arguments": json.dumps(arguments), **space}


def _offered(body: Body) -> Iterator[tuple[str, str]]:
    """The tools by name, with their namespace."""
    for tool in body.get("tools", []):
        if tool.get("type") == "namespace":
            for inner in tool["tools"]:
                yield inner["name"], tool["name"]
        elif "name" in tool:
            yield tool["name"], ""


def _item(kind: str) -> dict[str, Any]:
    return {"type": kind, "id": f"{kind}_{uuid.uuid4().hex}"}


def _error(kind: str, message: str) -> dict[str, object]:
    return {"error": {"type": kind, "code": kind, "message": message}}
