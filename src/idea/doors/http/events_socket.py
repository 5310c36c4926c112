"""`/api/events`: everything that happens, from a snapshot or from where the page left off."""

import asyncio
import logging

from fastapi import APIRouter
from pydantic import ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from idea.application.event_log import Subscription, TooOld, TooSlow
from idea.domain.events import Event, ProjectOpened
from idea.doors.http import wire
from idea.doors.http.answering import Answering
from idea.doors.http.dependencies import TheServices, TheSockets
from idea.doors.http.first_of import first_of
from idea.doors.http.handshake import SEND_WAIT_S, CloseCode, close, greet, receive, wait_revoked
from idea.doors.http.live_sockets import LiveSockets
from idea.doors.http.render import render_snapshot
from idea.doors.http.render_events import render_event
from idea.doors.http.services import Services

router = APIRouter()
_log = logging.getLogger(__name__)


@router.websocket("/api/events")
async def stream_events(socket: WebSocket, services: TheServices, sockets: TheSockets) -> None:
    greeted = await greet(socket, services.credentials, wire.Hello)
    if not isinstance(greeted, tuple):
        await close(socket, greeted)
        return
    hello, credential = greeted
    with sockets.hold(credential) as revoked:
        answering = Answering(socket)
        code = await first_of(
            _Sender(socket, services).run(hello),
            _hear(socket, answering),
            answering.run(),
            wait_revoked(revoked),
            _tell_credentials(socket, sockets),
        )
    await close(socket, code)


async def _hear(socket: WebSocket, answering: Answering) -> CloseCode | None:
    """Nothing but pings is expected after the hello; reading on tells when the page has gone."""
    try:
        while True:
            wire.Ping.model_validate_json(await receive(socket))
            answering.ask()
    except ValidationError:
        return CloseCode.BAD_FRAME
    except WebSocketDisconnect:
        return None


async def _tell_credentials(socket: WebSocket, sockets: LiveSockets) -> CloseCode | None:
    """That there is another list of them; a page that shows it looks again."""
    frame = wire.CredentialsChanged(type="credentialsChanged").model_dump_json(by_alias=True)
    change = sockets.next_change
    try:
        while True:
            await change.wait()
            change = sockets.next_change
            async with asyncio.timeout(SEND_WAIT_S):
                await socket.send_text(frame)
    except TimeoutError:
        return CloseCode.TOO_SLOW
    except WebSocketDisconnect:
        return None


class _Sender:
    def __init__(self, socket: WebSocket, services: Services) -> None:
        self._socket = socket
        self._services = services
        self._shown = 0
        """The number up to which the page has everything."""

    async def run(self, hello: wire.Hello) -> CloseCode | None:
        subscription = self._resume(hello)
        resumed = subscription is not None
        subscription = subscription or self._services.events.subscribe(None)
        try:
            # Rendered in the step that subscribed, so that no event falls between the two.
            await self._send(self._caught_up(hello) if resumed else self._snapshot())
            async for seq, event in subscription:
                if seq > self._shown and (frame := self._frame(seq, event)) is not None:
                    await self._send(frame)
        except (TooSlow, TimeoutError):
            return CloseCode.TOO_SLOW
        except WebSocketDisconnect:
            return None
        finally:
            subscription.close()
        return CloseCode.ENDED

    def _resume(self, hello: wire.Hello) -> Subscription | None:
        """None: a snapshot is needed."""
        events = self._services.events
        if hello.seq is None or hello.epoch != events.epoch:
            return None
        try:
            return events.subscribe(hello.seq)
        except TooOld:
            return None

    def _caught_up(self, hello: wire.Hello) -> wire.CaughtUp:
        assert hello.seq is not None
        self._shown = hello.seq
        return wire.CaughtUp(type="caughtUp", epoch=self._services.events.epoch, seq=hello.seq)

    def _snapshot(self) -> wire.SnapshotFrame:
        services = self._services
        snapshot = render_snapshot(
            services.projects.list(),
            services.events,
            unopened=services.list_unopened(),
            version=services.version,
            now=services.clock.now(),
        )
        self._shown = snapshot.seq
        return wire.SnapshotFrame(type="snapshot", snapshot=snapshot)

    def _frame(self, seq: int, event: Event) -> wire.EventFrame | wire.SnapshotFrame | None:
        """None: it cannot be shown."""
        if isinstance(event, ProjectOpened) and seq < self._services.events.seq:
            # The project as it is now already holds what the waiting events say; shown under this event's
            # number it would be told twice. So everything starts again from now.
            return self._snapshot()
        self._shown = seq
        try:
            return wire.EventFrame(type="event", event=render_event(event, seq, self._services.projects))
        except Exception:  # noqa: BLE001 - one event that fits no shape must not take every page off all that follows
            _log.exception("event %d, a %s, cannot be shown and is left out", seq, type(event).__name__)
            return None

    async def _send(self, frame: wire.Wire) -> None:
        text = frame.model_dump_json(by_alias=True)
        async with asyncio.timeout(SEND_WAIT_S):
            await self._socket.send_text(text)
