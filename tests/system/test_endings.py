"""How a server ends, by word or by force, and that it leaves nothing behind."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from tests.system.client import Api, ok, refused, texts
from tests.system.house import STOP_S, House, Server, wait_gone

pytestmark = pytest.mark.slow


def _left(house: House) -> list[str]:
    """Sockets, secrets and temporary files; the folders that a login owns stay."""
    return sorted(
        str(path.relative_to(house.root)) for folder in (house.runtime, house.tmp) for path in folder.rglob("*")
    )


async def _work(server: Server) -> None:
    """One agent asks another, which works on until somebody ends it."""
    api = Api(server)
    one, two = await api.create(), await api.create()
    async with api.follow() as events:
        await api.send(one["slug"], f"ask {two['name']}: hang")
        await events.said(two["id"], "for ever")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
async def test_a_signal_stops_the_agents_in_the_middle_of_their_work_and_says_so(
    house: House, number: signal.Signals
) -> None:
    with house.serving("demo") as server:
        await _work(server)
        pids = house.processes()
        assert len(pids) >= 5, "the server, two agents, two bridges"

        assert server.end(number) == 0

        assert "Stopped 2 running agents.\n" in server.said(), "nothing of a throw-away demo goes on"
        assert "Traceback" not in server.said()
        assert wait_gone(pids) == []
    assert house.processes() == []
    assert _left(house) in ([], ["run/idea"])


async def test_a_request_that_the_end_cuts_off_is_told_so(house: House) -> None:
    """A halted agent is stopped by force at last, and nobody waits so long for a request."""
    with house.serving("serve", "--project", str(house.folder("shop"))) as server:
        api = Api(server)
        await api.create("Main")
        ok(await api.ask("main", "list"))
        os.kill(house.agent("main"), signal.SIGSTOP)
        async with api.follow() as events, asyncio.TaskGroup() as tasks:
            asking = tasks.create_task(api.ask("main", "list"))
            await events.until("turnStarted")
            stopping = tasks.create_task(api.agent("POST", "main", "/stop"))
            refused(await asking, 409, "CANCELLED")
            server.process.send_signal(signal.SIGTERM)
        ended = server.process.wait(STOP_S)
        said = server.said()

    refused(stopping.result(), 503, "CLOSED")
    assert ended == 0
    assert "Traceback" not in said


async def test_the_end_of_a_server_says_that_conversations_go_on_and_accuses_no_project(house: House) -> None:
    with house.serving("serve", "--project", str(house.folder("shop"))) as server:
        api = Api(server)
        agent = await api.create()
        ok(await api.ask(agent["slug"], "list"))

        assert server.end() == 0

        assert "Stopped 1 running agent. Conversations go on at the next start.\n" in server.said()
    (house.lasting_folder("bad") / ".ideai").write_text("in the way", encoding="utf-8")
    told = house.run(
        "serve", "--project", str(house.root / "work" / "shop"), "--project", str(house.root / "work" / "bad")
    )

    assert told.code == 6
    assert "in the way" in told.err
    assert "shop" not in told.err


async def test_a_cli_that_still_starts_when_the_server_goes_starts_for_the_next_one(house: House) -> None:
    gate, program = house.root / "gate", house.root / "slow"
    os.mkfifo(gate)
    program.write_text(f'#!/bin/sh\nread word <{gate}\nexec {sys.executable} "$@"\n', encoding="utf-8")
    program.chmod(0o700)
    profiles = house.root / "config" / "idea" / "profiles"
    profiles.mkdir(parents=True)
    (profiles / "slow.toml").write_text(f'extends = "demo"\ncommand = "{program}"\n', encoding="utf-8")
    folder = house.lasting_folder("shop")
    with house.serving("serve", "--project", str(folder), leaves_agents=True) as server:
        api = Api(server)
        await api.create("Slow", profile="slow")
        await api.send("slow", "remember the heron")
        opened = await asyncio.to_thread(os.open, gate, os.O_WRONLY)  # it runs, and waits
        assert server.end() == 0
        assert "1 agent goes on." in server.said()
    with house.serving("serve", "--project", str(folder)) as server:
        api = Api(server)
        os.write(opened, b"go\n")
        os.close(opened)

        assert "remember the heron" in ok(await api.ask("slow", "What did I say first?"))["reply"]
        assert texts(await api.items("slow"), "prompt") == ["remember the heron", "What did I say first?"]
        house.agent("slow")


async def test_a_server_killed_takes_its_agents_along_and_the_next_one_starts(house: House) -> None:
    folder = house.folder("shop")
    with house.serving("serve", "--project", str(folder)) as server:
        api = Api(server)
        agent = await api.create("Main")
        ok(await api.ask("main", "remember the heron"))
        async with api.follow() as events:
            await api.send("main", "hang")
            await events.said(agent["id"], "for ever")
        pids = house.processes()
        assert len(pids) >= 3

        assert server.end(signal.SIGKILL) == -signal.SIGKILL

        assert wait_gone(pids) == []
    with house.serving("serve", "--project", str(folder)) as server:
        api = Api(server)
        assert server.project == (await api.state())["id"]
        # The conversation goes on, and the turn that was cut off answers nobody.
        assert "remember the heron" in ok(await api.ask("main", "What did I say first?"))["reply"]
        assert texts(await api.items("main"), "prompt") == ["remember the heron", "hang", "What did I say first?"]
        assert [agent["queue"] for agent in (await api.state())["agents"]] == [[]]


async def test_an_ask_that_was_open_when_the_server_was_killed_is_shown_as_ended(house: House) -> None:
    folder = house.folder("shop")
    with house.serving("serve", "--project", str(folder)) as server:
        api = Api(server)
        await api.create("Main")
        qa = await api.create("QA")
        async with api.follow() as events:
            await api.send("main", "ask QA: hang")
            await events.said(qa["id"], "for ever")
        server.end(signal.SIGKILL)
    with house.serving("serve", "--project", str(folder)) as server:
        (delegation,) = (await Api(server).state())["delegations"]

    assert (delegation["message"], delegation["state"], delegation["outcome"]) == ("hang", "failed", "TARGET_DIED")


async def test_whoever_asks_from_the_command_line_is_told_that_the_server_ended(house: House) -> None:
    with house.serving("demo") as server:
        async with Api(server).follow() as events, asyncio.TaskGroup() as tasks:
            asking = tasks.create_task(house.run_beside("ask", "qa", "hang", "--project", str(server.root)))
            await events.running("hang")
            server.process.terminate()
            told = await asking

    assert told.code != 0
    assert "closed" in told.err
    assert "Traceback" not in told.err


async def test_a_person_who_interrupts_the_command_line_takes_the_ask_back(house: House) -> None:
    with house.serving("demo") as server:
        async with Api(server).follow() as events, asyncio.TaskGroup() as tasks:
            asking = tasks.create_task(house.run_beside("ask", "qa", "hang", "--project", str(server.root)))
            running = await events.running("hang")
            asking.cancel()
            settled = await events.settled("hang")
            await events.until("turnEnded", turnId=running["turnId"])

    assert settled["outcome"] == "CANCELLED"


async def test_a_server_does_not_wait_for_an_agent_that_will_not_leave(house: House) -> None:
    """Halted: it hears neither the end of its input nor SIGTERM."""
    with house.serving("demo") as server:
        api = Api(server)
        agent = await api.create()
        ok(await api.ask(agent["slug"], "list"))
        pid = house.agent(agent["slug"])
        os.kill(pid, signal.SIGSTOP)

        assert server.end() == 0

        assert wait_gone([pid]) == []
    assert house.processes() == []


async def test_stopping_an_agent_ends_its_whole_tree(house: House, tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text(
        '{"rules": [{"match": "", "steps": [{"spawn_grandchild": {"seconds": 600}}, {"answer": "{pid}"}]}]}',
        encoding="utf-8",
    )
    with House(house.root, {"IDEA_DEMO_SCRIPT": str(script)}).serving("demo") as server:
        api = Api(server)
        agent = await api.create()
        grandchild = int(ok(await api.ask(agent["slug"], "spawn"))["reply"])
        assert grandchild in house.processes()
        pids = [house.agent(agent["slug"]), grandchild, *house.processes("mcp-server", agent["id"])]

        stopped = ok(await api.agent("POST", agent["slug"], "/stop"))

        assert wait_gone(pids) == []
        assert stopped["survivors"] == []
        after = (await api.agent("GET", agent["slug"])).body
        assert (after["readiness"]["state"], after["readiness"]["reason"]) == ("exited", "stopped")


async def test_closing_a_project_ends_its_agents_and_answers_who_waits(house: House) -> None:
    with house.serving("demo") as server:
        api = Api(server)
        async with api.follow() as events, asyncio.TaskGroup() as tasks:
            asking = tasks.create_task(api.ask("qa", "hang"))
            running = await events.running("hang")
            await events.said(running["targetId"], "for ever")
            pids = [house.agent("qa"), *house.processes("mcp-server")]
            ok(await api.project("DELETE"))
            refused(await asking, 503, "CLOSED")
            await events.until("projectClosed", projectId=server.project)

        assert wait_gone(pids) == []
        assert ok(await api.call("GET", "/api/state"))["projects"] == []
        refused(await api.ask("qa", "hello"), 404, "NOT_FOUND")
        assert ok(await api.call("POST", "/api/projects", {"path": str(server.root)}))["id"] == server.project
        assert "scripted demo agent" not in ok(await api.ask("qa", "hello"))["reply"]
