"""An agent in a terminal is asked through a real bridge: a session beside it answers, and the terminal is let alone."""

import asyncio
import signal
from pathlib import Path

import pytest

from tests.system.client import Api, Events, Json, ok, refused, texts
from tests.system.house import House, Server, wait_gone
from tests.system.terminal import Terminal, open_terminal

pytestmark = pytest.mark.slow


async def _in_terminal(api: Api, name: str = "") -> Json:
    agent = await api.create(name)
    ok(await api.agent("POST", agent["slug"], "/launch", {"view": "terminal", "nodeId": "left"}))
    await api.until_state(agent, "idle")
    return agent


async def _until_drawn(terminal: Terminal) -> None:
    """For the size of this page, to the last line."""

    def is_drawn() -> bool:
        lines = [line for line in terminal.lines() if line]
        return len(lines) > 1 and "─" * 90 in lines[-2] and "ready" in lines[-1]

    await terminal.until_true(is_drawn)


def _chats(house: House, slug: str) -> list[int]:
    return house.processes("--agent", slug, "--face", "chat")


async def _alone_again(events: Events, agent: Json) -> None:
    """The side session was there, and is there no more."""
    began = await events.until("sessionChanged", lambda one: one["sideSession"] is not None, agentId=agent["id"])
    await events.until(
        "sessionChanged", lambda one: one["sideSession"] is None and one["seq"] > began["seq"], agentId=agent["id"]
    )


def _written(folder: Path) -> dict[str, int]:
    """When each file of a launch was written last."""
    return {path.name: path.stat().st_mtime_ns for path in folder.iterdir() if path.is_file()}


async def test_what_another_agent_asks_is_answered_beside_the_terminal(api: Api, demo: Server) -> None:
    main, target = await api.create(), await _in_terminal(api)
    name, slug = target["name"], target["slug"]
    run = demo.root / ".ideai" / "run" / slug
    async with open_terminal(demo, target["id"]) as terminal:
        await _until_drawn(terminal)
        shown, written, pid = terminal.lines(), _written(run), demo.house.agent(slug)
        async with api.follow() as events:
            first = ok(await api.ask(main["slug"], f"ask {name}: remember the heron"))["reply"]
            assert f"{name} says:" in first
            await _alone_again(events, target)
            states = events.all("agentReadinessChanged", agentId=target["id"])
        async with api.follow() as events:
            second = ok(await api.ask(main["slug"], f"ask {name}: what did I say first?"))["reply"]
            await _alone_again(events, target)
        assert "remember the heron" in second, "the conversation beside the terminal goes on"

        async with open_terminal(demo, target["id"]) as another:
            await _until_drawn(another)
            assert another.lines() == shown
    assert _written(run) == written
    assert states == []
    assert demo.house.processes("--agent", slug) == [pid]
    assert (run / "side").stat().st_mode & 0o777 == 0o700
    assert "You stand beside a terminal" in (run / "side" / "context.md").read_text(encoding="utf-8")
    prompts = [item for item in await api.items(slug) if item["kind"] == "prompt"]
    assert [item["fields"] for item in prompts] == [{"beside": "terminal"}] * 2


async def test_what_the_terminal_asks_meanwhile_is_not_of_the_turn_beside_it(api: Api, demo: Server) -> None:
    main, target, third = await api.create(), await _in_terminal(api), await api.create()
    async with api.follow() as events, open_terminal(demo, target["id"]) as terminal, asyncio.TaskGroup() as tasks:
        asking = tasks.create_task(api.ask(main["slug"], f"ask {target['name']}: hang"))
        beside = await events.running("hang")
        await events.said(target["id"], "for ever")
        assert len(_chats(demo.house, target["slug"])) == 1
        waiting = tasks.create_task(api.ask(target["slug"], f"ask {third['name']}: who is in the team"))
        await terminal.type(f"ask {third['name']}: list\r")
        from_terminal = await events.settled("list")

        ok(await api.agent("POST", target["slug"], "/interrupt", {"turnId": beside["turnId"]}))
        assert "gave no answer" in ok(await asking)["reply"]
        assert "The team:" in ok(await waiting)["reply"]
        from_beside = await events.settled("who is in the team")
        await _alone_again(events, target)

    assert (from_terminal["requesterTurnId"], from_terminal["depth"]) == (None, 1)
    assert from_terminal["requester"]["id"] == from_beside["requester"]["id"] == target["id"]
    assert (from_beside["requesterTurnId"] is None, from_beside["depth"]) == (False, 2)
    assert _chats(demo.house, target["slug"]) == []


async def test_a_person_answers_what_it_asks_and_a_stop_ends_both(api: Api, demo: Server) -> None:
    main, target = await api.create(), await _in_terminal(api)
    async with api.follow() as events, asyncio.TaskGroup() as tasks:
        asking = tasks.create_task(api.ask(main["slug"], f"ask {target['name']}: deploy"))
        event = await events.until("permissionAsked", lambda one: one["permission"]["agentId"] == target["id"])
        path = f"/permissions/{event['permission']['requestId']}"
        ok(await api.agent("POST", target["slug"], path, {"decision": "allowOnce"}))
        assert "Deployed version" in ok(await asking)["reply"]

    async with api.follow() as events, asyncio.TaskGroup() as tasks:
        asking = tasks.create_task(api.ask(target["slug"], "hang"))
        await events.said(target["id"], "for ever")
        ok(await api.agent("POST", target["slug"], "/stop"))
        refused(await asking, 409, "CANCELLED")
    assert demo.house.processes("--agent", target["slug"]) == []


# Three servers start, on a machine that may be busy.
@pytest.mark.timeout(180)
async def test_a_killed_server_leaves_it_to_the_next_one_and_commands_know_it(house: House) -> None:
    folder = house.lasting_folder("shop")
    serve = ("serve", "--project", str(folder))
    with house.serving(*serve, leaves_agents=True) as server:
        api = Api(server)
        target = await _in_terminal(api, "QA")
        await api.create("Main")
        async with api.follow() as events:
            await api.send("main", "ask QA: deploy")
            asked = await events.until("permissionAsked", lambda one: one["permission"]["agentId"] == target["id"])
        server.end(signal.SIGKILL)
    [terminal] = house.processes("--agent", "qa", "--face", "tui")
    [side] = _chats(house, "qa")
    status = house.run("status").out
    assert "holds 2 agents" in status
    assert f"beside its terminal  process {side}" in status

    with house.serving(*serve, leaves_agents=True) as server:
        api = Api(server)
        async with api.follow() as events:
            path = f"/permissions/{asked['permission']['requestId']}"
            ok(await api.agent("POST", "qa", path, {"decision": "allowOnce"}))
            answered = await events.settled("deploy")
            await events.until("turnEnded", lambda one: one["agentId"] != target["id"])
            assert wait_gone([side]) == []
        assert [item["kind"] for item in await api.items("main")] == ["prompt", "asked", "tool", "answer"]
        assert answered["reply"] == texts(await api.items("qa"), "answer")[0]
        assert house.processes("--agent", "qa") == [terminal]
        async with api.follow() as events:
            await api.send("main", "ask QA: hang")
            await events.said(target["id"], "for ever")
        assert "Traceback" not in server.said()
        server.end(signal.SIGKILL)

    both = house.processes("--agent", "qa")
    assert len(both) == 2
    assert house.run("stop", "qa").out == f"Stopped QA in {folder}.\n"
    assert wait_gone(both) == []
