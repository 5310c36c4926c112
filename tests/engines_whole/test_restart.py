"""The server is killed while a real CLI works: it goes on, and everybody has their answer from the next server."""

import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.engines_whole.crew import KEYS, Crew, furnish
from tests.engines_whole.terminal import attached
from tests.engines_whole.test_terminals import say_there
from tests.model_server.server import ModelServer
from tests.system.client import Api, ok, texts
from tests.system.house import House, new_house

# Two servers and two CLIs start, on a machine that may be busy.
pytestmark = [pytest.mark.engines, pytest.mark.timeout(180)]


@dataclass(frozen=True)
class Lives:
    """Servers of one project, one after the other."""

    house: House
    root: Path
    model: ModelServer

    @contextmanager
    def one(self, *, is_killed: bool = False) -> Iterator[Crew]:
        with self.house.serving("serve", "--project", str(self.root), leaves_agents=is_killed) as server:
            yield Crew(Api(server), self.model)
            if is_killed:
                server.end(signal.SIGKILL)


@pytest.fixture
def lives(clis: Mapping[str, Path], model: ModelServer) -> Iterator[Lives]:
    with new_house(**KEYS) as house:
        root = house.lasting_folder("shop")
        furnish(house, root, clis, model.url)
        yield Lives(house, root, model)


@pytest.mark.parametrize("profile", ["claude", "codex"])
async def test_a_turn_with_an_ask_in_flight_goes_on_and_ends_once(lives: Lives, profile: str) -> None:
    with lives.one(is_killed=True) as crew:
        agent, partner = await crew.hire(profile, "Agent"), await crew.hire("demo", "Partner")
        async with crew.api.follow() as events:
            await crew.api.send(agent["slug"], "[[ask Partner: deploy]]")
            permission = await events.permission(partner)

    with lives.one() as crew:
        async with crew.api.follow() as events:
            await crew.api.decide(permission)
            delegation = await events.settled("deploy")
            await events.until("turnEnded", agentId=agent["id"])
        items = await crew.api.items(agent["slug"])
        # It has lost nothing of what was said before.
        assert await crew.reply(agent, "[[say after it]]") == "after it"
        heard = str(crew.heard("[[say after it]]"))

    assert delegation["state"] == "answered"
    assert [item["kind"] for item in items] == ["prompt", "asked", "tool", "answer"]
    assert delegation["reply"] in texts(items, "answer")[0]
    assert "[[ask Partner: deploy]]" in heard


@pytest.mark.parametrize("profile", ["claude", "codex"])
async def test_a_terminal_and_what_answers_beside_it_go_on(lives: Lives, profile: str) -> None:
    with lives.one(is_killed=True) as crew:
        agent, partner = await crew.hire(profile, "Agent"), await crew.hire("demo", "Partner")
        asker = await crew.hire("demo", "Asker")
        ok(await crew.api.agent("POST", agent["slug"], "/launch", {"nodeId": "cell", "view": "terminal"}))
        async with attached(crew.api, agent) as terminal:
            await say_there(crew, agent, terminal, "before the kill")
        async with crew.api.follow() as events:
            await crew.api.send(asker["slug"], "ask Agent: [[ask Partner: deploy]]")
            permission = await events.permission(partner)
        before = (await crew.look(agent))["session"]

    with lives.one() as crew:
        after = (await crew.look(agent))["session"]
        async with crew.api.follow() as events:
            await crew.api.decide(permission)
            deployed = await events.settled("deploy")
            await events.until("turnEnded", agentId=asker["id"])
        async with attached(crew.api, agent) as terminal:
            await terminal.shows("before the kill")
            await say_there(crew, agent, terminal, "after the kill")
        [answer] = texts(await crew.api.items(asker["slug"]), "answer")

    assert (before["kind"], after["id"]) == ("pty", before["id"])
    assert deployed["state"] == "answered"
    assert deployed["reply"] in answer


@pytest.mark.parametrize("profile", ["claude", "codex"])
async def test_a_lost_conversation_beside_a_terminal_begins_anew(lives: Lives, profile: str) -> None:
    with lives.one() as crew:
        agent, asker = await crew.hire(profile, "Agent"), await crew.hire("demo", "Asker")
        ok(await crew.api.agent("POST", agent["slug"], "/launch", {"nodeId": "cell", "view": "terminal"}))
        assert "the first" in await crew.reply(asker, "ask Agent: [[say the first]]")
        folder = crew.house.root / "home" / (".claude" if profile == "claude" else ".codex")
        kept = [path for path in folder.rglob("*.jsonl") if "[[say the first]]" in path.read_text(encoding="utf-8")]
        for path in kept:
            path.unlink()

        assert "the second" in await crew.reply(asker, "ask Agent: [[say the second]]")

        heard = str(crew.heard("[[say the second]]"))

    # Refused with a reason that nobody had to read, and told what was said in it.
    assert kept
    assert not any(path.exists() for path in kept)
    assert "the first" in heard
