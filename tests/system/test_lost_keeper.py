"""A project whose keeper is killed loses its agents, says so, and nothing else stops; it gets another keeper."""

import asyncio
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from idea.domain.sessions import OutputStream
from tests.keeper.running import Place, attached
from tests.system.client import Api, Json, ok, refused
from tests.system.house import GONE_S, House, wait_gone

pytestmark = pytest.mark.slow


@contextmanager
def _no_keeper_can_start(house: House) -> Iterator[None]:
    """The next one would find a folder where its socket belongs; the one that lives has looked after it already."""
    [socket] = house.runtime.rglob("*.keeper")
    socket.unlink()
    socket.mkdir()
    yield
    socket.rmdir()


def _wait_reaped(pid: int) -> None:
    deadline = time.monotonic() + GONE_S
    while Path(f"/proc/{pid}").exists():
        assert time.monotonic() < deadline, "its keeper did not notice its end"
        time.sleep(0.01)  # nobody is told of the end of a process that is not theirs


async def _launch_terminal(api: Api, name: str) -> Json:
    agent = await api.create(name, profile="shell")
    ok(await api.agent("POST", name.lower(), "/launch", {"view": "terminal", "nodeId": name}))
    return agent


async def test_a_killed_keepers_agents_are_reported_lost_and_start_again(house: House) -> None:
    with house.serving("serve", "--project", str(house.lasting_folder("shop"))) as server:
        api = Api(server)
        two = await api.create("Two")
        shell = await _launch_terminal(api, "Shell")
        async with api.follow() as events:
            await api.create("One")
            await api.send("one", "ask Two: hang")
            await events.said(two["id"], "for ever")
            agents = [house.agent("one"), house.agent("two")]
            [keeper] = house.keepers()
            house.kill(keeper)
            delegation = await events.settled("hang")
            told = await events.until("noticePosted")
            for agent in (two, shell):
                await events.until(
                    "agentReadinessChanged",
                    lambda event: event["readiness"]["reason"] == "keeperLost",
                    agentId=agent["id"],
                )
            ok(await api.ask("two", "list"))
        ok(await api.agent("POST", "shell", "/launch", {"view": "terminal", "nodeId": "Shell"}))
        [failure] = [item for item in await api.items("two") if item["kind"] == "failure"]
        [successor] = house.keepers()

        assert (delegation["state"], delegation["outcome"]) == ("failed", "TARGET_DIED")
        assert failure["fields"]["why"] == "endedWithKeeper"
        assert (told["code"], told["fields"]["why"]) == ("keeperLost", "keeperEnded")
        assert wait_gone(agents) == []
        assert successor != keeper
        assert told["detail"] in server.said()
        assert "Traceback" not in server.said()


async def test_agents_that_a_signal_ends_just_before_their_keeper_are_lost_with_it(house: House) -> None:
    """As at a logout, where everything of the user's is told to end."""
    with house.serving("serve", "--project", str(house.lasting_folder("shop"))) as server:
        api = Api(server)
        await api.create("One")
        ok(await api.ask("one", "remember the heron"))
        agent, [keeper] = house.agent("one"), house.keepers()
        async with api.follow() as events:
            # So that it hears of the one after the other, and of both at once.
            os.kill(server.process.pid, signal.SIGSTOP)
            os.kill(agent, signal.SIGTERM)
            _wait_reaped(agent)
            os.kill(keeper, signal.SIGTERM)
            assert wait_gone([keeper]) == []
            os.kill(server.process.pid, signal.SIGCONT)
            ended = await events.until("agentReadinessChanged", lambda event: event["readiness"]["state"] == "exited")
            await events.until("resumableChanged")
        [offer] = (await api.state())["resumable"]

        assert ended["readiness"]["reason"] == "keeperLost"
        assert offer["canResume"]
        assert "remember the heron" in ok(await api.ask("one", "What did I say first?"))["reply"]


async def test_where_no_keeper_starts_that_is_told_others_go_on_and_the_next_launch_works(house: House) -> None:
    with house.serving("serve", "--project", str(house.lasting_folder("shop"))) as server:
        api = Api(server)
        await api.create("One")
        ok(await api.ask("one", "list"))
        [keeper] = house.keepers()
        async with api.follow() as events:
            with _no_keeper_can_start(house):
                house.kill(keeper)
                await events.until("noticePosted", lambda notice: notice["fields"]["why"] == "keeperDoesNotStart")
                other = await _open_another(api, house.folder("blog"))
                assert ok(await api.project("POST", "/agents/clerk/ask", {"message": "list"}, project=other))["reply"]
                cause = refused(await api.ask("one", "list"), 403, "REFUSED")

        assert cause["why"] == "keeperDoesNotStart"
        assert "in the way" in cause["detail"]
        # Somebody who corrected it need not wait for the next attempt.
        ok(await api.ask("one", "list"))
        notices = (await api.state())["notices"]
        assert [notice["fields"]["why"] for notice in notices] == ["keeperEnded"], "the other is mended"
        assert "Traceback" not in server.said()


async def _open_another(api: Api, folder: Path) -> str:
    opened = ok(await api.call("POST", "/api/projects", {"path": str(folder)}))["id"]
    ok(await api.project("POST", "/agents", {"name": "Clerk", "profile": "demo"}, project=opened))
    return str(opened)


async def test_a_terminal_whose_picture_cannot_be_read_is_told_and_its_program_goes_on(house: House) -> None:
    """As after a change of version that reads no checkpoint of the one before."""
    folder = house.lasting_folder("shop")
    with house.serving("serve", "--project", str(folder), leaves_agents=True) as server:
        await _launch_terminal(Api(server), "Shell")
        server.end(signal.SIGKILL)
    [socket] = house.runtime.rglob("*.keeper")
    async with attached(Place(socket, folder / ".ideai" / "state")) as keeper:
        [child] = await keeper.children()
        process = await keeper.attach(child.spawn_id)
        assert process is not None
        await process.checkpoint(child.streams[OutputStream.TERMINAL].end, b"of another version")

    with house.serving("serve", "--project", str(folder)) as server:
        state = await Api(server).state()

    [notice] = state["notices"]
    assert (notice["code"], notice["slug"], notice["fields"]["why"]) == ("screenLost", "shell", "screenUnreadable")
    assert [agent["session"]["kind"] for agent in state["agents"]] == ["pty"]


async def test_agents_whose_keeper_is_asked_to_end_are_lost_with_it_and_offered(house: House) -> None:
    """They are ended one by one, first those that wait for others: none of it is their own doing, or an answer."""
    folder = house.lasting_folder("shop")
    with house.serving("serve", "--project", str(folder)) as server:
        api = Api(server)
        one, two = await api.create("One"), await api.create("Two")
        shell = await _launch_terminal(api, "Shell")
        async with api.follow() as events, asyncio.TaskGroup() as tasks:
            asking = tasks.create_task(api.ask("one", "ask Two: hang"))
            await events.said(two["id"], "for ever")
            [keeper] = house.keepers()
            os.kill(keeper, signal.SIGTERM)
            failure = refused(await asking, 502, "TARGET_DIED")
            for agent in (one, two, shell):
                await events.until(
                    "agentReadinessChanged",
                    lambda event: event["readiness"]["reason"] == "keeperLost",
                    agentId=agent["id"],
                )
        offered = {each["agentId"] for each in (await api.state())["resumable"]}

        assert failure["why"] == "endedWithKeeper"
        assert offered == {one["id"], two["id"], shell["id"]}
        # At once, while the one before may still be ending.
        ok(await api.ask("two", "list"))
        assert house.keepers() != [keeper]
        assert "Traceback" not in server.said()
        server.end(signal.SIGKILL)
    with house.serving("serve", "--project", str(folder)) as server:
        offered = {each["agentId"] for each in (await Api(server).state())["resumable"]}
        assert {one["id"], shell["id"]} <= offered
