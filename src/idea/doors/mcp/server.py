"""The agents' door of one project: listens on its endpoint, one task a connected bridge."""

import asyncio
import logging
import socket
import sys
from collections.abc import Callable, Collection, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from idea.domain.delegation import Requester, Source, call_name
from idea.domain.errors import Lost, Refused
from idea.domain.ids import AgentId, ProjectId, TurnId
from idea.domain.sessions import SessionRole
from idea.domain.terminal_signs import RanHook
from idea.doors.mcp.calls import CallId, Calls, OnWaiting
from idea.doors.mcp.endpoint import BACKLOG, Listener, listen
from idea.doors.mcp.launch_secrets import LaunchSecrets
from idea.doors.mcp.peer import Gatekeeper, Peer
from idea.doors.mcp.tools import TOOLS, DispatchCall, ToolAnswer, ToolCaller
from idea.doors.mcp.visits import RETURN_S, Visits

if TYPE_CHECKING:
    from idea.doors.mcp.session import McpSession

logger = logging.getLogger(__name__)

PROGRESS_EVERY_S: Final = 5.0
"""Clients that give a silent call up do so after 15 s at the earliest."""
GOODBYE_S: Final = 2.0
"""For the last answers, and once more for what the calls they stand for put in order."""

FindTurn = Callable[[AgentId, SessionRole], TurnId | None]
"""The turn that this session of the agent is in: what is asked in it is part of it."""
OnArrival = Callable[[AgentId, str, Collection[str]], None]
"""An agent's bridge of this name is here, and makes the calls of these names again: its others it has taken back."""

_TOOLS: Final = {tool.name: tool for tool in TOOLS}


class McpDoor:
    """Turns tool calls of a project's agents into commands, stamped with who they come from."""

    def __init__(
        self,
        *,
        project: ProjectId,
        endpoint: Path,
        dispatch: DispatchCall,
        secrets: LaunchSecrets,
        current_turn: FindTurn,
        find_wait: Callable[[str], str] = lambda _: "",
        on_hook: Callable[[AgentId, RanHook], None] = lambda _agent, _ran: None,
        on_arrival: OnArrival = lambda _agent, _bridge, _calls: None,
        progress_every_s: float = PROGRESS_EVERY_S,
        return_s: float = RETURN_S,
    ) -> None:
        self._endpoint = endpoint
        self._dispatch = dispatch
        self._secrets = secrets
        self._gatekeeper = Gatekeeper(project, secrets.authenticate)
        self._current_turn = current_turn
        self._find_wait = find_wait
        self._on_hook = on_hook
        self._on_arrival = on_arrival
        self._progress_every_s = progress_every_s
        self._return_s = return_s
        self._is_leaving = False
        self._listener: Listener | None = None
        self._is_renewed = asyncio.Event()
        self._sessions: set[McpSession] = set()
        self._peers: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    async def run(self, *, ready: asyncio.Event) -> None:
        """Until it is cancelled: then calls in flight are answered with `Closed`, and nothing is left of the endpoint.

        After `leave` they are cancelled without an answer instead.

        `ready` is set when bridges can connect; the first one may wait most of a second for the MCP SDK.

        Raises:
            Conflict: another server listens for this project.
            Refused: the endpoint's place cannot be used.
        """
        self._listener = listen(self._endpoint)
        try:
            async with asyncio.TaskGroup() as tasks:
                calls = Calls(tasks, waiting_every_s=self._progress_every_s)
                visits = Visits(self._gatekeeper, calls, return_s=self._return_s)
                sdk = _Sdk(tasks)

                def on_changed(agent: AgentId) -> None:
                    visits.part_from_retired(agent)
                    if not calls.is_closed:
                        # An agent starts: its bridge is here in a moment.
                        sdk.begin()

                self._secrets.watch(partial(_in_loop, asyncio.get_running_loop(), on_changed))

                def on_connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                    if calls.is_closed:
                        writer.close()
                        return
                    peer = tasks.create_task(self._serve(reader, writer, calls, visits, sdk), name="mcp-peer")
                    self._peers[peer] = writer
                    peer.add_done_callback(self._peers.pop)

                try:
                    while True:
                        server = await _serve_at(self._listener.socket, on_connected)
                        ready.set()
                        try:
                            await self._is_renewed.wait()
                            self._is_renewed.clear()
                        finally:
                            # Those who are connected stay so.
                            server.close()
                finally:
                    await self._say_goodbye(calls, visits)
        finally:
            self._secrets.watch(None)
            self._listener.close()

    def is_there(self) -> bool:
        """Bridges find the endpoint."""
        return self._listener is not None and self._listener.is_there()

    def renew(self) -> None:
        """Listen anew where somebody removed the endpoint. Raises as `run` does."""
        # The socket before it is closed where it is listened at.
        self._listener = listen(self._endpoint)
        self._is_renewed.set()

    def leave(self) -> None:
        """The server ends and its agents go on: `run`, once cancelled, says no good-bye, so that bridges come back."""
        self._is_leaving = True

    async def _serve(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        calls: Calls,
        visits: Visits,
        sdk: "_Sdk",
    ) -> None:
        try:
            peer = await self._gatekeeper.admit(reader, writer, on_hook=self._on_hook)
            if peer.greeting.hook is not None:
                return
            visits.arrive(peer)
            self._tell_arrival(peer)
            try:
                session_type = await sdk.get()
                session = session_type(
                    peer, _AgentCalls(peer, calls, self._dispatch, self._current_turn), self._find_wait
                )
                self._sessions.add(session)
                try:
                    await session.run()
                finally:
                    self._sessions.discard(session)
            finally:
                visits.leave(peer)
        except Refused as refused:
            logger.warning("refused a connection to the agents' door: %s", refused)
        except (Lost, OSError) as lost:
            logger.debug("a bridge left: %s", lost)
        except Exception:
            # One peer's bug must not end the others' connections.
            logger.exception("the connection of a bridge failed")
        finally:
            writer.close()

    def _tell_arrival(self, peer: Peer) -> None:
        bridge = peer.bridge
        calls = frozenset(call_name(bridge.instance, line) for line in peer.greeting.again)
        self._on_arrival(bridge.agent, bridge.instance, calls)

    async def _say_goodbye(self, calls: Calls, visits: Visits) -> None:
        visits.close()
        if self._is_leaving:
            visits.cut_off_all()
            return
        calls.close()
        try:
            async with asyncio.timeout(GOODBYE_S):
                for session in tuple(self._sessions):
                    await session.idle.wait()
        except TimeoutError:
            logger.warning("a bridge did not take its last answers")
        await calls.wait_closed(patience_s=GOODBYE_S)
        visits.part_from_all("IdeA closed the project; what became of this request is unknown.")
        for writer in self._peers.values():
            writer.close()
        if self._peers:
            await asyncio.wait(set(self._peers), timeout=GOODBYE_S)


class _AgentCalls:
    """The tools as one peer has them: in the name of its agent, whatever the arguments say."""

    def __init__(self, peer: Peer, calls: Calls, dispatch: DispatchCall, current_turn: FindTurn) -> None:
        self._peer = peer
        self._calls = calls
        self._dispatch = dispatch
        self._current_turn = current_turn

    async def __call__(
        self, line: int, name: str, arguments: Mapping[str, object], on_waiting: OnWaiting | None
    ) -> ToolAnswer:
        bridge = self._peer.bridge
        requester = Requester(Source.MCP, agent=bridge.agent, turn=self._current_turn(bridge.agent, bridge.role))
        caller = ToolCaller(self._dispatch, requester, call_name(bridge.instance, line))
        work = partial(_TOOLS[name].call, caller, arguments)
        return await self._calls.run(CallId(bridge, line), (name, arguments), work, on_waiting)

    def take_back(self, line: int) -> None:
        self._calls.take_back(CallId(self._peer.bridge, line))


async def _serve_at(
    bound: socket.socket, on_connected: Callable[[asyncio.StreamReader, asyncio.StreamWriter], None]
) -> asyncio.Server:
    if sys.version_info >= (3, 13):
        # The file is the listener's to remove: asyncio goes by its inode, which one made in its place may have got.
        return await asyncio.start_unix_server(on_connected, sock=bound, backlog=BACKLOG, cleanup_socket=False)
    return await asyncio.start_unix_server(on_connected, sock=bound, backlog=BACKLOG)


def _in_loop(loop: asyncio.AbstractEventLoop, act: Callable[[AgentId], None], agent: AgentId) -> None:
    """From any thread."""
    loop.call_soon_threadsafe(act, agent)


class _Sdk:
    """The MCP SDK, for whoever needs it: a project without agents does not pay for it."""

    def __init__(self, tasks: asyncio.TaskGroup) -> None:
        self._tasks = tasks
        self._loading: asyncio.Task[type[McpSession]] | None = None

    def begin(self) -> "asyncio.Task[type[McpSession]]":
        """Idempotent."""
        if self._loading is None:
            self._loading = self._tasks.create_task(asyncio.to_thread(_load_sdk), name="mcp-sdk")
        return self._loading

    async def get(self) -> "type[McpSession]":
        return await asyncio.shield(self.begin())


def _load_sdk() -> "type[McpSession]":
    """In a thread: this takes most of a second."""
    from idea.doors.mcp.session import McpSession

    return McpSession
