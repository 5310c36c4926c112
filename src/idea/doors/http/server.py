"""Serves the door on its two listeners until it is told to close; uvicorn does the HTTP."""

import asyncio
import contextlib
import socket
from collections.abc import Callable, Iterator
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from idea.doors.http.bounded_http import REQUEST_WAIT_S, IsAgents, PeerUid, bounded_http
from idea.doors.http.bounded_websocket import LINGER_S, bounded_websocket
from idea.doors.http.guard import control_door

MAX_FRAME_BYTES: Final = 1024 * 1024
"""From a page: keystrokes and pastes, the largest of which are refused above 60 kB anyway."""
SHUTDOWN_S: Final = 3
"""For answers that are on their way; what takes longer (an ask) is cut off."""
KEEP_ALIVE_S: Final = 5


class Server:
    """Both sockets are bound already and are closed at the end; the control socket's file is its binder's.

    `control` is the Unix socket of the command line. `run` once.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        web: socket.socket,
        control: socket.socket,
        peer_uid: PeerUid,
        is_agents: IsAgents = lambda peer: False,
        request_wait_s: float = REQUEST_WAIT_S,
        linger_s: float = LINGER_S,
    ) -> None:
        own_user = bounded_http(wait_s=request_wait_s, peer_uid=peer_uid, is_agents=is_agents)
        websocket = bounded_websocket(linger_s=linger_s)
        self._listeners = (
            _Listener(_configure(app, bounded_http(wait_s=request_wait_s), websocket), web),
            _Listener(_configure(control_door(app), own_user, websocket), control),
        )

    async def run(self, *, ready: asyncio.Event) -> None:
        """Listens when `ready` is set; returns after `close`, when the last connection has ended."""
        try:
            async with asyncio.TaskGroup() as tasks:
                for listener in self._listeners:
                    tasks.create_task(listener.serve(), name="http-listener")
                for listener in self._listeners:
                    await listener.listening.wait()
                ready.set()
        finally:
            for listener in self._listeners:
                listener.abort()

    async def renew_control(self, control: socket.socket) -> None:
        """Listen at another control socket in place of the one before; who is connected stays so."""
        await self._listeners[-1].renew(control)

    def close(self) -> None:
        """Take no more connections, close the open sockets, let `run` return. Idempotent."""
        for listener in self._listeners:
            listener.closing.set()


def _configure(app: ASGIApp, protocol: type[asyncio.Protocol], websocket: type[asyncio.Protocol]) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=protocol,
        ws=websocket,
        ws_max_size=MAX_FRAME_BYTES,
        ws_per_message_deflate=False,
        lifespan="off",
        log_config=None,
        # Below this, frames and heads are logged whole, credentials included.
        log_level="warning",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=SHUTDOWN_S,
    )


class _Listener(uvicorn.Server):
    """One socket's server: no signals of its own, no ticking while nothing happens."""

    def __init__(self, config: uvicorn.Config, bound: socket.socket) -> None:
        super().__init__(config)
        self._bound = bound
        self.listening = asyncio.Event()
        self.closing = asyncio.Event()

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        await super().serve([self._bound] if sockets is None else sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listening.set()

    async def renew(self, bound: socket.socket) -> None:
        """What uvicorn's own start does with a socket."""
        server = await asyncio.get_running_loop().create_server(self._connect, sock=bound, backlog=self.config.backlog)
        older, self.servers, self._bound = self.servers, [server], bound
        for each in older:
            each.close()

    def _connect(self) -> asyncio.Protocol:
        make: Callable[..., asyncio.Protocol] = self.config.http_protocol_class
        return make(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)

    async def main_loop(self) -> None:
        await self.closing.wait()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    def abort(self) -> None:
        """After a cancelled `serve`, what it opened is still open."""
        for server in getattr(self, "servers", ()):
            server.close()
        for connection in tuple(self.server_state.connections):
            connection.transport.abort()
        self._bound.close()
