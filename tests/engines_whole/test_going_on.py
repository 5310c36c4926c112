"""Conversations of the real CLIs that go on: in the other view, for another agent, or not at all and it is said."""

import pytest

from tests.engines_whole.crew import Crew
from tests.engines_whole.terminal import attached
from tests.engines_whole.test_terminals import say_there
from tests.system.client import Json, ok, refused

pytestmark = [pytest.mark.engines, pytest.mark.parametrize("profile", ["claude", "codex"])]

AWAY = "conversationRefused"


async def switch(crew: Crew, agent: Json, view: str) -> Json:
    session: Json = ok(await crew.api.agent("POST", agent["slug"], "/switch", {"nodeId": "cell", "view": view}))
    return session


async def say_in_terminal(crew: Crew, agent: Json, words: str) -> None:
    async with attached(crew.api, agent) as terminal:
        await say_there(crew, agent, terminal, words)


def lose(crew: Crew, conversation: str) -> None:
    """As the CLI itself does with old ones."""
    (kept,) = [
        path
        for folder in (".claude/projects", ".codex/sessions")
        for path in (crew.house.root / "home" / folder).rglob(f"*{conversation}.jsonl")
    ]
    kept.unlink()


async def test_it_goes_to_the_terminal_and_back_with_all_that_was_said(crew: Crew, profile: str) -> None:
    agent = await crew.hire(profile)
    assert await crew.reply(agent, f"[[say chat first {profile}]]") == f"chat first {profile}"
    first = await crew.look(agent)

    there = await switch(crew, agent, "terminal")
    await say_in_terminal(crew, agent, f"terminal next {profile}")
    back = await switch(crew, agent, "chat")
    assert await crew.reply(agent, f"[[say chat last {profile}]]") == f"chat last {profile}"

    heard = str(crew.heard(f"chat last {profile}"))
    assert f"chat first {profile}" in heard
    assert f"terminal next {profile}" in heard
    assert there["conversationId"] == back["conversationId"] == first["conversationId"]
    items = await crew.api.items(agent["slug"])
    assert [item["kind"] for item in items] == ["prompt", "answer", "mark", "prompt", "answer"]


async def test_what_began_in_the_terminal_goes_on_in_the_chat(crew: Crew, profile: str) -> None:
    agent = await crew.hire(profile)
    ok(await crew.api.agent("POST", agent["slug"], "/launch", {"nodeId": "cell", "view": "terminal"}))
    await say_in_terminal(crew, agent, f"begun there {profile}")
    await switch(crew, agent, "chat")
    assert await crew.reply(agent, f"[[say gone on here {profile}]]") == f"gone on here {profile}"

    assert f"begun there {profile}" in str(crew.heard(f"gone on here {profile}"))


async def test_a_lost_conversation_is_refused_and_begun_anew_with_the_transcript(crew: Crew, profile: str) -> None:
    agent = await crew.hire(profile)
    await crew.reply(agent, f"[[say what was lost {profile}]]")
    known = await crew.look(agent)
    ok(await crew.api.agent("POST", agent["slug"], "/stop"))
    lose(crew, known["conversationId"])

    async with crew.api.follow() as events:
        failure = refused(await crew.api.ask(agent["slug"], "hello"), 502, "CONVERSATION_REFUSED")
        await events.until("sessionChanged", agentId=agent["id"], session=None)
    refusing = await crew.look(agent)
    ok(await crew.api.agent("POST", agent["slug"], "/launch", {"view": "chat", "opening": "primed"}))
    assert await crew.reply(agent, f"[[say anew {profile}]]") == f"anew {profile}"
    anew = await crew.look(agent)

    assert failure["conversationId"] == known["conversationId"]
    assert (refusing["session"], refusing["readiness"]["reason"]) == (None, AWAY)
    assert refusing["conversationId"] == known["conversationId"]
    assert anew["conversationId"] not in (None, known["conversationId"])
    assert f"> what was lost {profile}" in str(crew.heard(f"anew {profile}"))


async def test_its_own_terminal_refuses_it_too(crew: Crew, profile: str) -> None:
    agent = await crew.hire(profile)
    await crew.reply(agent, "[[say something]]")
    known = await crew.look(agent)
    ok(await crew.api.agent("POST", agent["slug"], "/stop"))
    lose(crew, known["conversationId"])

    async with crew.api.follow() as events:
        ok(await crew.api.agent("POST", agent["slug"], "/launch", {"nodeId": "cell", "view": "terminal"}))
        ended = await events.until(
            "agentReadinessChanged", lambda event: event["readiness"]["state"] == "exited", agentId=agent["id"]
        )

    assert ended["readiness"]["reason"] == AWAY
    assert ended["readiness"]["detail"] != ""


async def test_another_agent_can_be_attached_to_what_its_cli_kept(crew: Crew, profile: str) -> None:
    gone, agent = await crew.hire(profile), await crew.hire(profile)
    await crew.reply(gone, f"[[say kept {profile}]]")
    conversation = (await crew.look(gone))["conversationId"]
    path = "/conversations"
    (owned,) = [one for one in ok(await crew.api.agent("GET", agent["slug"], path)) if one["id"] == conversation]
    body = {"conversationId": conversation, "nodeId": "cell", "view": "chat"}
    taken = refused(await crew.api.agent("POST", agent["slug"], "/conversation", body), 409, "CONFLICT")
    await crew.dismiss_one(gone)

    (free,) = [one for one in ok(await crew.api.agent("GET", agent["slug"], path)) if one["id"] == conversation]
    ok(await crew.api.agent("POST", agent["slug"], "/conversation", body))
    await crew.reply(agent, f"[[say attached {profile}]]")

    assert (owned["agentId"], free["agentId"]) == (gone["id"], None)
    assert taken["why"] == "conversationTaken"
    assert free["firstWords"] == f"[[say kept {profile}]]"
    assert f"kept {profile}" in str(crew.heard(f"attached {profile}"))
