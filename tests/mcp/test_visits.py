"""The door when a bridge's connection ends or is made again, seen from raw connections."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from idea.doors.mcp.endpoint import secret_path
from tests.mcp.house import MAIN, PATIENCE_S, PROJECT, House, Message, request

BYE = b'{"idea": 1, "bye": "x"}\n'


class Connection:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self.writer = writer

    def send(self, message: Message) -> None:
        self.writer.write(json.dumps(message).encode() + b"\n")

    def ask(self, request_id: int, message: str) -> None:
        arguments = {"agent": "qa", "message": message}
        self.send(request(request_id, "tools/call", name="idea_ask_agent", arguments=arguments, _meta=STATELESS))

    async def receive(self) -> Message:
        async with asyncio.timeout(PATIENCE_S):
            message: Message = json.loads(await self._reader.readline())
            return message

    async def rest(self) -> bytes:
        """Until the door ends it."""
        async with asyncio.timeout(PATIENCE_S):
            try:
                return await self._reader.read()
            except ConnectionResetError:
                return b""


STATELESS = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


@asynccontextmanager
async def connected(house: House, **greeting: object) -> AsyncIterator[Connection]:
    secret = secret_path(house.runtime, PROJECT, MAIN).read_text()
    reader, writer = await asyncio.open_unix_connection(house.endpoint, limit=1 << 20)
    connection = Connection(reader, writer)
    connection.send({"idea": 1, "project": PROJECT, "requester": MAIN, "secret": secret, "instance": "one"} | greeting)
    try:
        yield connection
    finally:
        writer.close()


async def asked(house: House) -> None:
    async with asyncio.timeout(PATIENCE_S):
        await house.team.hanging.wait()


async def tidied(house: House) -> None:
    async with asyncio.timeout(PATIENCE_S):
        await house.team.tidied.wait()


@pytest.mark.parametrize(
    "greeting",
    [
        {"instance": None},
        {"instance": ""},
        {"instance": "x" * 65},
        {"again": "1"},
        {"again": [1, "2"]},
        {"again": [True]},
        {"again": [0]},
        {"next": 0},
        {"next": None},
    ],
    ids=repr,
)
async def test_a_handshake_that_does_not_say_what_follows_is_refused(house: House, greeting: Message) -> None:
    async with connected(house, **greeting) as connection:
        assert (await connection.receive())["ok"] is False
        assert await connection.rest() == b""


async def test_a_call_is_named_after_its_line_whichever_connection_it_comes_by(house: House) -> None:
    async with connected(house) as connection:
        connection.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        connection.ask(1, "a")
        await connection.receive()
        await connection.receive()
    async with connected(house, again=[9, 4], next=17) as connection:
        for number in range(3):
            connection.ask(number, f"{number}")
            if number == 0:
                await connection.receive()
            await connection.receive()

    assert [ask.call for _, ask in house.team.asked] == ["one:2", "one:9", "one:4", "one:17"]
    assert house.arrivals == [(MAIN, "one", frozenset()), (MAIN, "one", {"one:9", "one:4"})]


async def test_a_newer_connection_takes_over_the_calls_of_the_older(house: House) -> None:
    async with connected(house) as older:
        older.ask(1, "hang")
        await asked(house)
        async with connected(house, again=[1], next=2) as newer:
            newer.ask(1, "hang")
            newer.send(request(2, "ping", _meta=STATELESS))
            await newer.receive()
            await newer.receive()
            await older.rest()
            assert not house.team.cancelled.is_set()
            newer.writer.write(BYE)
            await tidied(house)

    assert len(house.team.asked) == 1


async def test_what_a_bridge_does_not_ask_for_again_is_taken_back_at_once(house: House) -> None:
    async with connected(house) as connection:
        connection.ask(1, "hang")
        await asked(house)
    async with connected(house, again=[], next=2):
        await tidied(house)


async def test_a_call_that_is_made_again_with_other_arguments_is_refused(house: House) -> None:
    async with connected(house) as connection:
        connection.ask(1, "hang")
        await asked(house)
    async with connected(house, again=[1], next=2) as connection:
        connection.ask(1, "something else")
        await connection.receive()
        refused = await connection.receive()
        connection.writer.write(BYE)
        await tidied(house)

    assert refused["result"]["structuredContent"]["code"] == "CONFLICT"
    assert [ask.message for _, ask in house.team.asked] == ["hang"]


async def test_a_goodbye_takes_the_calls_back_at_once(house: House) -> None:
    async with connected(house) as connection:
        connection.ask(1, "hang")
        await asked(house)
        connection.writer.write(BYE)
        await tidied(house)
        await connection.rest()


async def test_the_calls_of_a_bridge_that_is_away_end_with_its_launch(house: House) -> None:
    async with connected(house) as connection:
        connection.ask(1, "hang")
        await asked(house)
        connection.writer.transport.abort()
    # Whatever comes first: that it is gone, or that its launch has ended.
    await asyncio.to_thread(house.launch, MAIN)
    await tidied(house)


async def test_a_door_that_is_left_says_no_goodbye_and_answers_nothing(house: House) -> None:
    async with connected(house) as connection:
        connection.ask(1, "hang")
        await asked(house)
        await house.close(is_leaving=True)
        heard = await connection.rest()

    assert heard.splitlines()[1:] == []
    assert house.team.cancelled.is_set()
    assert not house.endpoint.exists()


async def test_a_bridge_outlives_a_door_that_is_left(house: House) -> None:
    async with house.bridge() as bridge:
        await bridge.shake_hands()
        await house.close(is_leaving=True)
        async with house.open():
            answer = await bridge.call(1, "tools/list")
            code, rest = await bridge.finish()

    assert answer["id"] == 1
    assert (code, rest) == (0, [])
