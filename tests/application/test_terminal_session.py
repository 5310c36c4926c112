"""A terminal session with a real process and a real screen: what is typed, what it leaves, and who follows it."""

import asyncio
import threading
from functools import partial
from pathlib import Path

import pytest

from idea.adapters.keeper.in_process import InProcessKeeper
from idea.adapters.screen.ghostty import GhosttyScreens
from idea.application.terminals.terminal_activity import ShownTerminal
from idea.application.terminals.terminal_client import REFILL_BYTES, InputRefused
from idea.application.terminals.terminal_order import TerminalOrder
from idea.application.terminals.terminal_session import TerminalSession
from idea.domain.errors import EngineFailed, Lost, Refused
from idea.domain.ids import SessionId
from idea.domain.program_status import ProgramState
from idea.domain.sessions import Exit, TerminalSize
from tests.application.terminals import SIZE, Start, Viewer, python, spec_of
from tests.patience import PATIENCE_S


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
