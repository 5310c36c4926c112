"""The real Claude Code in a whole IdeA: what a page sees of it, what it may do, and what becomes of it."""

import os
import signal
import time

import pytest

from tests.engines_whole.crew import Crew
from tests.model_server.scenarios import LIMIT_S
from tests.system.client import Events, Json, ok, refused, texts

pytestmark = pytest.mark.engines


async def ask_permission(crew: Crew, events: Events, agent: Json, message: str) -> tuple[str, Json]:
    """The turn, and the question that it asks."""
    turn = await crew.api.send(agent["slug"], message)
    asked: Json = (await events.until("permissionAsked", lambda event: event["permission"]["turnId"] == turn))[
        "permission"
    ]
    return turn, asked


async def test_a_conversation_goes_on_from_ask_to_ask_and_over_a_stop(crew: Crew) -> None:
    claude = await crew.hire("claude")

    assert await crew.reply(claude, "[[say the first answer]]") == "the first answer"
    first = await crew.look(claude)
    assert await crew.reply(claude, "[[say the second answer]]") == "the second answer"
    assert "the first answer" in str(crew.heard("second answer")["messages"])
    stopped = ok(await crew.api.agent("POST", claude["slug"], "/stop"))
    assert await crew.reply(claude, "[[say the third answer]]") == "the third answer"
    again = await crew.look(claude)

    assert (stopped["exitCode"], stopped["survivors"]) == (0, [])
    assert first["session"]["conversationId"] == first["conversationId"] == again["conversationId"]
    assert again["session"]["id"] != first["session"]["id"]
    assert crew.process("--resume", again["conversationId"])
    assert "the first answer" in str(crew.heard("third answer")["messages"])
    items = await crew.api.items(claude["slug"])
    assert [item["kind"] for item in items] == ["prompt", "answer"] * 3
    assert texts(items, "answer") == ["the first answer", "the second answer", "the third answer"]


@pytest.mark.parametrize("decision", ["allowOnce", "deny"])
async def test_a_command_waits_for_a_person_who_sees_it_word_for_word(crew: Crew, decision: str) -> None:
    claude = await crew.hire("claude")
    made = crew.root / f"made-{decision}"
    async with crew.api.follow() as events:
        turn, asked = await ask_permission(crew, events, claude, f"[[run touch '{made.name}' && ls]]")
        state = await crew.api.state()
        assert asked in state["permissions"]
        assert (await crew.look(claude))["readiness"]["state"] == "waitingPermission"
        assert not made.exists()
        path = f"/permissions/{asked['requestId']}"
        ok(await crew.api.agent("POST", claude["slug"], path, {"decision": decision}))
        await events.until("turnEnded", turnId=turn, outcome="ANSWERED")
        refused(await crew.api.agent("POST", claude["slug"], path, {"decision": "allowOnce"}), 404, "NOT_FOUND")

    assert (asked["title"], asked["detail"]) == ("Run a command", f"touch '{made.name}' && ls")
    assert made.exists() is (decision == "allowOnce")
    (tool,) = [item["tool"] for item in await crew.api.items(claude["slug"]) if item["kind"] == "tool"]
    assert tool["summary"] == f"Bash: touch '{made.name}' && ls"
    assert tool["phase"] == ("ended" if decision == "allowOnce" else "failed")
    (answer,) = texts(await crew.api.items(claude["slug"]), "answer")
    assert ("The person did not allow this" in answer) is (decision == "deny")
    assert (await crew.api.state())["permissions"] == []


@pytest.mark.parametrize(("mode", "is_asked"), [("ask", True), ("plan", True), ("edit", False), ("full", False)])
async def test_the_permission_mode_decides_whether_a_new_file_is_asked_about(
    crew: Crew, mode: str, *, is_asked: bool
) -> None:
    claude = await crew.hire("claude", permissions=mode)
    path = crew.root / f"claude-{mode}.txt"
    message = f"[[write {path}]]"
    async with crew.api.follow() as events:
        if is_asked:
            turn, asked = await ask_permission(crew, events, claude, message)
            assert asked["title"] == f"Write {path}"
            assert "+first\n+second" in asked["detail"]
            body = {"decision": "allowOnce"}
            ok(await crew.api.agent("POST", claude["slug"], f"/permissions/{asked['requestId']}", body))
        else:
            turn = await crew.api.send(claude["slug"], message)
        await events.until("turnEnded", turnId=turn, outcome="ANSWERED")

    assert bool(events.all("permissionAsked", projectId=crew.api.server.project)) is is_asked
    assert path.read_text(encoding="utf-8") == "first\nsecond\n"


async def test_a_command_that_needs_no_model_is_carried_out_and_told_as_done(crew: Crew) -> None:
    claude = await crew.hire("claude")
    before = await crew.reply(claude, "[[say chrysanthemum]]")
    async with crew.api.follow() as events:
        for command in ("/compact", "/clear"):
            turn = await crew.api.send(claude["slug"], command)
            await events.until("turnEnded", turnId=turn, outcome="ANSWERED")
    await crew.reply(claude, "[[say after]]")

    answers = texts(await crew.api.items(claude["slug"]), "answer")
    assert answers == [before, "Compacted", "\u2713 /clear", "after"]
    assert before not in str(crew.heard("[[say after]]")["messages"])


async def test_an_interrupted_turn_leaves_its_process_ready_for_the_next(crew: Crew) -> None:
    claude = await crew.hire("claude")
    async with crew.api.follow() as events:
        turn = await crew.api.send(claude["slug"], "[[drone]]")
        await events.until("turnTextStreamed", turnId=turn)
        session = (await crew.look(claude))["session"]
        ok(await crew.api.agent("POST", claude["slug"], "/interrupt", {"turnId": turn}))
        ended = await events.until("turnEnded", turnId=turn)
        after = await crew.reply(claude, "[[say still here]]")

    assert ended["outcome"] == "CANCELLED"
    assert after == "still here"
    assert (await crew.look(claude))["session"]["id"] == session["id"]
    items = await crew.api.items(claude["slug"])
    assert [item["kind"] for item in items] == ["prompt", "failure", "prompt", "answer"]


async def test_a_killed_claude_is_told_and_the_next_ask_resumes_it(crew: Crew) -> None:
    claude = await crew.hire("claude")
    async with crew.api.follow() as events, crew.asking(claude, "[[drone]]") as asking:
        await events.until("turnTextStreamed", agentId=claude["id"])
        conversation = (await crew.look(claude))["conversationId"]
        os.kill(crew.process("--session-id", conversation), signal.SIGKILL)
        fields = refused(await asking, 502, "TARGET_DIED")
        after = await crew.reply(claude, "[[say back again]]")

    assert "signal 9" in fields["reason"]
    assert after == "back again"
    assert crew.process("--resume", conversation)


async def test_a_refused_key_shows_while_claude_retries_and_explains_the_time_out(crew: Crew) -> None:
    claude = await crew.hire("claude")
    async with crew.api.follow() as events:
        fields = refused(await crew.api.ask(claude["slug"], "[[key]]", timeout_s=4), 504, "TIMEOUT")
        shown = await events.until(
            "agentReadinessChanged", lambda event: "401" in event["readiness"]["detail"], agentId=claude["id"]
        )
        after = await crew.reply(claude, "[[say better now]]")

    assert shown["readiness"]["state"] == "working"
    assert "(401)" in fields["note"]
    assert after == "better now"
    (failure,) = texts(await crew.api.items(claude["slug"]), "failure")
    assert fields["note"] in failure


async def test_a_model_that_breaks_off_every_time_is_bounded_by_the_turns_limit(crew: Crew) -> None:
    claude = await crew.hire("claude")

    refused(await crew.api.ask(claude["slug"], "[[vanish]]", timeout_s=3), 504, "TIMEOUT")

    assert await crew.reply(claude, "[[say connected]]") == "connected"
    assert texts(await crew.api.items(claude["slug"]), "answer") == ["connected"]


async def test_a_used_up_plan_is_a_limit_with_the_time_of_its_end(crew: Crew) -> None:
    claude = await crew.hire("claude-plan")
    began_ms = time.time() * 1000

    until_ms = refused(await crew.api.ask(claude["slug"], "[[limit]]"), 429, "TARGET_RATE_LIMITED")["untilMs"]

    # In whole seconds, and the test's own time comes on top.
    assert -1000 <= until_ms - began_ms - LIMIT_S * 1000 <= 60_000
    readiness = (await crew.look(claude))["readiness"]
    assert (readiness["state"], readiness["untilAtMs"]) == ("rateLimited", until_ms)


async def test_too_many_requests_fail_the_turn_with_claudes_own_words(crew: Crew) -> None:
    claude = await crew.hire("claude")

    reason = refused(await crew.api.ask(claude["slug"], "[[throttle]]"), 502, "TURN_FAILED")["reason"]

    assert "429" in reason
    assert (await crew.look(claude))["readiness"]["state"] == "idle"
