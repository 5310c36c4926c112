"""`…/terminal`: one agent's terminal; binary frames are its bytes, text frames its size and end."""

import asyncio
from typing import Final

from fastapi import APIRouter
from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from idea.application.terminals.terminal_client import (
    Attachable,
    Ended,
    InputRefused,
    Output,
    Paint,
    Reset,
    TerminalClient,
    TerminalValue,
)
from idea.domain.errors import Lost, NotFound
from idea.domain.sessions import TerminalSize
from idea.doors.http import wire
from idea.doors.http.answering import Answering
from idea.doors.http.dependencies import TheServices, TheSockets
from idea.doors.http.first_of import first_of
from idea.doors.http.handshake import SEND_WAIT_S, CloseCode, close, greet, receive, wait_revoked
from idea.doors.http.routes.agents import AGENTS
from idea.doors.http.services import Services

router = APIRouter(prefix=AGENTS)
_client_frame: Final[TypeAdapter[wire.TerminalClientFrame]] = TypeAdapter(wire.TerminalClientFrame)


@router.websocket("/{agent}/terminal")
async def show_terminal(
    socket: WebSocket, project: str, agent: str, services: TheServices, sockets: TheSockets
) -> None:
    greeted = await greet(socket, services.credentials, wire.TerminalHello)
    if not isinstance(greeted, tuple):
        await close(socket, greeted)
        return
    hello, credential = greeted
    terminal = _find_terminal(services, project, agent)
    if terminal is None:
        await close(socket, CloseCode.NOT_FOUND)
        return
    client = terminal.attach(TerminalSize(hello.cols, hello.rows), is_whole=hello.is_whole)
    try:
        with sockets.hold(credential) as revoked:
            answering = Answering(socket)
            code = await first_of(
                _show(socket, client), _listen(socket, client, answering), answering.run(), wait_revoked(revoked)
            )
    finally:
        client.detach()
    await close(socket, code)


def _find_terminal(services: Services, project: str, agent: str) -> Attachable | None:
    try:
        opened = services.projects.get(project)
        return opened.find_terminal(opened.resolve_agent(agent))
    except NotFound:
        return None


async def _show(socket: WebSocket, client: TerminalClient) -> CloseCode | None:
    """From the program to the page, as fast as the page takes it; the client's window bounds what waits."""
    try:
        async for value in client:
            async with asyncio.timeout(SEND_WAIT_S):
                await _send(socket, value)
    except TimeoutError:
        return CloseCode.TOO_SLOW
    except WebSocketDisconnect:
        return None
    return CloseCode.ENDED


async def _send(socket: WebSocket, value: TerminalValue) -> None:
    match value:
        case Paint(data) | Output(data):
            await socket.send_bytes(data)
        case Reset(cols, rows, is_whole):
            await _say(socket, wire.TerminalReset(type="reset", cols=cols, rows=rows, is_whole=is_whole))
        case InputRefused():
            await _say(socket, wire.TerminalInputRefused(type="inputRefused"))
        case Ended(end):
            code, signal = (None, None) if end is None else (end.code, end.signal)
            await _say(socket, wire.TerminalEnded(type="ended", exit_code=code, signal=signal))


async def _say(socket: WebSocket, frame: wire.Wire) -> None:
    await socket.send_text(frame.model_dump_json(by_alias=True))


async def _listen(socket: WebSocket, client: TerminalClient, answering: Answering) -> CloseCode | None:
    """From the page to the program. Nothing here waits for the program, which may itself be waiting for an
    acknowledgement that is behind the keystrokes."""
    try:
        while True:
            frame = await receive(socket)
            if isinstance(frame, bytes):
                await _type(client, frame)
            else:
                await _obey(client, _client_frame.validate_json(frame), answering)
    except ValidationError:
        return CloseCode.BAD_FRAME
    except WebSocketDisconnect:
        return None


async def _type(client: TerminalClient, keys: bytes) -> None:
    try:
        await client.write(keys)
    except Lost:
        # The program is gone; its `ended` is on the way to the page.
        return


async def _obey(client: TerminalClient, frame: wire.TerminalClientFrame, answering: Answering) -> None:
    match frame:
        case wire.TerminalResize():
            await client.resize(TerminalSize(frame.cols, frame.rows))
        case wire.TerminalAck():
            client.acknowledge(frame.bytes)
        case wire.TerminalScrollback():
            client.ask_for_scrollback()
        case wire.Ping():
            answering.ask()
