"""What a terminal costs: `python -m bench.terminal [--mb 200] [--rounds 3] …`. Exit code 1 if a bar is missed.

Output from a PTY through keeper, server and WebSocket to a client, in ratio to a loop that reads the PTY and to
terminado, in turns in the same minutes; how long a key takes to its echo, alone and beside four floods; the memory of
server and keeper under a flood without end; what a hundred idle agents cost. `--only` chooses among these.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Final

from bench.reporting import cpu_s, memory_mb, report
from bench.terminal_cells import measure_cells
from bench.terminal_echo import measure_echo
from bench.terminal_peers import (
    COLS,
    ROWS,
    Idea,
    Terminado,
    install_terminado,
    read_bare,
    serving_idea,
    serving_terminado,
)
from bench.terminal_shells import Peer, flooded, read_until, settle

MIN_OF_BARE: Final = {"log": 0.8, "tui": 0.5}
MIN_OF_TERMINADO: Final = 1.2
MAX_GROWTH_MB: Final = 10.0
MAX_IDLE_CPU: Final = 0.02
"""Of one core, server and keeper together."""
MAX_AGENT_MB: Final = 1.5
IDLE_S: Final = 10.0
SETTLE_S: Final = 5.0
"""Before a part, while a server still loads what it needs later, and before a memory is looked at."""
LIMIT_S: Final = 600.0
"""Of one measure; what takes longer is broken."""
END: Final = b"THE-END-OF-IT"
PARTS: Final = ("output", "echo", "memory", "idle", "cells")


def write_log(path: Path, mb: int) -> None:
    line = "2026-11-30T12:00:00.123Z INFO  shop.invoices  request 4711 took 12 ms, {} rows, no errors"
    _fill(path, mb, "".join(f"{line.format(number)}\n" for number in range(10_000)).encode())


def write_tui(path: Path, mb: int) -> None:
    """Whole screens drawn over one another, in colour, as full-screen programs do."""
    frames = []
    for frame in range(50):
        rows = (
            f"\x1b[{row};1H\x1b[38;5;{(row + frame) % 256}m{row:3} \x1b[1m"
            f"{'#' * ((row * 7 + frame) % (COLS - 20))}\x1b[0m\x1b[K"
            for row in range(1, ROWS + 1)
        )
        frames.append("".join(rows))
    _fill(path, mb, "".join(frames).encode())


def _fill(path: Path, mb: int, block: bytes) -> None:
    with path.open("wb") as file:
        while file.tell() < mb * 1_000_000:
            file.write(block)


# --- measures -------------------------------------------------------------------------------------------------


async def time_output(peer: Peer, file: Path) -> float:
    """Seconds from the command to its last byte."""
    async with asyncio.timeout(LIMIT_S), peer.open() as terminal:
        await settle(terminal)
        began = time.perf_counter()
        await terminal.type(f"cat {file}; echo {END[:4].decode()}''{END[4:].decode()}\r")
        await read_until(terminal, END)
        return time.perf_counter() - began


async def measure_output(idea: Idea, other: Terminado | None, folder: Path, *, mb: int, rounds: int) -> bool:
    met = []
    for kind, write in (("log", write_log), ("tui", write_tui)):
        file = folder / kind
        write(file, mb)
        bare, ours, theirs = [], [], []
        for _ in range(rounds):
            began = time.perf_counter()
            await asyncio.to_thread(read_bare, file)
            bare.append(time.perf_counter() - began)
            ours.append(await time_output(idea, file))
            if other is not None:
                theirs.append(await time_output(other, file))
        speed = f"  {mb / median(ours):.0f} MB/s of {mb / median(bare):.0f}"
        ratio = median(bare) / median(ours)
        met.append(report(f"{kind}: output, of a bare loop's", ratio, MIN_OF_BARE[kind], is_least=True, of=speed))
        if theirs:
            ratio = median(theirs) / median(ours)
            met.append(report(f"{kind}: output, of terminado's", ratio, MIN_OF_TERMINADO, is_least=True))
        file.unlink()
    return all(met)


async def measure_memory(idea: Idea, flood_s: float) -> bool:
    pids = (idea.process.pid, idea.keeper)
    async with asyncio.timeout(LIMIT_S), flooded(idea, 1):
        await asyncio.sleep(SETTLE_S)
        before = memory_mb(*pids)
        await asyncio.sleep(flood_s)
        after = memory_mb(*pids)
    name, of = f"memory, {flood_s:g} s of `yes`", f"  {before:.0f} MB before"
    return report(name, abs(after - before), MAX_GROWTH_MB, is_least=False, unit="MB", of=of)


async def measure_idle(idea: Idea, agents: int) -> bool:
    await asyncio.to_thread(idea.launch, "demo")
    pids = (idea.process.pid, idea.keeper)
    await asyncio.sleep(SETTLE_S)
    one = memory_mb(*pids)
    for _ in range(agents - 1):
        await asyncio.to_thread(idea.launch, "demo")
    await asyncio.sleep(SETTLE_S)
    each, began = (memory_mb(*pids) - one) / max(1, agents - 1), cpu_s(*pids)
    await asyncio.sleep(IDLE_S)
    used = (cpu_s(*pids) - began) / IDLE_S
    return all(
        (
            report(f"{agents} idle agents, of a core", used * 100, MAX_IDLE_CPU * 100, is_least=False, unit="%"),
            report("memory of each beyond the first", each, MAX_AGENT_MB, is_least=False, unit="MB"),
        )
    )


async def measure(parts: Sequence[str], given: argparse.Namespace, folder: Path) -> bool:
    with ExitStack() as stack:
        needs_peer = bool({"output", "echo"} & set(parts))
        python = given.terminado or (install_terminado(folder) if needs_peer else None)
        other = stack.enter_context(serving_terminado(python)) if python is not None and needs_peer else None
        if needs_peer and other is None:
            print("terminado is not to be had: its bars are left out")
        met = []
        for part in parts:
            # A server of its own: what floods have left in the memory of one hides what agents take.
            home = folder / part
            home.mkdir()
            with serving_idea(home) as idea:
                await asyncio.sleep(SETTLE_S)
                met.append(await measure_part(part, idea, other, given=given, folder=home))
        return all(met)


async def measure_part(
    part: str, idea: Idea, other: Terminado | None, *, given: argparse.Namespace, folder: Path
) -> bool:
    match part:
        case "output":
            return await measure_output(idea, other, folder, mb=given.mb, rounds=given.rounds)
        case "echo":
            return await measure_echo(idea, other, given.rounds)
        case "memory":
            return await measure_memory(idea, given.flood_s)
        case "cells":
            return await measure_cells(idea, given.rounds)
        case _:
            return await measure_idle(idea, given.agents)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mb", type=int, default=200, help="of each kind of output")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--flood-s", type=float, default=60.0)
    parser.add_argument("--agents", type=int, default=100)
    parser.add_argument("--terminado", type=Path, metavar="PYTHON", help="one that has it; else it is fetched")
    parser.add_argument("--only", choices=PARTS, action="append", default=[])
    given = parser.parse_args()
    # Short, since sockets lie in it.
    with tempfile.TemporaryDirectory(prefix="idea-bench-", dir="/tmp") as folder:
        is_met = asyncio.run(measure(given.only or PARTS, given, Path(folder)))
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
