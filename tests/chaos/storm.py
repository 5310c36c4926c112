"""Servers that are killed one after the other while agents work: plays a plan, and writes down all that was seen."""

import asyncio
import contextlib
import os
import signal
import subprocess
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tests.chaos.plan import NAMES, Kill, Life, Message
from tests.system.client import Api, Events, Json, Reply, ok
from tests.system.house import IDEA, STOP_S, House, Server

REST_S: Final = 120.0
"""From the last start until all is done: some thirty turns, of which a crash or a floods make a few longer."""

_TOLD: Final = (
    "kind", "message", "text", "state", "outcome", "requestId", "readiness", "session", "queue", "tool",
)  # fmt: skip
HANGING: Final = "Hanging"
Place = tuple[str, str, str]
"""A permission request's agent, turn and id."""


class Gone(Exception):
    """The server was killed while it was asked something."""


@dataclass
class Seen:
    """What the servers said, taken together."""

    accepted: list[Message] = field(default_factory=list)
    """In the order in which each was."""
    turns: dict[str, Message] = field(default_factory=dict)
    """Of the messages that were accepted and have one of their own."""
    doubtful: list[Message] = field(default_factory=list)
    """Whoever sent these never heard whether they were taken."""
    replies: list[tuple[Message, Reply]] = field(default_factory=list)
    decided: dict[Place, str] = field(default_factory=dict)
    """Requests whose decision was accepted."""
    asked_again: list[Place] = field(default_factory=list)
    settled: dict[str, list[Json]] = field(default_factory=dict)
    """Of each delegation the ends that were told, each different one once."""
    items: list[Json] = field(default_factory=list)
    notices: list[Json] = field(default_factory=list)

    def take_state(self, project: Json) -> None:
        for delegation in project["delegations"]:
            self._take_delegation(delegation)
        for permission in project["permissions"]:
            self._take_permission(permission)

    def take(self, event: Json) -> None:
        match event["type"]:
            case "delegationChanged":
                self._take_delegation(event["delegation"])
            case "permissionAsked":
                self._take_permission(event["permission"])
            case "conversationAppended":
                self.items.append(event["item"])
            case "noticePosted":
                self.notices.append(event)

    def _take_delegation(self, delegation: Json) -> None:
        ends = self.settled.setdefault(delegation["ticketId"], [])
        if delegation["settledAtMs"] is not None:
            end = {key: delegation[key] for key in ("state", "outcome", "reply", "settledAtMs", "message")}
            if end not in ends:
                ends.append(end)

    def _take_permission(self, permission: Json) -> None:
        place = place_of(permission)
        if place in self.decided:
            self.asked_again.append(place)


def place_of(permission: Json) -> Place:
    return permission["agentId"], permission["turnId"], permission["requestId"]


class Storm:
    """One run in a house of its own. `log` tells it in order, for whoever has to find out what happened."""

    def __init__(self, house: House, folder: Path) -> None:
        self.house = house
        self.root = folder
        self.serve = ("serve", "--project", str(folder))
        self.seen = Seen()
        self.log: list[str] = []
        self._began = time.monotonic()
        self._slugs: dict[str, str] = {}
        self.keepers_pipes: list[str] = []
        """Its own, which are there without any agent."""
        self._has_lost_keeper = False

    def note(self, text: str) -> None:
        self.log.append(f"{time.monotonic() - self._began:7.3f} {text}")

    def note_keeper(self) -> None:
        """Before any agent is started."""
        [keeper] = self.house.keepers()
        self.keepers_pipes = open_pipes(keeper)

    @asynccontextmanager
    async def finished(self, lives: Sequence[Life]) -> AsyncIterator[Api]:
        """The last life's server when all that was asked for is done."""
        for number, life in enumerate(lives):
            if life.kill is None:
                with self.serving(number) as server:
                    await self._live(server, life, is_first=number == 0)
                    yield Api(server)
                return
            with self.serving(number) as server:
                await self._live(server, life, is_first=number == 0)
            if life.kill.at_start_s is not None:
                self._kill_at_start(life.kill.at_start_s)

    @contextlib.contextmanager
    def serving(self, number: int) -> Iterator[Server]:
        self.note(f"life {number} starts")
        with self.house.serving(*self.serve, leaves_agents=True) as server:
            self.note(f"life {number} serves, pid {server.process.pid}, keepers {self.house.keepers()}")
            yield server

    def _kill_at_start(self, after_s: float) -> None:
        log = self.house.root / f"start-{time.monotonic_ns()}.log"
        with log.open("w", encoding="utf-8") as errors:
            process = subprocess.Popen(
                [*IDEA, *self.serve, "--port", "0", "--json", "--no-browser"],
                env=self.house.env,
                cwd=self.house.root,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
            )
        try:
            process.wait(after_s)
        except subprocess.TimeoutExpired:
            process.kill()
        self.note(f"a start is killed after {after_s:.3f} s: exit code {process.wait(STOP_S)}")

    # --- one life -----------------------------------------------------------------------------------------

    async def _live(self, server: Server, life: Life, *, is_first: bool) -> None:
        api = Api(server, wait_s=REST_S)
        if is_first:
            for name in NAMES:
                self._slugs[(await api.create(name))["id"]] = name.lower()
            self.note_keeper()
        async with api.follow() as events:
            project = next(each for each in events.first["snapshot"]["projects"] if each["id"] == server.project)
            self.seen.take_state(project)
            self.note(
                f"  notices {[(notice['code'], notice['slug'], notice['detail']) for notice in project['notices']]}"
            )
            async with asyncio.TaskGroup() as tasks:
                for permission in project["permissions"]:
                    tasks.create_task(self._decide(api, permission))
                for agent in project["agents"]:
                    if (live := agent["liveTurn"]) is not None and HANGING in str(live["announcements"]):
                        tasks.create_task(self._stop(api, agent["id"], live["turnId"]))
                asks = [tasks.create_task(self._send_all(api, life.messages, tasks))]
                if life.kill is not None:
                    await self._read_until(api, events, life.kill, tasks)
                else:
                    async with asyncio.timeout(REST_S):
                        await self._read_to_the_end(api, events, tasks, asks, life.keeper_killed_at)

    async def _read_until(self, api: Api, events: Events, kill: Kill, tasks: asyncio.TaskGroup) -> None:
        count = 0
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(kill.after_s):
                while count < kill.events:
                    await self._next(api, events, tasks)
                    count += 1
        # Not to wait for anything: this is how long the server is left to go on with what it has just told.
        await asyncio.sleep(kill.later_s)
        self.note(f"{kill.number.name} after {count} events")
        process = api.server.process
        process.send_signal(kill.number)
        code = await asyncio.to_thread(process.wait, STOP_S)
        assert code == (0 if kill.number is signal.SIGTERM else -kill.number), code

    async def _read_to_the_end(
        self,
        api: Api,
        events: Events,
        tasks: asyncio.TaskGroup,
        sending: "list[asyncio.Task[None]]",
        keeper_killed_at: int | None,
    ) -> None:
        count = 0
        while not (sending[0].done() and await self._is_at_rest(api)):
            await self._next(api, events, tasks)
            count += 1
            if count == keeper_killed_at:
                [keeper] = self.house.keepers()
                self.note(f"the keeper is killed after {count} events")
                self._has_lost_keeper = True
                self.house.kill(keeper)

    async def _is_at_rest(self, api: Api) -> bool:
        state = await api.state()
        self.seen.take_state(state)
        busy = [agent["slug"] for agent in state["agents"] if agent["queueLength"] or agent["liveTurn"]]
        open_ = [one["message"] for one in state["delegations"] if one["settledAtMs"] is None]
        return not (busy or open_ or state["permissions"])

    async def _next(self, api: Api, events: Events, tasks: asyncio.TaskGroup) -> None:
        frame = await events.receive()
        assert frame["type"] == "event", frame
        event: Json = frame["event"]
        self.seen.take(event)
        if event["type"] not in ("turnTextStreamed", "orchestratorRequestProcessed"):
            self.note(self._told(event))
        if event["type"] == "permissionAsked":
            tasks.create_task(self._decide(api, event["permission"]))
        elif event["type"] == "agentAnnouncement" and event["text"].startswith(HANGING):
            tasks.create_task(self._stop(api, event["target"], event["turnId"]))

    def _told(self, event: Json) -> str:
        """One line, without what every event has; of an id the end, which tells it from others made with it."""
        told = next((event[key] for key in ("item", "delegation", "permission") if key in event), event)
        who = told.get("agentId") or told.get("targetId") or told.get("target") or ""
        turn = str(told.get("turnId") or "")[-4:]
        rest = [f"{key}={_short(told[key])}" for key in _TOLD if told.get(key)]
        return f"  {event['type']} {self._slugs.get(who, who)} {turn} {' '.join(rest)}"

    # --- what a person does -------------------------------------------------------------------------------

    async def _send_all(self, api: Api, messages: Sequence[Message], tasks: asyncio.TaskGroup) -> None:
        """One after the other, so that their order is known."""
        for message in messages:
            if message.is_ask:
                self.note(f"ask {message.agent}: {message.text}")
                tasks.create_task(self._ask(api, message))
            else:
                self.note(f"send {message.agent}: {message.text}")
                try:
                    reply = await self._call(api, "POST", message.agent, "/messages", {"message": message.text})
                except Gone:
                    self.seen.doubtful.append(message)
                else:
                    self.seen.turns[ok(reply)["turnId"]] = message
                    self.seen.accepted.append(message)

    async def _ask(self, api: Api, message: Message) -> None:
        try:
            reply = await self._call(api, "POST", message.agent, "/ask", {"message": message.text})
        except Gone:
            self.seen.doubtful.append(message)
        else:
            self.seen.accepted.append(message)
            self.seen.replies.append((message, reply))

    async def _decide(self, api: Api, permission: Json) -> None:
        path = f"/permissions/{permission['requestId']}"
        with contextlib.suppress(Gone):
            reply = await self._call(api, "POST", permission["agentId"], path, {"decision": "allowOnce"})
            if reply.status == 404 and self._has_lost_keeper:
                # Whoever asked for it died with the keeper.
                return
            ok(reply)
            self.note(f"decided {place_of(permission)}")
            self.seen.decided[place_of(permission)] = "allowOnce"

    async def _stop(self, api: Api, agent: str, turn: str) -> None:
        """Also what may have been stopped under the server before: that one may not have come to it."""
        with contextlib.suppress(Gone):
            reply = await self._call(api, "POST", agent, "/interrupt", {"turnId": turn})
            assert reply.status == 204 or reply.body["code"] == "CONFLICT", reply
            self.note(f"stopped {self._slugs[agent]} {turn[-4:]}: {reply.status}")

    async def _call(self, api: Api, method: str, agent: str, path: str, body: object) -> Reply:
        """Raises `Gone`."""
        try:
            reply = await api.agent(method, agent.lower(), path, body)
        except (OSError, IndexError, ValueError) as error:
            # No answer, or half of one. From a server that lives it is a fault.
            if await asyncio.to_thread(_lives_on, api.server.process):
                raise
            raise Gone from error
        if reply.body is None and reply.status != 204:
            # The head of an answer came, and then the end.
            raise Gone
        if reply.status == 503 or (reply.status == 409 and reply.body.get("code") == "CLOSED"):
            # It was told to end, and says so as long as it can.
            raise Gone
        return reply


def _short(value: Any) -> str:
    match value:
        case {"summary": summary, "phase": phase}:
            return f"{summary!r} {phase}"
        case {"state": state, "reason": reason, "detail": detail}:
            return f"{state}/{reason} {detail!r}"
        case {"conversationId": conversation}:
            return str(conversation)[-4:]
        case list():
            return repr([each["preview"] for each in value])
        case _:
            return repr(value)[:200]


def _lives_on(process: "subprocess.Popen[str]") -> bool:
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(STOP_S)
    return process.returncode is None


def open_pipes(pid: int) -> list[str]:
    """And terminals: how a keeper reaches its processes. Sorted."""
    found = []
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            found.append(os.readlink(entry))
    return sorted(name for name in found if name.startswith(("pipe:", "/dev/pt")))


def wait_childless(pid: int) -> list[str]:
    """The children that it still has after a while, dead ones included: when one is buried nobody tells."""
    deadline = time.monotonic() + STOP_S
    while (left := _children_of(pid)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return left


def _children_of(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
