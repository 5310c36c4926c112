"""Who views a terminal: everyone sees the same, and nobody holds up anybody."""

import asyncio
from typing import cast

from idea.adapters.keeper.in_process import InProcessKeeper
from idea.adapters.keeper.process import KeptProcess
from idea.application.ports import AgentProcess
from idea.application.terminals.terminal_client import REFILL_BYTES, WINDOW_BYTES, Paint, Reset
from idea.domain.sessions import Exit, SpawnSpec, TerminalSize
from idea.keeper.reading import PIECE_BYTES
from tests.application.terminals import SIZE, Start, Viewer, python


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
