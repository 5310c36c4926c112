"""Many agents at once, and several projects in one server."""

import asyncio
import shutil

import pytest

from tests.system.client import Api, Json, ok, refused
from tests.system.house import House, Server

pytestmark = pytest.mark.slow

TEAM = 20


async def test_twenty_agents_asked_at_once_all_answer_through_one_they_share(api: Api, demo: Server) -> None:
    """Twenty processes with a bridge each, and a queue of twenty before the one that they all ask."""
    hub = await api.create()
    team = [await api.create() for _ in range(TEAM)]
    async with asyncio.TaskGroup() as tasks:
        asking = [
            tasks.create_task(api.ask(agent["slug"], f"ask {hub['name']}: hello from {agent['name']}"))
            for agent in team
        ]
    replies = [ok(each.result())["reply"] for each in asking]

    assert all(f"I am **{hub['name']}**" in reply for reply in replies)
    delegations = [one for one in (await api.state())["delegations"] if one["targetId"] == hub["id"]]
    assert {one["message"] for one in delegations} == {f"hello from {agent['name']}" for agent in team}
    # First come, first served.
    begun = sorted(delegations, key=lambda one: int(one["startedAtMs"]))
    assert [one["number"] for one in begun] == sorted(one["number"] for one in delegations)
    for agent in (hub, *team):
        assert len(demo.house.processes("mcp-server", agent["id"])) == 1


@pytest.fixture
async def second(api: Api, demo: Server) -> Json:
    """Another project in the same server, with an agent that has the same name as one of the demo's."""
    folder = demo.house.root / "work" / "second"
    folder.mkdir(parents=True, exist_ok=True)
    project: Json = ok(await api.call("POST", "/api/projects", {"path": str(folder)}))
    if not project["agents"]:
        ok(await api.project("POST", "/agents", {"name": "QA", "profile": "demo"}, project=project["id"]))
    return project


async def test_two_projects_at_once_never_meet(api: Api, demo: Server, second: Json) -> None:
    async with api.follow() as events, asyncio.TaskGroup() as tasks:
        here = tasks.create_task(api.ask("qa", "list"))
        body = {"message": "list"}
        there = tasks.create_task(api.project("POST", "/agents/qa/ask", body, project=second["id"]))
        team_here, team_there = ok(await here)["reply"], ok(await there)["reply"]
        for project in (demo.project, second["id"]):
            await events.until("orchestratorRequestProcessed", projectId=project, command="AskAgent")

    assert not second["isDemo"]
    assert "Architect" in team_here
    assert "Architect" not in team_there
    sockets = {word for pid in demo.house.processes("mcp-server") for word in _arguments(pid) if word.endswith(".sock")}
    assert len(sockets) == 2
    (there_qa,) = (await api.state(project=second["id"]))["agents"]
    (here_qa,) = [agent for agent in (await api.state())["agents"] if agent["slug"] == "qa"]
    assert there_qa["id"] != here_qa["id"]
    for event in events.seen:
        if event["type"] == "turnStarted":
            owner = demo.project if event["agentId"] == here_qa["id"] else second["id"]
            assert event["projectId"] == owner


async def test_closing_one_project_leaves_the_other_at_work(api: Api, demo: Server, second: Json) -> None:
    agent = await api.create()
    async with api.follow() as events, asyncio.TaskGroup() as tasks:
        asking = tasks.create_task(api.ask(agent["slug"], "hang"))
        running = await events.running("hang")
        await events.said(agent["id"], "for ever")
        ok(await api.project("DELETE", project=second["id"]))
        await events.until("projectClosed", projectId=second["id"])
        assert (await api.agent("GET", agent["slug"])).body["readiness"]["state"] == "working"
        ok(await api.agent("POST", agent["slug"], "/interrupt", {"turnId": running["turnId"]}))
        refused(await asking, 409, "CANCELLED")


async def test_a_copied_project_is_another_project(api: Api, house: House) -> None:
    original = house.folder("original")
    with house.serving("serve", "--project", str(original)) as server:
        own = Api(server)
        await own.create("QA")
        ok(await own.ask("qa", "hello"))
        copy = house.root / "work" / "copy"
        shutil.copytree(original, copy)
        opened: Json = ok(await own.call("POST", "/api/projects", {"path": str(copy)}))

        assert opened["id"] != server.project
        # What was approved there says nothing about here, and nobody runs here yet.
        assert not opened["trust"]["isTrusted"]
        assert [agent["session"] for agent in opened["agents"]] == [None]
        refused(
            await own.project("POST", "/agents/qa/ask", {"message": "hello"}, project=opened["id"]),
            403,
            "TRUST_REQUIRED",
        )


def _arguments(pid: int) -> list[str]:
    with open(f"/proc/{pid}/cmdline", encoding="utf-8") as file:
        return file.read().split("\0")
