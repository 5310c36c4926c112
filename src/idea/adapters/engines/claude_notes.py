"""What Claude's lines say on the way: why it takes long, what is missing, and whether it is limited."""

from idea.adapters.engines.claude_tools import tool_name
from idea.adapters.engines.jsonl import Json, count_of, instant_of, object_of, objects_of, text_of
from idea.domain.replies import RateLimited
from idea.domain.tool_server import find_our_server


def retry_note(said: Json) -> str:
    why = text_of(said, "error").replace("_", " ") or "no connection"
    status = count_of(said, "error_status")
    code = f" ({status})" if status else ""
    return (
        f"The model cannot be reached: {why}{code}. "
        f"Retry {count_of(said, 'attempt')} of {count_of(said, 'max_retries')}."
    )


def missing_tools_note(said: Json) -> str:
    """Empty when ours are there."""
    servers = objects_of(said, "mcp_servers")
    ours = find_our_server(text_of(server, "name") for server in servers)
    states = [text_of(server, "status") for server in servers if text_of(server, "name") == ours]
    missing = [state for state in states if state != "connected"]
    return f"IdeA's tools are not there: their server is {missing[-1]}" if missing else ""


def tool_note(said: Json) -> str:
    return f"{tool_name(text_of(said, 'tool_name'))} has been running for {count_of(said, 'elapsed_time_seconds')} s"


def find_limit(said: Json) -> RateLimited | None:
    """None too where it goes on beyond the limit, for money."""
    info = object_of(said, "rate_limit_info")
    if text_of(info, "status") != "rejected" or info.get("isUsingOverage") is True:
        return None
    return RateLimited(instant_of(info, "resetsAt"))
