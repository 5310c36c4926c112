"""An agent in its terminal: a page types and sees, another page sees the same, and nobody else types into it."""

import asyncio

import pytest

from tests.system.client import Api, Json, Reply, ok, refused
from tests.system.house import Server
from tests.system.terminal import open_terminal

pytestmark = pytest.mark.slow


async def _launched(api: Api) -> Json:
    agent = await api.create()
    session = ok(await api.agent("POST", agent["slug"], "/launch", {"view": "terminal", "nodeId": "left"}))
    assert (session["kind"], session["nodeId"]) == ("pty", "left")
    return agent


async def test_what_is_typed_reaches_the_program_and_its_answer_the_screen(api: Api, demo: Server) -> None:
    agent = await _launched(api)
    async with open_terminal(demo, agent["id"]) as terminal:
        await terminal.until(agent["name"])
        await terminal.until_frame("reset", cols=100, rows=30)
        await terminal.type("!size\r")
        await terminal.until("100 x 30")

        async with open_terminal(demo, agent["id"], cols=60, rows=20) as another:
            await another.until_frame("reset")
            # It is painted with what happened before it came.
            await another.until("100 x 30")
            await another.type("silent\r")
            await terminal.until("nothing to say")

        ok(await api.agent("POST", agent["slug"], "/stop"))
        await terminal.until_frame("ended")


async def test_its_own_status_says_whether_it_works(api: Api, demo: Server) -> None:
    agent = await _launched(api)
    async with api.follow() as events, open_terminal(demo, agent["id"]) as terminal:
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
    alone = {"name": agent["name"], "profile": "demo", "allowStructuredAlongsidePty": False}
    ok(await api.agent("PUT", agent["slug"], "", {**alone, "base": agent["version"]}))

    assert refused(await api.ask(agent["slug"], "hello"), 422, "INVALID")["why"] == "aloneInTerminal"
    refused(await api.agent("POST", agent["slug"], "/messages", {"message": "hello"}), 422, "INVALID")
    assert "runs as a terminal" in ok(await api.ask(other["slug"], f"ask {agent['name']}: hello"))["reply"]

    ok(await api.agent("POST", agent["slug"], "/stop"))
    assert "scripted demo agent" in ok(await api.ask(agent["slug"], "hello"))["reply"]


async def test_a_persons_message_is_typed_for_them_when_it_waits_for_one(api: Api, demo: Server) -> None:
    agent = await _launched(api)

    async def prompt(text: str) -> Reply:
        return await api.agent("POST", agent["slug"], "/terminal/prompt", {"text": text})

    async with open_terminal(demo, agent["id"]) as terminal:
        await api.until_state(agent, "idle")
        assert (await prompt("deploy\nit \x1b[201~now")).status == 204
        await terminal.until("it [201~now")
        await api.until_state(agent, "waitingPermission")

        assert refused(await prompt("y"), 409, "CONFLICT")["why"] == "asksInTerminal"
        await terminal.type("n")
        await api.until_state(agent, "idle")
        assert (await prompt("hang")).status == 204
        assert refused(await prompt("and then?"), 409, "CONFLICT")["why"] == "turnRuns"

    ok(await api.agent("POST", agent["slug"], "/stop"))
    assert refused(await prompt("hello"), 409, "CONFLICT")["why"] == "notAtPrompt"


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
    session = ok(await api.agent("POST", agent["slug"], "/launch", {"view": "terminal", "nodeId": "left"}))
    # Running it is no other case: it has no chat to switch to.
    assert refused(await api.ask(agent["slug"], "hello"), 422, "INVALID") == before
    async with api.follow() as events, open_terminal(demo, agent["id"]) as terminal:
        await terminal.type("echo in $(pwd) && exit 7\r")
        await terminal.until(f"in {demo.root}"[:90])
        ended = await terminal.until_frame("ended")
        told = await events.until("sessionChanged", agentId=agent["id"], session=None)
    # Whoever comes later sees the same, until it is started again.
    assert told["lastTerminalId"] == session["id"]
    assert {one["id"]: one["lastTerminalId"] for one in (await api.state())["agents"]}[agent["id"]] == session["id"]
    async with open_terminal(demo, agent["id"]) as terminal:
        assert await terminal.until_frame("ended") == ended
        assert any(f"in {demo.root}"[:90] in line for line in terminal.lines())
    ok(await api.agent("POST", agent["slug"], "/launch", {"view": "terminal", "nodeId": "left"}))
    assert {one["id"]: one["lastTerminalId"] for one in (await api.state())["agents"]}[agent["id"]] is None

    assert ended["exitCode"] == 7
