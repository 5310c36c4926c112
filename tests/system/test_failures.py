"""What becomes of an ask whose target dies, fails, is limited, says nothing or takes too long."""

import asyncio
import os
import signal
import time

import pytest

from tests.system.client import Api, ok, refused, texts
from tests.system.house import Server, wait_gone

pytestmark = pytest.mark.slow


async def test_a_target_killed_in_its_turn_is_told_and_started_again_by_the_next_ask(api: Api, demo: Server) -> None:
    target = await api.create()
    async with api.follow() as events, asyncio.TaskGroup() as tasks:
        asking = tasks.create_task(api.ask(target["slug"], "hang"))
        await events.said(target["id"], "for ever")
        # Only now: two requests at once arrive in either order.
        waiting = tasks.create_task(api.ask(target["slug"], "list"))
        await events.queued(target["id"], "list")
        pid = demo.house.agent(target["slug"])
        os.kill(pid, signal.SIGKILL)

        fields = refused(await asking, 502, "TARGET_DIED")
        assert "signal 9" in fields["reason"]
        ended = await events.until(
            "agentReadinessChanged", lambda event: event["readiness"]["state"] == "exited", agentId=target["id"]
        )
        assert (ended["readiness"]["reason"], ended["readiness"]["exitCode"]) == ("ended", -9)
        assert target["name"] in ok(await waiting)["reply"]

    assert demo.house.agent(target["slug"]) != pid
    (failure,) = texts(await api.items(target["slug"]), "failure")
    assert "ended before it answered" in failure


async def test_a_target_that_leaves_in_its_turn_is_told_with_its_code(api: Api) -> None:
    target = await api.create()

    assert "code 3" in refused(await api.ask(target["slug"], "exit 3"), 502, "TARGET_DIED")["reason"]
    assert "signal 9" in refused(await api.ask(target["slug"], "crash"), 502, "TARGET_DIED")["reason"]
    ok(await api.ask(target["slug"], "list"))


async def test_a_turn_without_an_answer_is_told_as_such(api: Api) -> None:
    target = await api.create()

    refused(await api.ask(target["slug"], "silent"), 502, "TARGET_RETURNED_NO_REPLY")

    # What it announced instead is no answer.
    assert texts(await api.items(target["slug"]), "answer") == []


async def test_a_failed_turn_says_what_the_cli_reported_and_the_target_goes_on(api: Api) -> None:
    target = await api.create()

    assert "overloaded (529)" in refused(await api.ask(target["slug"], "fail"), 502, "TURN_FAILED")["reason"]
    ok(await api.ask(target["slug"], "list"))


async def test_garbage_and_noise_do_no_harm(api: Api) -> None:
    target = await api.create()

    assert ok(await api.ask(target["slug"], "garbage"))["reply"] == "That was garbage on both streams."
    assert ok(await api.ask(target["slug"], "flood"))["reply"] == "That was the flood."


async def test_a_limited_target_is_told_with_the_time_of_its_reset(api: Api) -> None:
    target = await api.create()
    began_ms = time.time() * 1000
    async with api.follow() as events:
        until_ms = refused(await api.ask(target["slug"], "limit 60"), 429, "TARGET_RATE_LIMITED")["untilMs"]
        shown = await events.until(
            "agentReadinessChanged", lambda event: event["readiness"]["state"] == "rateLimited", agentId=target["id"]
        )
        again = refused(await api.ask(target["slug"], "list"), 429, "TARGET_RATE_LIMITED")
    unknown = refused(await api.ask((await api.create())["slug"], "limit"), 429, "TARGET_RATE_LIMITED")

    # Between the two the test's own time passed; the upper end is 60 s of limit and the longest wait.
    assert 59_000 <= until_ms - began_ms <= 120_000
    assert shown["readiness"]["untilAtMs"] == until_ms
    assert again["untilMs"] == until_ms
    assert unknown["untilMs"] is None


async def test_a_turn_that_takes_too_long_is_interrupted_and_the_next_in_the_queue_is_served(
    api: Api, demo: Server
) -> None:
    target = await api.create()
    ok(await api.ask(target["slug"], "list"))
    pid = demo.house.agent(target["slug"])
    async with api.follow() as events, asyncio.TaskGroup() as tasks:
        asking = tasks.create_task(api.ask(target["slug"], "hang", timeout_s=1))
        await events.running("hang")
        waiting = tasks.create_task(api.ask(target["slug"], "list"))

        fields = refused(await asking, 504, "TIMEOUT")
        settled = await events.settled("hang")
        assert "The team" in ok(await waiting)["reply"]

    assert (fields["ticketId"], fields["queued"]) == (settled["ticketId"], False)
    assert demo.house.agent(target["slug"]) == pid


async def test_what_a_timed_out_turn_still_says_is_given_to_nobody(api: Api, demo: Server) -> None:
    """The target is halted over its time-out, so that its answer can only come late."""
    target = await api.create()
    ok(await api.ask(target["slug"], "list"))
    pid = demo.house.agent(target["slug"])
    async with api.follow() as events, asyncio.TaskGroup() as tasks:
        os.kill(pid, signal.SIGSTOP)
        try:
            late = tasks.create_task(api.ask(target["slug"], "long", timeout_s=0.2))
            refused(await late, 504, "TIMEOUT")
            following = tasks.create_task(api.ask(target["slug"], "tools"))
        finally:
            os.kill(pid, signal.SIGCONT)
        reply = ok(await following)["reply"]
        turn = (await events.settled("long"))["turnId"]

    assert reply.startswith("I can use: ")
    assert len(texts([item for item in await api.items(target["slug"]) if item["turnId"] != turn], "answer")) == 2
    assert (await events.settled("long"))["reply"] is None
    assert demo.house.agent(target["slug"]) == pid


async def test_a_target_deaf_to_interrupts_is_ended_after_the_grace_and_started_again(api: Api, demo: Server) -> None:
    """Takes the grace of 10 s and the 5 s of a stop that is not heard either."""
    target = await api.create()
    ok(await api.ask(target["slug"], "list"))
    pid = demo.house.agent(target["slug"])
    # Before it is asked: it may take longer to say a word than the turn may last.
    os.kill(pid, signal.SIGSTOP)
    async with api.follow() as events, asyncio.TaskGroup() as tasks:
        asking = tasks.create_task(api.ask(target["slug"], "hang", timeout_s=1))
        await events.running("hang")
        waiting = tasks.create_task(api.ask(target["slug"], "list"))

        refused(await asking, 504, "TIMEOUT")
        assert "The team" in ok(await waiting)["reply"]

    assert wait_gone([pid]) == []
    assert demo.house.agent(target["slug"]) != pid


async def test_the_asks_of_a_requester_that_dies_are_taken_back(api: Api, demo: Server) -> None:
    requester, target = await api.create(), await api.create()
    async with api.follow() as events, asyncio.TaskGroup() as tasks:
        asking = tasks.create_task(api.ask(requester["slug"], f"ask {target['name']}: hang"))
        await events.said(target["id"], "for ever")
        os.kill(demo.house.agent(requester["slug"]), signal.SIGKILL)

        refused(await asking, 502, "TARGET_DIED")
        taken_back = await events.settled("hang")
        await events.until("turnEnded", turnId=taken_back["turnId"])
        ok(await api.ask(target["slug"], "list"))

    assert (taken_back["requester"]["id"], taken_back["outcome"]) == (requester["id"], "CANCELLED")
    assert texts(await api.items(target["slug"]), "answer") != []


async def test_the_asks_of_a_bridge_that_dies_are_taken_back(api: Api, demo: Server) -> None:
    requester, target = await api.create(), await api.create()
    async with api.follow() as events, asyncio.TaskGroup() as tasks:
        asking = tasks.create_task(api.ask(requester["slug"], f"ask {target['name']}: hang"))
        await events.said(target["id"], "for ever")
        (bridge,) = demo.house.processes("mcp-server", requester["id"])
        os.kill(bridge, signal.SIGKILL)

        assert (await events.settled("hang"))["outcome"] == "CANCELLED"
        assert f"{target['name']} gave no answer" in ok(await asking)["reply"]


async def test_a_turn_that_nobody_asked_for_answers_no_ask(api: Api) -> None:
    target = await api.create()
    async with api.follow() as events:
        reply = ok(await api.ask(target["slug"], "spontaneous"))["reply"]
        notice = await events.until("noticePosted", code="spontaneousTurn", slug=target["slug"])

    assert "nightly build has finished" in notice["detail"]
    assert "nightly build has finished" not in reply
