"""The listeners on real connections: malformed and endless requests, strangers, ports, the end."""

import asyncio
import logging
import os
import select
import socket
from contextlib import ExitStack
from pathlib import Path

import pytest

from idea.domain.errors import Invalid, Refused
from idea.doors.http.guard import MAX_BODY_BYTES
from idea.doors.http.listening import bind_web
from tests.http.fakes import SECRET
from tests.http.serving import Serving, serving, wait_hung_up
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.slow


async def talk(door: Serving, head: str, *, body: bytes = b"") -> bytes:
    """Everything the server says to one request, until it hangs up."""
    reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
    try:
        async with asyncio.timeout(PATIENCE_S):
            writer.write(head.replace("\n", "\r\n").encode() + body)
            return await reader.read()
    except ConnectionResetError:
        return b""
    finally:
        writer.close()


def request(door: Serving, target: str = "/api/state", *, method: str = "GET", extra: str = "") -> str:
    host = f"127.0.0.1:{door.port}"
    return f"{method} {target} HTTP/1.1\nHost: {host}\nAuthorization: Bearer {SECRET}\nConnection: close\n{extra}\n"


async def test_a_plain_request_is_answered_and_names_no_software(tmp_path: Path) -> None:
    async with serving(tmp_path) as door:
        answer = await talk(door, request(door))

    head = answer.partition(b"\r\n\r\n")[0].lower()
    assert answer.startswith(b"HTTP/1.1 200")
    assert b"server:" not in head
    assert b"set-cookie" not in head


@pytest.mark.parametrize(
    "head",
    [
        "GET /api/state HTTP/1.1\nHost: 127.0.0.1:{port}\nHost: evil.example\n\n",
        "GET /api/state HTTP/1.1\n\n",
        "GET /api/state HTTP/1.0\n\n",
        "GET http://evil.example/api/state HTTP/1.1\nHost: 127.0.0.1:{port}\n\n",
        "GET http://127.0.0.1:{port}/api/state HTTP/1.1\nHost: 127.0.0.1:{port}\n\n",
        "OPTIONS * HTTP/1.1\nHost: 127.0.0.1:{port}\n\n",
        "no http at all\n\n",
        "\x16\x03\x01\x02\n\n",
    ],
)
async def test_a_malformed_request_is_refused(tmp_path: Path, head: str) -> None:
    async with serving(tmp_path) as door:
        secret = f"Authorization: Bearer {SECRET}\nConnection: close\n\n"
        answer = await talk(door, head.format(port=door.port).replace("\n\n", f"\n{secret}"))

    assert int(answer.split(b" ", 2)[1]) in (400, 421)
    assert b"p1" not in answer


async def test_a_head_that_is_too_large_is_refused_however_it_comes(tmp_path: Path) -> None:
    many = "".join(f"X-{number}: 1\n" for number in range(10_000))
    async with serving(tmp_path) as door:
        largest = await talk(door, request(door, extra=f"X-Large: {'x' * (31 * 1_024)}\n"))
        at_once = await talk(door, request(door, extra=many))
        behind_another = await talk(door, request(door).replace("Connection: close\n", "") + request(door, extra=many))
        endless = await talk(door, request(door, extra=f"X-Large: {'x' * 8 * 1_048_576}\n"))
        after_all = await talk(door, request(door))

    refused = b"HTTP/1.1 431 "
    assert largest.startswith(b"HTTP/1.1 200 ")
    assert at_once.startswith(refused)
    assert behind_another.startswith(b"HTTP/1.1 200 ")
    assert refused in behind_another
    # Who is still sending when the connection is closed may read no answer.
    assert endless[: len(refused)] in (refused, b"")
    assert after_all.startswith(b"HTTP/1.1 200 ")


async def test_an_announced_giant_is_refused_before_it_is_read(tmp_path: Path) -> None:
    async with serving(tmp_path) as door:
        extra = f"Content-Type: application/json\nContent-Length: {100 * MAX_BODY_BYTES}\n"
        answer = await talk(door, request(door, "/api/projects", method="POST", extra=extra))

    assert answer.startswith(b"HTTP/1.1 413")


async def test_who_sends_too_much_can_read_that_it_was(tmp_path: Path) -> None:
    async with serving(tmp_path) as door:
        size = MAX_BODY_BYTES + 1
        extra = f"Content-Type: application/json\nContent-Length: {size}\n"
        answer = await talk(door, request(door, "/api/projects", method="POST", extra=extra), body=b"x" * size)

    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b'"TOO_LARGE"' in answer


async def test_a_client_that_does_not_read_its_answers_keeps_no_descriptor(tmp_path: Path) -> None:
    loop = asyncio.get_running_loop()
    async with serving(tmp_path, request_wait_s=0.05) as door:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
            client.setblocking(False)
            await loop.sock_connect(client, str(door.control))
            # More than the system's own buffers take.
            await loop.sock_sendall(client, b"GET /api/openapi.json HTTP/1.1\r\nHost: idea\r\n\r\n" * 200)

            await wait_hung_up(client)


async def test_connections_that_bring_no_request_are_closed(tmp_path: Path) -> None:
    async with serving(tmp_path, request_wait_s=0.05) as door:
        silent = await talk(door, "")
        half = await talk(door, "GET /api/state HTTP/1.1\nHost:")

    assert (silent, half) == (b"", b"")


async def test_many_idle_connections_keep_nobody_waiting(tmp_path: Path) -> None:
    # Longer than the test may last.
    async with serving(tmp_path, request_wait_s=60) as door:
        with ExitStack() as stack:
            idle = [
                stack.enter_context(socket.create_connection(("127.0.0.1", door.port), timeout=5)) for _ in range(200)
            ]

            answer = await talk(door, request(door))

            assert answer.startswith(b"HTTP/1.1 200")
            # Answered beside them, not once they are gone.
            assert select.select(idle, [], [], 0)[0] == []


async def test_a_long_answer_is_no_idle_connection(tmp_path: Path) -> None:
    async with (
        serving(tmp_path, request_wait_s=0.05) as door,
        asyncio.timeout(PATIENCE_S),
        asyncio.TaskGroup() as tasks,
    ):
        from idea.application import commands
        from tests.http.fakes import WAIT

        door.house.project.answers[commands.StopAgent] = WAIT
        head = request(door, "/api/projects/p1/agents/qa/stop", method="POST")
        asking = tasks.create_task(talk(door, head))
        await door.house.project.waiting.wait()
        assert await talk(door, "") == b""
        assert not asking.done()
        asking.cancel()


async def test_another_user_gets_no_word_from_the_control_socket(tmp_path: Path) -> None:
    async with serving(tmp_path, peer_uid=lambda _: os.geteuid() + 1) as door:
        reader, writer = await asyncio.open_unix_connection(str(door.control))
        writer.write(b"GET /api/state HTTP/1.1\r\nHost: localhost\r\n\r\n")
        async with asyncio.timeout(PATIENCE_S):
            try:
                said = await reader.read()
            except ConnectionResetError:
                said = b""
        writer.close()

    assert said == b""


async def test_nothing_secret_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with serving(tmp_path) as door:
        for head in (
            request(door),
            request(door, f"/api/state?token={SECRET}"),
            request(door, "/api/projects/p1/agents/qa/stop", method="POST"),  # an unforeseen failure
            request(door, extra="Content-Type: text/plain\nContent-Length: 3\n"),
        ):
            await talk(door, head, body=b"abc")
        async with door.connect() as socket:
            await socket.send(f'{{"type":"hello","credential":"{SECRET}"}}')
            await socket.recv()

    ours = [record for record in caplog.records if not record.name.startswith("websockets.client")]
    assert any(record.exc_info for record in ours), "the failure itself is logged"
    assert not [record for record in ours if SECRET in caplog.handler.format(record)]


def test_a_port_in_use_is_named_with_a_way_out() -> None:
    first = bind_web("127.0.0.1", 0)
    port = first.getsockname()[1]
    with first, pytest.raises(Refused) as refused:
        bind_web("127.0.0.1", port)

    assert str(port) in str(refused.value)
    assert "--port" in str(refused.value)


@pytest.mark.parametrize(("host", "port"), [("192.0.2.1", 0), ("127.0.0.1", 70_000), ("no such host", 0)])
def test_an_unusable_address_is_refused_in_words(host: str, port: int) -> None:
    with pytest.raises(Invalid):
        bind_web(host, port)
