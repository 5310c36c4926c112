"""A person's message typed into real programs with real terminals: it arrives whole, once, and its start is seen."""

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
from idea.adapters.screen.choice import AvailableScreens
from idea.application.beliefs import Beliefs
from idea.application.sessions.live_sessions import LiveSession, LiveSessions
from idea.application.structured.resumption import Resumption
from idea.application.team.team import Team
from idea.application.terminals.terminal_order import TerminalOrder
from idea.application.terminals.terminal_readiness import TerminalReadiness
from idea.application.terminals.terminal_session import TerminalSession
from idea.application.turns.terminal_prompts import START_S, TerminalPrompts
from idea.domain.delegation import Requester, Source
from idea.domain.errors import Conflict, IdeaError, Invalid, TargetDied, TargetRateLimited
from idea.domain.events import Event
from idea.domain.ids import ProjectId, SessionId
from idea.domain.profiles import Profile
from idea.domain.readiness import ReadinessState
from idea.domain.sessions import Session, SessionKind, SpawnSpec, TerminalSize
from idea.domain.terminal_signs import Sign, TerminalSigns
from tests.fakes.agents import make_agent

pytestmark = pytest.mark.slow

SIZE = TerminalSize(80, 24)
ADA = make_agent("ada")
PERSON = Requester(Source.UI)
PROGRAM = Path(__file__).with_name("prompt_program.py")
TITLED = TerminalSigns(title={Sign.WORKING: ("^busy",), Sign.IDLE: ("^at rest",), Sign.LIMITED: ("^no more",)})
SHELL = ProfileFiles(user_dir=None).get("shell").signs
WAIT_S = 20
"""A real program, beside whatever else the machine does."""
SOON_S = 0.3
"""For a start that never comes; a program that does anything gets the usual time."""


class Prompted:
    """An agent in a terminal, at its prompt."""

    def __init__(self, prompts: TerminalPrompts, got: Path) -> None:
        self._prompts = prompts
        self._got = got

    async def send(self, text: str, requester: Requester = PERSON) -> IdeaError | None:
        """Why it was refused."""
        try:
            await self._prompts.send(requester, "ada", text)
        except IdeaError as refusal:
            return refusal
        return None

    @property
    def got(self) -> bytes:
        """All that the program has read."""
        return self._got.read_bytes() if self._got.exists() else b""


AtPrompt = Callable[..., AbstractAsyncContextManager[Prompted]]


@pytest.fixture
def at_prompt(tmp_path: Path) -> AtPrompt:
    @asynccontextmanager
    async def running(
        peculiarity: str,
        *,
        signs: TerminalSigns | None = None,
        argv: tuple[str, ...] = (),
        start_within_s: float = START_S,
    ) -> AsyncIterator[Prompted]:
        changed, got = asyncio.Event(), tmp_path / "got"

        def publish(event: Event) -> None:
            changed.set()

        project = ProjectId("p")
        beliefs = Beliefs(project, clock=SystemClock(), publish=publish)
        team, live = Team(project, publish=publish), LiveSessions(project, publish=publish)
        team.put(ADA)
        prompts = TerminalPrompts(team=team, live=live, beliefs=beliefs, start_within_s=start_within_s)
        beliefs.watch(prompts.note)
        own = (sys.executable, "-I", "-S", str(PROGRAM), peculiarity, str(got))
        spec = SpawnSpec("terminal", argv or own, str(tmp_path), {"PATH": "/usr/bin:/bin", "PS1": "$ "}, SIZE)
        keeper, kept, ready = InProcessKeeper(), asyncio.Event(), asyncio.Event()
        async with asyncio.timeout(WAIT_S), asyncio.TaskGroup() as tasks:
            tasks.create_task(keeper.run(ready=kept))
            await kept.wait()
            readiness = TerminalReadiness(
                ADA.id, signs or TerminalSigns(), beliefs=beliefs, matches=matches, stalled_after_s=lambda: 60
            )
            terminal = TerminalSession(
                name="Ada",
                start=partial(keeper.spawn, spec),
                size=SIZE,
                screens=AvailableScreens(),
                order=TerminalOrder(),
                watcher=readiness,
            )
            session = Session(SessionId("s"), ADA.id, SessionKind.PTY, None, None, SystemClock().now())
            profile = Profile("own", "Own CLI", "own", signs=signs or TerminalSigns())
            live.add(LiveSession(session, terminal, profile, "terminal", Resumption(None), readiness))
            living = tasks.create_task(terminal.run(ready=ready))
            await ready.wait()
            while beliefs.get(ADA.id).state is not ReadinessState.IDLE:
                changed.clear()
                await changed.wait()
            yield Prompted(prompts, got)
            await terminal.stop()
            await living
            await keeper.aclose()

    return running


def pasted(text: str) -> bytes:
    return b"\x1b[200~" + text.encode() + b"\x1b[201~"


@pytest.mark.parametrize("peculiarity", ["", "quick", "asks", "fails"])
async def test_a_message_is_one_paste_and_an_enter_and_its_start_is_seen(at_prompt: AtPrompt, peculiarity: str) -> None:
    async with at_prompt(peculiarity) as ada:
        assert await ada.send("What is in\r\nthis file?\n") is None

        assert ada.got == pasted("What is in\rthis file?") + b"\r"


async def test_a_turn_that_is_over_in_a_moment_is_seen_in_the_title_too(at_prompt: AtPrompt) -> None:
    async with at_prompt("titled", signs=TITLED) as ada:
        assert await ada.send("hello") is None


async def test_a_text_cannot_leave_its_brackets_or_press_a_key(at_prompt: AtPrompt) -> None:
    async with at_prompt("") as ada:
        assert await ada.send("a\x1b[201~\x9b201~\x03rm -rf x\x00\x7f\tb\ud800") is None

        assert ada.got == pasted("a[201~201~rm -rf x\tb?") + b"\r"


async def test_sixty_kilobytes_arrive_whole(at_prompt: AtPrompt) -> None:
    text = "\r".join(f"{number} wörds of a long message" for number in range(2_200))
    assert len(text.encode()) > 60_000
    async with at_prompt("") as ada:
        assert await ada.send(text) is None

        assert ada.got == pasted(text) + b"\r"


async def test_an_enter_that_is_swallowed_is_pressed_once_more(at_prompt: AtPrompt) -> None:
    async with at_prompt("swallows") as ada:
        assert await ada.send("hello") is None

        assert ada.got == pasted("hello") + b"\r\r"


@pytest.mark.parametrize(
    ("peculiarity", "within_s", "enters"),
    [
        pytest.param("never", SOON_S, b"\r\r", id="nothing-happens"),
        pytest.param("lists", START_S, b"\r", id="a-list-is-shown-in-which-an-enter-would-choose"),
        pytest.param("askedMeanwhile", SOON_S, b"", id="it-asks-before-the-enter"),
    ],
)
async def test_a_start_that_is_not_seen_is_not_claimed(
    at_prompt: AtPrompt, peculiarity: str, within_s: float, enters: bytes
) -> None:
    async with at_prompt(peculiarity, start_within_s=within_s) as ada:
        refusal = await ada.send("hello")

        assert isinstance(refusal, Conflict)
        assert refusal.why == "promptUnconfirmed"
    assert ada.got == pasted("hello") + enters


async def test_a_program_that_ends_instead_has_not_taken_it(at_prompt: AtPrompt) -> None:
    async with at_prompt("ends") as ada:
        assert isinstance(await ada.send("hello"), TargetDied)


async def test_a_program_without_pastes_takes_one_line(at_prompt: AtPrompt) -> None:
    async with at_prompt("plain") as ada:
        for too_much in ("one\ntwo", "x" * 1_001):
            refusal = await ada.send(too_much)
            assert isinstance(refusal, Invalid)
            assert refusal.why == "oneLineOnly"
        assert await ada.send("one\n") is None

        assert ada.got == b"one\r"


async def test_one_message_at_a_time_is_typed_and_the_next_is_judged_anew(at_prompt: AtPrompt) -> None:
    async with at_prompt("") as ada, asyncio.TaskGroup() as tasks:
        first = tasks.create_task(ada.send("first"))
        second = tasks.create_task(ada.send("second"))
        assert await first is None

        refusal = await second
        assert isinstance(refusal, Conflict)
        assert refusal.why == "turnRuns"
        assert ada.got == pasted("first") + b"\r"


async def test_messages_one_after_the_other_arrive_in_order(at_prompt: AtPrompt) -> None:
    async with at_prompt("quick") as ada, asyncio.TaskGroup() as tasks:
        sent = [tasks.create_task(ada.send(text)) for text in ("first", "second")]
        assert [await each for each in sent] == [None, None]

        assert ada.got == pasted("first") + b"\r" + pasted("second") + b"\r"


async def test_what_asks_is_not_typed_into(at_prompt: AtPrompt) -> None:
    async with at_prompt("asks") as ada:
        assert await ada.send("hello") is None
        before = ada.got

        refusal = await ada.send("yes")
        assert isinstance(refusal, Conflict)
        assert refusal.why == "asksInTerminal"
        assert ada.got == before


async def test_a_limited_cli_took_the_message_and_takes_no_other(at_prompt: AtPrompt) -> None:
    async with at_prompt("limited", signs=TITLED) as ada:
        assert await ada.send("hello") is None

        assert isinstance(await ada.send("again"), TargetRateLimited)
        assert ada.got == pasted("hello") + b"\r"


@pytest.mark.parametrize(
    ("text", "why"), [(" \n\x1b", "messageEmpty"), ("é" * 262_145, "promptTooLong")], ids=["empty", "too-long"]
)
async def test_nothing_of_what_cannot_be_typed_is(at_prompt: AtPrompt, text: str, why: str) -> None:
    async with at_prompt("") as ada:
        refusal = await ada.send(text)

        assert isinstance(refusal, Invalid)
        assert refusal.why == why
        assert ada.got == b""


async def test_nobody_but_a_person_types(at_prompt: AtPrompt) -> None:
    async with at_prompt("") as ada:
        for requester in (Requester(Source.MCP, ADA.id), Requester(Source.FILE)):
            refusal = await ada.send("hello", requester)
            assert isinstance(refusal, Invalid)
            assert refusal.why == "runsAsTerminal"

        assert ada.got == b""


async def test_a_shell_could_not_show_that_it_took_anything(at_prompt: AtPrompt) -> None:
    async with at_prompt("", signs=SHELL, argv=("/bin/sh", "-i")) as shell:
        refusal = await shell.send("rm -rf x")

        assert isinstance(refusal, Invalid)
        assert refusal.why == "noStartSigns"
