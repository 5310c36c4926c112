import asyncio
import socket

from idea.doors.mcp.peer import BridgeId, Greeting, Peer
from tests.mcp.house import MAIN
from tests.patience import PATIENCE_S


async def test_a_bridge_that_was_killed_with_something_unread_has_ended_like_another() -> None:
    ours, theirs = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=ours)
    try:
        peer = Peer(Greeting(BridgeId(MAIN, "one"), "secret"), reader, writer)
        lines = peer.lines()
        async with asyncio.timeout(PATIENCE_S):
            theirs.sendall(b"one\n")
            assert await anext(lines) == (1, b"one")
            await peer.send(b"never read\n")
            # The kernel says "reset" then, not "end".
            theirs.close()
            assert [line async for line in lines] == []
    finally:
        theirs.close()
        writer.close()
