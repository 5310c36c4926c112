"""Agents that live though no record knows them: found by looking, gone on with or ended, and told."""

import json
import shutil
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.system.client import Api, Json, ok
from tests.system.house import GONE_S, House, Server, wait_gone

pytestmark = pytest.mark.slow


async def _launch(api: Api, slug: str, view: str) -> None:
    body = {"nodeId": f"cell-{slug}", "view": view}
    ok(await api.agent("POST", slug, "/launch", body))


async def _leave_two(house: House, folder: Path) -> None:
    """Main in the chat and Term in its terminal run; the server was killed."""
    with house.serving("serve", "--project", str(folder), leaves_agents=True) as server:
        api = Api(server)
        for name in ("Main", "Term"):
            await api.create(name)
        ok(await api.ask("main", "remember the heron"))
        await _launch(api, "term", "terminal")
        _wait_written(folder / ".ideai/state/layouts.json", 2)
        server.process.kill()
        server.process.wait()


def _wait_written(layouts: Path, running: int) -> None:
    """Until so many agents are written down as running."""
    deadline = time.monotonic() + GONE_S
    while not layouts.exists() or layouts.read_text(encoding="utf-8").count('"agentWasRunning"') < running:
        assert time.monotonic() < deadline, layouts.read_text(encoding="utf-8")
        time.sleep(0.02)  # a file tells nobody that it grew


def _named(state: Json, key: str = "slug") -> dict[str, Json]:
    return {agent[key]: agent for agent in state["agents"]}


async def test_what_lives_without_a_record_is_gone_on_with_or_ended_and_never_started_twice(house: House) -> None:
    folder = house.lasting_folder("shop")
    await _leave_two(house, folder)
    term, main = house.agent("term"), house.agent("main")
    for path in (folder / ".ideai/state").glob("records.sqlite*"):
        path.write_bytes(b"")
    (folder / ".ideai/state/records.sqlite").write_bytes(b"\0" * 9000)

    with house.serving("serve", "--project", str(folder)) as server:
        api = Api(server)
        state = await api.state()
        agents = _named(state)
        assert house.agent("term") == term
        assert agents["term"]["session"]["kind"] == "pty"
        assert house.processes("--agent", "main") == []
        found = {notice["slug"]: notice["fields"]["why"] for notice in state["notices"] if notice["slug"]}
        assert found == {"main": "strayEnded", "term": "strayTakenUp"}
        [offer] = state["resumable"]
        assert (offer["agentId"], offer["canResume"]) == (agents["main"]["id"], True)

        reply = ok(await api.ask("main", "What did I say first?"))["reply"]

        assert "remember the heron" in reply
        assert house.agent("main") != main
        assert house.run("stop", "--all").code == 0
        assert house.processes("--agent") == []
        _assert_quiet(server)


async def test_without_a_record_and_with_nobody_alive_the_layouts_know_the_conversation(house: House) -> None:
    folder = house.folder("shop")
    with house.serving("serve", "--project", str(folder)) as server:
        api = Api(server)
        await api.create("Main")
        ok(await api.ask("main", "remember the heron"))
    (folder / ".ideai/state/records.sqlite").write_bytes(b"\0" * 9000)

    with house.serving("serve", "--project", str(folder)) as server:
        api = Api(server)
        [offer] = (await api.state())["resumable"]
        assert offer["canResume"], offer
        assert "remember the heron" in ok(await api.ask("main", "What did I say first?"))["reply"]
        _assert_quiet(server)


async def test_who_is_in_the_team_no_more_is_ended_though_no_record_knows_it(house: House) -> None:
    folder = house.lasting_folder("shop")
    await _leave_two(house, folder)
    for path in (folder / ".ideai/state").glob("records.sqlite*"):
        path.unlink()
    (folder / ".ideai/agents/term.md").unlink()

    with house.serving("serve", "--project", str(folder)) as server:
        state = await Api(server).state()

        assert house.processes("--agent") == []
        assert sorted(notice["slug"] for notice in state["notices"] if notice["code"] == "sessionFound") == [
            "main",
            "term",
        ]
        _assert_quiet(server)


def _assert_quiet(server: Server) -> None:
    assert "Traceback" not in server.said()


async def test_after_a_logout_and_a_login_agents_are_reached_again(house: House) -> None:
    folder = house.lasting_folder("shop")
    await _leave_two(house, folder)
    living = [house.agent("main"), house.agent("term"), *house.keepers()]
    shutil.rmtree(house.runtime)
    house.runtime.mkdir(mode=0o700)

    shown = house.run("status")
    assert (shown.code, "its socket is gone" in shown.out) == (0, True), shown

    with house.serving("serve", "--project", str(folder), leaves_agents=True) as server:
        api = Api(server)
        assert [house.agent("main"), house.agent("term"), *house.keepers()] == living
        assert [notice for notice in (await api.state())["notices"] if notice["code"] == "sessionLost"] == []
        reply = ok(await api.ask("main", "What did I say first?"))["reply"]
        assert "remember the heron" in reply
        # Its bridge is the same, and is known by the secret that went with the folder.
        assert "Term" in ok(await api.ask("main", "list"))["reply"]
        _assert_quiet(server)
        server.end()

    # In another login, whose folder is another one.
    shutil.rmtree(house.runtime)
    (other := house.root / "r2").mkdir(mode=0o700)
    elsewhere = replace(house, more={"XDG_RUNTIME_DIR": str(other)})
    with elsewhere.serving("serve", "--project", str(folder), leaves_agents=True) as server:
        assert [house.agent("main"), house.agent("term"), *house.keepers()] == living
        server.end()
    shutil.rmtree(other)

    told = house.run("stop", "--all")

    assert (told.code, told.out) == (0, f"Stopped 2 agents in {folder} and ended the keeper.\n"), told
    assert wait_gone(living) == []


async def test_a_setting_that_changes_while_agents_live_holds_once_nobody_does(house: House) -> None:
    folder = house.lasting_folder("shop")
    await _leave_two(house, folder)
    living = [house.agent("main"), house.agent("term"), *house.keepers()]
    (folder / ".ideai" / "settings.toml").write_text('keeper = "in-process"\n', encoding="utf-8")

    with house.serving("serve", "--project", str(folder), leaves_agents=True) as server:
        state = await Api(server).state()
        assert [agent["session"] is not None for agent in state["agents"]] == [True, True]
        assert [house.agent("main"), house.agent("term"), *house.keepers()] == living
        assert house.run("stop", "--all").code == 0
        assert house.processes("--agent") == []
        server.end()

    with house.serving("serve", "--project", str(folder)) as server:
        assert house.keepers() == []


async def test_state_that_is_removed_leaves_no_agent_behind(house: House) -> None:
    folder = house.lasting_folder("shop")
    with house.serving("serve", "--project", str(folder), leaves_agents=True) as server:
        api = Api(server)
        await api.create("Main")
        ok(await api.ask("main", "list"))
        async with api.follow() as events:
            shutil.rmtree(folder / ".ideai" / "state")
            # Under the open project: it is the same one to the next server.
            told = await events.until("noticePosted")
        assert told["fields"]["why"] == "stateRemoved"
        assert json.loads((folder / ".ideai/state/project.json").read_text())["id"] == server.project
        layout, items = (await api.state())["layout"], await api.items("main")
        living = [house.agent("main"), *house.keepers()]
        server.process.kill()
        server.process.wait()
    with house.serving("serve", "--project", str(folder), leaves_agents=True) as server:
        api = Api(server)
        state = await api.state()
        assert [house.agent("main"), *house.keepers()] == living
        assert state["notices"] == []
        assert state["layout"] == layout
        assert await api.items("main") == items
        server.process.kill()
        server.process.wait()
    # And while none is there: the project begins anew, without those of the one before.
    shutil.rmtree(folder / ".ideai" / "state")

    with house.serving("serve", "--project", str(folder)) as server:
        assert wait_gone(living) == []
        whys = [notice["fields"]["why"] for notice in (await Api(server).state())["notices"]]
        assert "earlierEnded" in whys
        _assert_quiet(server)
