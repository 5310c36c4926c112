"""Many terminals at once, for `bench/terminal.py`: what those that nobody sees take, how soon a page has them all."""

import asyncio
import json
import os
import shutil
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any, Final

from bench.terminal_peers import Idea, Terminal

CELLS: Final = 20
COLUMNS: Final = 5
WIDTH, HEIGHT = 1920, 1200
ATTACH_S: Final = 60.0
FULL_LINES: Final = 8_000
"""More than a terminal of this width keeps."""
LEFT: Final = "HERE-IT-ENDS"
CHROMIUM: Final = ("chromium", "chromium-browser", "google-chrome")
COUNTING: Final = f"""
window.attached = {{ count: 0, atMs: null }}
window.WebSocket = class extends WebSocket {{
  constructor(...about) {{
    super(...about)
    if (!this.url.includes("/terminal")) return
    this.addEventListener("message", event => {{
      if (typeof event.data === "string" || this.isCounted) return
      this.isCounted = true
      window.attached.count += 1
      if (window.attached.count === {CELLS}) window.attached.atMs = performance.now()
    }})
  }}
}}
"""
"""Each terminal's first binary frame is its picture; the clock runs from the navigation on."""


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


async def read_until(terminal: Terminal, wanted: bytes) -> None:
    tail = b""
    while wanted not in tail:
        tail = tail[-len(wanted) :] + await terminal.read()


async def time_in_browser(idea: Idea, rounds: int) -> list[float] | None:
    """Seconds from a page's navigation to the last cell's picture; None where there is no browser to do it."""
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
            at = await page.wait_for_function("() => window.attached.atMs", timeout=ATTACH_S * 1000)
            times.append(float(await at.json_value()) / 1000)
            await page.reload()
        await browser.close()
    return times


def _branch(parts: list[dict[str, Any]], size: int) -> dict[str, Any]:
    return {"type": "branch", "data": parts, "size": size}


def _leaf(agent: str, size: int) -> dict[str, Any]:
    return {"type": "leaf", "data": {"views": [agent], "activeView": agent, "id": agent}, "size": size}
