"""What real CLIs are at in their terminals, from the start to the end, and what tells so."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.engines_whole.crew import Crew, serving
from tests.engines_whole.terminal import Terminal, attached
from tests.model_server.server import ModelServer
from tests.system.client import Api, Events, Json, ok

pytestmark = pytest.mark.engines

DOWN = "\x1b[B"


class Watch:
    """What is believed of one agent, from now on."""

    def __init__(self, events: Events, agent: Json) -> None:
        self._events = events
        self._agent = agent
        self.last: Json = agent["readiness"]

    async def until(self, state: str, reason: str, source: str) -> Json:
        def fits(event: Json) -> bool:
            found = event["readiness"]
            return (found["state"], found["reason"], found["source"]) == (state, reason, source)

        event = await self._events.until("agentReadinessChanged", fits, agentId=self._agent["id"])
        found: Json = event["readiness"]
        return found


@asynccontextmanager
async def opened(crew: Crew, profile: str) -> AsyncIterator[tuple[Json, Terminal, Watch]]:
    """A new agent's terminal, and what is believed of it from before its launch."""
    agent = await crew.hire(profile)
    async with crew.api.follow() as events:
        watch = Watch(events, agent)
        ok(await crew.api.agent("POST", agent["slug"], "/launch", {"nodeId": f"cell-{profile}", "view": "terminal"}))
        async with attached(crew.api, agent) as terminal:
            yield agent, terminal, watch


async def test_claude_from_its_start_to_its_end(crew: Crew) -> None:
    async with opened(crew, "claude") as (agent, terminal, watch):
        await watch.until("starting", "launching", "keeper")
        await watch.until("idle", "atPrompt", "terminal")
        await terminal.submit("[[run touch asked-for]]")
        await watch.until("working", "atWork", "terminal")
        asked = await watch.until("waitingPermission", "permissionAsked", "terminal")
        assert "touch asked-for" in asked["detail"]
        await terminal.type_until("\r", "Ran: ")
        await watch.until("idle", "atPrompt", "terminal")
        ok(await crew.api.agent("POST", agent["slug"], "/stop"))
        await watch.until("exited", "stopped", "keeper")


async def test_a_limit_that_claudes_terminal_shows_is_told_by_its_hook(crew: Crew) -> None:
    async with opened(crew, "claude-plan") as (_, terminal, watch):
        await watch.until("idle", "atPrompt", "terminal")
        await terminal.submit("[[limit]]")
        limited = await watch.until("rateLimited", "limitReported", "hook")

    assert "limit" in limited["detail"]


async def test_codex_from_its_start_to_a_turn(crew: Crew) -> None:
    async with opened(crew, "codex") as (_, terminal, watch):
        await watch.until("starting", "launching", "keeper")
        await watch.until("idle", "atPrompt", "terminal")
        await terminal.submit("[[drone]]")
        await watch.until("working", "atWork", "terminal")
        await terminal.shows("This answer takes its time")
        await terminal.type("\x1b")
        await watch.until("idle", "atPrompt", "terminal")


@asynccontextmanager
async def newcomers(clis: Mapping[str, Path], model: ModelServer) -> AsyncIterator[Crew]:
    """The same, in a folder that the CLIs have not seen yet."""
    with serving(clis, model.url, is_trusted=False) as server:
        crew = Crew(Api(server), model)
        yield crew
        await crew.dismiss()


async def test_claude_that_may_not_trust_a_folder_says_so_with_its_end(
    clis: Mapping[str, Path], model: ModelServer
) -> None:
    async with newcomers(clis, model) as crew, opened(crew, "claude") as (_, terminal, watch):
        await watch.until("waitingPermission", "trustAsked", "terminal")
        await terminal.shows("❯ No, exit")
        await terminal.type("\r")
        ended = await watch.until("exited", "ended", "keeper")

    assert "isn't trusted" in ended["detail"]


async def test_a_folder_to_trust_is_a_question_to_the_person(clis: Mapping[str, Path], model: ModelServer) -> None:
    async with newcomers(clis, model) as crew, opened(crew, "claude") as (_, terminal, watch):
        asked = await watch.until("waitingPermission", "trustAsked", "terminal")
        assert "trust" in asked["detail"]
        await terminal.shows("Yes, I trust this folder")
        await terminal.type(DOWN)
        await terminal.shows("❯ Yes, I trust this folder")
        await terminal.type("\r")
        await watch.until("idle", "atPrompt", "terminal")
