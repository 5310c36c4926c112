"""Several asks at once: one target answers them in turn, several targets side by side."""

import asyncio

import pytest

from tests.system.client import Api, Json, Reply, ok, refused, texts
from tests.system.house import Server

pytestmark = pytest.mark.slow


async def test_two_asks_of_one_target_are_answered_in_their_order_and_never_interleave(api: Api) -> None:
    target = await api.create()
    async with api.follow() as events, asyncio.TaskGroup() as tasks:
        first = tasks.create_task(api.ask(target["slug"], "long one"))
        await events.until("turnStarted", agentId=target["id"])
        second = tasks.create_task(api.ask(target["slug"], "long two"))
        await events.queued(target["id"], "long two")
        third = tasks.create_task(api.ask(target["slug"], "long three"))
        one, two, three = [ok(await asking)["ticketId"] for asking in (first, second, third)]
        await events.until("turnEnded", lambda _: len(events.all("turnEnded", agentId=target["id"])) == 3)

    order = [
        (event["type"], event.get("ticketId"))
        for event in events.seen
        if event["type"] in ("turnStarted", "turnEnded") and event["agentId"] == target["id"]
    ]
    assert order == [
        ("turnStarted", one), ("turnEnded", None),
        ("turnStarted", two), ("turnEnded", None),
        ("turnStarted", three), ("turnEnded", None),
    ]  # fmt: skip
    items = await api.items(target["slug"])
    assert [item["ticketId"] for item in items] == sorted(
        (item["ticketId"] for item in items), key=[one, two, three].index
    )


async def test_a_persons_message_waits_in_the_same_queue_as_the_asks(api: Api) -> None:
    target = await api.create()
    async with api.follow() as events, asyncio.TaskGroup() as tasks:
        asking = tasks.create_task(api.ask(target["slug"], "hang"))
        running = await events.running("hang")
        turn = await api.send(target["slug"], "list")
        waiting = await events.queued(target["id"], "list")
        assert (waiting["turnId"], waiting["position"], waiting["requester"]["id"]) == (turn, 1, "human")
        ok(await api.agent("POST", target["slug"], "/interrupt", {"turnId": running["turnId"]}))
        refused(await asking, 409, "CANCELLED")
        await events.until("turnEnded", turnId=turn, outcome="ANSWERED")


async def test_two_targets_work_at_the_same_time(api: Api) -> None:
    one, two = await api.create(), await api.create()
    async with api.follow() as events, asyncio.TaskGroup() as tasks:
        # Each waits until it is interrupted, so that both can only be running together.
        tasks.create_task(api.ask(one["slug"], "hang first"))
        tasks.create_task(api.ask(two["slug"], "hang second"))
        for message, agent in (("hang first", one), ("hang second", two)):
            turn = (await events.running(message))["turnId"]
            await events.said(agent["id"], "for ever")
            agent["turn"] = turn
        working = {agent["id"]: agent["readiness"]["state"] for agent in (await api.state())["agents"]}
        assert (working[one["id"]], working[two["id"]]) == ("working", "working")
        for agent in (one, two):
            ok(await api.agent("POST", agent["slug"], "/interrupt", {"turnId": agent["turn"]}))


async def test_a_waiting_turn_can_be_taken_back(api: Api) -> None:
    target = await api.create()
    async with api.follow() as events, asyncio.TaskGroup() as tasks:
        running = tasks.create_task(api.ask(target["slug"], "hang"))
        begun = await events.running("hang")
        waiting = tasks.create_task(api.ask(target["slug"], "never begun"))
        queued = await events.queued(target["id"], "never begun")
        ok(await api.agent("POST", target["slug"], "/cancel", {"turnId": queued["turnId"]}))
        assert refused(await waiting, 409, "CANCELLED")["by"] == "user"
        ok(await api.agent("POST", target["slug"], "/interrupt", {"turnId": begun["turnId"]}))
        refused(await running, 409, "CANCELLED")

    assert texts(await api.items(target["slug"]), "prompt") == ["hang"]


async def test_hanging_up_takes_an_ask_out_of_the_queue_or_stops_its_turn(api: Api) -> None:
    target = await api.create()
    async with api.follow() as events, asyncio.TaskGroup() as tasks:
        running = tasks.create_task(api.ask(target["slug"], "hang here"))
        await events.said(target["id"], "for ever")
        waiting = tasks.create_task(api.ask(target["slug"], "never begun"))
        before = await events.queued(target["id"], "never begun")

        await _hang_up(waiting)
        assert (await events.settled("never begun"))["outcome"] == "CANCELLED"
        assert (await api.agent("GET", target["slug"])).body["queue"] == [], before
        await _hang_up(running)
        stopped = await events.settled("hang here")
        await events.until("turnEnded", turnId=stopped["turnId"], outcome="CANCELLED")
        ok(await api.ask(target["slug"], "list"))

    assert stopped["outcome"] == "CANCELLED"
    assert texts(await api.items(target["slug"]), "prompt") == ["hang here", "list"]


async def test_a_dead_target_is_launched_for_the_ask(api: Api, demo: Server) -> None:
    target = await api.create()
    assert target["readiness"]["state"] == "exited"
    assert demo.house.processes("--agent", target["slug"]) == []

    assert "scripted demo agent" in ok(await api.ask(target["slug"], "hello"))["reply"]

    after: Json = ok(await api.agent("GET", target["slug"]))
    assert (after["readiness"]["state"], after["session"]["nodeId"]) == ("idle", None)
    assert demo.house.agent(target["slug"])


async def test_an_unknown_target_is_named_with_those_that_exist(api: Api) -> None:
    fields = refused(await api.ask("nobody", "hello"), 404, "NOT_FOUND")

    assert fields["name"] == "nobody"
    assert {"Main", "Architect", "QA"} <= set(fields["choices"])


async def test_an_agent_that_asks_itself_or_in_a_circle_is_told_the_chain(api: Api) -> None:
    one, two = await api.create(), await api.create()

    alone = ok(await api.ask(one["slug"], f"ask {one['name']}: hello"))["reply"]
    circle = ok(await api.ask(one["slug"], f"ask {two['name']}: ask {one['name']}: hello"))["reply"]

    assert f"{one['name']} → {one['name']}" in alone
    assert f"{two['name']} → {one['name']} → {two['name']}" in circle


async def test_a_chain_of_more_than_eight_agents_is_refused_at_its_end(api: Api) -> None:
    names = [(await api.create())["name"] for _ in range(10)]
    message = "".join(f"ask {name}: " for name in names[1:]) + "hello"

    reply = ok(await api.ask(names[0], message))["reply"]

    assert f"{names[8]} gave no answer" in reply
    assert "at most 8 are allowed" in reply
    states = {agent["name"]: agent["readiness"]["state"] for agent in (await api.state())["agents"]}
    assert states[names[7]] == "idle"
    assert states[names[8]] == "exited"


async def _hang_up(asking: asyncio.Task[Reply]) -> None:
    asking.cancel()
    await asyncio.wait([asking])
