"""A terminal whose server is killed: the next one shows the same, with a real keeper and real programs."""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import cast

import pytest

from idea.adapters.keeper.socket_keeper import SocketKeeper
from idea.adapters.screen.ghostty import GhosttyScreens
from idea.application.ports import AgentProcess
from idea.application.terminals.terminal_activity import ShownTerminal
from idea.application.terminals.terminal_client import Paint, Reset
from idea.application.terminals.terminal_order import TerminalOrder
from idea.application.terminals.terminal_session import TerminalSession
from idea.domain.program_status import ProgramState
from idea.domain.sessions import Exit, KeptChild, OutputStream, SpawnSpec, TerminalSize
from tests.keeper.conftest import place, short_folder
from tests.keeper.running import Place, attached

__all__ = ["place", "short_folder"]

SIZE = TerminalSize(80, 24)
WAIT_S = 50.0
"""A keeper starts and megabytes go through a terminal twice, beside whatever else the machine does."""

pytestmark = pytest.mark.slow

LINES = 300_000
FLOOD = f"""\
import sys, tty
tty.setraw(0)
out = sys.stdout
out.write("\\x1b]2;flood\\x07\\x1b]7501;state=working:app=flood\\x07")
for start in range(0, {LINES}, 1000):
    out.write("".join("\\x1b[3%dm%07d 漢字 e\\u0301\\r\\n" % (n % 8, n) for n in range(start, start + 1000)))
out.write("over")
out.flush()
sys.stdin.read(1)
"""
FLOODED = (
    "\x1b]2;flood\x07\x1b]7501;state=working:app=flood\x07"
    + "".join(f"\x1b[3{number % 8}m{number:07} 漢字 e\u0301\r\n" for number in range(LINES))
    + "over"
).encode()
"""What it writes: 8 MB."""

QUERIES = 40
ASK = f"""\
import os, tty
tty.setraw(0)
got = b""
for number in range({QUERIES}):
    os.write(1, b"\\x1b[%d;%dH\\x1b[6n" % (number % 24 + 1, number + 1))
    while got.count(b"R") <= number:
        got += os.read(0, 4096)
os.write(1, b"\\x1b[H\\x1b[2J" + got.replace(b"\\x1b[", b"|") + b"\\r\\nasked")
os.read(0, 1)
"""
ANSWERS = "".join(f"|{number % 24 + 1};{number + 1}R" for number in range(QUERIES))


class Server:
    """One server's life with a terminal that a keeper has, from its start until it is killed."""

    def __init__(self, start: Callable[[], Awaitable[AgentProcess]], left: KeptChild) -> None:
        self._active = asyncio.Event()
        self.session = TerminalSession(
            name="program",
            start=start,
            size=left.terminal or SIZE,
            screens=GhosttyScreens(),
            order=TerminalOrder(),
            is_checkpointed=True,
            left=left,
            watcher=self,
        )

    def on_output(self, terminal: ShownTerminal) -> None:
        self._active.set()

    def on_rest(self, terminal: ShownTerminal) -> None:
        self._active.set()

    def on_typed(self) -> None:
        return

    def on_end(self) -> None:
        self._active.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        """At the latest a tenth of a second after it has come true."""
        while not condition():
            self._active.clear()
            await self._active.wait()

    async def shows(self, text: str) -> None:
        await self.until(lambda: text in self.session.shown.text())


async def child_of(keeper: SocketKeeper) -> KeptChild:
    (found,) = await keeper.children()
    return found


async def kept_until(keeper: SocketKeeper) -> int:
    """Below this offset the keeper has a checkpoint instead of the output."""
    return (await child_of(keeper)).streams[OutputStream.TERMINAL].acknowledged


@asynccontextmanager
async def serving(keeper: SocketKeeper, process: AgentProcess | None = None) -> AsyncIterator[Server]:
    """Killed at the end of the block. `process` stands for the one that the keeper has."""

    async def start() -> AgentProcess:
        found = process or await keeper.attach("terminal")
        assert found is not None
        return found

    server, ready = Server(start, await child_of(keeper)), asyncio.Event()
    async with asyncio.timeout(WAIT_S), asyncio.TaskGroup() as tasks:
        living = tasks.create_task(server.session.run(ready=ready))
        await ready.wait()
        yield server
        living.cancel()


async def spawn(keeper: SocketKeeper, source: str) -> AgentProcess:
    argv = (sys.executable, "-I", "-S", "-X", "utf8", "-c", source)
    return await keeper.spawn(SpawnSpec("terminal", argv, "/", {"PATH": "/usr/bin:/bin"}, SIZE))


async def test_killed_in_a_flood_the_next_server_shows_the_same(place: Place) -> None:
    expected = GhosttyScreens().create(SIZE)
    expected.feed(FLOODED)
    await place.start()
    before = 0
    async with attached(place) as keeper:
        await spawn(keeper, FLOOD)
    for _ in range(2):
        async with attached(place) as keeper, serving(keeper):
            while await kept_until(keeper) <= before:
                continue
            before = await kept_until(keeper)

    async with attached(place) as keeper, serving(keeper) as last:
        await last.shows("over")
        view = aiter(last.session.attach(SIZE))
        reset, painted = await anext(view), await anext(view)
        status = last.session.shown.status()

    assert before > 0
    assert reset == Reset(SIZE.cols, SIZE.rows)
    assert isinstance(painted, Paint)
    # How much the emulator forgets at once depends on where its pages of rows begin: one has more old rows left.
    shorter, longer = sorted((painted.data, expected.snapshot()), key=len)
    _, _, all_but_oldest = shorter.partition(b"\r\n")
    assert all_but_oldest.count(b"\r\n") > 4_000
    assert longer.endswith(all_but_oldest)
    assert last.session.shown.title() == "flood"
    assert status is not None
    assert status.state is ProgramState.WORKING
    assert not last.session.is_history_lost


async def test_what_stands_for_a_while_is_kept_as_it_stands(place: Place) -> None:
    await place.start()
    async with attached(place) as keeper:
        await spawn(keeper, "print('here it stands', flush=True); input()")
        async with serving(keeper):
            while not (first := await kept_until(keeper)):
                continue

    async with attached(place) as keeper, serving(keeper) as next_one:
        # It is ready, so this is there.
        assert next_one.session.shown.text() == "here it stands"
        assert await kept_until(keeper) == first


class Dying:
    """A process whose server is killed as it hands over its nth answer, before or after the keeper has taken it."""

    def __init__(self, process: AgentProcess, *, nth: int, is_taken: bool) -> None:
        self._process = process
        self._left = nth
        self._is_taken = is_taken
        self.is_time_to_die = asyncio.Event()

    def __getattr__(self, name: str) -> object:
        return getattr(self._process, name)

    async def write(self, data: bytes, *, write_id: str | None = None, answered: int | None = None) -> None:
        self._left -= 1
        if self._left == 0:
            if self._is_taken:
                await self._process.write(data, write_id=write_id, answered=answered)
            self.is_time_to_die.set()
            await asyncio.get_running_loop().create_future()
        await self._process.write(data, write_id=write_id, answered=answered)


async def test_every_query_is_answered_once_whichever_server_saw_it(place: Place) -> None:
    await place.start()
    async with attached(place) as keeper:
        await spawn(keeper, ASK)
    for nth, is_taken in ((1, False), (1, True), (7, True), (3, False), (5, True)):
        async with attached(place) as keeper:
            process = await keeper.attach("terminal")
            assert process is not None
            dying = Dying(process, nth=nth, is_taken=is_taken)
            async with serving(keeper, cast("AgentProcess", dying)):
                await dying.is_time_to_die.wait()

    async with attached(place) as keeper, serving(keeper) as last:
        await last.shows("asked")

        assert last.session.shown.text().replace("\n", "").startswith(ANSWERS + "asked")


async def test_what_ended_meanwhile_shows_its_last_words_and_its_end(place: Place) -> None:
    await place.start()
    async with attached(place) as keeper:
        process = await spawn(keeper, "import sys; print('last words'); sys.exit(3)")
        await process.wait()

    async with attached(place) as keeper, serving(keeper) as server:
        await server.until(lambda: server.session.exit is not None)

        assert server.session.exit == Exit(3, None)
        assert server.session.shown.text() == "last words"


async def test_a_checkpoint_that_cannot_be_read_is_told_and_the_program_goes_on(place: Place) -> None:
    await place.start()
    async with attached(place) as keeper:
        process = await spawn(keeper, "print('lost', flush=True); print(input(), flush=True); input()")
        while (await child_of(keeper)).streams[OutputStream.TERMINAL].end < len("lost\r\n"):
            continue
        await process.checkpoint(len("lost\r\n"), b"of another version")

    async with attached(place) as keeper, serving(keeper) as server:
        assert server.session.is_history_lost
        client = server.session.attach(SIZE)
        await client.write(b"hello\r")
        await server.shows("hello\nhello")


async def test_the_next_server_has_the_size_that_the_terminal_had(place: Place) -> None:
    narrow = TerminalSize(60, 20)
    await place.start()
    async with attached(place) as keeper:
        await spawn(keeper, "print('x' * 100, flush=True); input()")
        async with serving(keeper) as first:
            await first.shows("xxx")
            first.session.attach(narrow)
            while (await child_of(keeper)).terminal != narrow:
                continue

    async with attached(place) as keeper, serving(keeper) as next_one:
        assert next_one.session.size == narrow
        assert next_one.session.shown.text() == "x" * 60 + "\n" + "x" * 40
