"""MCP with one peer, spoken by the official SDK. Importing this takes most of a second: the door does it in a thread.

The SDK binds a connection to the protocol era of its first request. Some CLIs try `server/discover` of the stateless
era first and then shake hands in the old way, so each era that a peer speaks gets an SDK server of its own.
"""

import asyncio
import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

import anyio
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.dispatcher import coerce_request_id
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from idea import __version__
from idea.bridge_lines import MAX_LINE_BYTES, error_line, is_id, too_long
from idea.domain.errors import Lost
from idea.doors.mcp.calls import OnWaiting
from idea.doors.mcp.peer import Peer
from idea.doors.mcp.sdk_edges import Outgoing, is_stateless, take_token
from idea.doors.mcp.tools import INSTRUCTIONS, TOOLS, ToolAnswer

logger = logging.getLogger(__name__)

MAX_IN_FLIGHT: Final = 256
"""Requests of one peer that wait for their answers; far more than one turn may ask."""

RpcId = str | int


class CallTool(Protocol):
    """The tools, for the peer's agent."""

    async def __call__(
        self, line: int, name: str, arguments: Mapping[str, object], on_waiting: OnWaiting | None
    ) -> ToolAnswer:
        """The call that this line makes. Never raises but `CancelledError`, which leaves the call as it is."""
        ...

    def take_back(self, line: int) -> None:
        """Idempotent."""
        ...


@dataclass(frozen=True, slots=True)
class _Asked:
    """A request without an answer yet."""

    line: int
    token: object
    """For progress; None: not wanted."""


_TOOL_LIST: Final = types.ListToolsResult(
    tools=[
        types.Tool(
            name=tool.name,
            title=tool.title,
            description=tool.description,
            input_schema=tool.input_schema,
            output_schema=tool.output_schema,
            annotations=types.ToolAnnotations(
                title=tool.title, read_only_hint=tool.is_read_only, destructive_hint=False, open_world_hint=False
            ),
        )
        for tool in TOOLS
    ]
)
_TOOL_NAMES: Final = frozenset(tool.name for tool in TOOLS)

Inbox = MemoryObjectSendStream[SessionMessage | Exception]
Outlet = MemoryObjectReceiveStream[SessionMessage | Exception]
"""The two ends of what one era's server reads."""


class McpSession:
    """Reads the peer's lines, answers what is no request for the SDK, and hands on the rest."""

    def __init__(self, peer: Peer, call_tool: CallTool, find_wait: Callable[[str], str]) -> None:
        """`find_wait` says what a person is asked before the agent of a name goes on; empty: nothing."""
        self._peer = peer
        self._call_tool = call_tool
        self._find_wait = find_wait
        self._in_flight: dict[RpcId, _Asked] = {}
        self._eras: dict[bool, tuple[Inbox, Outlet]] = {}
        """By whether it is the stateless one."""
        self.idle = asyncio.Event()
        """Set while no request waits for its answer."""
        self.idle.set()

    async def run(self) -> None:
        """Until the peer is gone. Its calls go on without it."""
        try:
            async with asyncio.TaskGroup() as tasks:
                async for number, line in self._peer.lines():
                    try:
                        await self._take(number, line, tasks)
                    except Lost:
                        break
                for inbox, _ in self._eras.values():
                    inbox.close()
        finally:
            # Also when we are cancelled, perhaps before an era's server came to open its end.
            for inbox, outlet in self._eras.values():
                inbox.close()
                outlet.close()

    async def _take(self, number: int, line: bytes, tasks: asyncio.TaskGroup) -> None:
        if len(line) > MAX_LINE_BYTES:
            await self._peer.send(too_long(line))
            return
        try:
            raw = json.loads(line.decode("utf-8", "replace"), strict=False)
        except (ValueError, RecursionError):
            await self._peer.refuse(None, types.PARSE_ERROR, "This line is not JSON.")
            return
        if not isinstance(raw, dict):
            await self._peer.refuse(
                None, types.INVALID_REQUEST, "Send one JSON-RPC object a line; batches are not served."
            )
        elif "method" in raw and "id" in raw:
            await self._take_request(number, raw, tasks)
        elif "method" in raw or "result" in raw or "error" in raw:
            await self._take_unanswered(raw)
        else:
            await self._refuse_invalid(raw)

    async def _take_request(self, number: int, raw: dict[str, Any], tasks: asyncio.TaskGroup) -> None:
        request_id = raw["id"]
        if not is_id(request_id):
            await self._peer.refuse(None, types.INVALID_REQUEST, "A request's id must be a string or an integer.")
            return
        if coerce_request_id(request_id) in map(coerce_request_id, self._in_flight):
            # Its error must not be taken for the answer to the first one. "5" is another id than 5, but not to the SDK.
            own_id = None if request_id in self._in_flight else request_id
            await self._peer.refuse(own_id, types.INVALID_REQUEST, f"Request {request_id!r} is still in flight.")
            return
        if len(self._in_flight) >= MAX_IN_FLIGHT:
            await self._peer.refuse(request_id, types.INTERNAL_ERROR, "Too many requests wait for their answers.")
            return
        token = take_token(raw)
        try:
            message = types.JSONRPCRequest.model_validate(raw, by_name=False)
        except ValidationError:
            await self._refuse_invalid(raw)
            return
        self._in_flight[request_id] = _Asked(number, token)
        self.idle.clear()
        await self._era(is_stateless(message), tasks).send(SessionMessage(message))

    async def _take_unanswered(self, raw: dict[str, Any]) -> None:
        """A notification, or the answer to a request that we never make."""
        try:
            message = types.jsonrpc_message_adapter.validate_python(raw, by_name=False)
        except ValidationError:
            logger.debug("dropped a malformed notification")
            return
        if raw.get("method") == "notifications/cancelled" and isinstance(raw.get("params"), dict):
            asked = self._settle(raw["params"].get("requestId"))
            if asked is None:
                # Nothing that runs; the SDK would take "5" for 5, and that one would never be answered.
                return
            self._call_tool.take_back(asked.line)
        for inbox, _ in self._eras.values():
            await inbox.send(SessionMessage(message))

    async def _refuse_invalid(self, raw: dict[str, Any]) -> None:
        request_id = raw.get("id")
        is_new = is_id(request_id) and request_id not in self._in_flight
        await self._peer.refuse(
            request_id if is_new else None, types.INVALID_REQUEST, "This is not a JSON-RPC 2.0 message."
        )

    def _era(self, is_stateless: bool, tasks: asyncio.TaskGroup) -> Inbox:
        if is_stateless not in self._eras:
            inbox, outlet = anyio.create_memory_object_stream[SessionMessage | Exception](0)
            self._eras[is_stateless] = inbox, outlet
            server = Server(
                "idea",
                version=__version__,
                title="IdeA",
                instructions=INSTRUCTIONS,
                on_list_tools=self._on_list_tools,
                on_call_tool=self._on_call_tool,
            )
            # It starts with a tracing span around every message, which nobody here reads.
            server.middleware.clear()
            outgoing = Outgoing(self._write)
            tasks.create_task(_serve(server, outlet, outgoing), name=f"mcp-{self._peer.bridge.agent}")
        return self._eras[is_stateless][0]

    async def _on_list_tools(
        self, ctx: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return _TOOL_LIST

    async def _on_call_tool(
        self, ctx: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        if params.name not in _TOOL_NAMES:
            raise MCPError(code=types.INVALID_PARAMS, message=f"There is no tool {params.name!r}.")
        asked = None if ctx.request_id is None else self._in_flight.get(ctx.request_id)
        if asked is None:
            raise MCPError(code=types.INVALID_REQUEST, message="This call was taken back.")
        token = asked.token

        target = str((params.arguments or {}).get("agent", ""))

        async def on_waiting(waited_s: float) -> None:
            await self._report_progress(token, waited_s, self._find_wait(target))

        answer = await self._call_tool(
            asked.line, params.name, params.arguments or {}, None if token is None else on_waiting
        )
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=answer.text)],
            structured_content=dict(answer.structured),
            is_error=answer.is_error,
        )

    async def _report_progress(self, token: object, waited_s: float, asked: str) -> None:
        """By hand: clients send tokens of every JSON type, the SDK knows two."""
        person = f"; a person is asked ({asked})" if asked else ""
        message = f"no answer yet after {waited_s:g} s{person}"
        params = {"progressToken": token, "progress": waited_s, "message": message}
        note = {"jsonrpc": "2.0", "method": "notifications/progress", "params": params}
        try:
            await self._peer.send(json.dumps(note).encode() + b"\n")
        except Lost:
            logger.debug("nobody is left to hear of progress")

    async def _write(self, message: types.JSONRPCMessage) -> None:
        request_id = None if isinstance(message, types.JSONRPCNotification) else message.id
        is_answer = isinstance(message, types.JSONRPCResponse | types.JSONRPCError)
        if is_answer and request_id is not None and request_id not in self._in_flight:
            # Taken back meanwhile: it gets no answer.
            return
        try:
            line = message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
        except PydanticSerializationError:
            logger.exception("an answer cannot be written as JSON")
            line = error_line(request_id, types.INTERNAL_ERROR, "IdeA failed to write its answer.")
        if len(line) > MAX_LINE_BYTES:
            line = error_line(request_id, types.INTERNAL_ERROR, "The answer is too long to be sent. Ask for less.")
        try:
            await self._peer.send(line)
        except Lost as lost:
            raise anyio.BrokenResourceError from lost
        finally:
            if is_answer:
                self._settle(request_id)

    def _settle(self, request_id: object) -> _Asked | None:
        asked = None
        # To Python, true is 1.
        if isinstance(request_id, str | int) and not isinstance(request_id, bool):
            asked = self._in_flight.pop(request_id, None)
        if not self._in_flight:
            self.idle.set()
        return asked


async def _serve(server: "Server[Any]", outlet: Outlet, outgoing: Outgoing) -> None:
    """One era, until its inbox is closed or its peer is gone."""
    try:
        await server.run(outlet, outgoing, server.create_initialization_options())
    except* anyio.BrokenResourceError:
        # The peer went, and a message was on its way between two of the SDK's own loops, of which one had ended.
        logger.debug("a bridge left in the middle of a message")
