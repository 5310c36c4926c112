"""Requests to an ASGI application without a socket, with every header under the test's control."""

import json
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.http.fakes import PORT, SECRET

App = Callable[[MutableMapping[str, Any], Any, Any], Awaitable[None]]
Pairs = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: Pairs
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)

    def header(self, name: str) -> str | None:
        found = [value for key, value in self.headers if key == name]
        assert len(found) < 2, f"{name} came twice"
        return found[0] if found else None


async def ask(
    app: App,
    method: str,
    path: str,
    *,
    headers: Pairs = (),
    body: object = None,
    raw: Sequence[bytes] | None = None,
    host: str | None = f"127.0.0.1:{PORT}",
) -> Answer:
    """`body` is sent as JSON; `raw` as it is, piece by piece. `host` None sends no Host at all."""
    pairs = list(headers)
    if host is not None:
        pairs.append(("host", host))
    pieces = list(raw or ())
    if body is not None:
        pieces = [json.dumps(body).encode()]
        pairs += [("content-type", "application/json"), ("content-length", str(len(pieces[0])))]
    path, _, query = path.partition("?")
    scope: dict[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in pairs],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", PORT),
    }
    messages = [{"type": "http.request", "body": piece, "more_body": True} for piece in pieces[:-1]]
    messages.append({"type": "http.request", "body": pieces[-1] if pieces else b"", "more_body": False})
    sent: list[MutableMapping[str, Any]] = []

    async def receive() -> MutableMapping[str, Any]:
        return messages.pop(0) if messages else {"type": "http.disconnect"}

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    await app(scope, receive, send)
    start = sent[0]
    found = [(name.decode().lower(), value.decode()) for name, value in start["headers"]]
    return Answer(start["status"], found, b"".join(message.get("body", b"") for message in sent[1:]))


async def call(app: App, method: str, path: str, body: object = None) -> Answer:
    """`ask`, by who has a credential."""
    return await ask(app, method, path, body=body, headers=[("authorization", f"Bearer {SECRET}")])
