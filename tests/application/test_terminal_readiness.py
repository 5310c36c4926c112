"""What is believed of a real program in a real terminal, as it goes on, and that a still one is not looked at."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from idea.adapters.clock import SystemClock
from idea.adapters.keeper.in_process import InProcessKeeper
from idea.adapters.patterns import matches
from idea.adapters.profiles import ProfileFiles
from idea.adapters.screen.ghostty import GhosttyScreens
from idea.application.beliefs import Beliefs
from idea.application.terminals.terminal_client import TerminalClient
from idea.application.terminals.terminal_order import TerminalOrder
from idea.application.terminals.terminal_readiness import TerminalReadiness
from idea.application.terminals.terminal_session import TerminalSession
from idea.domain.events import Event
from idea.domain.ids import AgentId, ProjectId
from idea.domain.readiness import BeliefSource, Readiness, ReadinessReason, ReadinessState
from idea.domain.sessions import SpawnSpec, TerminalSize
from idea.domain.terminal_signs import HookRule, Hooks, RanHook, Sign, TerminalSigns

SIZE = TerminalSize(80, 24)
ADA = AgentId("ada")
SHELL = ProfileFiles(user_dir=None).get("shell").signs
WAIT_S = 20
"""A real program, beside whatever else the machine does; silence takes a second of it."""


class Watched:
    """A terminal session whose readiness is followed."""

    def __init__(
        self, readiness: TerminalReadiness, client: TerminalClient, beliefs: Beliefs, changed: asyncio.Event
    ) -> None:
        self.readiness = readiness
        self._client = client
        self._beliefs = beliefs
        self._changed = changed

    async def until(self, state: ReadinessState, *sources: BeliefSource) -> Readiness:
        """By one of these."""
        while True:
            self._changed.clear()
            found = self._beliefs.get(ADA)
            if found.state is state and found.source in sources:
                return found
            await self._changed.wait()

    async def type(self, keys: bytes) -> None:
        await self._client.write(keys)


Watch = Callable[..., AbstractAsyncContextManager[Watched]]


@pytest.fixture
def watch(tmp_path: Path) -> Watch:
    @asynccontextmanager
    async def running(signs: TerminalSigns, *argv: str, stalled_after_s: float = 60) -> AsyncIterator[Watched]:
        changed = asyncio.Event()

        def publish(event: Event) -> None:
            changed.set()

        beliefs = Beliefs(ProjectId("p"), clock=SystemClock(), publish=publish)
        keeper, kept, ready = InProcessKeeper(), asyncio.Event(), asyncio.Event()
        spec = SpawnSpec("terminal", argv, str(tmp_path), {"PATH": "/usr/bin:/bin", "PS1": "ada@here:~$ "}, SIZE)
        async with asyncio.timeout(WAIT_S), asyncio.TaskGroup() as tasks:
            tasks.create_task(keeper.run(ready=kept))
            await kept.wait()
            readiness = TerminalReadiness(
                ADA, signs, beliefs=beliefs, matches=matches, stalled_after_s=lambda: stalled_after_s
            )
            session = TerminalSession(
                name="program",
                start=partial(keeper.spawn, spec),
                size=SIZE,
                screens=GhosttyScreens(),
                order=TerminalOrder(),
                watcher=readiness,
            )
            living = tasks.create_task(session.run(ready=ready))
            await ready.wait()
            yield Watched(readiness, session.attach(SIZE), beliefs, changed)
            await session.stop()
            await living
            await keeper.aclose()

    return running


def python(source: str) -> tuple[str, ...]:
    return (sys.executable, "-I", "-S", "-c", source)


async def test_a_shell_is_idle_at_its_prompt_and_works_while_something_runs_in_it(watch: Watch) -> None:
    async with watch(SHELL, "/bin/sh", "-i") as shell:
        idle = await shell.until(ReadinessState.IDLE, BeliefSource.SCREEN)
        assert idle.reason is ReadinessReason.AT_PROMPT

        await shell.type(b"cat\r")
        working = await shell.until(ReadinessState.WORKING, BeliefSource.SCREEN)
        assert working.reason is ReadinessReason.PROMPT_GONE

        await shell.type(b"\x04")
        await shell.until(ReadinessState.IDLE, BeliefSource.SCREEN)


async def test_a_program_that_says_it_works_and_falls_silent_is_stalled_until_it_goes_on(watch: Watch) -> None:
    program = python("import sys\nfor _ in sys.stdin: print('\\x1b]7501;state=working:app=x\\x07', flush=True)")
    async with watch(SHELL, *program, stalled_after_s=1) as agent:
        await agent.type(b"\r")
        await agent.until(ReadinessState.WORKING, BeliefSource.TERMINAL)
        stalled = await agent.until(ReadinessState.STALLED, BeliefSource.ACTIVITY)
        assert stalled.reason is ReadinessReason.SILENT

        await agent.type(b"\r")
        await agent.until(ReadinessState.WORKING, BeliefSource.TERMINAL)


async def test_a_program_nobody_knows_is_idle_when_it_has_written_nothing_for_a_while(watch: Watch) -> None:
    async with watch(TerminalSigns(), *python("print('welcome', flush=True); input()")) as agent:
        found = await agent.until(ReadinessState.IDLE, BeliefSource.ACTIVITY)

    assert found.reason is ReadinessReason.QUIET


async def test_a_hook_counts_until_the_title_says_that_the_question_is_answered(watch: Watch) -> None:
    signs = TerminalSigns(
        title={Sign.WORKING: ("^busy",)},
        hooks=Hooks(("{hooks_file}",), (HookRule("Ask", Sign.PERMISSION), HookRule("End", None))),
    )
    program = python("import sys\nfor line in sys.stdin: print('\\x1b]2;' + line.strip() + '\\x07', flush=True)")
    async with watch(signs, *program) as agent:
        await agent.type(b"still\r")
        agent.readiness.on_hook(RanHook("Other"))
        agent.readiness.on_hook(RanHook("Ask"))
        await agent.until(ReadinessState.WAITING_PERMISSION, BeliefSource.HOOK)

        await agent.type(b"busy\r")
        await agent.until(ReadinessState.WORKING, BeliefSource.TITLE)

        await agent.type(b"still\r")
        await agent.until(ReadinessState.WAITING_PERMISSION, BeliefSource.HOOK)
        agent.readiness.on_hook(RanHook("End"))
        # Nothing is told any more; a slow machine may take that for quiet.
        await agent.until(ReadinessState.IDLE, BeliefSource.KEEPER, BeliefSource.ACTIVITY)


async def test_a_title_is_taken_over_at_once_and_a_status_outdoes_it(watch: Watch) -> None:
    signs = ProfileFiles(user_dir=None).get("demo").signs
    program = python(
        "import sys\n"
        "for text in ('\\x1b]2;◐ Ada\\x07', '\\x1b]7501;state=blocked:app=x:msg=cnVuIGl0\\x07'):\n"
        "    print(text, flush=True); sys.stdin.readline()"
    )
    async with watch(signs, *program) as agent:
        await agent.until(ReadinessState.WORKING, BeliefSource.TITLE)
        await agent.type(b"\r")
        asked = await agent.until(ReadinessState.WAITING_PERMISSION, BeliefSource.TERMINAL)

    assert asked.detail == "run it"
