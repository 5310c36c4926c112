"""A small stdio MCP server with the names of IdeA's own tools: what the real CLIs call in these tests."""

import json
import sys

TOOLS = {
    "idea_list_agents": {"type": "object", "properties": {}},
    "idea_ask_agent": {
        "type": "object",
        "properties": {"agent": {"type": "string"}, "message": {"type": "string"}},
        "required": ["agent", "message"],
    },
}


def answer(method: str, params: dict[str, object]) -> dict[str, object] | None:
    match method:
        case "initialize":
            about = {"name": "idea", "version": "1"}
            version = params["protocolVersion"]
            return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": about}
        case "tools/list":
            tools = [{"name": name, "description": name, "inputSchema": schema} for name, schema in TOOLS.items()]
            return {"tools": tools}
        case "tools/call":
            arguments = params.get("arguments")
            agent = arguments.get("agent") if isinstance(arguments, dict) else None
            text = f"{agent} says: done" if agent else "Architect, QA"
            return {"content": [{"type": "text", "text": text}]}
        case _:
            return None


for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request or "method" not in request:
        continue
    result = answer(request["method"], request.get("params", {}))
    outcome = {"result": result} if result is not None else {"error": {"code": -32601, "message": "Unknown method"}}
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": request["id"], **outcome}) + "\n")
    sys.stdout.flush()
