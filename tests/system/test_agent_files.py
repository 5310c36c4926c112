"""Agents as files: edited by hand or in the page, broken and mended, deleted while they work."""

import asyncio
from pathlib import Path

import pytest

from tests.system.client import Api, Json, ok, refused
from tests.system.house import Server, wait_gone, write_agent

pytestmark = pytest.mark.slow


def _path(server: Server, agent: Json) -> Path:
    return server.root / ".ideai" / "agents" / f"{agent['slug']}.md"


async def test_a_file_made_changed_and_removed_by_hand_shows_without_a_restart(api: Api, demo: Server) -> None:
    async with api.follow() as events:
        path = write_agent(demo.root, "Byhand", body="First.")
        added = (await events.until("agentSaved", lambda event: event["agent"]["name"] == "Byhand"))["agent"]
        path.write_text(path.read_text(encoding="utf-8").replace("First.", "Second."), encoding="utf-8")
        await events.until("agentSaved", lambda event: event["agent"]["instructions"] == "Second.")
        path.unlink()
        await events.until("agentRemoved", agentId=added["id"])

    assert (added["slug"], added["profile"], added["instructions"]) == ("byhand", "demo", "First.")
    refused(await api.agent("GET", "byhand"), 404, "NOT_FOUND")


async def test_a_broken_file_is_told_with_line_and_reason_while_the_others_work(api: Api, demo: Server) -> None:
    async with api.follow() as events:
        path = write_agent(demo.root, "Broken", front=("profile: demo", "permissions: [whatever"))
        shown = await events.until("agentFilesBroken", lambda event: bool(event["broken"]))
        await api.approve()
        ok(await api.ask("main", "list"))
        assert [one["slug"] for one in (await api.state())["broken"]] == ["broken"]
        write_agent(demo.root, "Broken")
        await events.until("agentFilesBroken", lambda event: not event["broken"])
        mended = await events.until("agentSaved", lambda event: event["agent"]["name"] == "Broken")
    path.unlink()

    (broken,) = shown["broken"]
    assert broken["slug"] == "broken"
    assert broken["line"] in (4, 5)
    assert broken["reason"]
    assert mended["agent"]["readiness"]["state"] == "exited"


async def test_a_file_broken_while_its_agent_works_does_not_disturb_it(api: Api, demo: Server) -> None:
    agent = await api.create()
    async with api.follow() as events, asyncio.TaskGroup() as tasks:
        asking = tasks.create_task(api.ask(agent["slug"], "deploy"))
        asked = await events.until("permissionAsked", lambda one: one["permission"]["agentId"] == agent["id"])
        whole = _path(demo, agent).read_text(encoding="utf-8")
        _path(demo, agent).write_text("---\nname: [\n---\n", encoding="utf-8")
        await events.until("agentFilesBroken", lambda event: bool(event["broken"]))
        path = f"/permissions/{asked['permission']['requestId']}"
        ok(await api.agent("POST", agent["id"], path, {"decision": "deny"}))
        assert "You said no" in ok(await asking)["reply"]
        _path(demo, agent).write_text(whole, encoding="utf-8")
        await events.until("agentFilesBroken", lambda event: not event["broken"])


async def test_an_agent_made_in_the_page_is_a_file_and_its_new_instructions_take_effect_at_the_next_launch(
    api: Api, demo: Server
) -> None:
    agent = await api.create(instructions="Be brief.", permissions="edit")
    text = _path(demo, agent).read_text(encoding="utf-8")
    assert agent["id"] in text
    assert "permissions: edit" in text
    assert text.endswith("Be brief.\n")
    assert "Be brief." in ok(await api.ask(agent["slug"], "instructions"))["reply"]

    fields = {"name": agent["name"], "profile": "demo", "instructions": "Be thorough."}
    saved = ok(await api.agent("PUT", agent["slug"], "", fields))
    assert (saved["id"], saved["slug"], saved["permissions"]) == (agent["id"], agent["slug"], "ask")
    ok(await api.agent("POST", agent["slug"], "/stop"))
    assert "Be thorough." in ok(await api.ask(agent["slug"], "instructions"))["reply"]


async def test_a_launch_goes_on_with_the_conversation_unless_a_fresh_one_is_wanted(api: Api) -> None:
    agent = await api.create()
    ok(await api.ask(agent["slug"], "remember the heron"))
    ok(await api.agent("POST", agent["slug"], "/stop"))

    assert "remember the heron" in ok(await api.ask(agent["slug"], "What did I say first?"))["reply"]

    ok(await api.agent("POST", agent["slug"], "/stop"))
    ok(await api.agent("POST", agent["slug"], "/launch", {"opening": "empty"}))
    assert "heron" not in ok(await api.ask(agent["slug"], "What did I say first?"))["reply"]


async def test_deleting_an_agent_that_works_stops_it_and_leaves_nothing(api: Api, demo: Server) -> None:
    agent = await api.create()
    async with api.follow() as events, asyncio.TaskGroup() as tasks:
        asking = tasks.create_task(api.ask(agent["slug"], "hang"))
        await events.said(agent["id"], "for ever")
        pids = [demo.house.agent(agent["slug"]), *demo.house.processes("mcp-server", agent["id"])]
        assert (demo.root / ".ideai" / "run" / agent["slug"] / "mcp.json").is_file()
        assert _secrets(demo, agent)

        ok(await api.agent("DELETE", agent["slug"]))
        assert refused(await asking, 503, "CLOSED") == {"deleted": True}
        await events.until("agentRemoved", agentId=agent["id"])

    assert len(pids) == 2
    assert wait_gone(pids) == []
    assert not (demo.root / ".ideai" / "run" / agent["slug"]).exists()
    assert not _path(demo, agent).exists()
    assert _secrets(demo, agent) == []


async def test_a_file_that_comes_back_brings_its_agents_conversation_along(api: Api, demo: Server) -> None:
    agent = await api.create()
    ok(await api.ask(agent["slug"], "remember the heron"))
    ok(await api.agent("POST", agent["slug"], "/stop"))
    path = _path(demo, agent)
    text = path.read_text(encoding="utf-8")
    async with api.follow() as events:
        path.unlink()
        await events.until("agentRemoved", agentId=agent["id"])
        path.write_text(text, encoding="utf-8")
        await events.until("agentSaved", lambda event: event["agent"]["id"] == agent["id"])

    assert "heron" in ok(await api.ask(agent["slug"], "What did I say first?"))["reply"]


async def test_names_that_cannot_be_or_are_taken_are_refused_with_a_reason(api: Api, demo: Server) -> None:
    folder = demo.root / ".ideai" / "agents"
    before = sorted(folder.iterdir())
    taken = {"why": "agentNameTaken", "other": "Main", "file": "main.md"}

    for name in ("main", "Ｍain"):
        refusal = refused(await api.project("POST", "/agents", {"name": name, "profile": "demo"}), 409, "CONFLICT")
        assert refusal == {**taken, "name": name}
    assert refused(await api.agent("PUT", "qa", "", {"name": "MAIN", "profile": "demo"}), 409, "CONFLICT")
    refused(await api.project("POST", "/agents", {"name": "Fine", "profile": "nope"}), 404, "NOT_FOUND")
    refused(await api.project("POST", "/agents", {"name": "", "profile": "demo"}), 422, "INVALID")

    assert sorted(folder.iterdir()) == before
    async with api.follow() as events:
        by_hand = folder / "by-hand.md"
        by_hand.write_text("---\nname: MAIN\nprofile: demo\n---\n", encoding="utf-8")
        (broken,) = (await events.until("agentFilesBroken", lambda event: bool(event["broken"])))["broken"]
        by_hand.unlink()
        await events.until("agentFilesBroken", lambda event: not event["broken"])
    assert broken["fields"] == {**taken, "name": "MAIN"}


def _secrets(server: Server, agent: Json) -> list[Path]:
    return list(server.house.root.rglob(f"*{agent['id']}.secret"))


async def test_a_message_that_its_file_makes_impossible_is_refused_and_no_turn_fails(api: Api, demo: Server) -> None:
    agent = await api.create()
    path = _path(demo, agent)
    whole = path.read_text(encoding="utf-8")
    for text, status, code in (
        (whole.replace("profile: demo", "profile: nope"), 404, "NOT_FOUND"),
        ("---\nname: [\n---\n", 409, "CONFLICT"),
    ):
        path.write_text(text, encoding="utf-8")
        refused(await api.agent("POST", agent["id"], "/messages", {"message": "hello"}), status, code)

    assert ok(await api.agent("GET", agent["id"], "/conversation"))["items"] == []


async def test_two_who_edit_an_agent_do_not_write_over_each_other(api: Api, demo: Server) -> None:
    agent = await api.create(instructions="Test.")
    fields = {key: agent[key] for key in ("name", "profile", "instructions")}
    by_one = {**fields, "instructions": "Test twice.", "base": agent["version"]}
    by_another = {**fields, "name": f"{agent['name']} Two", "base": agent["version"]}

    saved = ok(await api.agent("PUT", agent["id"], "", by_one))
    refusal = refused(await api.agent("PUT", agent["id"], "", by_another), 409, "CONFLICT")

    assert refusal == {"why": "agentChanged", "agent": agent["name"]}
    assert ok(await api.agent("GET", agent["id"]))["instructions"] == "Test twice."
    merged = {**by_another, "instructions": "Test twice.", "base": saved["version"]}
    assert ok(await api.agent("PUT", agent["id"], "", merged))["version"] not in (agent["version"], saved["version"])


async def test_whoever_is_refused_over_a_hands_edit_is_shown_it(api: Api, demo: Server) -> None:
    agent = await api.create(instructions="Test.")
    path = _path(demo, agent)
    async with api.follow() as events:
        path.write_text(path.read_text(encoding="utf-8").replace("Test.", "Test by hand."), encoding="utf-8")
        edit = {"name": "Mine", "profile": agent["profile"], "instructions": "Test.", "base": agent["version"]}
        refused(await api.agent("PUT", agent["id"], "", edit), 409, "CONFLICT")
        present = (await events.until("agentSaved", lambda event: event["agent"]["id"] == agent["id"]))["agent"]

    assert present["instructions"] == "Test by hand."
    assert ok(await api.agent("PUT", agent["id"], "", {**edit, "base": present["version"]}))["name"] == "Mine"
