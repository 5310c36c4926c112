"""What a page does: HTTP with a credential, and the events socket. Every wait is bounded."""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect

from tests.system.house import Server

WAIT_S: Final = 45.0
"""Agents are processes: on a busy machine one takes a second to start, and a chain has three of them."""

Json = dict[str, Any]
_numbers = itertools.count(1)


@dataclass(frozen=True)
class Reply:
    status: int
    body: Any


@dataclass(frozen=True)
class Api:
    server: Server
    created: list[str] = field(default_factory=list)
    wait_s: float = WAIT_S
    """For each answer; an ask's comes after all that its target has to do before."""

    async def call(self, method: str, path: str, body: object = None, *, token: str | None = None) -> Reply:
        """One request on a connection of its own; cancelling it hangs up."""
        payload = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\n"
            f"Authorization: Bearer {self.server.token if token is None else token}\r\nConnection: close\r\n"
        )
        if body is not None:
            head += f"Content-Type: application/json\r\nContent-Length: {len(payload)}\r\n"
        async with asyncio.timeout(self.wait_s):
            reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port)
            try:
                writer.write(head.encode() + b"\r\n" + payload)
                answer = await reader.read()
            finally:
                writer.close()
        top, _, content = answer.partition(b"\r\n\r\n")
        return Reply(int(top.split()[1]), json.loads(content) if content else None)

    async def project(self, method: str, path: str = "", body: object = None, *, project: str | None = None) -> Reply:
        return await self.call(method, f"/api/projects/{project or self.server.project}{path}", body)

    async def agent(self, method: str, agent: str, path: str = "", body: object = None) -> Reply:
        return await self.project(method, f"/agents/{agent}{path}", body)

    async def create(self, name: str = "", **fields: object) -> Json:
        """A demo agent, with a name that no other test uses unless one is given."""
        fresh = {"name": name or f"Agent{next(_numbers)}", "profile": "demo", **fields}
        agent: Json = ok(await self.project("POST", "/agents", fresh))
        self.created.append(agent["id"])
        return agent

    async def ask(self, agent: str, message: str, *, timeout_s: float | None = None) -> Reply:
        return await self.agent("POST", agent, "/ask", {"message": message, "timeoutSeconds": timeout_s})

    async def send(self, agent: str, message: str) -> str:
        """A person's message; the turn's id."""
        turn = ok(await self.agent("POST", agent, "/messages", {"message": message}))["turnId"]
        assert isinstance(turn, str)
        return turn

    async def decide(self, permission: Json, decision: str = "allowOnce") -> None:
        """A person's answer to what `Events.permission` told."""
        path = f"/permissions/{permission['requestId']}"
        ok(await self.agent("POST", permission["agentId"], path, {"decision": decision}))

    async def items(self, agent: str) -> list[Json]:
        items: list[Json] = ok(await self.agent("GET", agent, "/conversation"))["items"]
        return items

    async def state(self, *, project: str | None = None) -> Json:
        """The project as a page that arrives now sees it."""
        wanted = project or self.server.project
        projects = ok(await self.call("GET", "/api/state"))["projects"]
        found: Json = next(each for each in projects if each["id"] == wanted)
        return found

    async def until_state(self, agent: Json, state: str) -> Json:
        """What is believed of the agent when it is in this state: now, or later."""
        async with self.follow() as events:
            for project in events.first["snapshot"]["projects"]:
                for known in project["agents"]:
                    if known["id"] == agent["id"] and known["readiness"]["state"] == state:
                        found: Json = known["readiness"]
                        return found
            changed = await events.until(
                "agentReadinessChanged", lambda event: event["readiness"]["state"] == state, agentId=agent["id"]
            )
            said: Json = changed["readiness"]
            return said

    async def approve(self) -> None:
        """A person has looked at what the project's files make run, as they are now."""
        refusal = await self.ask((await self.create())["slug"], "hello")
        ok(await self.project("POST", "/trust", {"hash": refused(refusal, 403, "TRUST_REQUIRED")["hash"]}))

    @asynccontextmanager
    async def follow(self, *, epoch: str | None = None, seq: int | None = None) -> "AsyncIterator[Events]":
        """The events from now on, or from where one left off."""
        origin: Any = f"http://127.0.0.1:{self.server.port}"
        url = f"ws://127.0.0.1:{self.server.port}/api/events"
        async with connect(url, origin=origin, compression=None, proxy=None, max_size=None, max_queue=None) as socket:
            hello = {"type": "hello", "credential": self.server.token, "epoch": epoch, "seq": seq}
            await socket.send(json.dumps(hello))
            events = Events(socket)
            events.first = await events.receive()
            yield events


@dataclass
class Events:
    """What was read so far, in order; `until` reads on as far as it must."""

    socket: ClientConnection
    first: Json = field(default_factory=dict)
    seen: list[Json] = field(default_factory=list)

    async def receive(self) -> Json:
        async with asyncio.timeout(WAIT_S):
            frame: Json = json.loads(await self.socket.recv())
        return frame

    async def until(self, type: str, fits: Callable[[Json], bool] = lambda _: True, **fields: object) -> Json:
        """The first event of this kind that fits, whether it was read already or is still to come."""
        position = 0
        while True:
            for event in self.seen[position:]:
                position += 1
                if event["type"] == type and fields.items() <= event.items() and fits(event):
                    return event
            frame = await self.receive()
            assert frame["type"] == "event", frame
            self.seen.append(frame["event"])

    def all(self, type: str, **fields: object) -> list[Json]:
        """Of those that were read."""
        return [event for event in self.seen if event["type"] == type and fields.items() <= event.items()]

    async def permission(self, agent: Json) -> Json:
        """What this agent asks a person for."""
        event = await self.until("permissionAsked", lambda one: one["permission"]["agentId"] == agent["id"])
        found: Json = event["permission"]
        return found

    async def settled(self, message: str) -> Json:
        """The delegation with this text, when it has come to its end."""
        event = await self.until(
            "delegationChanged",
            lambda event: event["delegation"]["message"] == message and event["delegation"]["settledAtMs"] is not None,
        )
        found: Json = event["delegation"]
        return found

    async def running(self, message: str) -> Json:
        """The delegation with this text, when its turn has begun."""
        event = await self.until(
            "delegationChanged",
            lambda event: event["delegation"]["message"] == message and event["delegation"]["state"] == "running",
        )
        found: Json = event["delegation"]
        return found

    async def queued(self, agent: str, message: str) -> Json:
        """The turn with this text, while it waits in the agent's queue alone."""
        event = await self.until(
            "queueChanged", lambda event: [one["preview"] for one in event["queue"]] == [message], agentId=agent
        )
        found: Json = event["queue"][0]
        return found

    async def idle(self, agent: str) -> None:
        """The agent is idle, and has worked or started since this socket was opened."""
        await self.until("agentReadinessChanged", lambda event: event["readiness"]["state"] == "idle", agentId=agent)

    async def said(self, agent: str, text: str) -> Json:
        """The agent announced something that holds `text`."""
        return await self.until("agentAnnouncement", lambda event: text in event["text"], target=agent)


def ok(reply: Reply) -> Any:
    assert reply.status < 300, reply
    return reply.body


def refused(reply: Reply, status: int, code: str) -> Json:
    """The error's own fields."""
    assert (reply.status, reply.body.get("code")) == (status, code), reply
    assert reply.body["message"]
    found: Json = reply.body["fields"]
    return found


def texts(items: Sequence[Json], kind: str) -> list[str]:
    return [item["text"] for item in items if item["kind"] == kind]
