"""A page that reloads, or loses its socket, sees what it would have seen."""

import asyncio

import pytest

from tests.system.client import Api, Events, ok
from tests.system.house import Server
from tests.system.page import Page

pytestmark = pytest.mark.slow


async def _read_to(events: Events, seq: int) -> None:
    """Everything up to the event with this number."""
    while not events.seen or events.seen[-1]["seq"] < seq:
        frame = await events.receive()
        assert frame["type"] == "event", frame
        events.seen.append(frame["event"])


async def test_a_page_that_arrives_in_the_middle_sees_what_one_sees_that_was_there(api: Api, demo: Server) -> None:
    requester, target = await api.create(), await api.create()
    async with api.follow() as events, asyncio.TaskGroup() as tasks:
        page = Page(events.first["snapshot"], demo.project)
        asking = tasks.create_task(api.ask(requester["slug"], f"ask {target['name']}: deploy"))
        asked = await events.until("permissionAsked", lambda one: one["permission"]["agentId"] == target["id"])
        waiting = tasks.create_task(api.ask(target["slug"], "list"))
        await events.queued(target["id"], "list")

        # Nothing moves now: the target waits for a person, its requester for it, the second ask for its turn.
        async with api.follow() as another:
            arrived = Page(another.first["snapshot"], demo.project)
            await _read_to(events, arrived.seq)
            page.take(events.seen)
            assert arrived.state() == page.state()
            live = arrived.agent(target["id"])["liveTurn"]
            assert live["requester"]["id"] == requester["id"]
            assert [one["text"] for one in live["announcements"]] == ["I'll prepare the deployment."]
            assert [one["preview"] for one in arrived.agent(target["id"])["queue"]] == ["list"]
            assert asked["permission"] in arrived.project["permissions"]

        request = asked["permission"]["requestId"]
        ok(await api.agent("POST", target["slug"], f"/permissions/{request}", {"decision": "allowOnce"}))
        ok(await asking)
        ok(await waiting)
        position = len(events.seen)
        async with api.follow() as late:
            at_the_end = Page(late.first["snapshot"], demo.project)
            await _read_to(events, at_the_end.seq)
            page.take(events.seen[position:])
            assert at_the_end.state() == page.state()


async def test_a_socket_that_breaks_is_continued_without_a_gap_or_a_repetition(api: Api, demo: Server) -> None:
    target = await api.create()
    async with api.follow() as events:
        page = Page(events.first["snapshot"], demo.project)
        await api.send(target["slug"], "long")
        await events.until("turnStarted", agentId=target["id"])
        page.take(events.seen)
        # As a network breaks: without a word.
        events.socket.transport.abort()
    ok(await api.ask(target["slug"], "list"))

    async with api.follow(epoch=page.epoch, seq=page.seq) as again:
        assert again.first == {"type": "caughtUp", "epoch": page.epoch, "seq": page.seq}
        await again.until("orchestratorRequestProcessed", command="AskAgent")
        async with api.follow() as fresh:
            arrived = Page(fresh.first["snapshot"], demo.project)
        await _read_to(again, arrived.seq)
        page.take(again.seen)

    assert page.state() == arrived.state()
    # A message that begins in one life of the socket and ends in the next is told once.
    assert [item for item in page.items if item["agentId"] == target["id"]] == await api.items(target["slug"])


async def test_a_page_of_another_servers_life_starts_from_a_snapshot(api: Api) -> None:
    async with api.follow(epoch="another life", seq=1) as events:
        assert events.first["type"] == "snapshot"
    async with api.follow() as events:
        epoch, seq = events.first["snapshot"]["epoch"], events.first["snapshot"]["seq"]
    async with api.follow(epoch=epoch, seq=seq + 1_000_000) as events:
        assert events.first["type"] == "snapshot"


async def test_two_pages_see_the_same_events(api: Api) -> None:
    target = await api.create()
    async with api.follow() as one, api.follow() as two:
        ok(await api.ask(target["slug"], "list"))
        last = await one.until("orchestratorRequestProcessed", command="AskAgent")
        await _read_to(two, last["seq"])

    shared = [event for event in one.seen if event["seq"] > two.first["snapshot"]["seq"]]
    assert shared == [event for event in two.seen if event["seq"] <= last["seq"]]
