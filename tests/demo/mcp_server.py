"""A tiny real MCP server over stdio, whose answers depend on whom it is asked to ask. Logs what it reads to argv[1]."""

import json
import os
import sys

log = open(sys.argv[1], "a", encoding="utf-8")  # noqa: SIM115 open as long as the process


TEAM = [
    {"name": "Main", "profile": "demo", "isYou": True, "readiness": {"state": "working"}, "queue": 0, "busyFor": None},
    {
        "name": "QA",
        "profile": "claude",
        "isYou": False,
        "readiness": {"state": "exited"},
        "queue": 2,
        "busyFor": "Main",
    },
]


def send(message: dict[str, object]) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def text_result(text: str, **more: object) -> dict[str, object]:
    return {"content": [{"type": "text", "text": text}], **more}


def call(number: object, params: dict[str, object]) -> None:
    arguments = params["arguments"]
    assert isinstance(arguments, dict)
    match params["name"], arguments.get("agent"):
        case "idea_list_agents", _:
            send({"id": number, "result": text_result("a JSON text", structuredContent={"agents": TEAM})})
        case _, "echo":
            reply = f"echo: {arguments['message']}"
            send({"id": number, "result": text_result("shown", structuredContent={"reply": reply})})
        case _, "nobody":
            error = {"code": "NOT_FOUND", "message": "No agent nobody."}
            text = "No agent nobody. Use idea_list_agents to see who is there."
            send({"id": number, "result": text_result(text, isError=True, structuredContent=error)})
        case _, "protocol":
            send({"id": number, "error": {"code": -32602, "message": "Bad params"}})
        case _, "dying":
            os._exit(1)
        case _, "progress":
            meta = params["_meta"]
            assert isinstance(meta, dict)
            token = meta["progressToken"]
            send({"id": "p1", "method": "ping"})
            send({"id": "p2", "method": "roots/list"})
            send({"method": "notifications/tools/list_changed"})
            send({"method": "notifications/progress", "params": {"progressToken": token, "progress": 1}})
            send({"id": number, "result": text_result("after progress")})
        case _:
            pass  # `silent`: answered by nobody, so that it can be interrupted


for line in sys.stdin:
    log.write(line)
    log.flush()
    message = json.loads(line)
    match message.get("method"):
        case "initialize":
            info = {"name": "tiny", "version": "1"}
            result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": info}
            send({"id": message["id"], "result": result})
        case "tools/list":
            send({"id": message["id"], "result": {"tools": [{"name": "idea_ask_agent", "inputSchema": {}}]}})
        case "tools/call":
            call(message["id"], message["params"])
log.write('{"method": "end of input"}\n')
log.close()
