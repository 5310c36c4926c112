"""The events socket on a real connection: who may listen, catching up, falling behind, being thrown out."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, unix_connect
from websockets.exceptions import InvalidStatus

from idea.application.event_log import KEPT_EVENTS, SUBSCRIBER_QUEUE
from idea.domain.ids import ProjectId
from idea.domain.notices import NoticePosted
from tests.http.fakes import SECRET
from tests.http.serving import Serving, closed, masked, receive, serving, upgrade, wait_hung_up
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.slow


def hello(**more: object) -> str:
    return json.dumps({"type": "hello", "credential": SECRET, **more})


def notice(number: int, *, size: int = 0) -> NoticePosted:
    return NoticePosted(ProjectId("p1"), "fileTrouble", f"n{number} {'x' * size}")


async def frame(socket: ClientConnection) -> dict[str, Any]:
    found = json.loads(await receive(socket))
    assert isinstance(found, dict)
    return found


async def test_a_page_that_arrives_gets_a_snapshot_and_then_the_events_after_it(tmp_path: Path) -> None:
    async with serving(tmp_path) as door, door.connect() as socket:
        door.house.events.publish(notice(1))
        await socket.send(hello())
        snapshot = (await frame(socket))["snapshot"]
        door.house.events.publish(notice(2))
        event = (await frame(socket))["event"]

    assert (snapshot["epoch"], snapshot["seq"]) == ("epoch-1", 1)
    assert [agent["slug"] for agent in snapshot["projects"][0]["agents"]] == ["main", "qa"]
    assert (event["type"], event["seq"], event["detail"]) == ("noticePosted", 2, "n2 ")


async def test_a_page_that_comes_back_gets_exactly_what_it_missed(tmp_path: Path) -> None:
    async with serving(tmp_path) as door, door.connect() as socket:
        for number in (1, 2, 3):
            door.house.events.publish(notice(number))
        await socket.send(hello(epoch="epoch-1", seq=1))
        frames = [await frame(socket) for _ in range(3)]

    assert frames[0] == {"type": "caughtUp", "epoch": "epoch-1", "seq": 1}
    assert [each["event"]["seq"] for each in frames[1:]] == [2, 3]


async def test_an_event_that_cannot_be_shown_does_not_take_the_page_off_the_others(tmp_path: Path) -> None:
    async with serving(tmp_path) as door, door.connect() as socket:
        await socket.send(hello())
        await frame(socket)
        door.house.events.publish(NoticePosted(ProjectId("p1"), "fileTrouble", "\ud800"))
        door.house.events.publish(notice(2))
        event = (await frame(socket))["event"]

    assert (event["type"], event["seq"]) == ("noticePosted", 2)


@pytest.mark.parametrize("known", [{"epoch": "epoch-0", "seq": 1}, {"epoch": "epoch-1", "seq": 10**9}, {"seq": 1}])
async def test_a_page_from_another_life_of_the_server_gets_a_snapshot(tmp_path: Path, known: dict[str, object]) -> None:
    async with serving(tmp_path) as door, door.connect() as socket:
        door.house.events.publish(notice(1))
        await socket.send(hello(**known))

        assert (await frame(socket))["type"] == "snapshot"


async def test_a_page_that_missed_too_much_gets_a_snapshot(tmp_path: Path) -> None:
    async with serving(tmp_path) as door, door.connect() as socket:
        for number in range(KEPT_EVENTS + 2):
            door.house.events.publish(notice(number))
        await socket.send(hello(epoch="epoch-1", seq=1))

        assert (await frame(socket))["type"] == "snapshot"


async def test_a_project_opened_while_events_wait_is_shown_once_and_whole(tmp_path: Path) -> None:
    async with serving(tmp_path) as door, door.connect() as socket:
        await socket.send(hello())
        await frame(socket)
        opened = await door.house.projects.open(str(tmp_path))
        door.house.events.publish(notice(2))
        caught = await frame(socket)
        door.house.events.publish(notice(3))
        following = await frame(socket)

    assert caught["type"] == "snapshot"
    assert [project["id"] for project in caught["snapshot"]["projects"]] == ["p1", opened.id]
    assert (caught["snapshot"]["seq"], following["event"]["seq"]) == (2, 3)


@pytest.mark.parametrize(
    ("first", "code"),
    [
        (json.dumps({"type": "hello", "credential": "wrong"}), 4401),
        (json.dumps({"type": "hello"}), 4400),
        (json.dumps({"type": "resize", "cols": 1, "rows": 1}), 4400),
        ("no json", 4400),
        (b"\x00\x01", 4400),
    ],
)
async def test_a_wrong_first_frame_ends_the_visit_unanswered(tmp_path: Path, first: str | bytes, code: int) -> None:
    async with serving(tmp_path) as door, door.connect() as socket:
        await socket.send(first)

        assert await closed(socket) == (code, 0)


async def test_a_silent_visitor_is_shown_out(tmp_path: Path) -> None:
    async with serving(tmp_path) as door, door.connect() as socket:
        # Twice HELLO_WAIT_S.
        assert await closed(socket, within_s=10) == (4408, 0)


@pytest.mark.parametrize("origin", ["http://127.0.0.1:1", "http://evil.example"])
async def test_another_page_cannot_open_the_socket(tmp_path: Path, origin: str) -> None:
    async with serving(tmp_path) as door:
        with pytest.raises(InvalidStatus) as refused:
            async with door.connect(origin=origin):
                pass

    assert refused.value.response.status_code == 403


async def test_a_revoked_credential_loses_its_open_socket_and_no_other(tmp_path: Path) -> None:
    async with serving(tmp_path) as door, door.connect() as revoked, door.connect() as other:
        issued = await door.house.credentials.issue("second")
        await revoked.send(hello())
        await other.send(json.dumps({"type": "hello", "credential": issued.secret}))
        await frame(revoked)
        await frame(other)

        await request(door, "DELETE", "/api/credentials/c1")

        assert (await closed(revoked))[0] == 4401
        door.house.events.publish(notice(1))
        assert [(await frame(other))["type"] for _ in range(2)] == ["credentialsChanged", "event"]


async def test_every_page_learns_that_a_browser_came_in_or_was_revoked(tmp_path: Path) -> None:
    async with serving(tmp_path) as door, door.connect() as first, door.connect() as second:
        for socket in (first, second):
            await socket.send(hello())
            await frame(socket)
        came = {"code": door.house.codes.issue().code, "label": "Firefox"}
        await request(door, "POST", "/api/session", came)
        told = [await frame(socket) for socket in (first, second)]
        await request(door, "DELETE", f"/api/credentials/{door.house.credentials.list()[-1].id}")
        told += [await frame(socket) for socket in (first, second)]

    assert told == [{"type": "credentialsChanged"}] * 4


async def test_a_page_that_reads_too_slowly_is_cut_off_and_told_so(tmp_path: Path) -> None:
    async with serving(tmp_path) as door, door.connect() as socket:
        await socket.send(hello())
        await frame(socket)
        # Far more than the connection's buffers take, so that the sender waits while the log goes on.
        for number in range(SUBSCRIBER_QUEUE + 1_000):
            door.house.events.publish(notice(number, size=4_096))

        code, received = await closed(socket)

    assert code == 4408
    assert 0 < received < SUBSCRIBER_QUEUE + 1_000


async def test_a_page_that_never_reads_keeps_no_descriptor(tmp_path: Path) -> None:
    async with serving(tmp_path, linger_s=0.05) as door:
        page = await upgrade(door.control, json.dumps({"type": "hello", "credential": ""}))
        with page:
            # More than the system's own buffers take.
            for number in range(20):
                door.house.events.publish(notice(number, size=1_000_000))
            page.send(masked("nothing is expected of a page now"))

            await wait_hung_up(page)


async def test_a_page_that_asks_whether_somebody_is_there_is_answered_however_often(tmp_path: Path) -> None:
    async with serving(tmp_path) as door, door.connect() as socket:
        await socket.send(hello())
        await frame(socket)
        answers = []
        for _ in range(2):
            await socket.send('{"type": "ping"}')
            answers.append(await frame(socket))

    assert answers == [{"type": "pong"}] * 2


async def test_a_page_says_nothing_but_pings_after_its_hello(tmp_path: Path) -> None:
    async with serving(tmp_path) as door, door.connect() as socket:
        await socket.send(hello())
        await socket.send("more")

        assert (await closed(socket))[0] == 4400


async def test_the_control_socket_listens_without_a_credential(tmp_path: Path) -> None:
    async with serving(tmp_path) as door, unix_connect(str(door.control), "ws://idea/api/events") as socket:
        await socket.send(json.dumps({"type": "hello", "credential": ""}))

        assert (await frame(socket))["type"] == "snapshot"


async def test_open_sockets_end_with_the_server(tmp_path: Path) -> None:
    async with serving(tmp_path) as door, door.connect() as socket:
        await socket.send(hello())
        await frame(socket)
        door.server.close()

        assert await closed(socket) == (1012, 0)


async def request(door: Serving, method: str, path: str, body: object = None) -> None:
    """One plain request over the wire."""
    content = b"" if body is None else json.dumps(body).encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{door.port}\r\nAuthorization: Bearer {SECRET}\r\n"
    if content:
        head += f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n"
    writer.write(f"{head}Connection: close\r\n\r\n".encode() + content)
    async with asyncio.timeout(PATIENCE_S):
        answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    assert answer.startswith(b"HTTP/1.1 20")
