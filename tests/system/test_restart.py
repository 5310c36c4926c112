"""A server that is killed or stopped, and the next one: agents, their turns and asks have gone on meanwhile."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from idea.domain.ids import AgentId, ProjectId
from idea.domain.sessions import SessionRole
from idea.doors.mcp.command import bridge_command
from idea.doors.mcp.endpoint import endpoint_path
from tests.mcp.house import BridgeProcess
from tests.system.client import Api, Json, ok, texts
from tests.system.house import House, Server, wait_gone

pytestmark = pytest.mark.slow


@pytest.fixture
def serve(house: House) -> tuple[str, ...]:
    """A project whose agents outlive the server."""
    return ("serve", "--project", str(house.lasting_folder("shop")))


async def _kinds(api: Api, agent: str) -> list[str]:
    return [item["kind"] for item in await api.items(agent)]


async def _wait_for_a_person(api: Api) -> Json:
    """One asks Two something for which Two needs a permission; the request."""
    await api.create("One")
    two = await api.create("Two")
    async with api.follow() as events:
        await api.send("one", "ask Two: deploy")
        event = await events.until("permissionAsked", lambda one: one["permission"]["agentId"] == two["id"])
    found: Json = event["permission"]
    return found


def _leaves_two(server: Server, number: signal.Signals) -> None:
    """Its agents, and says so."""
    assert server.end(number) == 0
    assert "2 agents go on" in server.said()
    assert "Traceback" not in server.said()


# Four servers start, on a machine that may be busy.
@pytest.mark.timeout(180)
async def test_an_ask_outlives_signals_and_a_kill_and_is_answered_in_the_call_that_made_it(
    house: House, serve: tuple[str, ...]
) -> None:
    with house.serving(*serve, leaves_agents=True) as server:
        asked = await _wait_for_a_person(Api(server))
        agents = [house.agent("one"), house.agent("two")]
        _leaves_two(server, signal.SIGTERM)
    with house.serving(*serve, leaves_agents=True) as server:
        assert len((await Api(server).state())["permissions"]) == 1
        _leaves_two(server, signal.SIGINT)
    with house.serving(*serve, leaves_agents=True) as server:
        server.end(signal.SIGKILL)

    with house.serving(*serve) as server:
        api = Api(server)
        assert [house.agent("one"), house.agent("two")] == agents
        async with api.follow() as events:
            state = await api.state()
            [pending] = state["permissions"]
            assert pending["requestId"] == asked["requestId"]
            path = f"/permissions/{asked['requestId']}"
            ok(await api.agent("POST", "two", path, {"decision": "allowOnce"}))
            delegation = await events.settled("deploy")
            await events.until("turnEnded", agentId=state["agents"][0]["id"])

        assert delegation["state"] == "answered"
        three = await api.create("Three")
        async with api.follow() as events:
            await api.send("three", "deploy")
            event = await events.until("permissionAsked", lambda one: one["permission"]["agentId"] == three["id"])
            path = f"/permissions/{event['permission']['requestId']}"
            ok(await api.agent("POST", "three", path, {"decision": "allowOnce"}))
            await events.until("turnEnded", agentId=three["id"])
        assert await _kinds(api, "two") == await _kinds(api, "three"), "as in a turn that nobody interrupted"
        one = await api.items("one")
        assert [item["kind"] for item in one] == ["prompt", "asked", "tool", "answer"]
        assert delegation["reply"] in one[-1]["text"]
        assert "Traceback" not in server.said()


async def test_what_waits_in_a_line_when_the_server_is_stopped_is_answered_by_the_next_one(
    house: House, serve: tuple[str, ...]
) -> None:
    """The end of the line is no answer to those who stand in it."""
    names = ("One", "Two", "Three")
    with house.serving(*serve, leaves_agents=True) as server:
        api = Api(server)
        qa = await api.create("QA")
        async with api.follow() as events:
            turn = await api.send("qa", "hang")
            await events.until("turnStarted", turnId=turn)
            for name in names:
                await api.create(name)
                await api.send(name.lower(), "ask QA: list")
            await events.until("queueChanged", lambda event: len(event["queue"]) == len(names), agentId=qa["id"])

        assert server.end() == 0

    with house.serving(*serve) as server:
        api = Api(server)
        async with api.follow() as events:
            ok(await api.agent("POST", "qa", "/interrupt", {"turnId": turn}))
            for agent in (await api.state())["agents"]:
                if agent["slug"] != "qa":
                    await events.until("turnEnded", agentId=agent["id"])
        answers = [(await api.items(name.lower()))[-1]["text"] for name in names]

    assert ["The team:" in answer for answer in answers] == [True] * len(names), answers


@asynccontextmanager
async def _bridge(house: House, server: Server, agent: Json) -> AsyncIterator[BridgeProcess]:
    """Another one of an agent that runs, as its CLI might start it."""
    endpoint = endpoint_path(house.runtime / "idea", ProjectId(server.project))
    process = await asyncio.create_subprocess_exec(
        *bridge_command(endpoint, ProjectId(server.project), AgentId(agent["id"]), SessionRole.MAIN),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=house.env,
    )
    bridge = BridgeProcess(process)
    try:
        yield bridge
    finally:
        bridge.stdin.close()
        await process.wait()


async def test_an_ask_that_is_taken_back_while_no_server_is_there_is_not_begun_by_the_next_one(
    house: House, serve: tuple[str, ...]
) -> None:
    async with AsyncExitStack() as stack:
        with house.serving(*serve, leaves_agents=True) as server:
            api = Api(server)
            one, qa = await api.create("One"), await api.create("QA")
            ok(await api.ask("one", "list"))
            bridge = await stack.enter_async_context(_bridge(house, server, one))
            await bridge.shake_hands()
            async with api.follow() as events:
                turn = await api.send("qa", "hang")
                await events.until("turnStarted", turnId=turn)
                await bridge.ask(1, "taken back")
                await events.queued(qa["id"], "taken back")
            # Accepted when it is on record, and with it what came before.
            behind = await api.send("qa", "What did I say first?")
            server.end(signal.SIGKILL)
        await bridge.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})

        with house.serving(*serve) as server:
            api = Api(server)
            async with api.follow() as events:
                ok(await api.agent("POST", "qa", "/interrupt", {"turnId": turn}))
                await events.until("turnEnded", turnId=behind)
            [delegation] = [one for one in (await api.state())["delegations"] if one["message"] == "taken back"]
            asked = texts(await api.items("qa"), "prompt")

    assert (delegation["outcome"], delegation["startedAtMs"]) == ("CANCELLED", None)
    assert asked == ["hang", "What did I say first?"]


async def test_what_a_person_ends_is_not_left_in_the_keeper(house: House, serve: tuple[str, ...]) -> None:
    with house.serving(*serve) as server:
        api = Api(server)
        for name in ("One", "Two"):
            await api.create(name)
            ok(await api.ask(name.lower(), "list"))
        one, two, keepers = house.agent("one"), house.agent("two"), house.keepers()

        ok(await api.agent("DELETE", "one"))
        assert wait_gone([one]) == []
        assert house.agent("two") == two
        ok(await api.project("DELETE"))
        assert wait_gone([two, *keepers]) == []


async def test_a_second_ctrl_c_ends_the_agents_too(house: House, serve: tuple[str, ...]) -> None:
    with house.serving(*serve, leaves_agents=True) as server:
        await _wait_for_a_person(Api(server))
        left = house.processes()
        server.process.send_signal(signal.SIGINT)
        server.wait_said("Press Ctrl-C again")

        assert server.end(signal.SIGINT) == 0

        assert "Stopped 2 running agents" in server.said()
        assert wait_gone(left) == []


async def test_without_agents_no_keeper_stays_behind(house: House, serve: tuple[str, ...]) -> None:
    with house.serving(*serve, leaves_agents=True) as server:
        keepers = house.keepers()
        assert len(keepers) == 1
        assert server.end() == 0
        assert wait_gone(keepers) == []
