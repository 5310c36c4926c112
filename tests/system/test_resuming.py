"""What ran when its project was closed, or its server or keeper was killed, goes on where it was."""

import json
from pathlib import Path

import pytest

from tests.system.client import Api, Json, ok, refused
from tests.system.house import STOP_S, House, wait_gone

pytestmark = pytest.mark.slow

CELLS = [{"nodeId": "left", "agentId": None, "view": "chat"}, {"nodeId": "right", "agentId": None, "view": "chat"}]


async def _converse(api: Api, name: str, node: str | None = None) -> Json:
    """A demo agent with a conversation that can go on."""
    agent = await api.create(name)
    if node is not None:
        cells = [{**cell, "agentId": agent["id"] if cell["nodeId"] == node else None} for cell in CELLS]
        layout = {"name": "default", "geometry": "{}", "cells": cells}
        ok(await api.project("PUT", "/layout", {"layout": layout, "origin": "test"}))
    ok(await api.agent("POST", agent["id"], "/launch", {"nodeId": node, "view": "chat"}))
    ok(await api.ask(agent["id"], "remember 42"))
    return agent


def _layouts(folder: Path) -> bytes:
    return (folder / ".ideai" / "state" / "layouts.json").read_bytes()


async def test_agents_that_died_with_the_server_are_offered_and_go_on_in_their_cells(house: House) -> None:
    folder = house.folder("shop")
    with house.serving("serve", "--project", str(folder)) as server:
        api = Api(server)
        await _converse(api, "One", "left")
        await _converse(api, "Two")
        agents = [house.agent("one"), house.agent("two")]
        before = await api.state()
        server.process.kill()
        server.process.wait(STOP_S)
    assert wait_gone(agents) == []

    with house.serving("serve", "--project", str(folder)) as server:
        api = Api(server)
        state = await api.state()
        assert all(agent["session"] is None for agent in state["agents"])
        conversations = {agent["id"]: agent["conversationId"] for agent in before["agents"]}
        assert all(conversations.values())
        assert {one["agentId"]: one["conversationId"] for one in state["resumable"]} == conversations
        assert [one["nodeId"] for one in state["resumable"]] == ["left", None]
        assert house.run("agents", cwd=folder).out.splitlines()[-1].startswith("One and Two ran before")

        async with api.follow() as events:
            told = house.run("resume", "--all", cwd=folder)
            assert (told.code, told.out) == (0, f"One and Two go on in {folder}.\n")
            await events.until("resumableChanged", lambda event: event["resumable"] == [])
        state = await api.state()
        assert {agent["id"]: agent["session"]["conversationId"] for agent in state["agents"]} == conversations
        assert [agent["session"]["nodeId"] for agent in state["agents"]] == ["left", None]
        assert "42" in ok(await api.ask("one", "What did I say first?"))["reply"]
        assert "Traceback" not in server.said()


async def test_a_terminal_is_offered_as_one_and_goes_on_as_one(house: House) -> None:
    folder = house.folder("shop")
    with house.serving("serve", "--project", str(folder)) as server:
        api = Api(server)
        one = await _converse(api, "One")
        ok(await api.agent("POST", "one", "/stop"))
        begun = ok(await api.agent("POST", "one", "/launch", {"nodeId": None, "view": "terminal"}))
        conversation = (await api.state())["agents"][0]["conversationId"]
        assert (begun["kind"], bool(conversation)) == ("pty", True)

    with house.serving("serve", "--project", str(folder)) as server:
        api = Api(server)
        [offered] = (await api.state())["resumable"]
        assert (offered["agentId"], offered["view"], offered["conversationId"]) == (one["id"], "terminal", conversation)
        [resumed] = ok(await api.project("POST", "/resumable/resume", {"agents": ["One"]}))
        assert (resumed["session"]["kind"], resumed["session"]["conversationId"]) == ("pty", conversation)


async def test_a_closed_project_offers_what_ran_and_not_what_was_stopped(house: House) -> None:
    folder = house.lasting_folder("shop")
    with house.serving("serve", "--project", str(folder)) as server:
        api = Api(server)
        one = await _converse(api, "One", "left")
        await _converse(api, "Two")
        ok(await api.agent("POST", "two", "/stop"))
        ok(await api.project("DELETE"))
        assert house.processes("--agent") == []
        [cell, _] = json.loads(_layouts(folder))["layouts"][0]["cells"]
        assert (cell["agentId"], cell["agentWasRunning"]) == (one["id"], True)
        closed = _layouts(folder)

        for _ in range(2):
            project = ok(await api.call("POST", "/api/projects", {"path": str(folder)}))
            assert [each["agentId"] for each in project["resumable"]] == [one["id"]]
            ok(await api.project("DELETE"))
            assert _layouts(folder) == closed

        ok(await api.call("POST", "/api/projects", {"path": str(folder)}))
        ok(await api.project("POST", "/resumable/dismiss", {"agents": ["one"]}))
        ok(await api.project("DELETE"))
        project = ok(await api.call("POST", "/api/projects", {"path": str(folder)}))
        assert project["resumable"] == []


async def test_cells_of_one_agent_are_reconciled_once_and_start_nothing(house: House) -> None:
    folder = house.folder("shop")
    with house.serving("serve", "--project", str(folder)) as server:
        api = Api(server)
        one = await _converse(api, "One", "left")
        ok(await api.project("DELETE"))
        path = folder / ".ideai" / "state" / "layouts.json"
        written = json.loads(_layouts(folder))
        [cell, free] = written["layouts"][0]["cells"]
        copy = {**cell, "nodeId": "copy"}
        written["layouts"].append({"name": "second", "geometry": "", "cells": [copy, free]})
        written["layouts"][0]["cells"] = [cell, {**copy, "view": "terminal"}]
        path.write_text(json.dumps(written), encoding="utf-8")

        project = ok(await api.call("POST", "/api/projects", {"path": str(folder)}))
        assert [(each["agentId"], each["nodeId"]) for each in project["resumable"]] == [(one["id"], "left")]
        assert house.processes("--agent") == []
        reconciled = _layouts(folder)
        cells = [each for layout in json.loads(reconciled)["layouts"] for each in layout["cells"]]
        assert [each["nodeId"] for each in cells if each["agentWasRunning"] or each["conversationId"]] == ["left"]
        assert [each["agentId"] for each in cells] == [one["id"], one["id"], one["id"], None]

        before = path.stat()
        ok(await api.project("DELETE"))
        ok(await api.call("POST", "/api/projects", {"path": str(folder)}))
        after = path.stat()
        assert (_layouts(folder), after.st_mtime_ns, after.st_ino) == (reconciled, before.st_mtime_ns, before.st_ino)


async def test_an_agent_that_lives_on_in_its_keeper_is_not_offered_and_one_whose_keeper_dies_is(house: House) -> None:
    folder = house.lasting_folder("shop")
    with house.serving("serve", "--project", str(folder), leaves_agents=True) as server:
        one = await _converse(Api(server), "One", "left")
        pid = house.agent("one")
        server.process.kill()
        server.process.wait(STOP_S)

    with house.serving("serve", "--project", str(folder)) as server:
        api = Api(server)
        state = await api.state()
        assert state["resumable"] == []
        assert house.agent("one") == pid
        async with api.follow() as events:
            [keeper] = house.keepers()
            house.kill(keeper)
            event = await events.until("resumableChanged")
            assert [each["agentId"] for each in event["resumable"]] == [one["id"]]
            await events.until("agentReadinessChanged", lambda told: told["readiness"]["reason"] == "keeperLost")
        assert wait_gone([pid]) == []
        [resumed] = ok(await api.project("POST", "/resumable/resume", {"agents": None}))
        assert (resumed["error"], resumed["session"]["nodeId"]) == (None, "left")
        assert "42" in ok(await api.ask("one", "What did I say first?"))["reply"]


async def test_what_a_person_stops_while_no_server_is_there_is_not_offered(house: House) -> None:
    folder = house.lasting_folder("shop")
    with house.serving("serve", "--project", str(folder), leaves_agents=True) as server:
        for name in ("One", "Two"):
            await _converse(Api(server), name)
        server.process.kill()
        server.process.wait(STOP_S)
    assert house.run("stop", "one", cwd=folder).code == 0
    assert house.run("stop", cwd=folder).code == 0

    with house.serving("serve", "--project", str(folder)) as server:
        state = await Api(server).state()
        assert state["resumable"] == []
        assert not (folder / ".ideai" / "state" / "stopped.json").exists()


async def test_agents_go_on_by_themselves_where_the_setting_says_so(house: House) -> None:
    folder = house.folder("shop")
    with house.serving("serve", "--project", str(folder)) as server:
        api = Api(server)
        one = await _converse(api, "One", "left")
        settings = (await api.state())["settings"]
        ok(await api.project("PUT", "/settings", {**settings, "resume": "auto"}))

    with house.serving("serve", "--project", str(folder)) as server:
        api = Api(server)
        async with api.follow() as events:
            if (await api.state())["agents"][0]["session"] is None:
                await events.until("sessionChanged", agentId=one["id"])
        session = (await api.state())["agents"][0]["session"]
        assert (session["nodeId"], session["kind"]) == ("left", "structured")


# --- who may start an agent, and where ------------------------------------------------------------------------


async def test_one_agent_runs_once_whatever_is_asked_for(api: Api) -> None:
    agent = await api.create()
    slug, pid = agent["slug"], agent["id"]

    async def launch(node: str | None, **more: object) -> Json:
        session: Json = ok(await api.agent("POST", slug, "/launch", {"nodeId": node, "view": "chat", **more}))
        return session

    background = await launch(None)
    assert await launch(None) == background
    left = await launch("left")
    assert (left["id"], left["nodeId"]) == (background["id"], "left")

    elsewhere = await api.agent("POST", slug, "/launch", {"nodeId": "right", "view": "chat"})
    assert refused(elsewhere, 409, "AGENT_ALREADY_RUNNING") == {"agentId": pid, "nodeId": "left"}

    moved = await launch("right", isReattach=True)
    assert (moved["id"], moved["nodeId"]) == (background["id"], "right")
    assert len(api.server.house.processes("--agent", slug)) == 1

    await api.agent("POST", slug, "/detach", {"nodeId": "left"})
    assert (await launch(None))["nodeId"] == "right"
    await api.agent("POST", slug, "/detach", {"nodeId": "right"})
    assert (await launch(None)) == {**background, "conversationId": (await launch(None))["conversationId"]}


async def test_an_ask_of_an_agent_that_was_stopped_starts_it_again(api: Api) -> None:
    slug = (await api.create())["slug"]
    ok(await api.ask(slug, "list"))
    ok(await api.agent("POST", slug, "/stop"))
    assert api.server.house.processes("--agent", slug) == []

    ok(await api.ask(slug, "list"))
    assert len(api.server.house.processes("--agent", slug)) == 1
