"""A small MCP client over stdio, as a CLI has one: spawns the declared server, and anew if it died."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Callable, Mapping

from idea.demo.turns import Interrupted, Turn

PROTOCOL_VERSION = "2025-11-25"
START_S = 120.0
"""How long a call waits for a server that does not get ready: IdeA may be down or starting, on a busy machine."""
STOP_S = 2.0
"""From the end of its input to SIGKILL."""

Message = dict[str, object]
OnReply = Callable[[Message | None], None]
"""Gets the response, or None when the connection is lost."""


class Declaration:
    """How to start the server."""

    def __init__(self, command: str, args: list[str], env: dict[str, str]) -> None:
        self.command = command
        self.args = args
        self.env = env


class CallResult:
    """What a tool gave: its text, its structured content, and whether it is an error."""

    def __init__(self, text: str, structured: Mapping[str, object], *, is_error: bool) -> None:
        self.text = text
        self.structured = structured
        self.is_error = is_error

    @property
    def trouble(self) -> str:
        """Of an error what went wrong, to tell a person: without what the model is advised to do next."""
        message = self.structured.get("message")
        return message if isinstance(message, str) else self.text


def read_declaration(path: str, server: str) -> Declaration:
    """Raises `ValueError` with a sentence when the file does not declare `server`."""
    try:
        with open(path, encoding="utf-8") as file:
            entry = json.load(file)["mcpServers"][server]
        return Declaration(
            str(entry["command"]),
            [str(item) for item in entry.get("args", ())],
            {str(key): str(value) for key, value in entry.get("env", {}).items()},
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{path} declares no MCP server {server!r}: {error!r}") from error


class McpClient:
    """Calls tools of one declared server. `start` returns at once; a call waits until the server is ready."""

    def __init__(self, declaration: Declaration, *, is_quiet: bool) -> None:
        self._declaration = declaration
        self._is_quiet = is_quiet
        """The server's stderr would tear a terminal's picture."""
        self._connection: _Connection | None = None

    def start(self) -> None:
        """A server that cannot be spawned is reported by the first call."""
        try:
            self._connection = _Connection(self._declaration, is_quiet=self._is_quiet)
        except OSError:
            self._connection = None

    @property
    def tools(self) -> tuple[str, ...]:
        """The names that the server listed last, empty until it is ready."""
        return self._connection.tools if self._connection else ()

    def call(self, tool: str, arguments: Message, turn: Turn, on_progress: Callable[[], None]) -> CallResult:
        """Every failure is a `CallResult` that says so, as a model would see it.

        Raises `Interrupted`, after the server was told that the call is cancelled.
        """
        try:
            connection = self._alive()
        except OSError as error:
            return _failure(f"MCP server 'idea' could not be started: {error}")
        call = connection.begin_call(tool, arguments, turn)
        try:
            note = turn.receive(call, START_S)
            if note is None and not connection.is_ready:
                connection.close()
                return _failure(f"MCP server 'idea' did not get ready within {START_S:.0f} s")
            while note is None or note[0] == "progress":
                if note:
                    on_progress()
                note = turn.receive(call)
        except Interrupted:
            connection.cancel(call)
            raise
        return _parse_result(note[2], connection.reason)

    def close(self, grace_s: float = STOP_S) -> None:
        """End the server; after `grace_s` by force."""
        if self._connection:
            self._connection.close(grace_s)

    def _alive(self) -> _Connection:
        if self._connection is None or self._connection.is_lost:
            self._connection = _Connection(self._declaration, is_quiet=self._is_quiet)
        return self._connection


class _Connection:
    """One life of the server process."""

    def __init__(self, declaration: Declaration, *, is_quiet: bool) -> None:
        self.tools: tuple[str, ...] = ()
        self.is_ready = False
        self.is_lost = False
        self.reason = "Connection closed"
        self._lock = threading.Lock()
        """Held for one line on the server's stdin and for every change of the tables below."""
        self._next_id = 1
        self._replies: dict[int, OnReply] = {}
        self._progress: dict[str, Callable[[], None]] = {}
        self._backlog: list[Message] = []
        """Calls made before the server was ready."""
        self._process = subprocess.Popen(
            [declaration.command, *declaration.args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if is_quiet else None,
            env={**os.environ, **declaration.env},
        )
        threading.Thread(target=self._run, name="mcp", daemon=True).start()
        hello: Message = {
            "protocolVersion": PROTOCOL_VERSION,
            "capabilities": {},
            "clientInfo": {"name": "idea-demo", "title": "IdeA demo agent", "version": "1"},
        }
        self._request("initialize", hello, self._initialized)

    # --- calls, from the turn's thread ---

    def begin_call(self, tool: str, arguments: Message, turn: Turn) -> str:
        """The call's id; its notes (`progress`, then one `reply`) go to the turn under that id."""
        with self._lock:
            number = self._take_id()
            call = f"call-{number}"
            self._replies[number] = lambda message: turn.post(("reply", call, message))
            self._progress[call] = lambda: turn.post(("progress", call, None))
            params = {"name": tool, "arguments": arguments, "_meta": {"progressToken": call}}
            request: Message = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
            if self.is_lost:
                turn.post(("reply", call, None))
            elif self.is_ready:
                self._write(request)
            else:
                self._backlog.append(request)
        return call

    def cancel(self, call: str) -> None:
        number = int(call.removeprefix("call-"))
        with self._lock:
            self._progress.pop(call, None)
            if self._replies.pop(number, None) and self.is_ready and not self.is_lost:
                params = {"requestId": number, "reason": "The turn was interrupted"}
                self._write({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})

    def close(self, grace_s: float = STOP_S) -> None:
        self.reason = "The MCP server was stopped"
        assert self._process.stdin is not None
        try:
            self._process.stdin.close()
        except OSError:
            self.reason = "Connection closed"
        for step in (self._process.terminate, self._process.kill):
            try:
                self._process.wait(grace_s / 2)
                return
            except subprocess.TimeoutExpired:
                step()
        self._process.wait(STOP_S)

    # --- the protocol, on the reader's thread ---

    def _run(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            try:
                message = json.loads(line)
            except ValueError:
                continue
            if isinstance(message, dict):
                self._take(message)
        with self._lock:
            self.is_lost = True
            waiting = list(self._replies.values())
            self._replies.clear()
        for reply in waiting:
            reply(None)
        try:
            self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            # It closed its output and lives on: of no use, and the next call starts another.
            self._process.kill()
            self._process.wait()

    def _take(self, message: Message) -> None:
        match message:
            case {"method": "ping", "id": number}:
                self._send({"jsonrpc": "2.0", "id": number, "result": {}})
            case {"method": str(method), "id": number}:
                error = {"code": -32601, "message": f"This client has no {method}"}
                self._send({"jsonrpc": "2.0", "id": number, "error": error})
            case {"method": "notifications/progress", "params": {"progressToken": str(token)}}:
                if heard := self._progress.get(token):
                    heard()
            case {"method": "notifications/tools/list_changed"}:
                self._request("tools/list", {}, self._tools_listed)
            case {"id": int(number)} if "method" not in message:
                with self._lock:
                    self._progress.pop(f"call-{number}", None)
                    reply = self._replies.pop(number, None)
                if reply:
                    reply(message)

    def _initialized(self, message: Message | None) -> None:
        if message is None or "result" not in message:
            error = message.get("error") if message else None
            self.reason = f"The MCP server refused to initialize: {json.dumps(error)}" if error else self.reason
            self._process.terminate()
            return
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        self._request("tools/list", {}, self._tools_listed)

    def _tools_listed(self, message: Message | None) -> None:
        match message:
            case {"result": {"tools": list(tools)}}:
                self.tools = tuple(str(tool["name"]) for tool in tools if isinstance(tool, dict) and "name" in tool)
        with self._lock:
            self.is_ready = True
            backlog, self._backlog = self._backlog, []
            for request in backlog:
                # A call that was cancelled while it waited is never sent.
                if request["id"] in self._replies:
                    self._write(request)

    def _request(self, method: str, params: Message, on_reply: OnReply) -> None:
        with self._lock:
            number = self._take_id()
            self._replies[number] = on_reply
            self._write({"jsonrpc": "2.0", "id": number, "method": method, "params": params})

    def _send(self, message: Message) -> None:
        with self._lock:
            self._write(message)

    def _take_id(self) -> int:
        number = self._next_id
        self._next_id += 1
        return number

    def _write(self, message: Message) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            # A dead server shows as the end of its stdout, and there every waiter is told.
            self.reason = "Connection closed"


def _failure(text: str) -> CallResult:
    return CallResult(text, {}, is_error=True)


def _parse_result(message: object, reason: str) -> CallResult:
    match message:
        case None:
            return _failure(f"MCP error -32000: {reason}")
        case {"error": {"message": str(text), "code": code}}:
            return _failure(f"MCP error {code}: {text}")
        case {"result": dict(result)}:
            content = result.get("content")
            blocks = content if isinstance(content, list) else []
            text = "\n".join(str(block.get("text", "")) for block in blocks if isinstance(block, dict))
            structured = result.get("structuredContent")
            return CallResult(
                text,
                structured if isinstance(structured, dict) else {},
                is_error=result.get("isError") is True,
            )
        case _:
            return _failure("MCP error: an answer that is none")
