"""The grid of cells of one project in `state/layouts.json`."""

import asyncio
from pathlib import Path
from typing import Any, Final

from idea.adapters.storage.atomic import ensure_folder
from idea.adapters.storage.json_state import Object, read_state, set_aside_and_tell, write_state
from idea.adapters.storage.unusable import UnusableFile
from idea.domain.file_trouble import FileTrouble
from idea.domain.ids import AgentId, NodeId
from idea.domain.layouts import Cell, Layout, View

LAYOUTS_FILE: Final = "layouts.json"


class LayoutFile:
    """A `ports.LayoutStore`. Loading alone never writes."""

    def __init__(self, state: Path) -> None:
        """`state` is the project's private folder."""
        self._state = state
        self._path = state / LAYOUTS_FILE

    async def load(self) -> tuple[Layout, FileTrouble | None]:
        """The layout and, if the file was unusable and set aside, what says so."""
        return await asyncio.to_thread(self._load)

    async def save(self, layout: Layout) -> None:
        """Raises `Refused` or `Conflict` when the file cannot be written."""
        await asyncio.to_thread(self._save, layout)

    def _load(self) -> tuple[Layout, FileTrouble | None]:
        try:
            state = read_state(self._path)
            return (Layout() if state is None else _parse(state)), None
        except UnusableFile as error:
            return Layout(), set_aside_and_tell(
                self._path, "The layout", error, "an empty one is used", why="layoutSetAside"
            )

    def _save(self, layout: Layout) -> None:
        cells = [{"nodeId": cell.node_id, "agent": cell.agent, "view": cell.view.value} for cell in layout.cells]
        ensure_folder(self._state, mode=0o700)
        write_state(self._path, {"geometry": layout.geometry, "cells": cells})


def _parse(state: Object) -> Layout:
    geometry, cells = state.get("geometry"), state.get("cells")
    if not isinstance(geometry, str) or not isinstance(cells, list):
        raise UnusableFile("it holds no layout", "notOurs")
    return Layout(geometry=geometry, cells=tuple(_cell(cell) for cell in cells))


def _cell(cell: Any) -> Cell:
    try:
        node, agent, view = cell["nodeId"], cell["agent"], View(cell["view"])
    except (KeyError, TypeError, ValueError) as error:
        raise UnusableFile("a cell in it cannot be understood", "notOurs") from error
    if not isinstance(node, str) or not (agent is None or isinstance(agent, str)):
        raise UnusableFile("a cell in it cannot be understood", "notOurs")
    return Cell(NodeId(node), None if agent is None else AgentId(agent), view)
