"""The first frame of either socket: who is there, and what it already has."""

import asyncio
from enum import IntEnum
from typing import Final, TypeVar

from pydantic import ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from idea.domain.delegation import Source
from idea.doors.http.caller import caller_of
from idea.doors.http.services import Credentials
from idea.doors.http.wire import Hello

HELLO_WAIT_S: Final = 5.0
"""A page sends its first frame as soon as the socket opens."""
SEND_WAIT_S: Final = 10.0
"""A peer that takes nothing for so long is gone or asleep; it comes back with its number."""
CLOSE_WAIT_S: Final = 1.0
"""For handing a close frame to a connection that may be stuck."""

H = TypeVar("H", bound=Hello)


class CloseCode(IntEnum):
    """Why this side closed a socket."""

    ENDED = 1000
    BAD_FRAME = 4400
    UNAUTHENTICATED = 4401
    NOT_FOUND = 4404
    TOO_SLOW = 4408


GAVE_UP: Final = 4410
"""A peer's code: it heard nothing for too long. What it sent last was meant for then, and is not to be taken late."""


async def greet(socket: WebSocket, credentials: Credentials, shape: type[H]) -> tuple[H, str | None] | CloseCode | None:
    """Accept and hear the peer out: its frame and its credential's id (None on the control socket).

    A `CloseCode` says why it may not stay; None that it left by itself.
    """
    await socket.accept()
    try:
        async with asyncio.timeout(HELLO_WAIT_S):
            text = await receive_text(socket)
        if text is None:
            return CloseCode.BAD_FRAME
        hello = shape.model_validate_json(text)
    except WebSocketDisconnect:
        return None
    except TimeoutError:
        # No credential was refused: a page that was too busy to greet, or we to hear it, may try again.
        return CloseCode.TOO_SLOW
    except ValidationError:
        return CloseCode.BAD_FRAME
    if caller_of(socket.scope).source is Source.CLI:
        return hello, None
    known = credentials.verify(hello.credential)
    return CloseCode.UNAUTHENTICATED if known is None else (hello, known)


async def receive(socket: WebSocket) -> str | bytes:
    """The next frame. Raises `WebSocketDisconnect`."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1006))
    text = message.get("text")
    if text is not None:
        assert isinstance(text, str)
        return text
    data = message["bytes"]
    assert isinstance(data, bytes)
    return data


async def receive_text(socket: WebSocket) -> str | None:
    """The next frame, None if it is a binary one. Raises `WebSocketDisconnect`."""
    frame = await receive(socket)
    return frame if isinstance(frame, str) else None


async def wait_revoked(revoked: asyncio.Event) -> CloseCode | None:
    """For as long as the socket may stay."""
    await revoked.wait()
    return CloseCode.UNAUTHENTICATED


async def close(socket: WebSocket, code: CloseCode | None) -> None:
    """Say why, in a bounded time; None means that the peer is gone already."""
    if code is None:
        return
    try:
        async with asyncio.timeout(CLOSE_WAIT_S):
            await socket.close(code)
    except (TimeoutError, WebSocketDisconnect, OSError):
        # It does not listen; the protocol ends the connection when this returns.
        return
