"""Agents that live on without a server: `idea status` shows them, `idea stop` ends them."""

import asyncio
import json
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from idea.domain.outcomes import OUTCOMES
from tests.system.client import Api, ok
from tests.system.house import House, Server, wait_gone

pytestmark = pytest.mark.slow

NOTHING = "No agent of yours is running.\n"


async def _start_agents(server: Server, *names: str, says: str = "list") -> None:
    api = Api(server)
    for name in names:
        await api.create(name)
        ok(await api.ask(name.lower(), says))


async def _leave(house: House, folder: Path, *names: str) -> None:
    """The agents run, the server has gone."""
    with house.serving("serve", "--project", str(folder), leaves_agents=True) as server:
        await _start_agents(server, *names)
        server.end(signal.SIGKILL)


def _keepers(house: House) -> list[dict[str, Any]]:
    told = house.run("status", "--json")
    found: list[dict[str, Any]] = json.loads(told.out)["keepers"]
    return found


@contextmanager
def _halted(pid: int) -> Iterator[None]:
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


async def test_agents_without_a_server_are_shown_with_what_they_said_meanwhile(house: House) -> None:
    folder = house.lasting_folder("shop")
    with house.serving("serve", "--project", str(folder), leaves_agents=True) as server:
        await _start_agents(server, "Main", "QA")
        api = Api(server)
        async with api.follow() as events:
            # In a turn that does not end: what an ended one said is put by no longer.
            await api.send("qa", "hang")
            await events.until("agentAnnouncement")
        server.end(signal.SIGKILL)

    plain = house.run("status")
    (keeper,) = _keepers(house)

    assert plain.code == 0
    assert plain.out.startswith("No IdeA server of yours is running.")
    assert f"The keeper of {folder} (process {house.keepers()[0]}, IdeA " in plain.out
    assert "holds 2 agents\n" in plain.out
    assert f"  Main  chat  process {house.agent('main')}" in plain.out
    assert keeper["project"]["path"] == str(folder)
    assert (keeper["pid"], keeper["answers"], keeper["isEnding"]) == (house.keepers()[0], True, False)
    main, qa = sorted(keeper["agents"], key=lambda agent: str(agent["slug"]))
    assert {key: main[key] for key in ("slug", "name", "kind", "exit", "putByBytes")} == {
        "slug": "main",
        "name": "Main",
        "kind": "structured",
        "exit": None,
        "putByBytes": 0,
    }
    assert (main["pid"], qa["pid"]) == (house.agent("main"), house.agent("qa"))
    assert qa["putByBytes"] > 0

    # A login by ssh or cron has another runtime folder, or none.
    (other := house.root / "other").mkdir(mode=0o700)
    told = House(house.root, {"XDG_RUNTIME_DIR": str(other)}).run("stop", "--all")
    assert (told.code, told.err) == (0, "")
    assert "and ended the keeper" in told.out
    assert list(other.iterdir()) == [], "nothing is made by looking"
    assert house.processes() == []


# Two servers and eight commands start, on a machine that may be busy.
@pytest.mark.timeout(180)
async def test_one_agent_is_stopped_without_a_server_then_all_with_their_keeper(house: House) -> None:
    folder = house.lasting_folder("shop")
    with house.serving("serve", "--project", str(folder), leaves_agents=True) as server:
        await _start_agents(server, "Main", "QA", says="remember the heron")
        server.end(signal.SIGKILL)
    main, qa, keepers = house.agent("main"), house.agent("qa"), house.keepers()

    one = house.run("stop", "QA")
    assert (one.code, one.out, one.err) == (0, f"Stopped QA in {folder}.\n", "")
    assert wait_gone([qa]) == []
    assert house.agent("main") == main
    assert house.run("stop", "qa").out == f"QA does not run in {folder}.\n"
    unknown = house.run("stop", "nobody")
    assert unknown.code == OUTCOMES["NOT_FOUND"].exit_code
    assert "There run: Main." in unknown.err

    # In the next server the one was taken up alive, and the other is started again.
    with house.serving("serve", "--project", str(folder), leaves_agents=True) as server:
        for slug in ("main", "qa"):
            assert "remember the heron" in ok(await Api(server).ask(slug, "What did I say first?"))["reply"]
        server.end(signal.SIGKILL)
    assert house.agent("main") == main

    rest = house.run("stop", cwd=folder)
    assert (rest.code, rest.out, rest.err) == (0, f"Stopped Main and QA in {folder} and ended the keeper.\n", "")
    assert wait_gone([main, *keepers]) == []
    assert house.processes() == []
    nothing = house.run("stop")
    assert (nothing.code, nothing.out) == (0, NOTHING)
    named = house.run("stop", "--project", str(folder))
    assert (named.code, named.out) == (0, f"No agent runs in {folder}.\n")
    assert house.run("status").code == OUTCOMES["LOST"].exit_code


async def test_with_a_server_agents_are_stopped_through_it_and_it_goes_on(house: House) -> None:
    folder = house.lasting_folder("shop")
    with house.serving("serve", "--project", str(folder)) as server:
        await _start_agents(server, "Main", "QA")
        pids = [house.agent("main"), house.agent("qa")]
        shown = house.run("status")
        assert f"1 project open\n  {folder}: 2 idle\nThe keeper of {folder} " in shown.out

        one = house.run("stop", "qa", cwd=folder)
        rest = house.run("stop")

        assert (one.code, one.out) == (0, f"Stopped QA in {folder}.\n")
        assert (rest.code, rest.out) == (0, f"Stopped Main in {folder}.\n")
        assert wait_gone(pids) == []
        assert house.run("stop").out == f"No agent runs in {folder}.\n"
        assert house.run("stop", "qa").out == f"QA does not run in {folder}.\n"
        api = Api(server)
        agents = (await api.state())["agents"]
        assert [agent["readiness"]["reason"] for agent in agents] == ["stopped", "stopped"]
        assert [agent["agents"] for agent in _keepers(house)] == [[]]

        # One that is asked on and on is stopped with its askers.
        async with api.follow() as events:
            await api.send("main", "ask QA: hang")
            await events.running("hang")
        await api.send("qa", "list")
        both = house.run("stop")
        assert (both.code, both.err) == (0, "")
        assert [agent["session"] for agent in (await api.state())["agents"]] == [None, None]
    assert "Traceback" not in server.said()


# Three servers and seven commands start, on a machine that may be busy.
@pytest.mark.timeout(180)
async def test_all_reaches_every_project_and_the_demo(house: House) -> None:
    demo = house.lasting_folder("demo")
    with house.serving("demo", str(demo), leaves_agents=True) as server:
        api = Api(server)
        ok(await api.ask("qa", "list"))
        # This folder leads to no server; the one project with a keeper is meant, and its server is told.
        elsewhere = house.run("stop")
        assert (elsewhere.code, elsewhere.out) == (0, f"Stopped QA in {demo}.\n")
        reasons = {agent["slug"]: agent["readiness"]["reason"] for agent in (await api.state())["agents"]}
        assert reasons["qa"] == "stopped"
        assert len(house.keepers()) == 1
        ok(await api.ask("qa", "list"))
        server.end(signal.SIGTERM)
        assert f" demo {demo}` takes it up again" in server.said()
    await _leave(house, house.lasting_folder("blog"), "Main")
    assert f" demo {demo}` starts one" in house.run("status").out
    shop = house.lasting_folder("shop")
    with house.serving("serve", "--project", str(shop)) as server:
        await _start_agents(server, "Writer")
        agents = [house.agent(slug) for slug in ("qa", "main", "writer")]
        assert len(_keepers(house)) == 3
        several = house.run("stop")
        assert several.code == OUTCOMES["INVALID"].exit_code
        assert "--all" in several.err

        told = house.run("stop", "--all")

        assert (told.code, told.err) == (0, "")
        work = house.root / "work"
        assert told.out.splitlines() == [
            f"Stopped Writer in {shop}.",
            f"Stopped Main in {work / 'blog'} and ended the keeper.",
            f"Stopped QA in {demo} and ended the keeper.",
        ]
        assert wait_gone(agents) == []
        assert [keeper["project"]["path"] for keeper in _keepers(house)] == [str(shop)]
        assert house.run("stop", "--all").out == NOTHING


# Six commands start, and four of them wait, on a machine that may be busy.
@pytest.mark.timeout(180)
async def test_a_keeper_that_does_not_answer_is_named_and_one_that_nobody_knows_is_ended(house: House) -> None:
    folder = house.lasting_folder("shop")
    await _leave(house, folder, "Main")
    (pid,) = house.keepers()
    # Each command waits the 5 s that a keeper gets to greet.
    with _halted(pid):
        async with asyncio.TaskGroup() as tasks:
            commands = (("status",), ("status", "--json"), ("stop", "--all"), ("stop", "main"))
            running = [tasks.create_task(house.run_beside(*command)) for command in commands]
    status, for_programs, stop, one = (task.result() for task in running)

    said = f"The keeper of {folder} (process {pid}) does not answer."
    assert (status.code, status.out.splitlines()[1:]) == (0, [said])
    (found,) = json.loads(for_programs.out)["keepers"]
    assert (found["answers"], found["pid"], found["agents"]) == (False, pid, [])
    for told in (stop, one):
        assert (told.code, told.out) == (OUTCOMES["LOST"].exit_code, "")
        assert told.err.splitlines() == [f"idea: {said}", f"      `kill -9 {pid}` ends it, and its agents with it."]
    assert len(house.processes("--agent", "main")) == 1

    # It answers again, and its project has been forgotten.
    (house.state / "idea" / "projects.json").unlink()
    assert "The keeper of an unknown project, at " in house.run("status").out
    ended = house.run("stop", "--all")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("Stopped Main in an unknown project, at ")
    assert house.processes() == []
    assert not (house.state / "idea" / "projects.json").exists()
