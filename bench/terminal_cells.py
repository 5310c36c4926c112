"""Many terminals at once, for `bench/terminal.py`: what those that nobody sees take, how soon a page has them all."""

import asyncio
import json
import os
import shutil
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass
from statistics import median
from typing import Any, Final

from bench.reporting import memory_mb, report
from bench.terminal_peers import ROWS, Idea
from bench.terminal_shells import read_until

CELLS: Final = 20
COLUMNS: Final = 5
WIDTH, HEIGHT = 1920, 1200
MAX_ATTACH_S: Final = 2.0
"""Until a page has the screens of all its cells."""
MAX_PARKED_MB: Final = 1.0
"""Of the server's memory, for a terminal that nobody sees and whose program has said a screenful."""
SETTLE_S: Final = 5.0
LIMIT_S: Final = 600.0
ATTACH_S: Final = 60.0
FULL_LINES: Final = 8_000
"""More than a terminal of this width keeps."""
LEFT: Final = "HERE-IT-ENDS"
CHROMIUM: Final = ("chromium", "chromium-browser", "google-chrome")
COUNTING: Final = """
window.pictures = { screens: [], whole: [] }
window.WebSocket = class extends WebSocket {
  constructor(...about) {
    super(...about)
    if (!this.url.includes("/terminal")) return
    const awaited = new Set(["screens"])
    this.addEventListener("message", event => {
      if (typeof event.data === "string") {
        if (JSON.parse(event.data).isWhole) awaited.add("whole")
        return
      }
      for (const kind of awaited) window.pictures[kind].push(performance.now())
      awaited.clear()
    })
  }
}
"""
"""Each terminal's first binary frame is its screen; one behind a reset that says so is the picture with the scrollback.
The clock runs from the navigation on."""


@dataclass(frozen=True)
class Shells:
    """As many shells as a page has cells, which have written so much."""

    idea: Idea
    agents: list[str]

    @classmethod
    async def begin(cls, idea: Idea) -> "Shells":
        return cls(idea, [(await asyncio.to_thread(idea.launch, "shell"))[1] for _ in range(CELLS)])

    async def write(self, lines: int) -> None:
        """One after the other: so many lines each, and nobody looks at them afterwards."""
        for agent in self.agents:
            async with self.idea.attach(agent) as terminal:
                await terminal.type(f"seq -f 'line %.0f of what a program says' {lines}; echo {LEFT[:4]}''{LEFT[4:]}\r")
                await read_until(terminal, LEFT.encode())

    async def attach(self) -> None:
        """All at once; returns when each has its whole picture."""
        async with AsyncExitStack() as stack, asyncio.TaskGroup() as tasks:
            for agent in self.agents:
                terminal = await stack.enter_async_context(self.idea.attach(agent))
                tasks.create_task(read_until(terminal, LEFT.encode()), name="picture")

    def show(self) -> None:
        """One grid of cells with all of them."""
        rows = CELLS // COLUMNS
        panels = {agent: {"id": agent, "contentComponent": "cell", "title": agent} for agent in self.agents}
        columns = [
            _branch([_leaf(agent, HEIGHT // rows) for agent in self.agents[start : start + rows]], WIDTH // COLUMNS)
            for start in range(0, CELLS, rows)
        ]
        grid = {"root": _branch(columns, HEIGHT), "width": WIDTH, "height": HEIGHT, "orientation": "HORIZONTAL"}
        geometry = json.dumps({"grid": grid, "panels": panels, "activeGroup": self.agents[0]})
        cells = [{"nodeId": agent, "agentId": agent, "view": "terminal"} for agent in self.agents]
        layout = {"name": self.idea.layout_name(), "geometry": geometry, "cells": cells}
        self.idea.call("PUT", "/layout", {"layout": layout, "origin": "bench"})


async def time_in_browser(idea: Idea, rounds: int) -> list[tuple[float, float]] | None:
    """Seconds from a page's navigation to the last cell's screen, and to its scrollback.

    None where there is no browser to do it.
    """
    try:
        from playwright.async_api import async_playwright
    except ImportError:
        return None
    program = os.environ.get("IDEA_CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUM)), None)
    if program is None:
        return None
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, chromium_sandbox=os.geteuid() != 0)
        context = await browser.new_context(viewport={"width": WIDTH, "height": HEIGHT})
        await context.add_init_script(COUNTING)
        page = await context.new_page()
        await page.goto(idea.link())
        times = []
        for _ in range(rounds):
            # The first round is the one above: it fetches the page, the others do what a reload does.
            screens, whole = [await _time_of(page, kind) for kind in ("screens", "whole")]
            times.append((screens, whole))
            await page.reload()
        await browser.close()
    return times


async def _time_of(page: Any, kind: str) -> float:
    """Seconds to the last picture of that kind."""
    there = f"() => window.pictures.{kind}.length >= {CELLS} && window.pictures.{kind}[{CELLS - 1}]"
    return float(await (await page.wait_for_function(there, timeout=ATTACH_S * 1000)).json_value()) / 1000


async def measure_cells(idea: Idea, rounds: int) -> bool:
    # The first terminal of a server brings the emulator along.
    await asyncio.to_thread(idea.launch, "shell")
    await asyncio.sleep(SETTLE_S)
    before = memory_mb(idea.process.pid)
    shells = await Shells.begin(idea)
    async with asyncio.timeout(LIMIT_S):
        await shells.write(ROWS)
        await asyncio.sleep(SETTLE_S)
        little = (memory_mb(idea.process.pid) - before) / CELLS
        await shells.write(FULL_LINES)
        await asyncio.sleep(SETTLE_S)
        full = (memory_mb(idea.process.pid) - before) / CELLS
        attached = []
        for _ in range(rounds):
            began = time.perf_counter()
            await shells.attach()
            attached.append(time.perf_counter() - began)
        shells.show()
        seen = await time_in_browser(idea, rounds)
    of = f"  {full:.1f} MB with a full scrollback"
    met = [report("memory of a parked cell", little, MAX_PARKED_MB, is_least=False, unit="MB", of=of)]
    print(f"{f'{CELLS} terminals attached':44} {median(attached):8.2f} s")
    if seen is None:
        print("there is no browser: how soon a page has its cells is left out")
    else:
        screens, whole = (median(times) for times in zip(*seen, strict=True))
        of = f"  {whole:.1f} s with their scrollbacks"
        met.append(report(f"{CELLS} cells of a page", screens, MAX_ATTACH_S, is_least=False, unit="s", of=of))
    return all(met)


def _branch(parts: list[dict[str, Any]], size: int) -> dict[str, Any]:
    return {"type": "branch", "data": parts, "size": size}


def _leaf(agent: str, size: int) -> dict[str, Any]:
    return {"type": "leaf", "data": {"views": [agent], "activeView": agent, "id": agent}, "size": size}
