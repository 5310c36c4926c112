"""The lines that Claude Code is sent."""

from idea.adapters.engines.jsonl import render_line

INITIALIZE = "idea-initialize"


def initialize() -> bytes:
    return render_line({"type": "control_request", "request_id": INITIALIZE, "request": {"subtype": "initialize"}})


def user_message(text: str, message_id: str) -> bytes:
    return render_line(
        {
            "type": "user",
            "message": {"role": "user", "content": text},
            "uuid": message_id,
            "session_id": "",
            "parent_tool_use_id": None,
        }
    )


def interrupt(request_id: str) -> bytes:
    return render_line({"type": "control_request", "request_id": request_id, "request": {"subtype": "interrupt"}})
