"""An MCP server that answers an ask by running the asked demo agent: the shortest possible stand-in for a server.

argv[1] is the declaration to hand on, argv[2:] the command of a demo agent.
"""

import json
import os
import subprocess
import sys


def answer_of(agent: str, message: str) -> str:
    prompt = json.dumps({"type": "prompt", "text": message}).encode()
    command = [*sys.argv[2:], "--agent", agent.lower(), "--name", agent, "--mcp", sys.argv[1]]
    said = subprocess.run(
        command, input=prompt + b"\n", stdout=subprocess.PIPE, env=dict(os.environ), check=True
    ).stdout
    lines = [json.loads(line) for line in said.splitlines()]
    return next(str(line["text"]) for line in lines if line["type"] == "result")


for received in sys.stdin:
    request = json.loads(received)
    match request:
        case {"method": "initialize"}:
            info = {"name": "relay", "version": "1"}
            result: dict[str, object] = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": info}
        case {"method": "tools/list"}:
            result = {"tools": []}
        case {"method": "tools/call", "params": {"arguments": {"agent": agent, "message": message}}}:
            result = {"content": [{"type": "text", "text": answer_of(agent, message)}]}
        case _:
            continue
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}) + "\n")
    sys.stdout.flush()
