"""Agents that live though no record knows them: found by looking, gone on with or ended, and told."""

from pathlib import Path

import pytest

from tests.system.client import Api, Json, ok
from tests.system.house import House, Server

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
        # Written down in the layouts as well, which it is when the next change is.
        async with api.follow():
            pass
        server.process.kill()
        server.process.wait()


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
