"""What a bridge costs: `python bench/bridge.py [--rounds N] [--peers N]`. Exit code 1 if a bar is missed.

The time from the spawn of an agent's MCP server to its answer to `initialize`, in ratio to a bare interpreter and to
what tools without a bridge start in each agent, a server on the SDK's high-level framework. All in the same minutes and
in turns, so that the machine's mood falls out of the ratios.
"""

import argparse
import asyncio
import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Final, TypeVar

from idea.application.commands import Command
from idea.domain.delegation import Requester
from idea.domain.ids import AgentId, ProjectId
from idea.domain.sessions import SessionRole
from idea.doors.mcp.command import bridge_command
from idea.doors.mcp.endpoint import endpoint_path, runtime_dir
from idea.doors.mcp.launch_secrets import LaunchSecrets
from idea.doors.mcp.server import McpDoor

MAX_OF_BARE: Final = 2.5
MIN_FASTER_THAN_FRAMEWORK: Final = 20.0
MAX_RSS_MB: Final = 12.0

PROJECT: Final = ProjectId("bench")
AGENT: Final = AgentId("bench-agent")
BARE: Final = (sys.executable, "-I", "-S", "-c", "pass")
FRAMEWORK_SERVER: Final = """
from mcp.server import MCPServer
server = MCPServer("peer")
@server.tool()
def list_agents() -> list[str]:
    "List the agents"
    return []
@server.tool()
def ask_agent(agent: str, message: str) -> str:
    "Ask an agent"
    return message
server.run("stdio")
"""
INITIALIZE: Final = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}},
}
QUIET_S: Final = 0.3
"""After it the bridge has read what was said at its start, and is as large as it gets."""

R = TypeVar("R")


async def nothing(requester: Requester, command: Command[R]) -> R:
    raise NotImplementedError


async def serve(runtime: Path) -> None:
    """A door in a process of its own; says so when it has loaded everything, ends with its input."""
    launched = LaunchSecrets(runtime, runtime / "lasting", PROJECT)
    launched.write(AGENT, SessionRole.MAIN, secrets.token_urlsafe(32))
    door = McpDoor(
        project=PROJECT,
        endpoint=endpoint_path(runtime, PROJECT),
        dispatch=nothing,
        secrets=launched,
        current_turn=lambda _agent, _role: None,
    )
    ready = asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        opened = tasks.create_task(door.run(ready=ready))
        await ready.wait()
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.read)
        opened.cancel()


class McpServer:
    """A spawned MCP server that has answered `initialize`."""

    def __init__(self, argv: Sequence[str]) -> None:
        began = time.perf_counter()
        self.process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={"PATH": os.defpath})
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        self.answered_s = time.perf_counter() - began
        assert b'"serverInfo"' in answer, answer

    def end(self) -> None:
        self.process.communicate(timeout=30)


def time_bare() -> float:
    began = time.perf_counter()
    subprocess.run(BARE, check=True, env={"PATH": os.defpath})
    return time.perf_counter() - began


def time_server(argv: Sequence[str]) -> float:
    server = McpServer(argv)
    server.end()
    return server.answered_s


def rss_mb(pid: int, field: str = "VmRSS") -> float:
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) / 1024
    raise LookupError(field)


def print_times(bridge: Sequence[str], framework: Sequence[str], rounds: int) -> bool:
    bares, bridges, frameworks = [], [], []
    for number in range(rounds):
        bares.append(time_bare())
        bridges.append(time_server(bridge))
        if number % 5 == 0:
            frameworks.append(time_server(framework))
    bare, ours, theirs = median(bares), median(bridges), median(frameworks)
    of_bare, faster = ours / bare, theirs / ours
    print(f"bare interpreter             {bare * 1000:8.1f} ms   median of {len(bares)}")
    print(f"bridge, initialize answered  {ours * 1000:8.1f} ms   {of_bare:.2f} x bare   (bar: <= {MAX_OF_BARE})")
    print(
        f"framework server, the same   {theirs * 1000:8.1f} ms   bridge is {faster:.0f} x faster"
        f"   (bar: >= {MIN_FASTER_THAN_FRAMEWORK:g})"
    )
    return of_bare <= MAX_OF_BARE and faster >= MIN_FASTER_THAN_FRAMEWORK


def print_sizes(bridge: Sequence[str], framework: Sequence[str], door: int, peers: int) -> bool:
    before = rss_mb(door)
    connected = [McpServer(bridge) for _ in range(peers)]
    time.sleep(QUIET_S)
    largest = max(rss_mb(server.process.pid, "VmHWM") for server in connected)
    per_peer_kb = (rss_mb(door) - before) * 1024 / peers
    for server in connected:
        server.end()
    other = McpServer(framework)
    theirs = rss_mb(other.process.pid)
    other.end()
    print(f"bridge, memory at its peak   {largest:8.1f} MB   (bar: <= {MAX_RSS_MB:g})")
    print(f"framework server, memory     {theirs:8.1f} MB")
    print(f"server, per connected bridge {per_peer_kb:8.0f} kB   of {peers}, on top of {before:.0f} MB")
    return largest <= MAX_RSS_MB


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--peers", type=int, default=100)
    parser.add_argument("--door", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.door is not None:
        asyncio.run(serve(given.door))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        runtime = runtime_dir({"XDG_RUNTIME_DIR": folder})
        door = subprocess.Popen(
            (sys.executable, __file__, "--door", str(runtime)), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert door.stdout is not None
        door.stdout.readline()
        bridge = bridge_command(endpoint_path(runtime, PROJECT), PROJECT, AGENT, SessionRole.MAIN)
        framework = (sys.executable, "-c", FRAMEWORK_SERVER)
        try:
            # The first ones wait for the door's SDK and for cold files.
            time_server(bridge)
            time_server(framework)
            is_fast = print_times(bridge, framework, given.rounds)
            is_small = print_sizes(bridge, framework, door.pid, given.peers)
        finally:
            door.communicate(timeout=30)
    return 0 if is_fast and is_small else 1


if __name__ == "__main__":
    sys.exit(main())
