"""One question through three agents, each a process with a bridge of its own, as a page sees it."""

from collections.abc import Iterator

import pytest

from tests.system.client import Api, Events, Json, ok, texts
from tests.system.house import Server, new_house

pytestmark = pytest.mark.slow

QUESTION = "Is the invoice page ready to go out?"


@pytest.fixture(scope="module")
def demo() -> Iterator[Server]:
    """With nothing in it but the demo's own agents."""
    with new_house() as house, house.serving("demo") as server:
        yield server


async def _ids(api: Api) -> dict[str, str]:
    return {agent["slug"]: agent["id"] for agent in (await api.state())["agents"]}


def _settled(events: Events) -> list[Json]:
    """The delegations that have come to their end, the first first."""
    found = [event["delegation"] for event in events.all("delegationChanged")]
    return [delegation for delegation in found if delegation["settledAtMs"] is not None]


async def test_a_question_travels_to_the_last_agent_and_the_conclusions_travel_back(api: Api) -> None:
    ids = await _ids(api)
    async with api.follow() as events:
        answered = ok(await api.ask("main", QUESTION))
        await events.until("orchestratorRequestProcessed", ticketId=answered["ticketId"])

    by_qa, by_architect, by_main = _settled(events)
    assert [one["targetId"] for one in (by_qa, by_architect, by_main)] == [ids["qa"], ids["architect"], ids["main"]]
    assert [one["requester"]["id"] for one in (by_qa, by_architect, by_main)] == [
        ids["architect"],
        ids["main"],
        "human",
    ]
    assert [one["depth"] for one in (by_qa, by_architect, by_main)] == [3, 2, 1]
    assert "212 of 212 tests pass" in by_qa["reply"]
    assert by_qa["reply"] in by_architect["reply"]
    assert by_architect["reply"] in by_main["reply"]
    assert answered["outcome"] == "answered"
    assert answered["reply"] == by_main["reply"]
    assert answered["durationMs"] > 0


async def test_announcements_are_shown_on_the_way_and_never_returned_or_kept(api: Api) -> None:
    ids = await _ids(api)
    async with api.follow() as events:
        answered = ok(await api.ask("main", QUESTION))
        await events.until("orchestratorRequestProcessed", ticketId=answered["ticketId"])

    announced = {event["target"]: event for event in events.all("agentAnnouncement")}
    assert announced[ids["main"]]["text"] == "I'll ask Architect about the design."
    assert announced[ids["architect"]]["requester"] == ids["main"]
    assert announced[ids["qa"]]["requester"] == ids["architect"]
    assert announced[ids["main"]]["ticketId"] == answered["ticketId"]
    tickets = {one["targetId"]: one["ticketId"] for one in _settled(events)}
    assert {target: event["ticketId"] for target, event in announced.items()} == tickets
    kept = [item["text"] for slug in ids for item in await api.items(slug)]
    replies = [one["reply"] for one in _settled(events)]
    for event in announced.values():
        assert all(event["text"] not in text for text in [*kept, *replies])


async def test_the_record_shows_each_agent_its_own_part(api: Api) -> None:
    question = f"{QUESTION} Look once more."
    answered = ok(await api.ask("main", question))

    main, qa = await api.items("main"), await api.items("qa")
    ids = await _ids(api)
    mine = [item for item in main if item["ticketId"] == answered["ticketId"]]
    assert [item["kind"] for item in mine] == ["prompt", "tool", "answer"]
    assert texts(mine, "prompt") == [question]
    assert texts(mine, "answer") == [answered["reply"]]
    (asked,) = [item for item in main if item["turnId"] == mine[0]["turnId"] and item["kind"] == "asked"]
    assert question in asked["text"]
    assert [item["author"] for item in qa if item["kind"] == "prompt"][-1] == ids["architect"]
    assert [item["seq"] for item in main] == list(range(1, len(main) + 1))
    # What the frame around a delegated message says is for the agent alone.
    assert not any("delivered by IdeA" in item["text"] for item in qa)


async def test_every_request_is_told_with_its_real_requester_and_door(api: Api, demo: Server) -> None:
    ids = await _ids(api)
    async with api.follow() as events:
        by_page = ok(await api.ask("main", QUESTION))
        told = await demo.house.run_beside("ask", "qa", "hello", "--project", str(demo.root), "--json")
        by_mcp = await events.until("orchestratorRequestProcessed", requesterId=ids["main"], command="AskAgent")
        page = await events.until("orchestratorRequestProcessed", ticketId=by_page["ticketId"])
        command_line = await events.until("orchestratorRequestProcessed", source="cli", command="AskAgent")

    assert told.code == 0, told.err
    assert (page["requesterId"], page["source"], page["outcome"]) == ("human", "ui", "answered")
    assert (by_mcp["source"], by_mcp["outcome"]) == ("mcp", "answered")
    assert command_line["requesterId"] == "human"
    assert command_line["ticketId"] in told.out
    assert command_line["durationMs"] >= 0


async def test_the_state_afterwards_shows_three_idle_agents_and_nothing_waiting(api: Api, demo: Server) -> None:
    ok(await api.ask("main", QUESTION))

    state = await api.state()
    assert [agent["slug"] for agent in state["agents"]][:3] == ["main", "architect", "qa"]
    for agent in state["agents"]:
        assert agent["readiness"]["state"] == "idle"
        assert agent["session"]["kind"] == "structured"
        assert (agent["queue"], agent["liveTurn"]) == ([], None)
    assert all(one["state"] == "answered" for one in state["delegations"])
    assert len(demo.house.processes("mcp-server")) == 3
