"""The CLIs' own faces in a cell: they appear, say truly what they are at, and stop."""

import asyncio
import json
from contextlib import suppress

import pytest

from tests.engines_whole.crew import Crew
from tests.engines_whole.terminal import AGAIN_S, Terminal, attached
from tests.system.client import WAIT_S, Events, Json, Reply, ok, refused
from tests.system.house import wait_gone

pytestmark = pytest.mark.engines

ESCAPE = "\x1b"


async def until(crew: Crew, agent: Json, state: str, detail: str = "") -> None:
    """The agent is so now, or will be, and the program's own status says it. What it was before does not count."""

    def fits(readiness: Json) -> bool:
        return (readiness["state"], readiness["source"]) == (state, "terminal") and detail in readiness["detail"]

    async with crew.api.follow() as events:
        projects = events.first["snapshot"]["projects"]
        agents = [known for project in projects for known in project["agents"] if known["id"] == agent["id"]]
        if not fits(agents[0]["readiness"]):
            await events.until("agentReadinessChanged", lambda event: fits(event["readiness"]), agentId=agent["id"])


async def say_there(crew: Crew, agent: Json, terminal: Terminal, words: str) -> None:
    """One whole turn in its terminal. One that is over at once may be believed a moment later, or never."""
    await until(crew, agent, "idle")
    with crew.model.holding():
        await terminal.submit(f"[[say {words}]]")
        await until(crew, agent, "working")
    # Its own mark: the words alone stand in what was typed.
    await terminal.shows(("• " if agent["profile"] == "codex" else "● ") + words)
    await until(crew, agent, "idle")


@pytest.mark.parametrize("profile", ["claude", "codex"])
async def test_a_clis_own_face_runs_in_a_cell(crew: Crew, profile: str) -> None:
    agent, partner = await crew.hire(profile), await crew.hire("demo")
    async with crew.api.follow() as events:
        launch = {"nodeId": f"cell-{profile}", "view": "terminal"}
        session = ok(await crew.api.agent("POST", agent["slug"], "/launch", launch))
        async with attached(crew.api, agent) as terminal:
            await until(crew, agent, "idle")
            await terminal.submit("[[drone]]")
            await until(crew, agent, "working")
            # Pressed earlier, the key would take the message back instead.
            await terminal.shows("This answer takes its time")
            # Nobody else types into it, and who asks does not wait for it.
            assert await crew.reply(agent, "[[say beside it]]") == "beside it"
            await terminal.type(ESCAPE)
            await until(crew, agent, "idle")

            await terminal.submit(f"[[ask {partner['name']}: list]]")
            # Its conclusion quotes the partner, whose answer begins with these words.
            await terminal.shows("Conclusion: ")
            await terminal.shows("The team:")
            asked = await events.settled("list")
            pids = [pid for pid in crew.house.processes() if pid != crew.api.server.process.pid]
            stopped = ok(await crew.api.agent("POST", agent["slug"], "/stop"))
            ended = await terminal.until_ended()

    assert (session["kind"], session["nodeId"]) == ("pty", launch["nodeId"])
    assert asked["requester"]["id"] == agent["id"]
    assert stopped["survivors"] == []
    assert (ended["exitCode"], ended["signal"]) == (stopped["exitCode"], stopped["signal"])
    partners = set(crew.house.processes("--agent", partner["slug"])) | set(crew.house.processes(partner["id"]))
    assert wait_gone(pid for pid in pids if pid not in partners) == []
    assert await crew.reply(agent, "[[say headless now]]") == "headless now"


@pytest.mark.parametrize("profile", ["claude", "codex"])
async def test_what_others_ask_is_another_conversation_than_the_terminals(crew: Crew, profile: str) -> None:
    agent, asker = await crew.hire(profile), await crew.hire("demo")

    async def ask(words: str) -> str:
        reply = await crew.reply(asker, f"ask {agent['name']}: [[say {words}]]")
        assert words in reply
        return json.dumps(crew.heard(f"[[say {words}]]"))

    node = f"beside-{profile}"
    ok(await crew.api.agent("POST", agent["slug"], "/launch", {"nodeId": node, "view": "terminal"}))
    async with attached(crew.api, agent) as terminal:
        await say_there(crew, agent, terminal, "typed here")
        first = await ask("first beside")
        second = await ask("second beside")
        await say_there(crew, agent, terminal, "typed again")
        there = json.dumps(crew.heard("[[say typed again]]"))

    assert "You stand beside a terminal" in first
    assert ("first beside" in second, "typed here" in second) == (True, False)
    assert ("typed here" in there, "first beside" in there) == (True, False)
    # What goes on in the chat is the terminal's, though the other one was begun since.
    ok(await crew.api.agent("POST", agent["slug"], "/switch", {"nodeId": node, "view": "chat"}))
    assert await crew.reply(agent, "[[say in the chat]]") == "in the chat"
    chat = json.dumps(crew.heard("[[say in the chat]]"))
    assert ("typed again" in chat, "first beside" in chat) == (True, False)


@pytest.mark.parametrize("profile", ["claude", "codex"])
async def test_a_persons_message_is_typed_for_them_whole_and_its_turn_seen_to_begin(crew: Crew, profile: str) -> None:
    agent = await crew.hire(profile)
    lines = [f"{profile} line {number} of a long message" for number in range(2_000)]

    async def prompt(text: str) -> Reply:
        return await crew.api.agent("POST", agent["slug"], "/terminal/prompt", {"text": text})

    ok(await crew.api.agent("POST", agent["slug"], "/launch", {"nodeId": f"prompt-{profile}", "view": "terminal"}))
    async with attached(crew.api, agent) as terminal:
        await until(crew, agent, "idle")
        assert (await prompt("\n".join([*lines, "[[say it came whole]]"]))).status == 204
        await terminal.shows("• it came whole" if profile == "codex" else "● it came whole")
        heard = json.dumps(crew.heard(lines[-1]))
        assert [line for line in lines if line not in heard] == []

        await until(crew, agent, "idle")
        assert (await prompt("[[drone]]")).status == 204
        assert refused(await prompt("and then?"), 409, "CONFLICT")["why"] == "turnRuns"
        await terminal.shows("This answer takes its time")
        await terminal.type(ESCAPE)
        await until(crew, agent, "idle")
        # Of a command that begins no turn nothing is claimed.
        assert refused(await prompt("/status"), 409, "CONFLICT")["why"] == "promptUnconfirmed"


@pytest.mark.parametrize("profile", ["claude", "codex"])
async def test_the_terminal_goes_on_with_the_chats_conversation_and_the_chat_with_its(crew: Crew, profile: str) -> None:
    agent = await crew.hire(profile)
    await crew.reply(agent, "[[say said in the chat]]")
    ok(await crew.api.agent("POST", agent["slug"], "/stop"))
    ok(await crew.api.agent("POST", agent["slug"], "/launch", {"nodeId": f"both-{profile}", "view": "terminal"}))
    async with attached(crew.api, agent) as terminal:
        await terminal.shows("said in the chat")
        await until(crew, agent, "idle")
        await terminal.submit("[[say typed at the keyboard]]")
        await terminal.shows("• typed at" if profile == "codex" else "● typed at")
        ok(await crew.api.agent("POST", agent["slug"], "/stop"))
        await terminal.until_ended()

    await crew.reply(agent, "[[say back in the chat]]")

    assert "typed at the keyboard" in str(crew.heard("back in the chat"))


async def test_a_question_in_claudes_terminal_shows_with_the_agent(crew: Crew) -> None:
    claude = await crew.hire("claude")
    ok(await crew.api.agent("POST", claude["slug"], "/launch", {"nodeId": "cell", "view": "terminal"}))
    async with attached(crew.api, claude) as terminal:
        await until(crew, claude, "idle")
        await terminal.submit("[[run touch asked-in-a-terminal]]")
        await terminal.shows("Do you want to proceed?")
        await until(crew, claude, "waitingPermission", "touch asked-in-a-terminal")
        assert not (crew.root / "asked-in-a-terminal").exists()

        # The question takes no answer that comes in the moment in which it appears.
        await terminal.type_until("\r", "Ran: ")

    assert (crew.root / "asked-in-a-terminal").exists()


@pytest.mark.parametrize(("profile", "command"), [("claude", "/clear"), ("codex", "/new")])
async def test_a_conversation_begun_anew_in_the_terminal_is_gone_on_with(
    crew: Crew, profile: str, command: str
) -> None:
    agent = await crew.hire(profile)
    ok(await crew.api.agent("POST", agent["slug"], "/launch", {"nodeId": f"anew-{profile}", "view": "terminal"}))
    async with crew.api.follow() as events, attached(crew.api, agent) as terminal:
        await say_there(crew, agent, terminal, "said before")
        first = await _remembered(events, agent)
        await terminal.submit(command)
        await terminal.hides("said before")
        await _say_after(crew, agent, terminal)
        second = await _remembered(events, agent, unlike=first)
        ok(await crew.api.agent("POST", agent["slug"], "/stop"))
        await terminal.until_ended()

    assert await crew.reply(agent, "[[say in the chat]]") == "in the chat"
    heard = json.dumps(crew.heard("[[say in the chat]]"))
    assert ("said after" in heard, "said before" in heard) == (True, False)
    assert (await crew.look(agent))["conversationId"] == second


async def _say_after(crew: Crew, agent: Json, terminal: Terminal) -> None:
    """As `say_there`, for a CLI that has just begun anew: an Enter in these moments may be lost."""
    words = f"[[say said after {agent['profile']}]]"
    with crew.model.holding():
        await terminal.type(words)
        await terminal.shows(words)
        is_heard = False
        async with asyncio.timeout(WAIT_S):
            while not is_heard:
                await terminal.type("\r")
                with suppress(TimeoutError):
                    await asyncio.to_thread(crew.model.wait_for, words, timeout_s=AGAIN_S)
                    is_heard = True
        await until(crew, agent, "working")
    await terminal.shows(("• " if agent["profile"] == "codex" else "● ") + "said after")


async def _remembered(events: Events, agent: Json, unlike: str | None = None) -> str:
    changed = await events.until(
        "sessionChanged", lambda event: event["conversationId"] not in (None, unlike), agentId=agent["id"]
    )
    return str(changed["conversationId"])
