"""Real CLIs that ask one another through IdeA's bridge, and what each of them gets back."""

import json

import pytest

from tests.engines_whole.crew import Crew
from tests.system.client import Events, Json, ok, texts

pytestmark = pytest.mark.engines


def settled(events: Events, agent: Json) -> Json:
    """The one delegation to this agent, at its end."""
    delegations: list[Json] = [event["delegation"] for event in events.all("delegationChanged")]
    (found,) = [one for one in delegations if one["targetId"] == agent["id"] and one["settledAtMs"] is not None]
    return found


def announced(events: Events, agent: Json) -> list[str]:
    return [event["text"] for event in events.all("agentAnnouncement", target=agent["id"])]


async def run(crew: Crew, agent: Json, message: str) -> tuple[str, Events]:
    """The answer, and everything that was seen until it was there."""
    async with crew.api.follow() as events:
        answered = ok(await crew.api.ask(agent["slug"], message))
        await events.until("orchestratorRequestProcessed", ticketId=answered["ticketId"])
    return answered["reply"], events


@pytest.mark.parametrize("profile", ["claude", "codex"])
async def test_a_real_cli_asks_another_agent_and_gets_its_conclusion_inline(crew: Crew, profile: str) -> None:
    asker, partner = await crew.hire(profile), await crew.hire("demo", "QA")

    reply, events = await run(crew, asker, f"[[ask {partner['name']}: Is the invoice page ready?]]")

    asked = settled(events, partner)
    assert (asked["requester"]["id"], asked["requester"]["source"]) == (asker["id"], "mcp")
    assert asked["depth"] == 2
    assert "212 of 212 tests pass" in asked["reply"]
    assert "212 of 212 tests pass" in reply
    # The partner's announcements were shown on the way; neither the model nor a record got them.
    (shown,) = announced(events, partner)
    assert announced(events, asker) == [f"I will ask {partner['name']} first."]
    given = json.dumps(crew.model.requests[-1], ensure_ascii=False)
    assert "212 of 212 tests pass" in given
    kept = [item["text"] for agent in (asker, partner) for item in await crew.api.items(agent["slug"])]
    assert not any(shown in text for text in [given, reply, *kept])
    items = await crew.api.items(asker["slug"])
    assert [item["kind"] for item in items] == ["prompt", "asked", "tool", "answer"]
    assert items[2]["text"] == f"idea_ask_agent → {partner['name']}"
    assert items[2]["tool"]["detail"].startswith("| suite |")


@pytest.mark.parametrize(("asking", "asked"), [("claude", "codex"), ("codex", "claude")])
async def test_what_was_said_before_a_tool_is_never_the_answer(crew: Crew, asking: str, asked: str) -> None:
    asker, target, partner = await crew.hire(asking), await crew.hire(asked), await crew.hire("demo", "QA")

    reply, events = await run(crew, asker, f"[[ask {target['name']}: [[twice {partner['name']}]]]]")

    assert settled(events, target)["reply"] == "CONCLUSION: QA is done."
    assert "CONCLUSION: QA is done." in reply
    assert announced(events, target) == ["PREAMBLE: I will look who is there.", "MIDDLE: now I delegate."]
    for word in ("PREAMBLE", "MIDDLE"):
        assert word not in reply
        assert not any(word in item["text"] for item in await crew.api.items(target["slug"]))
    assert texts(await crew.api.items(target["slug"]), "answer") == ["CONCLUSION: QA is done."]


async def test_a_chain_through_both_clis_brings_the_last_ones_words_back_to_the_first(crew: Crew) -> None:
    claude, codex, partner = await crew.hire("claude"), await crew.hire("codex"), await crew.hire("demo", "QA")

    reply, events = await run(crew, claude, f"[[ask {codex['name']}: [[ask {partner['name']}: Do the tests pass?]]]]")

    delegations = [settled(events, agent) for agent in (claude, codex, partner)]
    assert [one["requester"]["id"] for one in delegations] == ["human", claude["id"], codex["id"]]
    assert [one["depth"] for one in delegations] == [1, 2, 3]
    assert "212 of 212 tests pass" in reply


@pytest.mark.parametrize(("first", "second"), [("claude", "codex"), ("codex", "claude")])
async def test_an_ask_that_would_wait_for_itself_is_refused_in_words_for_the_model(
    crew: Crew, first: str, second: str
) -> None:
    one, two = await crew.hire(first), await crew.hire(second)

    reply, events = await run(crew, one, f"[[ask {two['name']}: [[ask {one['name']}: and back]]]]")

    (told,) = events.all("orchestratorRequestProcessed", requesterId=two["id"])
    assert told["outcome"] == "DelegationCycle"
    chain = f"This ask would wait for itself: {two['name']} → {one['name']} → {two['name']}"
    assert chain in json.dumps(crew.heard("and back"), ensure_ascii=False)
    assert chain in reply
    (tool,) = [item["tool"] for item in await crew.api.items(two["slug"]) if item["kind"] == "tool"]
    assert tool["phase"] == "failed"
    assert chain in tool["detail"]


async def test_two_claudes_of_one_project_are_never_taken_for_one_another(crew: Crew) -> None:
    one, two, partner = await crew.hire("claude"), await crew.hire("claude"), await crew.hire("demo", "QA")
    async with crew.api.follow() as events, crew.asking(one, f"[[ask {partner['name']}: list one]]") as asking:
        await crew.reply(two, f"[[ask {partner['name']}: list two]]")
        ok(await asking)
        for agent, message in ((one, "list one"), (two, "list two")):
            assert (await events.settled(message))["requester"]["id"] == agent["id"]
