"""The real Codex in a whole IdeA; it runs one process a turn and cannot ask a person."""

import os
import signal
from functools import partial

import pytest

from tests.engines_whole.crew import Crew
from tests.system.client import ok, refused, texts

pytestmark = pytest.mark.engines


async def test_a_conversation_goes_on_from_ask_to_ask_and_over_a_stop(crew: Crew) -> None:
    codex = await crew.hire("codex")

    assert await crew.reply(codex, "[[say the first answer]]") == "the first answer"
    first = await crew.look(codex)
    assert await crew.reply(codex, "[[say the second answer]]") == "the second answer"
    assert "the first answer" in str(crew.heard("second answer")["input"])
    ok(await crew.api.agent("POST", codex["slug"], "/stop"))
    assert crew.house.processes("exec") == []
    assert await crew.reply(codex, "[[say the third answer]]") == "the third answer"
    again = await crew.look(codex)

    assert first["session"]["conversationId"] == first["conversationId"] == again["conversationId"]
    assert again["session"]["id"] != first["session"]["id"]
    assert "the first answer" in str(crew.heard("third answer")["input"])
    items = await crew.api.items(codex["slug"])
    assert [item["kind"] for item in items] == ["prompt", "answer"] * 3


@pytest.mark.parametrize(("mode", "is_made"), [("ask", False), ("plan", False), ("edit", True), ("full", True)])
async def test_the_permission_mode_decides_since_nobody_can_be_asked(crew: Crew, mode: str, *, is_made: bool) -> None:
    codex = await crew.hire("codex", permissions=mode)
    made = crew.root / f"codex-{mode}"
    async with crew.api.follow() as events:
        turn = await crew.api.send(codex["slug"], f"[[exec touch '{made.name}' && ls]]")
        await events.until("turnEnded", turnId=turn, outcome="ANSWERED")

    assert events.all("permissionAsked") == []
    assert made.exists() is is_made
    (answer,) = texts(await crew.api.items(codex["slug"]), "answer")
    assert ("Read-only file system" in answer) is not is_made
    # Codex does not always mention a command that its sandbox stopped.
    for tool in [item["tool"] for item in await crew.api.items(codex["slug"]) if item["kind"] == "tool"]:
        assert tool["summary"] == f"$ touch '{made.name}' && ls"


@pytest.mark.parametrize("is_in_the_models_hands", [True, False])
async def test_an_interrupted_turn_leaves_the_conversation_ready_for_the_next(
    crew: Crew, *, is_in_the_models_hands: bool
) -> None:
    codex = await crew.hire("codex")
    await crew.reply(codex, "[[say before]]")
    session = (await crew.look(codex))["session"]
    async with crew.api.follow() as events:
        turn = await crew.api.send(codex["slug"], "[[drone]]")
        if is_in_the_models_hands:
            await crew.reached_model(codex, "[[drone]]")
        else:
            await events.until("turnStarted", turnId=turn)
        ok(await crew.api.agent("POST", codex["slug"], "/interrupt", {"turnId": turn}))
        ended = await events.until("turnEnded", turnId=turn)
        after = await crew.reply(codex, "[[say still here]]")

    assert ended["outcome"] == "CANCELLED"
    assert after == "still here"
    # An agent deaf to interrupts is ended and started again, after a long while.
    assert (await crew.look(codex))["session"]["id"] == session["id"]
    assert "before" in str(crew.heard("still here")["input"])
    items = await crew.api.items(codex["slug"])
    assert [item["kind"] for item in items] == ["prompt", "answer", "prompt", "failure", "prompt", "answer"]


async def test_a_killed_codex_is_told_and_the_next_ask_resumes_it(crew: Crew) -> None:
    codex = await crew.hire("codex")
    await crew.reply(codex, "[[say before the end]]")
    async with crew.asking(codex, "[[drone]]") as asking:
        await crew.reached_model(codex, "[[drone]]")
        os.kill(crew.process("exec"), signal.SIGKILL)
        fields = refused(await asking, 502, "TARGET_DIED")
        ended = await crew.look(codex)
        after = await crew.reply(codex, "[[say back again]]")

    assert "signal 9" in fields["reason"]
    assert (ended["readiness"]["state"], ended["liveTurn"]) == ("idle", None)
    assert after == "back again"
    assert "before the end" in str(crew.heard("back again")["input"])


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("foo = [", "unclosed array"),
        (
            '[mcp_servers.broken]\ncommand = "/nope"\nrequired = true',
            "required MCP servers failed to initialize: broken",
        ),
    ],
)
async def test_a_configuration_that_codex_refuses_is_told_in_its_words(crew: Crew, setting: str, says: str) -> None:
    codex = await crew.hire("codex")
    config = crew.house.root / "home" / ".codex" / "config.toml"
    good = config.read_text(encoding="utf-8")
    config.write_text(f"{good}\n{setting}\n", encoding="utf-8")
    try:
        fields = refused(await crew.api.ask(codex["slug"], "[[say hi]]"), 502, "TURN_FAILED")
        readiness = (await crew.look(codex))["readiness"]
    finally:
        config.write_text(good, encoding="utf-8")

    assert says in fields["reason"]
    assert says in fields["tail"]
    assert readiness["state"] == "idle"
    assert await crew.reply(codex, "[[say better now]]") == "better now"


@pytest.mark.parametrize(
    "settings", ['url = "http://127.0.0.1:9/mcp"', 'command = "x"\nenabled = false', 'command = "x"']
)
async def test_a_server_of_the_users_that_is_named_as_ours_is_left_as_it_is(crew: Crew, settings: str) -> None:
    codex, qa = await crew.hire("codex"), await crew.hire("demo")
    config = crew.house.root / "home" / ".codex" / "config.toml"
    good = config.read_text(encoding="utf-8")
    config.write_text(f"{good}\n[mcp_servers.idea]\nenabled_tools = []\n{settings}\n", encoding="utf-8")
    try:
        reply = await crew.reply(codex, f"[[ask {qa['name']}: list]]")
    finally:
        config.write_text(good, encoding="utf-8")

    assert codex["name"] in reply


async def test_in_the_home_folder_only_its_settings_need_an_approval(crew: Crew) -> None:
    """Codex writes databases, locks and sessions beside them in every turn."""
    home = str(crew.house.root / "home")
    project = ok(await crew.api.call("POST", "/api/projects", {"path": home}))["id"]
    agent = ok(await crew.api.project("POST", "/agents", {"name": "Homely", "profile": "codex"}, project=project))
    ask = partial(crew.api.project, "POST", f"/agents/{agent['id']}/ask", project=project)
    asked = refused(await ask({"message": "[[say hi]]"}), 403, "TRUST_REQUIRED")
    ok(await crew.api.project("POST", "/trust", {"hash": asked["hash"]}, project=project))

    for word in ("one", "two", "three"):
        assert ok(await ask({"message": f"[[say {word}]]"}))["reply"] == word
    ok(await crew.api.project("DELETE", project=project))


@pytest.mark.parametrize(
    ("scenario", "status", "code", "says"),
    [
        ("key", 502, "TURN_FAILED", "401"),
        ("throttle", 502, "TURN_FAILED", "429"),
        ("vanish", 502, "TURN_FAILED", "stream"),
        ("limit", 429, "TARGET_RATE_LIMITED", "limit"),
    ],
)
async def test_a_refusal_ends_the_turn_with_codex_own_words(
    crew: Crew, scenario: str, status: int, code: str, says: str
) -> None:
    codex = await crew.hire("codex")

    fields = refused(await crew.api.ask(codex["slug"], f"[[{scenario}]]"), status, code)

    readiness = (await crew.look(codex))["readiness"]
    assert says in (fields["reason"] if code == "TURN_FAILED" else readiness["detail"])
    assert readiness["state"] == ("idle" if code == "TURN_FAILED" else "rateLimited")
    assert await crew.reply(codex, "[[say better now]]") == "better now"
    assert texts(await crew.api.items(codex["slug"]), "answer") == ["better now"]
