"""The door with real bridges in front: who gets in, what a peer can do to the others, how it closes."""

import asyncio
import contextlib
import json
import os
import socket
import stat
from pathlib import Path

import pytest

from idea.bridge_lines import MAX_LINE_BYTES
from idea.doors.mcp.endpoint import secret_path
from tests.mcp.house import MAIN, PATIENCE_S, PROJECT, QA, House, Message, request

PING = request(7, "ping")


async def test_the_socket_is_private_and_gone_after_closing(runtime: Path) -> None:
    house = House(runtime)
    async with house.open():
        mode = house.endpoint.lstat().st_mode

    assert stat.S_ISSOCK(mode)
    assert mode & 0o777 == 0o600
    assert not house.endpoint.exists()


async def test_three_hundred_agents_may_connect_in_the_same_instant(house: House) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(300):
            client = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
            client.setblocking(False)
            # Without the loop in between nobody accepts: the queue has to hold them all.
            client.connect(str(house.endpoint))

    async with house.bridge() as bridge:
        await bridge.call(1, "ping")
        await bridge.finish()


@pytest.mark.parametrize(
    "greeting",
    [
        b"\n",
        b"GET / HTTP/1.1\r\n",
        b"[1]\n",
        b'{"idea": 2}\n',
        b'{"idea": 1, "project": "x", "requester": "y", "secret": "z"}\n',
        b'{"idea": 1, "project": "%s", "requester": 1, "secret": null}\n' % PROJECT.encode(),
        b"[" * 5000 + b"\n",
        b"x" * 70_000 + b"\n",
    ],
)
async def test_a_connection_without_the_handshake_is_told_why_and_closed(house: House, greeting: bytes) -> None:
    async with asyncio.timeout(PATIENCE_S):
        reader, writer = await asyncio.open_unix_connection(house.endpoint)
        writer.write(greeting)
        answer = json.loads(await reader.readline())
        rest = await reader.read()
        writer.close()

    assert answer["ok"] is False
    assert answer["error"]
    assert rest == b""


LINES: list[tuple[bytes, object, int]] = [
    (b"garbage", None, -32700),
    (b"{", None, -32700),
    (b"[" * 100_000, None, -32700),
    (b"[" + json.dumps(PING).encode() + b"]", None, -32600),
    (b"5", None, -32600),
    (b"{}", None, -32600),
    (b'{"id": 3}', 3, -32600),
    (b'{"id": 3, "method": "ping"}', 3, -32600),
    (b'{"jsonrpc": "2.0", "id": 3, "method": 5}', 3, -32600),
    (b'{"jsonrpc": "2.0", "id": 3, "method": "ping", "params": [1]}', 3, -32600),
    (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', None, -32600),
    (b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', None, -32600),
    (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', None, -32600),
    (b'{"jsonrpc": "2.0", "id": 3, "method": "no/such"}', 3, -32601),
    (b'{"jsonrpc": "2.0", "id": "\xff", "method": "no/such"}', "\ufffd", -32601),
    (b'{"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": 5}}', 3, -32602),
    (b'{"jsonrpc":"2.0","id":3,"method":"x","params":"' + b"x" * MAX_LINE_BYTES + b'"}', 3, -32600),
    (b'{"params":"' + b"x" * MAX_LINE_BYTES + b'","id":3}', None, -32600),
]


@pytest.mark.parametrize(("line", "request_id", "code"), LINES, ids=[repr(line[:40]) for line, _, _ in LINES])
async def test_a_bad_line_is_answered_and_the_connection_lives(
    house: House, line: bytes, request_id: object, code: int
) -> None:
    async with house.bridge() as bridge:
        await bridge.shake_hands()
        bridge.stdin.write(line + b"\n")
        refused = await bridge.receive()
        alive = await bridge.call(7, "ping")
        status, rest = await bridge.finish()

    assert refused["id"] == request_id
    assert refused["error"]["code"] == code
    assert alive == {"jsonrpc": "2.0", "id": 7, "result": {}}
    assert (status, rest) == (0, [])


async def test_a_peer_that_bypasses_the_bridge_cannot_send_an_endless_line(house: House) -> None:
    async with asyncio.timeout(PATIENCE_S):
        reader, writer = await asyncio.open_unix_connection(house.endpoint, limit=1 << 20)
        secret = secret_path(house.runtime, PROJECT, MAIN).read_text()
        greeting = {"idea": 1, "project": PROJECT, "requester": MAIN, "secret": secret, "instance": "x"}
        writer.write(json.dumps(greeting).encode() + b"\n")
        writer.write(b'{"jsonrpc":"2.0","id":"big","method":"x","params":"' + b"x" * (MAX_LINE_BYTES * 2) + b'"}\n')
        await writer.drain()
        assert json.loads(await reader.readline())["ok"] is True
        refused = json.loads(await reader.readline())
        writer.close()

    assert refused["id"] == "big"
    assert refused["error"]["code"] == -32600


async def test_an_id_that_is_in_flight_is_not_answered_twice(house: House) -> None:
    async with house.bridge() as bridge:
        await bridge.shake_hands()
        await bridge.ask(1, "hang")
        await house.team.hanging.wait()
        await bridge.ask(1, "again")
        refused = await bridge.receive()

    assert refused["id"] is None
    assert [ask.message for _, ask in house.team.asked] == ["hang"]


async def test_text_and_number_ids_are_different(house: House) -> None:
    async with house.bridge() as bridge:
        await bridge.shake_hands()
        await bridge.ask(1, "hang")
        await bridge.ask("1", "quick")
        answer = await bridge.receive()

    assert answer["id"] == "1"


async def test_one_peers_garbage_death_and_deafness_leave_the_other_alone(house: House) -> None:
    async with house.bridge(MAIN) as noisy, house.bridge(MAIN) as deaf, house.bridge(QA) as quiet:
        for bridge in (noisy, deaf, quiet):
            await bridge.shake_hands()
        # 5 MB of answers that nobody reads.
        for number in range(50):
            await deaf.ask(number, "x" * 100_000)
        noisy.stdin.write(b"\x00\xff{{{\n" * 100)
        noisy.process.kill()

        answers = [await quiet.call(number, "ping") for number in range(20)]

    assert [answer["id"] for answer in answers] == list(range(20))


@pytest.mark.parametrize("is_stateless", [False, True])
async def test_taking_a_call_back_cancels_the_ask_once_and_gently(house: House, is_stateless: bool) -> None:
    async with house.bridge() as bridge:
        if is_stateless:
            arguments = {"agent": "qa", "message": "hang"}
            await bridge.send(_stateless(1, "tools/call", name="idea_ask_agent", arguments=arguments))
        else:
            await bridge.shake_hands()
            await bridge.ask(1, "hang")
        async with asyncio.timeout(PATIENCE_S):
            await house.team.hanging.wait()
            await bridge.send(
                {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1, "reason": "x"}}
            )
            await house.team.tidied.wait()
        status, rest = await bridge.finish()

    assert (status, rest) == (0, [])


@pytest.mark.parametrize(("request_id", "other"), [(5, "5"), (5, "05"), ("5", 5), (1, True), (1, 1.0)])
async def test_what_takes_back_another_id_takes_nothing_back(house: House, request_id: object, other: object) -> None:
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": other}}
    async with house.bridge() as bridge:
        await bridge.shake_hands()
        await bridge.ask(request_id, "hang")
        await house.team.hanging.wait()
        await bridge.send(cancel)
        if type(other) in (int, str):
            # To the SDK it is the same id: of two such calls one would never be answered.
            await bridge.ask(other, "hello")
            refused = await bridge.receive()
            assert (refused["id"], "still in flight" in refused["error"]["message"]) == (other, True)
        house.team.may_go_on.set()
        answer = await bridge.receive()
        status, rest = await bridge.finish()

    assert (answer["id"], type(answer["id"])) == (request_id, type(request_id))
    assert (status, rest) == (0, [])


@pytest.mark.parametrize("token", ["t", 5, 1.5, {"a": [1]}, [1], False])
async def test_progress_is_sent_for_a_token_of_any_type(house: House, token: object) -> None:
    async with house.bridge() as bridge:
        await bridge.shake_hands()
        await bridge.ask(1, "hang", progressToken=token)
        first, second = await bridge.receive(), await bridge.receive()

    assert first["method"] == "notifications/progress"
    assert first["params"]["progressToken"] == token
    assert first["params"]["progress"] < second["params"]["progress"]


async def test_progress_says_that_a_person_is_asked(house: House) -> None:
    house.waits["qa"] = "QA: Run a command"
    async with house.bridge() as bridge:
        await bridge.shake_hands()
        await bridge.ask(1, "hang", progressToken=1)
        told = await bridge.receive()

    assert "QA: Run a command" in told["params"]["message"]


@pytest.mark.parametrize("meta", [{}, {"progressToken": None}])
async def test_no_progress_is_sent_unasked(house: House, meta: dict[str, object]) -> None:
    async with house.bridge() as bridge:
        await bridge.shake_hands()
        await bridge.ask(1, "hang", **meta)
        await bridge.ask("with", "hang", progressToken="with")
        heard = [await bridge.receive() for _ in range(3)]

    assert {message["params"]["progressToken"] for message in heard} == {"with"}


def _stateless(request_id: object, method: str, **params: object) -> Message:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    return request(request_id, method, **params, _meta=meta)


async def test_a_client_may_try_the_stateless_era_and_then_shake_hands(house: House) -> None:
    async with house.bridge() as bridge:
        await bridge.send(_stateless("server-discover-probe-1", "server/discover"))
        discovered = await bridge.receive()
        shaken = await bridge.shake_hands()
        listed = await bridge.call(1, "tools/list")
        await bridge.send(_stateless(2, "tools/list"))
        listed_stateless = await bridge.receive()

    assert "2026-07-28" in discovered["result"]["supportedVersions"]
    assert discovered["result"]["instructions"]
    assert shaken["result"]["protocolVersion"] == "2025-11-25"
    assert listed["result"]["tools"] == listed_stateless["result"]["tools"]


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
async def test_every_handshake_version_is_kept(house: House, version: str) -> None:
    async with house.bridge() as bridge:
        answer = await bridge.call(
            1, "initialize", protocolVersion=version, capabilities={}, clientInfo={"name": "t", "version": "1"}
        )

    assert answer["result"]["protocolVersion"] == version


async def test_closing_the_project_answers_what_is_in_flight(house: House) -> None:
    async with house.bridge() as bridge:
        await bridge.shake_hands()
        await bridge.ask(1, "hang")
        await house.team.hanging.wait()

        await house.close()
        answer = await bridge.receive()
        code, told = await bridge.end()

    assert answer["result"]["isError"] is True
    assert answer["result"]["structuredContent"]["code"] == "CLOSED"
    assert house.team.tidied.is_set()
    assert code == 5
    assert "closed the project" in told
    assert not house.endpoint.exists()


async def test_a_deaf_peer_does_not_keep_the_project_open(house: House) -> None:
    async with house.bridge() as bridge:
        await bridge.shake_hands()
        for number in range(50):
            await bridge.ask(number, "x" * 200_000)

        await house.close()

    assert not house.endpoint.exists()


# As many times ten interpreters start.
@pytest.mark.slow
@pytest.mark.parametrize("times", [4, pytest.param(20, marks=pytest.mark.soak)])
async def test_many_connections_leave_nothing_behind(house: House, times: int) -> None:
    before = open_descriptors()

    async def connect_and_drop(number: int) -> None:
        async with house.bridge() as bridge:
            await bridge.call(number, "ping")
            if number % 2:
                await bridge.finish()

    for _ in range(times):
        async with asyncio.TaskGroup() as tasks:
            for number in range(10):
                tasks.create_task(connect_and_drop(number))

    async with house.bridge() as last:
        await last.call(1, "ping")
        await last.finish()
    assert open_descriptors() <= before + 2


def open_descriptors() -> int:
    try:
        return len(os.listdir("/proc/self/fd"))
    except FileNotFoundError:
        pytest.skip("needs Linux's /proc")
