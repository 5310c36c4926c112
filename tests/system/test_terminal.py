"""An agent in its terminal: a page types and sees, another page sees the same, and nobody else types into it."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pyte
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.system.client import WAIT_S, Api, Json, ok, refused
from tests.system.house import Server

pytestmark = pytest.mark.slow


@dataclass
class Terminal:
    """A page's emulator on the terminal socket."""

    socket: ClientConnection
    screen: pyte.HistoryScreen
    frames: list[Json] = field(default_factory=list)
    taken: int = 0

    async def type(self, text: str) -> None:
        await self.socket.send(text.encode())

    async def until(self, text: str) -> None:
        """The text is on the screen."""
        async with asyncio.timeout(WAIT_S):
            while not any(text in line for line in self.screen.display):
                await self._take()

    async def until_frame(self, *types: str, **fields: object) -> Json:
        async with asyncio.timeout(WAIT_S):
            while not (
                found := [frame for frame in self.frames if frame["type"] in types and fields.items() <= frame.items()]
            ):
                await self._take()
            return found[-1]

    async def _take(self) -> None:
        frame = await self.socket.recv()
        if isinstance(frame, bytes):
            pyte.ByteStream(self.screen).feed(frame)
            self.taken += len(frame)
            with contextlib.suppress(ConnectionClosed):  # the program's last words are followed by the end
                await self.socket.send(json.dumps({"type": "ack", "bytes": self.taken}))
        else:
            self.frames.append(json.loads(frame))


@asynccontextmanager
async def _terminal(server: Server, agent: Json, *, cols: int = 100, rows: int = 30) -> AsyncIterator[Terminal]:
    origin: Any = f"http://127.0.0.1:{server.port}"
    url = f"ws://127.0.0.1:{server.port}/api/projects/{server.project}/agents/{agent['id']}/terminal"
    async with connect(url, origin=origin, compression=None, proxy=None, max_queue=None) as socket:
        hello = {"type": "hello", "credential": server.token, "cols": cols, "rows": rows}
        await socket.send(json.dumps(hello))
        yield Terminal(socket, pyte.HistoryScreen(cols, rows))


async def _launched(api: Api) -> Json:
    agent = await api.create()
    session = ok(await api.agent("POST", agent["slug"], "/launch", {"view": "terminal", "nodeId": "left"}))
    assert (session["kind"], session["nodeId"]) == ("pty", "left")
    return agent


async def test_what_is_typed_reaches_the_program_and_its_answer_the_screen(api: Api, demo: Server) -> None:
    agent = await _launched(api)
    async with _terminal(demo, agent) as terminal:
        await terminal.until(agent["name"])
        await terminal.until_frame("reset", "resized", cols=100, rows=30)
        await terminal.type("!size\r")
        await terminal.until("100 x 30")

        async with _terminal(demo, agent, cols=60, rows=20) as another:
            await another.until_frame("reset")
            # It is painted with what happened before it came.
            await another.until("100 x 30")
            await another.type("silent\r")
            await terminal.until("nothing to say")

        ok(await api.agent("POST", agent["slug"], "/stop"))
        await terminal.until_frame("ended")


async def test_its_own_status_says_whether_it_works(api: Api, demo: Server) -> None:
    agent = await _launched(api)
    async with api.follow() as events, _terminal(demo, agent) as terminal:
        await terminal.until(agent["name"])
        await terminal.type("hang\r")
        working = await events.until(
            "agentReadinessChanged", lambda event: event["readiness"]["state"] == "working", agentId=agent["id"]
        )
        await terminal.type("\x03")
        idle = await events.until(
            "agentReadinessChanged",
            lambda event: event["readiness"]["state"] == "idle" and event["seq"] > working["seq"],
            agentId=agent["id"],
        )

    assert (working["readiness"]["source"], idle["readiness"]["source"]) == ("terminal", "terminal")


async def test_nobody_else_types_into_a_terminal(api: Api) -> None:
    agent, other = await _launched(api), await api.create()

    refused(await api.ask(agent["slug"], "hello"), 422, "INVALID")
    refused(await api.agent("POST", agent["slug"], "/messages", {"message": "hello"}), 422, "INVALID")
    assert "runs as a terminal" in ok(await api.ask(other["slug"], f"ask {agent['name']}: hello"))["reply"]

    ok(await api.agent("POST", agent["slug"], "/stop"))
    assert "scripted demo agent" in ok(await api.ask(agent["slug"], "hello"))["reply"]


async def test_an_agent_lives_in_one_cell_and_can_be_moved(api: Api, demo: Server) -> None:
    agent = await _launched(api)
    pid = demo.house.agent(agent["slug"])
    launch = {"view": "terminal", "nodeId": "right"}

    fields = refused(await api.agent("POST", agent["slug"], "/launch", launch), 409, "AGENT_ALREADY_RUNNING")
    assert fields == {"agentId": agent["id"], "nodeId": "left"}
    refused(await api.agent("POST", agent["slug"], "/launch", {"view": "chat", "nodeId": "left"}), 409, "CONFLICT")
    assert ok(await api.agent("POST", agent["slug"], "/launch", {"view": "terminal"}))["nodeId"] == "left"
    assert ok(await api.agent("POST", agent["slug"], "/launch", {**launch, "isReattach": True}))["nodeId"] == "right"
    ok(await api.agent("POST", agent["slug"], "/detach", {"nodeId": "left"}))
    assert (await api.agent("GET", agent["slug"])).body["session"]["nodeId"] == "right"
    ok(await api.agent("POST", agent["slug"], "/detach", {"nodeId": "right"}))
    assert (await api.agent("GET", agent["slug"])).body["session"]["nodeId"] is None
    assert ok(await api.agent("POST", agent["slug"], "/launch", launch))["nodeId"] == "right"
    assert demo.house.agent(agent["slug"]) == pid


async def test_two_launches_at_once_start_one_process(api: Api, demo: Server) -> None:
    agent = await api.create()
    async with asyncio.TaskGroup() as tasks:
        launches = [
            tasks.create_task(api.agent("POST", agent["slug"], "/launch", {"nodeId": node})) for node in ("a", "b", "c")
        ]
    statuses = sorted(each.result().status for each in launches)

    assert statuses == [200, 409, 409]
    assert len(demo.house.processes("--agent", agent["slug"])) == 1


async def test_a_shell_is_a_terminal_that_takes_no_asks(api: Api, demo: Server) -> None:
    agent = await api.create(profile="shell")
    before = refused(await api.ask(agent["slug"], "hello"), 422, "INVALID")
    ok(await api.agent("POST", agent["slug"], "/launch", {"view": "terminal", "nodeId": "left"}))
    # Running it is no other case: it has no chat to switch to.
    assert refused(await api.ask(agent["slug"], "hello"), 422, "INVALID") == before
    async with _terminal(demo, agent) as terminal:
        await terminal.type("echo in $(pwd) && exit 7\r")
        await terminal.until(f"in {demo.root}"[:90])
        ended = await terminal.until_frame("ended")

    assert ended["exitCode"] == 7
