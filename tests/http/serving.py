"""The door on real sockets, as bootstrap serves it."""

import asyncio
import select
import socket
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from idea.doors.http.app import create_app
from idea.doors.http.bounded_http import REQUEST_WAIT_S, PeerUid
from idea.doors.http.bounded_websocket import LINGER_S
from idea.doors.http.listening import bind_web
from idea.doors.http.server import Server
from idea.keeper.peer_uid import peer_uid
from tests.http.fakes import House, build_house
from tests.patience import PATIENCE_S


@dataclass(frozen=True, slots=True)
class Serving:
    house: House
    port: int
    control: Path
    server: Server

    def connect(self, path: str = "/api/events", *, origin: str | None = None) -> connect:
        own = f"http://127.0.0.1:{self.port}"
        return connect(f"ws://127.0.0.1:{self.port}{path}", origin=origin or own, compression=None, proxy=None)  # type: ignore[arg-type] # an Origin is a str


@asynccontextmanager
async def serving(
    folder: Path,
    *,
    peer_uid: PeerUid = peer_uid,
    request_wait_s: float = REQUEST_WAIT_S,
    linger_s: float = LINGER_S,
) -> AsyncIterator[Serving]:
    """`control` lies where the command line looks when `XDG_RUNTIME_DIR` is the folder above it."""
    web = bind_web("127.0.0.1", 0)
    port: int = web.getsockname()[1]
    house = build_house(folder, port=port)
    # Not in the test's own folder, whose path may be too long for a socket.
    with tempfile.TemporaryDirectory(prefix="idea-") as runtime:
        path = Path(runtime) / "idea" / "control.sock"
        path.parent.mkdir(mode=0o700)
        control = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        control.bind(str(path))
        server = Server(
            create_app(house.services),
            web=web,
            control=control,
            peer_uid=peer_uid,
            request_wait_s=request_wait_s,
            linger_s=linger_s,
        )
        ready = asyncio.Event()
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(server.run(ready=ready), name="server")
            async with asyncio.timeout(PATIENCE_S):
                await ready.wait()
            try:
                yield Serving(house, port, path, server)
            finally:
                server.close()


async def upgrade(control: Path, hello: str) -> socket.socket:
    """An events socket over the control socket, of which nobody reads what comes after the begin of the snapshot."""
    peer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    peer.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(peer, str(control))
    head = (
        "GET /api/events HTTP/1.1\r\nHost: idea\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    await loop.sock_sendall(peer, head.encode())
    await loop.sock_recv(peer, 1_024)
    await loop.sock_sendall(peer, masked(hello))
    # The begin of the snapshot: from here on it is sent every event.
    await loop.sock_recv(peer, 1_024)
    return peer


def masked(text: str) -> bytes:
    """A client's text frame of at most 125 bytes; a mask of zeros changes nothing."""
    return bytes([0x81, 0x80 | len(text)]) + bytes(4) + text.encode()


async def wait_hung_up(peer: socket.socket) -> None:
    """Until the other end's descriptor is closed, whether or not anything was read before."""
    poll = select.poll()
    poll.register(peer, 0)
    assert await asyncio.to_thread(poll.poll, 1000 * PATIENCE_S), "still open"


async def receive(socket: ClientConnection) -> str | bytes:
    async with asyncio.timeout(PATIENCE_S):
        return await socket.recv()


async def closed(socket: ClientConnection, *, within_s: float = PATIENCE_S) -> tuple[int | None, int]:
    """The code with which the server closed it, and how many frames it still sent before."""
    count = 0
    async with asyncio.timeout(within_s):
        try:
            while True:
                await socket.recv()
                count += 1
        except ConnectionClosed:
            await socket.wait_closed()
    return socket.close_code, count
