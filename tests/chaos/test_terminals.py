"""Servers are killed while programs fill their terminals; not a line of what these print is lost or there twice."""

import random
import re
from typing import Final

import pytest
from websockets.exceptions import ConnectionClosed

from tests.chaos.runs import SEED, end_all, new_storm
from tests.chaos.storm import Storm
from tests.system.client import Api, ok
from tests.system.house import STOP_S, Server
from tests.system.terminal import Terminal, open_terminal

pytestmark = [pytest.mark.slow, pytest.mark.soak]

NAMES: Final = ("One", "Two")
LINES: Final = 3000
"""They fit into what is kept above the screen."""
LIVES: Final = 3
COUNT: Final = """echo
i=0
while [ $i -lt {lines} ]; do
    i=$((i + 1))
    echo "line $i of {name}"
    [ $((i % 50)) = 0 ] && sleep {pause_s}
done
echo "that was {name}"
exec cat
"""
"""The prompt may stand in the first line. It rests in between, so that it takes as long as several servers."""


# Three servers start, on a machine that may be busy.
@pytest.mark.timeout(300)
async def test_what_a_program_prints_is_on_its_screen_and_above_it_once() -> None:
    dice = random.Random(SEED)
    with new_storm() as storm:
        for name in NAMES:
            text = COUNT.format(lines=LINES, name=name, pause_s=round(dice.uniform(0.02, 0.2), 3))
            (storm.root / name).write_text(text, encoding="utf-8")
        for number in range(LIVES - 1):
            with storm.serving(number) as server:
                if number == 0:
                    await _start(storm, server)
                await _watch_and_kill(storm, server, dice)
        with storm.serving(LIVES - 1) as server:
            for name in NAMES:
                await _check(server, name)
            await end_all(storm, Api(server))


async def _start(storm: Storm, server: Server) -> None:
    api = Api(server)
    storm.note_keeper()
    for name in NAMES:
        agent = await api.create(name, profile="shell")
        ok(await api.agent("POST", name.lower(), "/launch", {"view": "terminal", "nodeId": name}))
        async with open_terminal(server, agent["id"]) as terminal:
            await terminal.until_frame("reset", cols=100, rows=30)
            await terminal.type(f"exec sh ./{name}\r")
            await terminal.until(f" of {name}")


async def _watch_and_kill(storm: Storm, server: Server, dice: random.Random) -> None:
    """After so many lines, seen by a page whose socket then ends."""
    name, lines = dice.choice(NAMES), dice.randrange(1, LINES // LIVES)
    async with open_terminal(server, await _find(server, name)) as terminal:
        await terminal.until(f" {name}")
        last = min(LINES, _last(terminal) + lines)
        await terminal.until_true(lambda: _last(terminal) >= last)
        storm.note(f"SIGKILL at line {last} of {name}")
        server.process.kill()
        with pytest.raises(ConnectionClosed):
            await terminal.until("nothing more")
    server.process.wait(STOP_S)


async def _find(server: Server, name: str) -> str:
    [agent] = [agent for agent in (await Api(server).state())["agents"] if agent["name"] == name]
    return str(agent["id"])


def _last(terminal: Terminal) -> int:
    """The number of the lowest line that is whole; all of them once the end is there."""
    shown = "\n".join(terminal.screen.display)
    if "that was" in shown:
        return LINES
    numbers = re.findall(r"line (\d+) of \w+", shown)
    return int(numbers[-1]) if numbers else 0


async def _check(server: Server, name: str) -> None:
    agent = await _find(server, name)
    async with open_terminal(server, agent) as terminal:
        await terminal.until(f"that was {name}")
    async with open_terminal(server, agent, history=2 * LINES) as late:
        await late.until(f"that was {name}")
        told = [line for line in late.lines() if re.fullmatch(r"(line \d+ of|that was) \w+", line)]

    assert told == [*(f"line {number} of {name}" for number in range(1, LINES + 1)), f"that was {name}"]
