"""uvicorn's HTTP protocol with bounds: how long a connection may bring no request, and whose it may be."""

import asyncio
import os
import socket
from collections.abc import Callable
from typing import Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_WAIT_S: Final = 10.0
"""A connection that brings no new request in one such period is closed at its end."""

PeerUid = Callable[[socket.socket], int]
"""The uid at the other end of a Unix socket; raises `OSError` when it is gone."""


class BoundedHttp(H11Protocol):
    """Idle and trickling connections would otherwise keep their descriptor for ever."""

    _check: asyncio.TimerHandle | None = None
    _last_seen: object = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        super().connection_made(transport)
        self._schedule()

    def _schedule(self) -> None:
        self._check = self.loop.call_later(REQUEST_WAIT_S, self._close_if_idle)

    def _close_if_idle(self) -> None:
        is_answering = self.conn.our_state in (h11.SEND_RESPONSE, h11.SEND_BODY)
        if not is_answering and self.cycle is self._last_seen:
            self.transport.close()
            return
        self._last_seen = self.cycle
        self._schedule()

    def _cancel_check(self) -> None:
        if self._check is not None:
            self._check.cancel()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._cancel_check()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_check()
        super().connection_lost(exc)


def for_own_user(peer_uid: PeerUid) -> type[BoundedHttp]:
    """The protocol of the control socket: only our own user is listened to, whatever the folder's mode says."""

    class OwnUserHttp(BoundedHttp):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
            super().connection_made(transport)
            if not _is_own(transport.get_extra_info("socket"), peer_uid):
                transport.abort()

    return OwnUserHttp


def _is_own(peer: socket.socket, peer_uid: PeerUid) -> bool:
    try:
        return peer_uid(peer) == os.geteuid()
    except OSError:
        return False
