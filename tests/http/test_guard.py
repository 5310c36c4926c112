"""What keeps strangers out: every route, every header, every form of request."""

import asyncio
import inspect
from collections.abc import Callable, Iterator, MutableMapping
from pathlib import Path
from typing import Any

import pytest
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute, iter_route_contexts

from idea.doors.http.app import create_app, create_routes
from idea.doors.http.guard import MAX_BODY_BYTES, MAX_DISCARDED_BYTES, OPEN_ROUTES, Guard, control_door
from tests.http.asgi import Answer, App, ask
from tests.http.fakes import PORT, SECRET, House, build_house
from tests.patience import PATIENCE_S

BEARER = ("authorization", f"Bearer {SECRET}")
HOST = f"127.0.0.1:{PORT}"


def routes_of(house: House) -> set[tuple[str, str]]:
    contexts = iter_route_contexts(create_routes(house.services).routes)
    found = {(method, context.path or "") for context in contexts for method in context.methods or ()}
    assert len(found) > 20
    return found


async def test_every_route_but_the_closed_list_refuses_a_request_without_a_credential(house: House, app: App) -> None:
    for method, path in sorted(routes_of(house) - OPEN_ROUTES):
        answer = await ask(app, method, path, body={} if method in ("POST", "PUT") else None)

        assert answer.status == 401, (method, path)
        assert answer.json()["code"] == "UNAUTHENTICATED"
        assert house.project.name not in answer.body.decode()
        assert b"main" not in answer.body.lower()
    assert house.project.dispatched == []


async def test_the_closed_list_names_routes_that_exist_and_need_no_credential(house: House, app: App) -> None:
    assert routes_of(house) >= OPEN_ROUTES
    for method, path in sorted(OPEN_ROUTES):
        answer = await ask(app, method, path, body={"code": "wrong"} if method == "POST" else None)

        # A wrong start code is refused by the route itself.
        assert answer.status == 401 if method == "POST" else answer.status in (404, 503), (method, path)


async def test_nothing_of_a_request_is_called_in_a_thread_where_the_next_one_would_overtake_it(house: House) -> None:
    def called(dependant: Dependant) -> Iterator[Callable[..., object]]:
        if dependant.call is not None:
            yield dependant.call
        for each in dependant.dependencies:
            yield from called(each)

    contexts = iter_route_contexts(create_routes(house.services).routes)
    routes = [route for one in contexts if isinstance(route := one.route, APIRoute) and route.path.startswith("/api")]
    calls = {call for route in routes for call in called(route.dependant)}

    assert len(calls) > len(routes)
    assert [call for call in calls if not inspect.iscoroutinefunction(call)] == []


async def test_every_socket_is_left_to_its_first_frame(house: House) -> None:
    contexts = iter_route_contexts(create_routes(house.services).routes)
    sockets = {context.path for context in contexts if not isinstance(context.route, APIRoute)}

    assert sockets == {"/api/events", "/api/projects/{project}/agents/{agent}/terminal"}


@pytest.mark.parametrize(
    "headers",
    [
        [("authorization", "Bearer wrong")],
        [("authorization", "Bearer ")],
        [("authorization", "Bearer")],
        [("authorization", SECRET)],
        [("authorization", f"Basic {SECRET}")],
        [BEARER, BEARER],
        [("cookie", f"credential={SECRET}")],
        [("x-forwarded-for", "127.0.0.1")],
    ],
)
async def test_a_credential_counts_only_as_one_bearer_header(app: App, headers: list[tuple[str, str]]) -> None:
    assert (await ask(app, "GET", "/api/state", headers=headers)).status == 401


async def test_a_credential_in_the_address_is_no_credential(app: App) -> None:
    for name in ("token", "credential", "access_token"):
        assert (await ask(app, "GET", f"/api/state?{name}={SECRET}")).status == 401


async def test_a_revoked_credential_is_refused_on_every_route(house: House, app: App) -> None:
    assert (await ask(app, "GET", "/api/state", headers=[BEARER])).status == 200
    await house.credentials.revoke("c1")

    for method, path in sorted(routes_of(house) - OPEN_ROUTES):
        assert (await ask(app, method, path, headers=[BEARER])).status == 401, (method, path)


@pytest.mark.parametrize(
    "host",
    [
        f"evil.example:{PORT}",
        f"0.0.0.0:{PORT}",
        f"[::]:{PORT}",
        f"127.0.0.1.nip.io:{PORT}",
        f"localhost.:{PORT}",
        f"localhost:{PORT}.evil.example",
        f"127.0.0.1:{PORT + 1}",
        "127.0.0.1",
        f"127.0.0.1:{PORT}/",
        f"user@127.0.0.1:{PORT}",
        f"127.0.0.1:0{PORT}0",
        "",
        None,
    ],
)
async def test_a_foreign_host_is_refused_on_every_kind_of_route(app: App, host: str | None) -> None:
    for path in ("/", "/api/state", "/assets/x.js", "/nowhere"):
        assert (await ask(app, "GET", path, headers=[BEARER], host=host)).status == 421


@pytest.mark.parametrize("host", [HOST, f"localhost:{PORT}", f"LOCALHOST:{PORT}", f"[::1]:{PORT}"])
async def test_our_own_names_are_served(app: App, host: str) -> None:
    assert (await ask(app, "GET", "/api/state", headers=[BEARER], host=host)).status == 200


async def test_two_hosts_are_refused(app: App) -> None:
    assert (await ask(app, "GET", "/api/state", headers=[BEARER, ("host", HOST)], host=HOST)).status == 421


async def test_an_allowed_host_is_served_as_exactly_that_name(tmp_path: Path) -> None:
    app = create_app(build_house(tmp_path, allow_hosts=("box.example:9000",)).services)

    for host, status in (("box.example:9000", 200), (f"box.example:{PORT}", 421), ("x.box.example:9000", 421)):
        assert (await ask(app, "GET", "/api/state", headers=[BEARER], host=host)).status == status
    origin = ("origin", "http://box.example:9000")
    assert (await ask(app, "GET", "/api/state", headers=[BEARER, origin], host="box.example:9000")).status == 200


@pytest.mark.parametrize(
    "origin",
    [
        f"http://127.0.0.1:{PORT + 1}",
        f"http://127.0.0.1:{PORT}.evil.example",
        f"http://localhost:{PORT}@evil.example",
        f"https://127.0.0.1:{PORT}",
        "http://127.0.0.1",
        "http://evil.example",
        "null",
        "",
    ],
)
async def test_a_foreign_origin_is_refused_even_with_a_credential(app: App, origin: str) -> None:
    for method, path in (("GET", "/api/state"), ("POST", "/api/session"), ("GET", "/")):
        headers = [BEARER, ("origin", origin)]
        assert (await ask(app, method, path, headers=headers, body={"code": "x"})).status == 403


async def test_a_target_that_is_no_path_is_refused(app: App) -> None:
    for target in (f"http://evil.example:{PORT}/api/state", f"http://{HOST}/api/state", "*"):
        assert (await ask(app, "GET", target, headers=[BEARER])).status == 400


@pytest.mark.parametrize(
    "media",
    [
        ["text/plain"],
        ["application/x-www-form-urlencoded"],
        ["multipart/form-data; boundary=x"],
        [],
        ["application/json"] * 2,
    ],
)
async def test_a_body_that_does_not_say_json_is_refused_and_nothing_is_done(
    house: House, app: App, media: list[str]
) -> None:
    headers = [BEARER, ("content-length", "11"), *(("content-type", each) for each in media)]
    answer = await ask(app, "POST", "/api/projects", headers=headers, raw=[b'{"path":"/"}'])

    assert answer.status == 415
    assert len(house.projects.list()) == 1


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/link"),
        ("HEAD", "/api/state"),
        ("GET", "/api/projects/p1/agents/main/stop"),
        ("PATCH", "/api/state"),
    ],
)
async def test_a_wrong_method_is_refused(app: App, method: str, path: str) -> None:
    answer = await ask(app, method, path, headers=[BEARER, ("x-http-method-override", "POST")])

    assert answer.status == 405
    assert answer.json()["code"] == "METHOD_NOT_ALLOWED"
    assert method not in dict(answer.headers)["allow"].split(", ")


async def test_a_preflight_gets_no_permission(app: App) -> None:
    headers = [("origin", "http://evil.example"), ("access-control-request-method", "POST")]
    foreign = await ask(app, "OPTIONS", "/api/link", headers=headers)
    own = await ask(app, "OPTIONS", "/api/link", headers=[BEARER])

    assert foreign.status == 403
    assert own.status == 405
    assert not [name for answer in (foreign, own) for name, _ in answer.headers if name.startswith("access-control")]


def assert_protected(answer: Answer) -> None:
    policy = (answer.header("content-security-policy") or "").split("; ")
    assert {"default-src 'self'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"} <= set(policy)
    assert answer.header("x-content-type-options") == "nosniff"
    assert answer.header("referrer-policy") == "no-referrer"
    assert answer.header("cross-origin-resource-policy") == "same-origin"
    assert answer.header("set-cookie") is None


async def test_every_answer_tells_the_browser_to_be_careful(house: House, app: App) -> None:
    house.project.answers = {}  # so that a command is an unforeseen failure
    for method, path, headers in (
        ("GET", "/", []),
        ("GET", "/assets/none.js", []),
        ("GET", "/nowhere", [BEARER]),
        ("GET", "/api/state", [BEARER]),
        ("GET", "/api/state", []),
        ("GET", "/api/state", [("origin", "null")]),
    ):
        answer = await ask(app, method, path, headers=headers)
        assert_protected(answer)
        assert answer.header("cache-control") in ("no-store", "no-cache")
        assert not path.startswith("/api") or answer.header("cache-control") == "no-store"


async def test_the_policy_names_the_sockets_of_the_host_that_was_asked(app: App) -> None:
    answer = await ask(app, "GET", "/", host=f"localhost:{PORT}")

    assert f"connect-src 'self' ws://localhost:{PORT}" in (answer.header("content-security-policy") or "")


async def test_an_unforeseen_failure_tells_the_caller_nothing_about_it(house: House) -> None:
    sent: list[Answer] = []

    async def recording(scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        with pytest.raises(KeyError):
            await create_app(house.services)(scope, receive, send)

    sent.append(await ask(recording, "POST", "/api/projects/p1/agents/main/stop", headers=[BEARER]))

    assert sent[0].status == 500
    assert sent[0].json()["code"] == "INTERNAL"
    assert "StopAgent" not in sent[0].body.decode()
    assert_protected(sent[0])


async def test_a_body_over_the_limit_is_refused_whether_announced_or_not(app: App) -> None:
    announced = [BEARER, ("content-type", "application/json"), ("content-length", str(MAX_DISCARDED_BYTES + 1))]
    chunked = [BEARER, ("content-type", "application/json"), ("transfer-encoding", "chunked")]
    piece = b"x" * (MAX_BODY_BYTES // 4)

    assert (await ask(app, "POST", "/api/projects", headers=announced, raw=[b"{}"])).status == 413
    assert (await ask(app, "POST", "/api/projects", headers=chunked, raw=[piece] * 5)).status == 413


async def test_a_body_that_trickles_is_not_waited_for(house: House) -> None:
    services = house.services
    guard = Guard(create_routes(services), credentials=services.credentials, address=services.address, body_wait_s=0.01)

    async def trickling(scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        async def receive_piece() -> MutableMapping[str, Any]:
            message: MutableMapping[str, Any] = await receive()
            if message["type"] == "http.disconnect":
                await asyncio.Event().wait()
            return {**message, "more_body": True}

        await guard(scope, receive_piece, send)

    async with asyncio.timeout(PATIENCE_S):
        answer = await ask(trickling, "POST", "/api/projects", headers=[BEARER], body={"path": "/"})

    assert answer.status == 408
    assert len(house.projects.list()) == 1


async def test_what_was_sent_is_not_repeated_in_an_error(app: App) -> None:
    answer = await ask(app, "POST", "/api/session", body={"code": ["hunter2"], "label": "x"})

    assert answer.status == 422
    assert answer.json()["code"] == "INVALID"
    assert "hunter2" not in answer.body.decode()


async def test_the_control_socket_needs_neither_host_nor_credential(app: App) -> None:
    answer = await ask(control_door(app), "GET", "/api/state", host="localhost")

    assert answer.status == 200


async def test_a_header_cannot_pass_for_the_control_socket(app: App) -> None:
    headers = [("idea.is_control", "true"), ("x-idea-control", "1")]

    assert (await ask(app, "GET", "/api/state", headers=headers)).status == 401


async def connect(app: App, *, host: str, origin: str | None) -> list[MutableMapping[str, Any]]:
    """What a handshake is answered with, and then what an empty visit brings."""
    headers = [(b"host", host.encode())] + ([] if origin is None else [(b"origin", origin.encode())])
    scope = {
        "type": "websocket",
        "path": "/api/events",
        "raw_path": b"/api/events",
        "query_string": b"",
        "root_path": "",
        "headers": headers,
        "subprotocols": [],
    }
    incoming: list[MutableMapping[str, Any]] = [
        {"type": "websocket.connect"},
        {"type": "websocket.disconnect", "code": 1001},
    ]
    sent: list[MutableMapping[str, Any]] = []

    async def receive() -> MutableMapping[str, Any]:
        return incoming.pop(0)

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    async with asyncio.timeout(PATIENCE_S):
        await app(scope, receive, send)
    return sent


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        (HOST, None),
        (HOST, "null"),
        (HOST, f"http://127.0.0.1:{PORT + 1}"),
        (f"evil.example:{PORT}", f"http://{HOST}"),
        (f"0.0.0.0:{PORT}", f"http://{HOST}"),
    ],
)
async def test_a_socket_from_elsewhere_is_never_accepted(app: App, host: str, origin: str | None) -> None:
    assert [message["type"] for message in await connect(app, host=host, origin=origin)] == ["websocket.close"]


async def test_a_socket_of_our_own_page_is_accepted_and_told_nothing_before_its_hello(app: App) -> None:
    sent = await connect(app, host=HOST, origin=f"http://{HOST}")

    assert [message["type"] for message in sent] == ["websocket.accept"]
