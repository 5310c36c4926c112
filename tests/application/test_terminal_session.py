"""A terminal session with a real process and a real screen: everyone sees the same, and nobody holds up anybody."""

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import cast

import pytest

from idea.adapters.keeper.in_process import InProcessKeeper
from idea.adapters.keeper.process import KeptProcess
from idea.adapters.screen.ghostty import GhosttyScreens
from idea.application.ports import AgentProcess
from idea.application.terminals.terminal_activity import ShownTerminal, TerminalWatcher
from idea.application.terminals.terminal_client import (
    REFILL_BYTES,
    WINDOW_BYTES,
    Ended,
    InputRefused,
    Output,
    Paint,
    Reset,
    TerminalClient,
    TerminalValue,
)
from idea.application.terminals.terminal_order import TerminalOrder
from idea.application.terminals.terminal_session import TerminalSession
from idea.domain.errors import EngineFailed, Lost, Refused
from idea.domain.ids import SessionId
from idea.domain.program_status import ProgramState
from idea.domain.sessions import Exit, SpawnSpec, TerminalSize
from idea.keeper.reading import PIECE_BYTES
from tests.patience import PATIENCE_S

SIZE = TerminalSize(80, 24)
Start = Callable[..., AbstractAsyncContextManager[TerminalSession]]


def spec_of(folder: Path, *argv: str) -> SpawnSpec:
    return SpawnSpec("terminal", argv, str(folder), {"PATH": "/usr/bin:/bin", "PS1": "$ "}, SIZE)


def python(source: str) -> tuple[str, ...]:
    return (sys.executable, "-I", "-S", "-c", source)


@pytest.fixture
def start(tmp_path: Path) -> Start:
    @asynccontextmanager
    async def running(
        *argv: str,
        watcher: TerminalWatcher | None = None,
        keeper_type: type[InProcessKeeper] = InProcessKeeper,
        order: TerminalOrder | None = None,
    ) -> AsyncIterator[TerminalSession]:
        keeper, kept, ready = keeper_type(), asyncio.Event(), asyncio.Event()
        async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
            tasks.create_task(keeper.run(ready=kept))
            await kept.wait()
            session = TerminalSession(
                name="program",
                start=partial(keeper.spawn, spec_of(tmp_path, *argv)),
                size=SIZE,
                screens=GhosttyScreens(),
                order=order or TerminalOrder(),
                watcher=watcher,
            )
            living = tasks.create_task(session.run(ready=ready))
            await ready.wait()
            yield session
            await session.stop()
            await living
            await keeper.aclose()

    return running


class HangingSizes:
    """A process whose change of size never comes to its end."""

    def __init__(self, process: AgentProcess) -> None:
        self._process = process

    def __getattr__(self, name: str) -> object:
        return getattr(self._process, name)

    async def resize(self, size: TerminalSize) -> None:
        await asyncio.get_running_loop().create_future()


class KeeperOfHangingSizes(InProcessKeeper):
    async def spawn(self, spec: SpawnSpec) -> KeptProcess:
        return cast("KeptProcess", HangingSizes(await super().spawn(spec)))


class Viewer:
    """A browser: shows what it gets on a screen of its own, and acknowledges it if it is a good one."""

    def __init__(self, client: TerminalClient, *, is_good: bool = True) -> None:
        self.client = client
        self.is_good = is_good
        self.screen = GhosttyScreens().create(SIZE)
        self.size = SIZE
        self.got: list[TerminalValue] = []
        self.taken = bytearray()
        """Live output since the last reset."""
        self.total_bytes = 0
        self._values = aiter(client)

    async def see(self, condition: Callable[[], bool]) -> None:
        """Take values until the condition holds."""
        async with asyncio.timeout(PATIENCE_S):
            while not condition():
                self.show(await anext(self._values))

    async def see_text(self, text: str) -> None:
        await self.see(lambda: text in self.screen.text())

    async def see_end(self) -> Exit | None:
        await self.see(lambda: any(isinstance(value, Ended) for value in self.got))
        ended = self.got[-1]
        assert isinstance(ended, Ended)
        return ended.exit

    def show(self, value: TerminalValue) -> None:
        self.got.append(value)
        match value:
            case Reset(cols, rows):
                self.size = TerminalSize(cols, rows)
                self.screen = GhosttyScreens().create(self.size)
                self.total_bytes = 0
                self.taken.clear()
            case Paint(data) | Output(data):
                answers = self.screen.feed(data)
                if isinstance(value, Paint):
                    assert answers == b""
                else:
                    self.taken += data
                self.total_bytes += len(data)
                if self.is_good:
                    self.client.acknowledge(self.total_bytes)
            case InputRefused() | Ended():
                pass

    def resets(self) -> int:
        return sum(isinstance(value, Reset) for value in self.got)


async def test_a_change_of_size_that_hangs_keeps_the_screen_from_nobody(start: Start) -> None:
    async with start("/bin/sh", keeper_type=KeeperOfHangingSizes) as session:
        await Viewer(session.attach(TerminalSize(100, 30))).see_text("$")


async def test_a_view_may_have_the_screen_first_and_what_is_above_when_it_asks(start: Start) -> None:
    async with start("/bin/sh", "-c", "seq 200; exec cat") as session:
        first = Viewer(session.attach(SIZE))
        await first.see_text("200")
        late = Viewer(session.attach(SIZE, is_whole=False))
        await late.see_text("200")
        shown, above = late.got[0], late.screen.has_scrollback()

        late.client.ask_for_scrollback()
        await first.client.write(b"typed")
        await first.see_text("typed")
        await late.see(lambda: late.screen.has_scrollback() and "typed" in late.screen.text())

    assert (shown, above) == (Reset(SIZE.cols, SIZE.rows, is_whole=False), False)
    assert late.got[2] == Reset(SIZE.cols, SIZE.rows, is_whole=True)
    assert late.screen.snapshot() == first.screen.snapshot()


async def test_a_view_that_has_seen_all_from_the_beginning_keeps_it_at_another_size(start: Start) -> None:
    async with start("/bin/sh", "-c", "read line; seq 200; exec cat") as session:
        viewer = Viewer(session.attach(SIZE, is_whole=False))
        await viewer.see(lambda: bool(viewer.got))
        await viewer.client.write(b"\n")
        await viewer.see_text("200")
        await viewer.client.resize(TerminalSize(SIZE.cols + 1, SIZE.rows))
        await viewer.see(lambda: viewer.resets() > 1 and "200" in viewer.screen.text())

    assert viewer.screen.has_scrollback()


async def test_a_view_that_has_not_asked_gets_what_is_above_when_the_program_ends(start: Start) -> None:
    async with start("/bin/sh", "-c", "seq 200; read line") as session:
        viewer = Viewer(session.attach(SIZE, is_whole=False))
        await viewer.see_text("200")
        await viewer.client.write(b"\n")
        await viewer.see_end()

    assert viewer.screen.has_scrollback()


async def test_characters_survive_every_border_between_chunks(start: Start) -> None:
    text = "a" * 4095 + "€"
    # Going raw throws away what was typed before.
    source = (
        "import sys, tty; tty.setraw(0); print('ready', flush=True); sys.stdin.read(1); "
        f"sys.stdout.buffer.write({text!r}.encode() * 1000)"
    )
    async with start(*python(source)) as session:
        viewer = Viewer(session.attach(SIZE))
        await viewer.see_text("ready")
        viewer.taken.clear()
        await viewer.client.write(b"g")

        assert await viewer.see_end() == Exit(code=0, signal=None)

    assert viewer.resets() == 1
    assert viewer.taken.decode() == text * 1000


async def test_a_viewer_sees_first_the_screen_and_then_what_comes(start: Start) -> None:
    async with start("/bin/cat") as session:
        first = Viewer(session.attach(SIZE))
        await first.client.write(b"one\r")
        await first.see_text("one\none")
        assert isinstance(first.got[0], Reset)
        assert isinstance(first.got[1], Paint)

        late = Viewer(session.attach(SIZE))
        await late.see(lambda: len(late.got) == 2)
        assert late.screen.text() == first.screen.text()

        await late.client.write(b"two\r")
        for viewer in (first, late):
            await viewer.see_text("one\none\ntwo\ntwo")
        assert first.screen.snapshot() == late.screen.snapshot()


async def test_a_late_viewer_sees_a_full_screen_program_in_its_modes(start: Start) -> None:
    draw = r"\033]2;vim\007below\033[?1049h\033[?2004h\033[?1000h\033[?25l\033[5;5Habove"
    async with start("/bin/sh", "-c", f"printf '{draw}'; cat") as session:
        first = Viewer(session.attach(SIZE))
        await first.see_text("above")

        late = Viewer(session.attach(SIZE))
        await late.see_text("above")

        assert late.screen.title() == session.shown.title() == "vim"
        assert late.screen.snapshot() == first.screen.snapshot()


async def test_a_viewer_that_never_acknowledges_holds_up_nobody(start: Start) -> None:
    async with start("/usr/bin/yes") as session:
        good, bad = Viewer(session.attach(SIZE)), Viewer(session.attach(SIZE), is_good=False)
        # The bad one takes what it is given, and no more than the window is given.
        async with asyncio.TaskGroup() as tasks:
            taking = tasks.create_task(bad.see(lambda: False))
            await good.see(lambda: good.total_bytes > 6 * WINDOW_BYTES)
            taking.cancel()

        assert good.resets() == 1
        assert bad.total_bytes <= WINDOW_BYTES + PIECE_BYTES

        bad.is_good = True
        bad.client.acknowledge(bad.total_bytes)
        async with asyncio.TaskGroup() as tasks:
            feeding = tasks.create_task(good.see(lambda: False))
            await bad.see(lambda: bad.resets() == 2 and bad.total_bytes > 65536)
            feeding.cancel()


async def test_the_program_waits_for_a_lone_viewer_and_goes_on_without_any(start: Start) -> None:
    count = "i=0; while :; do i=$((i+1)); printf '%01000d\\n' $i; done"
    async with start("/bin/sh", "-c", count) as session:
        lone = Viewer(session.attach(SIZE), is_good=False)
        await lone.see(lambda: lone.total_bytes >= WINDOW_BYTES)
        held = session.shown.text()

        second = Viewer(session.attach(SIZE))
        await second.see(lambda: second.total_bytes > REFILL_BYTES)

        assert session.shown.text() != held
        second.client.detach()
        lone.client.detach()
        third = Viewer(session.attach(SIZE))
        await third.see(lambda: third.total_bytes > REFILL_BYTES)


async def test_ctrl_c_beside_a_flood_is_heard(start: Start) -> None:
    async with start("/bin/bash", "--norc", "-i") as session:
        viewer = Viewer(session.attach(SIZE))
        await viewer.see_text("$")
        await viewer.client.write(b"yes\r")
        await viewer.see(lambda: viewer.total_bytes > REFILL_BYTES)

        await viewer.client.write(b"\x03")
        await viewer.client.write(b"echo still''here\r")

        await viewer.see_text("stillhere")


@pytest.mark.parametrize(
    ("command", "exit_"),
    [("exit 3", Exit(3, None)), ("kill -9 $$", Exit(None, 9)), ("kill -TERM $$", Exit(None, 15))],
)
async def test_the_end_and_the_last_screen_are_shown(start: Start, command: str, exit_: Exit) -> None:
    async with start("/bin/sh", "-c", f"read go; echo last words; {command}") as session:
        viewer = Viewer(session.attach(SIZE))
        await viewer.client.write(b"\r")

        assert await viewer.see_end() == exit_
        late = Viewer(session.attach(SIZE))
        assert await late.see_end() == exit_

    assert "last words" in viewer.screen.text()
    assert late.screen.text() == viewer.screen.text()
    assert session.report.exit == exit_
    assert session.report.survivors == ()
    with pytest.raises(Lost):
        await viewer.client.write(b"x")


@pytest.mark.parametrize(("letter", "keeps_all"), [("x", True), ("\\033[38;2;$i;$i;7mx\\033[48;2;7;$i;${i}m.", False)])
async def test_what_it_leaves_has_its_scrollback_unless_that_is_too_long(
    start: Start, letter: str, keeps_all: bool
) -> None:
    # Lines of 80 characters, in the one case each with a colour of its own.
    line = f"line=; for j in 1 2 3 4 5 6 7 8 9 10; do for i in 31 32 33 34; do line=$line'{letter}'; done; done"
    line = line.replace("'", '"')
    program = f'echo first; {line}; for n in $(seq 2000); do printf "$line\\n"; done; echo last words; exit 3'
    async with start("/bin/bash", "-c", program) as session:
        viewer = Viewer(session.attach(SIZE))
        await viewer.see_end()
        left = await session.last_screen(SessionId("s"))

    assert left is not None
    assert (left.session, left.size, left.exit) == ("s", SIZE, Exit(3, None))
    late = Viewer(left.attach(SIZE))
    assert await late.see_end() == Exit(3, None)
    assert late.screen.text() == viewer.screen.text()
    assert (b"first" in left.painting) is keeps_all


async def test_what_it_leaves_is_painted_beside_the_loop_behind_the_pictures_of_others(start: Start) -> None:
    """A full scrollback takes up to a second, for which no other terminal is to stand still."""
    order, goes_on = TerminalOrder(), threading.Event()
    async with start("/bin/sh", "-c", "echo last words", order=order) as session, asyncio.TaskGroup() as tasks:
        await Viewer(session.attach(SIZE)).see_end()
        try:
            tasks.create_task(order.paint(lambda: b"" if goes_on.wait(PATIENCE_S) else b"never"))
            leaving = tasks.create_task(session.last_screen(SessionId("s")))
            done, _ = await asyncio.wait({leaving}, timeout=0)
            assert not done
        finally:
            goes_on.set()

    left = leaving.result()
    assert left is not None
    assert b"last words" in left.painting


async def test_a_program_that_showed_nothing_leaves_nothing(start: Start) -> None:
    async with start("/bin/sh", "-c", "exit 3") as session:
        await Viewer(session.attach(SIZE)).see_end()
        assert await session.last_screen(SessionId("s")) is None


async def test_a_viewer_that_never_acknowledges_sees_the_end(start: Start) -> None:
    async with start("/bin/sh", "-c", "read go; head -c 3000000 /dev/zero | tr '\\0' x; echo; echo over") as session:
        viewer = Viewer(session.attach(SIZE), is_good=False)
        await viewer.client.write(b"\r")
        await viewer.see(lambda: viewer.total_bytes >= WINDOW_BYTES)
        await session.stop()

        await viewer.see_end()


async def test_the_last_that_typed_or_resized_owns_the_size(start: Start) -> None:
    watch = (
        "import os, signal; signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGWINCH})\n"
        "while True: print(tuple(os.get_terminal_size(0)), flush=True); signal.sigwait({signal.SIGWINCH})"
    )
    wide, narrow = TerminalSize(100, 30), TerminalSize(60, 20)
    async with start(*python(watch)) as session:
        first = Viewer(session.attach(wide))
        await first.see_text("(100, 30)")
        assert first.got[0] == Reset(100, 30)

        second = Viewer(session.attach(narrow))
        await second.see(lambda: second.resets() == 1)
        assert second.size == wide

        await second.client.write(b"x")
        for viewer in (first, second):
            await viewer.see_text("(60, 20)")
        assert first.size == second.size == session.size == narrow

        second.client.detach()
        await first.see(lambda: first.size == wide)


async def test_a_storm_of_sizes_comes_down_to_the_last(start: Start) -> None:
    async with start("/bin/cat") as session:
        viewer = Viewer(session.attach(SIZE))
        await viewer.see(lambda: viewer.resets() == 1)

        for cols in range(40, 140):
            await viewer.client.resize(TerminalSize(cols, 30))
        await viewer.see(lambda: viewer.size == TerminalSize(139, 30))

        assert viewer.resets() <= 3
        assert session.size == TerminalSize(139, 30)


async def test_queries_are_answered_once_by_the_terminal(start: Start) -> None:
    ask = (
        "import os, sys, tty; tty.setraw(0); os.write(1, b'\\x1b]7501;?\\x1b\\\\\\x1b[c'); got = b''\n"
        "while not got.endswith(b'c'): got += os.read(0, 100)\n"
        "os.write(1, ascii(got).encode() + b'\\x1b]7501;state=idle:app=x\\x07'); os.read(0, 1)"
    )
    async with start(*python(ask)) as session:
        viewer = Viewer(session.attach(SIZE))
        await viewer.see_text("7501;?")

        assert r"b'\x1b]7501;?\x1b\\\x1b[?" in viewer.screen.text()
        status = session.shown.status()
        assert status is not None
        assert status.state is ProgramState.IDLE


async def test_who_asks_without_end_and_reads_nothing_is_not_waited_for(start: Start) -> None:
    ask = "import os, tty; tty.setraw(0); [os.write(1, b'\\x1b[6n' * 1000) for _ in range(200)]; print('asked')"
    async with start(*python(ask)) as session:
        viewer = Viewer(session.attach(SIZE))

        await viewer.see_text("asked")


async def test_a_paste_for_a_deaf_program_is_refused_whole(start: Start) -> None:
    async with start("/bin/sh", "-c", "stty raw -echo; echo ready; exec sleep 60") as session:
        viewer = Viewer(session.attach(SIZE))
        await viewer.see_text("ready")
        await viewer.client.write(b"x" * 900_000)

        await viewer.client.write(b"y" * 900_000)
        await viewer.see(lambda: viewer.got[-1] == InputRefused())


async def test_a_message_for_a_deaf_program_is_taken_back_unless_it_was_begun(start: Start) -> None:
    async with start("/bin/sh", "-c", "stty raw -echo; echo ready; exec sleep 60") as session:
        viewer = Viewer(session.attach(SIZE))
        await viewer.see_text("ready")

        with pytest.raises(TimeoutError):
            await session.type_alone(b"x" * 500_000, within_s=0.3)
        for _ in range(3):
            # Were the one before it not taken back, there would be no room for this one.
            with pytest.raises(Refused):
                await session.type_alone(b"y" * 500_000, within_s=0.1)


class Witness:
    """A `TerminalWatcher` that writes down what it is told."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.rested = asyncio.Event()

    def on_output(self, terminal: ShownTerminal) -> None:
        self.told.append("output")

    def on_rest(self, terminal: ShownTerminal) -> None:
        self.told.append("rest")
        self.rested.set()

    def on_typed(self) -> None:
        self.told.append("typed")

    def on_end(self) -> None:
        self.told.append("end")


async def test_output_is_told_at_a_bounded_rate_then_its_rest_a_key_and_the_end(start: Start) -> None:
    witness = Witness()
    program = "printf '\\033]2;busy\\007'; yes | head -c 2000000; printf over; read key"
    async with start("/bin/sh", "-c", program, watcher=witness) as session:
        viewer = Viewer(session.attach(SIZE))
        await viewer.see_text("over")
        await witness.rested.wait()
        before = len(witness.told)
        await viewer.client.write(b"\r")
        await viewer.see_end()

    assert session.shown.title() == "busy"
    assert before <= 40
    assert {"output", "rest"} <= set(witness.told)
    assert "typed" in witness.told
    assert (witness.told.count("end"), witness.told[-1]) == (1, "end")


class Stumbler(Witness):
    def on_output(self, terminal: ShownTerminal) -> None:
        super().on_output(terminal)
        raise ValueError("a fault of ours")


async def test_whoever_stumbles_over_what_it_shows_does_not_end_the_program(start: Start) -> None:
    stumbler = Stumbler()
    async with start("/bin/sh", "-c", "printf ready; read key; echo went on", watcher=stumbler) as session:
        viewer = Viewer(session.attach(SIZE))
        await viewer.see_text("ready")
        await stumbler.rested.wait()
        await viewer.client.write(b"\r")
        await viewer.see_text("went on")

    assert "output" in stumbler.told


async def test_what_the_program_leaves_behind_ends_with_it(start: Start) -> None:
    async with start("/bin/bash", "--norc", "-i") as session:
        viewer = Viewer(session.attach(SIZE))
        await viewer.client.write(b"nohup sleep 60 >/dev/null 2>&1 & disown; exit\r")
        await viewer.see_end()

        assert session.report.survivors == ()


async def test_a_program_that_cannot_be_started_is_an_error(tmp_path: Path) -> None:
    keeper, kept = InProcessKeeper(), asyncio.Event()
    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
        tasks.create_task(keeper.run(ready=kept))
        await kept.wait()
        start = partial(keeper.spawn, spec_of(tmp_path, "/nowhere/cli"))
        session = TerminalSession(name="cli", start=start, size=SIZE, screens=GhosttyScreens(), order=TerminalOrder())
        viewer = Viewer(session.attach(SIZE))

        with pytest.raises(EngineFailed):
            await session.run(ready=asyncio.Event())

        assert await viewer.see_end() is None
        await keeper.aclose()
