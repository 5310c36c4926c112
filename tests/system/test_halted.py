"""A CLI, or the keeper of all of them, that is halted takes no input; whoever waits is told in time all the same."""

import asyncio
import os
import resource
import signal

import pytest

from tests.system.client import Api, ok, refused, texts
from tests.system.house import House

pytestmark = pytest.mark.slow

LONG = "list " + "x" * 300_000
"""More than a pipe holds: what is left waits for the CLI."""


async def test_a_halted_agent_is_told_of_in_time_and_goes_on_in_a_new_process(house: House) -> None:
    """For an ask by its limit, for a person by the interrupt; both may take the grace of ten seconds and a stop."""
    with house.serving("serve", "--project", str(house.lasting_folder("shop"))) as server:
        api = Api(server)
        for name in ("Asked", "Told"):
            await api.create(name)
            ok(await api.ask(name.lower(), f"remember {name}"))
        halted = [house.agent("asked"), house.agent("told")]
        for pid in halted:
            os.kill(pid, signal.SIGSTOP)
        async with api.follow() as events, asyncio.TaskGroup() as tasks:
            asking = tasks.create_task(api.ask("asked", LONG, timeout_s=2))
            turn = await api.send("told", LONG)
            await events.until("turnStarted", turnId=turn)
            ok(await api.agent("POST", "told", "/interrupt", {"turnId": turn}))
            working = await api.until_state(await _agent(api, "told"), "working")

            fields = refused(await asking, 504, "TIMEOUT")
            behind = tasks.create_task(api.ask("asked", "What did I say first?"))
            ended = await events.until("turnEnded", turnId=turn)
            answer = ok(await behind)["reply"]
        after = ok(await api.ask("told", "What did I say first?"))["reply"]

        assert fields["queued"] is False
        assert working["reason"] == "turnRunning"
        assert ended["outcome"] == "CANCELLED"
        assert ("remember Asked" in answer, "remember Told" in after) == (True, True)
        assert not {house.agent("asked"), house.agent("told")} & set(halted)
        assert "Traceback" not in server.said()


async def test_with_a_halted_keeper_an_ask_ends_in_time_and_what_was_late_answers_nobody(house: House) -> None:
    with house.serving("serve", "--project", str(house.lasting_folder("shop"))) as server:
        api = Api(server)
        await api.create("Lives")
        await api.create("Starts")
        ok(await api.ask("lives", "remember the heron"))
        [keeper] = house.keepers()
        os.kill(keeper, signal.SIGSTOP)
        async with asyncio.TaskGroup() as tasks:
            written = tasks.create_task(api.ask("lives", "list", timeout_s=1))
            launched = tasks.create_task(api.ask("starts", "list", timeout_s=1))
        refused(written.result(), 504, "TIMEOUT")
        refused(launched.result(), 504, "TIMEOUT")

        os.kill(keeper, signal.SIGCONT)

        assert "remember the heron" in ok(await api.ask("lives", "What did I say first?"))["reply"]
        assert "Traceback" not in server.said()


async def test_an_agent_whose_output_cannot_be_put_by_says_so_and_goes_on_when_it_can(house: House) -> None:
    with house.serving("serve", "--project", str(house.lasting_folder("shop"))) as server:
        api = Api(server)
        agent = await api.create("Main")
        ok(await api.ask("main", "list"))
        [keeper] = house.keepers()
        limits = resource.prlimit(keeper, resource.RLIMIT_FSIZE)
        # A disk without room, for what the keeper puts by alone.
        resource.prlimit(keeper, resource.RLIMIT_FSIZE, (0, limits[1]))
        async with api.follow() as events:
            turn = await api.send("main", "!flood 60000 100")
            held = await events.until(
                "agentReadinessChanged", lambda event: event["readiness"]["reason"] == "outputHeld", agentId=agent["id"]
            )
            shown = (await api.agent("GET", "main")).body["readiness"]
            resource.prlimit(keeper, resource.RLIMIT_FSIZE, limits)
            ended = await events.until("turnEnded", turnId=turn)
            await events.until(
                "agentReadinessChanged", lambda event: event["readiness"]["state"] == "idle", agentId=agent["id"]
            )

    assert (held["readiness"]["state"], held["readiness"]["detail"]) == ("stalled", "File too large")
    assert shown["reason"] == "outputHeld"
    assert ended["outcome"] == "ANSWERED"


# A silent keeper is given 5 s, twice; two servers start.
@pytest.mark.timeout(180)
async def test_a_keeper_that_is_halted_at_the_start_keeps_no_other_project_from_being_served(house: House) -> None:
    first, second = house.lasting_folder("first"), house.lasting_folder("second")
    with house.serving("serve", "--project", str(first), leaves_agents=True) as server:
        api = Api(server)
        await api.create("Lives")
        ok(await api.ask("lives", "remember the heron"))
    [keeper] = house.keepers()
    os.kill(keeper, signal.SIGSTOP)

    with house.serving("serve", "--project", str(first), "--project", str(second)) as server:
        api = Api(server)
        waits = ok(await api.call("GET", "/api/state"))["unopened"]
        told = refused(await api.call("POST", "/api/projects", {"path": str(first)}), 503, "LOST")
        opened = [project["path"] for project in server.ready["projects"]]
        said = server.said()
        async with api.follow() as events:
            os.kill(keeper, signal.SIGCONT)
            project = (await events.until("projectOpened"))["project"]
        ask = f"/api/projects/{project['id']}/agents/lives/ask"
        answered = ok(await api.call("POST", ask, {"message": "What did I say first?"}))["reply"]
        left = ok(await api.call("GET", "/api/state"))["unopened"]
        assert "Traceback" not in server.said()

    assert opened == [str(second)]
    assert told == {"why": "keeperSilent", "pid": keeper}
    [notice] = [one["notice"] for one in waits]
    assert (notice["code"], notice["fields"]) == ("projectNotOpened", {**told, "code": "LOST", "project": str(first)})
    assert notice["detail"] in said
    assert f"kill -9 {keeper}" in said
    assert project["path"] == str(first)
    assert "remember the heron" in answered
    assert left == []


# Two servers start.
@pytest.mark.timeout(120)
async def test_a_message_whose_agent_could_not_start_yet_outlives_a_signal(house: House) -> None:
    serve = ("serve", "--project", str(house.lasting_folder("shop")))
    with house.serving(*serve, leaves_agents=True) as server:
        api = Api(server)
        await api.create("Starts")
        [keeper] = house.keepers()
        os.kill(keeper, signal.SIGSTOP)
        async with api.follow() as events:
            await api.send("starts", "remember the heron")
            await events.until("turnStarted")
            await api.send("starts", "remember the reed")
        server.process.send_signal(signal.SIGTERM)
        server.wait_said("Stopping")
        os.kill(keeper, signal.SIGCONT)
        assert server.end() == 0
        assert "Traceback" not in server.said()

    with house.serving(*serve) as server:
        api = Api(server)
        ok(await api.ask("starts", "list"))
        items = await api.items("starts")

    assert texts(items, "prompt") == ["remember the heron", "remember the reed", "list"]
    assert len(texts(items, "answer")) == 3


async def _agent(api: Api, slug: str) -> dict[str, object]:
    found: dict[str, object] = ok(await api.agent("GET", slug))
    return found
