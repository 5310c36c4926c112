"""uvicorn's HTTP protocol with bounds: how long a connection may bring no request, and whose it may be."""

import asyncio
import os
import socket
from collections.abc import Callable
from http import HTTPStatus
from typing import Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from idea.doors.http.bounded_heads import BoundedHeads

REQUEST_WAIT_S: Final = 10.0
"""A local client sends its request in milliseconds; one that sends nothing only holds a descriptor."""

PeerUid = Callable[[socket.socket], int]
"""The uid at the other end of a Unix socket; raises `OSError` when it is gone."""

IsAgents = Callable[[socket.socket], bool]
"""Whether a program that an agent runs is at the other end of a Unix socket."""

AGENTS: Final = "idea.is_agents"
"""Key of the scope's `state`, there for what comes from such a program."""


class _BoundedHttp(H11Protocol):
    wait_s: float
    conn: BoundedHeads
    _check: asyncio.TimerHandle | None = None
    _last_seen: object = None
    _blocked: object = None
    """Since the answer's buffer became full, and until the peer has read of it: one object."""
    _last_stuck: object = None

    def is_welcome(self, peer: socket.socket) -> bool:
        raise NotImplementedError

    def is_agents(self, peer: socket.socket) -> bool:
        raise NotImplementedError

    def send_400_response(self, msg: str) -> None:
        """uvicorn says 400 whatever was wrong, and fails where an answer is under way."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            self._answer(self.conn.refusal, self.conn.explanation or msg)
        self.transport.close()

    def _answer(self, status: HTTPStatus, text: str) -> None:
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
        head = h11.Response(status_code=status, headers=headers, reason=status.phrase.encode())
        for event in (head, h11.Data(data=text.encode()), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        super().connection_made(transport)
        self.conn = BoundedHeads()
        peer = transport.get_extra_info("socket")
        if not self.is_welcome(peer):
            transport.abort()
            return
        if self.is_agents(peer):
            self.app_state = {**self.app_state, AGENTS: True}
        self._schedule()

    def _schedule(self) -> None:
        self._check = self.loop.call_later(self.wait_s, self._close_if_idle)

    def pause_writing(self) -> None:
        self._blocked = object()
        super().pause_writing()

    def resume_writing(self) -> None:
        self._blocked = None
        super().resume_writing()

    def _close_if_idle(self) -> None:
        stuck = self._blocked or self.transport.is_closing()
        if stuck and stuck == self._last_stuck:
            # It does not take what is left for it, for which a mere close would wait.
            self.transport.abort()
            return
        self._last_stuck = stuck
        is_answering = self.conn.our_state in (h11.SEND_RESPONSE, h11.SEND_BODY)
        if not is_answering and self.cycle is self._last_seen:
            self.transport.close()
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


def bounded_http(
    *, wait_s: float, peer_uid: PeerUid | None = None, is_agents: IsAgents = lambda peer: False
) -> type[H11Protocol]:
    """The protocol of one listener.

    A connection that brings no new request for `wait_s`, and answers none, is closed: idle and trickling ones would
    keep their descriptor for ever. So would one that does not read its answer: it is ended after at most twice that.
    With `peer_uid` only our own user is listened to.
    """
    bound_s = wait_s

    class BoundedHttp(_BoundedHttp):
        wait_s = bound_s

        def is_welcome(self, peer: socket.socket) -> bool:
            return peer_uid is None or _is_own(peer, peer_uid)

        def is_agents(self, peer: socket.socket) -> bool:
            return is_agents(peer)

    return BoundedHttp


def _is_own(peer: socket.socket, peer_uid: PeerUid) -> bool:
    try:
        return peer_uid(peer) == os.geteuid()
    except OSError:
        return False
