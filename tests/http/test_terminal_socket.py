"""The terminal socket on a real connection: the screen first, then the bytes, keystrokes back, sizes, the end."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection

from idea.application.terminals.terminal_client import WINDOW_BYTES
from idea.application.terminals.terminal_input import TYPED_BYTES
from idea.domain.sessions import TerminalSize
from tests.http.fakes import QA, SECRET
from tests.http.serving import Serving, closed, receive, serving
from tests.http.terminals import FakeProgram, terminal
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.slow

PATH = "/api/projects/p1/agents/qa/terminal"


def hello(cols: int = 80, rows: int = 24, **more: object) -> str:
    return json.dumps({"type": "hello", "credential": SECRET, "cols": cols, "rows": rows, **more})


@asynccontextmanager
async def showing(folder: Path) -> AsyncIterator[tuple[Serving, FakeProgram]]:
    async with terminal() as (session, program), serving(folder) as door:
        door.house.project.terminals[QA.id] = session
        yield door, program


async def begin(socket: ClientConnection, **more: int) -> tuple[object, bytes | str]:
    """The first two frames: the size and the screen."""
    await socket.send(hello(**more))
    return json.loads(await receive(socket)), await receive(socket)


async def read_bytes(socket: ClientConnection, count: int) -> bytes:
    found = b""
    while len(found) < count:
        frame = await receive(socket)
        assert isinstance(frame, bytes)
        found += frame
    return found


async def test_a_page_sees_the_screen_as_it_is_and_then_what_comes(tmp_path: Path) -> None:
    async with showing(tmp_path) as (door, program), door.connect(PATH) as first, door.connect(PATH) as second:
        await begin(first)
        program.show(b"one ")
        await read_bytes(first, 4)
        size, screen = await begin(second)
        program.show(b"two")

        assert (size, screen) == ({"type": "reset", "cols": 80, "rows": 24, "isWhole": True}, b"<one >")
        assert (await read_bytes(first, 3), await read_bytes(second, 3)) == (b"two", b"two")


async def test_keystrokes_arrive_unchanged_and_in_order(tmp_path: Path) -> None:
    keys = [b"\x1b[A", "é😀".encode(), b"\x00\x03\r"]
    async with showing(tmp_path) as (door, program), door.connect(PATH) as socket:
        await begin(socket)
        for each in keys:
            await socket.send(each)
        async with asyncio.timeout(PATIENCE_S):
            typed = b""
            while len(typed) < sum(map(len, keys)):
                typed += await program.typed.get()

    assert typed == b"".join(keys)


async def test_an_answer_says_that_the_keys_before_it_were_taken(tmp_path: Path) -> None:
    async with showing(tmp_path) as (door, program), door.connect(PATH) as socket:
        await begin(socket)
        await socket.send(b"ls")
        await socket.send('{"type": "ping"}')

        assert json.loads(await receive(socket)) == {"type": "pong"}
        assert program.typed.get_nowait() == b"ls"


async def test_what_a_page_that_gave_up_had_sent_is_not_typed_late(tmp_path: Path) -> None:
    async with showing(tmp_path) as (door, program), door.connect(PATH) as socket, door.connect(PATH) as other:
        await begin(socket)
        await begin(other)
        # In one go, as a server that stood still finds it.
        socket.protocol.send_binary(b"rm -r *\r")
        socket.protocol.send_close(4410)
        socket.transport.write(b"".join(socket.protocol.data_to_send()))
        await socket.wait_closed()
        await other.send(b"ls")
        async with asyncio.timeout(5):
            typed = await program.typed.get()

    assert typed == b"ls"


async def test_the_size_follows_who_was_last_at_work(tmp_path: Path) -> None:
    async with showing(tmp_path) as (door, program), door.connect(PATH) as socket:
        size, _ = await begin(socket, cols=100, rows=30)
        await socket.send(json.dumps({"type": "resize", "cols": 120, "rows": 40}))
        resized, screen = json.loads(await receive(socket)), await receive(socket)
        async with asyncio.timeout(PATIENCE_S):
            sizes = [await program.sizes.get() for _ in range(2)]

    assert size == {"type": "reset", "cols": 100, "rows": 30, "isWhole": True}
    assert resized == {"type": "reset", "cols": 120, "rows": 40, "isWhole": True}
    assert screen == b"<>"
    assert sizes == [TerminalSize(100, 30), TerminalSize(120, 40)]


async def test_the_end_is_told_after_the_last_bytes(tmp_path: Path) -> None:
    async with showing(tmp_path) as (door, program), door.connect(PATH) as socket:
        await begin(socket)
        program.show(b"bye")
        program.exit(3)

        assert await read_bytes(socket, 3) == b"bye"
        assert json.loads(await receive(socket)) == {"type": "ended", "exitCode": 3, "signal": None}
        assert await closed(socket) == (1000, 0)


async def test_output_waits_for_acknowledgements_and_loses_nothing(tmp_path: Path) -> None:
    pieces = [bytes([65 + number % 26]) * 65_536 for number in range(3 * WINDOW_BYTES // 65_536)]
    async with showing(tmp_path) as (door, program), door.connect(PATH) as socket:
        _, screen = await begin(socket)
        for piece in pieces:
            program.show(piece)
        total, found = len(screen), b""
        while len(found) < len(pieces) * 65_536:
            frame = await receive(socket)
            assert isinstance(frame, bytes)
            found += frame
            total += len(frame)
            await socket.send(json.dumps({"type": "ack", "bytes": total}))

    assert found == b"".join(pieces)


async def test_a_program_that_reads_nothing_holds_up_no_acknowledgement_and_no_memory(tmp_path: Path) -> None:
    async with showing(tmp_path) as (door, program), door.connect(PATH) as socket:
        program.is_deaf = True
        _, screen = await begin(socket)
        await socket.send(b"x" * 1_000)
        program.show(b"a" * WINDOW_BYTES)
        program.show(b"b" * 10)
        found = await read_bytes(socket, WINDOW_BYTES)
        await socket.send(json.dumps({"type": "ack", "bytes": len(screen) + len(found)}))
        assert await read_bytes(socket, 10) == b"b" * 10

        # The program has the first bytes of it, and keeps them; a paste that has no room is refused whole, and told.
        await socket.send(b"x" * (TYPED_BYTES - 10_000))
        await socket.send(b"y" * 60_000)
        assert json.loads(await receive(socket)) == {"type": "inputRefused"}
        program.show(b"on")
        assert await read_bytes(socket, 2) == b"on"


@pytest.mark.parametrize(
    "frame",
    [
        "no json",
        "{}",
        json.dumps({"type": "resize", "cols": 0, "rows": 24}),
        json.dumps({"type": "resize", "cols": 80, "rows": 10_000}),
        json.dumps({"type": "ack", "bytes": -1}),
        json.dumps({"type": "hello", "credential": SECRET}),
    ],
)
async def test_a_bad_frame_ends_the_view_and_not_the_program(tmp_path: Path, frame: str) -> None:
    async with showing(tmp_path) as (door, _), door.connect(PATH) as socket, door.connect(PATH) as other:
        await begin(socket)
        await socket.send(frame)

        assert await closed(socket) == (4400, 0)
        assert (await begin(other))[1] == b"<>"


@pytest.mark.parametrize(
    ("first", "code"),
    [
        (json.dumps({"type": "hello", "credential": "wrong", "cols": 80, "rows": 24}), 4401),
        (json.dumps({"type": "hello", "credential": SECRET}), 4400),
        (b"\x1b[A", 4400),
    ],
)
async def test_no_byte_is_shown_to_a_stranger(tmp_path: Path, first: str | bytes, code: int) -> None:
    async with showing(tmp_path) as (door, program), door.connect(PATH) as socket:
        program.show(b"secret")
        await socket.send(first)

        assert await closed(socket) == (code, 0)


async def test_a_view_ends_with_its_credential(tmp_path: Path) -> None:
    async with showing(tmp_path) as (door, _), door.connect(PATH) as socket:
        await begin(socket)
        reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
        head = f"DELETE /api/credentials/c1 HTTP/1.1\r\nHost: 127.0.0.1:{door.port}\r\nAuthorization: Bearer {SECRET}"
        writer.write(f"{head}\r\nConnection: close\r\n\r\n".encode())
        async with asyncio.timeout(PATIENCE_S):
            await reader.read()
        writer.close()

        assert await closed(socket) == (4401, 0)


@pytest.mark.parametrize("path", [PATH.replace("qa", "main"), PATH.replace("qa", "nobody"), PATH.replace("p1", "p9")])
async def test_where_no_terminal_is_nothing_is_shown(tmp_path: Path, path: str) -> None:
    async with showing(tmp_path) as (door, _), door.connect(path) as socket:
        await socket.send(hello())

        assert await closed(socket) == (4404, 0)
