"""How long a key takes to its echo, for `bench/terminal.py`."""

import asyncio
import time
from dataclasses import dataclass
from statistics import median, quantiles
from typing import Final

from bench.reporting import report
from bench.terminal_peers import Idea, Terminado, Terminal
from bench.terminal_shells import Peer, flooded, read_until, settle

MAX_OF_TERMINADO: Final = 0.2
"""Of its 99th percentile, beside floods."""
FLOODS: Final = 4
KEYS: Final = 200
KEY_S: Final = 0.02
"""Between an echo and the next key: quicker than anybody types, and the floods have their turns."""
LIMIT_S: Final = 600.0


async def time_echoes(terminal: Terminal) -> list[float]:
    await settle(terminal)
    await terminal.type("exec cat\r")
    times = []
    for number in range(KEYS):
        key = "abcdefghij"[number % 10]
        began = time.perf_counter()
        await terminal.type(key)
        await read_until(terminal, key.encode())
        times.append(time.perf_counter() - began)
        await asyncio.sleep(KEY_S)
    return times


@dataclass(frozen=True)
class Echoes:
    """Of one round; seconds, and megabytes in a second that the floods beside had."""

    p50: float
    p99: float
    mb_s: float

    @classmethod
    async def of(cls, peer: Peer, floods: int) -> "Echoes":
        async with asyncio.timeout(LIMIT_S), flooded(peer, floods) as taken, peer.open() as terminal:
            before, began = taken[0], time.perf_counter()
            times = await time_echoes(terminal)
            mb_s = (taken[0] - before) / 1e6 / (time.perf_counter() - began)
        return cls(median(times), quantiles(times, n=100)[98], mb_s)


async def measure_echo(idea: Idea, other: Terminado | None, rounds: int) -> bool:
    slowest = {}
    for floods in (0, FLOODS):
        found: dict[str, list[Echoes]] = {}
        for _ in range(rounds):
            for peer in (idea, other):
                if peer is not None:
                    found.setdefault(peer.name, []).append(await Echoes.of(peer, floods))
        for name, echoes in found.items():
            p50, p99 = median(one.p50 for one in echoes), median(one.p99 for one in echoes)
            slowest[name, floods] = p99
            beside = f"{name}: echo beside {floods} floods"
            mb_s = median(one.mb_s for one in echoes)
            print(f"{beside:44} p50 {p50 * 1000:7.2f} ms   p99 {p99 * 1000:7.2f} ms  {mb_s:5.1f} MB/s beside")
    if other is None:
        return True
    ratio = slowest[idea.name, FLOODS] / slowest[other.name, FLOODS]
    return report("echo beside floods, p99, of terminado's", ratio, MAX_OF_TERMINADO, is_least=False)
