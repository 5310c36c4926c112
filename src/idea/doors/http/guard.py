"""The lock before every route and socket, as plain ASGI: host, origin, credential, form and size of a request.

Nothing here looks at who connects from where: our own agents browse and run servers on this machine, so that an
address proves nothing. The control socket is exempt from host, origin and credential, because its folder's mode
and the peer's uid already decide who reaches it, and no browser can.
"""

import asyncio
from collections.abc import Iterable
from http import HTTPStatus
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from idea.domain.delegation import Source
from idea.domain.errors import Closed, persons_alone
from idea.doors.http.authority import Authority, find_allowed, parse_authority, parse_origin
from idea.doors.http.bounded_http import AGENTS
from idea.doors.http.caller import Caller, set_caller
from idea.doors.http.cut_off import answer_to_the_end
from idea.doors.http.errors import TransportRefusal, render_error, render_refusal
from idea.doors.http.security_headers import Headers, add_headers
from idea.doors.http.services import Credentials, WebAddress
from idea.doors.http.wire import WireError

OPEN_ROUTES: Final = frozenset(
    {
        ("GET", "/"),
        ("GET", "/assets/{name}"),
        ("GET", "/favicon.svg"),
        ("GET", "/manifest.webmanifest"),
        ("POST", "/api/session"),
    }
)
"""The closed list of what needs no credential; a test holds it against the router."""

SAFE: Final = frozenset({"GET", "HEAD"})
"""What a program that an agent runs may do on the control socket: look."""

MAX_BODY_BYTES: Final = 16 * 1024 * 1024
"""A million characters, each escaped in JSON as two halves of six bytes, with room to spare."""
MAX_DISCARDED_BYTES: Final = 4 * MAX_BODY_BYTES
"""Of a body that is too large so much is read and forgotten: who is hung up on while sending reads no answer."""
BODY_WAIT_S: Final = 20.0
"""A local program sends a whole body in milliseconds; a slow one only holds memory."""

CONTROL: Final = "idea.is_control"
"""Scope key that only the control socket's listener sets."""


def control_door(app: ASGIApp) -> ASGIApp:
    """`app` as the control socket serves it. Hand it to no other listener."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        scope[CONTROL] = True
        await app(scope, receive, send)

    return serve


class Guard:
    def __init__(
        self, app: ASGIApp, *, credentials: Credentials, address: WebAddress, body_wait_s: float = BODY_WAIT_S
    ) -> None:
        self._app = app
        self._body_wait_s = body_wait_s
        self._credentials = credentials
        self._allowed = find_allowed(address)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        match scope["type"]:
            case "http":
                await self._http(scope, receive, send)
            case "websocket":
                await self._websocket(scope, receive, send)
            case _:
                await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_control = scope.get(CONTROL) is True
        if _is_agents(scope) and scope["method"] not in SAFE:
            await _respond(send, *render_error(persons_alone()))
            return
        host: Authority | None = None
        try:
            if not scope["path"].startswith("/"):
                raise TransportRefusal(HTTPStatus.BAD_REQUEST, "The request's target is no path.")
            if not is_control:
                host = self._check_place(scope, is_origin_required=False)
            set_caller(scope, Caller(Source.CLI) if is_control else self._identify(scope))
            body = await _read_body(scope, receive, wait_s=self._body_wait_s)
        except TransportRefusal as refusal:
            status, error = render_refusal(refusal)
            await _respond(add_headers(send, scope["path"], host), status, error)
        else:
            answers = add_headers(send, scope["path"], host)
            await answer_to_the_end(self._app, scope, _replay(body, receive), answers, cut_off=_tell_end)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_control = scope.get(CONTROL) is True
        try:
            if _is_agents(scope):
                raise TransportRefusal(HTTPStatus.FORBIDDEN, "Sockets are a person's.")
            if not is_control:
                self._check_place(scope, is_origin_required=True)
        except TransportRefusal:
            # Before it is accepted, a close is an answer with status 403.
            await send({"type": "websocket.close"})
        else:
            # Whom it belongs to is in its first frame.
            set_caller(scope, Caller(Source.CLI if is_control else Source.UI))
            await self._app(scope, receive, send)

    def _check_place(self, scope: Scope, *, is_origin_required: bool) -> Authority:
        """Raises `TransportRefusal` unless the host, and an origin that is there, are ours."""
        hosts = _values(scope, b"host")
        host = parse_authority(hosts[0]) if len(hosts) == 1 else None
        if host is None or host not in self._allowed:
            raise TransportRefusal(HTTPStatus.MISDIRECTED_REQUEST, "The request's Host is not this server.")
        origins = _values(scope, b"origin")
        if is_origin_required and not origins:
            raise TransportRefusal(HTTPStatus.FORBIDDEN, "A socket needs an Origin.")
        if any(parse_origin(origin) not in self._allowed for origin in origins):
            raise TransportRefusal(HTTPStatus.FORBIDDEN, "The request comes from another page.")
        return host

    def _identify(self, scope: Scope) -> Caller:
        """Raises `TransportRefusal` (401) without a valid credential, except on the closed list."""
        if _is_open(scope["method"], scope["path"]):
            return Caller(Source.UI)
        presented = _values(scope, b"authorization")
        scheme, _, secret = presented[0].partition(" ") if len(presented) == 1 else ("", "", "")
        known = self._credentials.verify(secret) if scheme.lower() == "bearer" and secret else None
        if known is None:
            raise TransportRefusal(HTTPStatus.UNAUTHORIZED, "The request has no valid credential.")
        return Caller(Source.UI, known)


def _is_agents(scope: Scope) -> bool:
    return scope.get("state", {}).get(AGENTS) is True


def _is_open(method: str, path: str) -> bool:
    is_asset = path.startswith("/assets/")
    return (method, "/assets/{name}" if is_asset else path) in OPEN_ROUTES


def _values(scope: Scope, name: bytes) -> list[str]:
    headers: Iterable[tuple[bytes, bytes]] = scope["headers"]
    return [value.decode("latin-1") for key, value in headers if key == name]


# --- bodies ---------------------------------------------------------------------------------------------------


async def _read_body(scope: Scope, receive: Receive, *, wait_s: float) -> bytes:
    """The whole body. Raises `TransportRefusal` when it is no JSON, too large or too slow."""
    lengths = _values(scope, b"content-length")
    has_body = lengths not in ([], ["0"]) or bool(_values(scope, b"transfer-encoding"))
    if not has_body:
        return b""
    media = [value.partition(";")[0].strip().lower() for value in _values(scope, b"content-type")]
    if media != ["application/json"]:
        raise TransportRefusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "The body is not application/json.")
    if lengths and (not lengths[0].isdecimal() or int(lengths[0]) > MAX_DISCARDED_BYTES):
        raise _too_large()
    try:
        async with asyncio.timeout(wait_s):
            return await _collect(receive)
    except TimeoutError as late:
        raise TransportRefusal(HTTPStatus.REQUEST_TIMEOUT, f"The body took longer than {wait_s:g} s.") from late


async def _collect(receive: Receive) -> bytes:
    body = bytearray()
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise TransportRefusal(HTTPStatus.BAD_REQUEST, "The body ended early.")
        piece = message.get("body", b"")
        size += len(piece)
        if size <= MAX_BODY_BYTES:
            body += piece
        else:
            body.clear()
        is_whole = not message.get("more_body", False)
        if size > MAX_DISCARDED_BYTES or (is_whole and size > MAX_BODY_BYTES):
            raise _too_large()
        if is_whole:
            return bytes(body)


def _too_large() -> TransportRefusal:
    return TransportRefusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"The body is over {MAX_BODY_BYTES} bytes.")


def _replay(body: bytes, receive: Receive) -> Receive:
    """Gives the body once, then whatever the connection says (that it ended)."""
    pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def read() -> Message:
        return pending.pop() if pending else await receive()

    return read


async def _tell_end(send: Send) -> None:
    await _respond(send, *render_error(Closed("The server")))


async def _respond(send: Send, status: int, error: WireError) -> None:
    body = error.model_dump_json(by_alias=True).encode()
    headers: Headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if status == HTTPStatus.UNAUTHORIZED:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
