"""The layouts of one project, and what ran in them, in `state/layouts.json`."""

import asyncio
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from idea.adapters.storage.atomic import ensure_folder
from idea.adapters.storage.json_state import Object, read_state, set_aside_and_tell, write_state
from idea.adapters.storage.unusable import UnusableFile
from idea.domain.errors import Invalid
from idea.domain.file_trouble import FileTrouble
from idea.domain.ids import AgentId, ConversationId, NodeId
from idea.domain.layouts import NO_MARK, Background, Cell, Layout, Layouts, Mark, View, check_layout_name

LAYOUTS_FILE: Final = "layouts.json"
MAX_LAYOUTS_BYTES: Final = 32 * 1024 * 1024
"""A geometry has some KB, at most 4 MB; what is larger than all of this is not written, so that it can be read."""


class LayoutFile:
    """A `ports.LayoutStore`. Loading alone never writes."""

    def __init__(self, state: Path) -> None:
        """`state` is the project's private folder."""
        self._state = state
        self._path = state / LAYOUTS_FILE

    async def load(self) -> tuple[Layouts, FileTrouble | None]:
        """The layouts and, if the file was unusable and set aside, what says so."""
        return await asyncio.to_thread(self._load)

    async def save(self, layouts: Layouts) -> None:
        """Raises `Refused` or `Conflict` when the file cannot be written."""
        await asyncio.to_thread(self._save, layouts)

    def _load(self) -> tuple[Layouts, FileTrouble | None]:
        try:
            state = read_state(self._path, limit_bytes=MAX_LAYOUTS_BYTES)
            return (Layouts() if state is None else _parse(state)), None
        except UnusableFile as error:
            return Layouts(), set_aside_and_tell(
                self._path, "The layout", error, "an empty one is used", why="layoutSetAside"
            )

    def _save(self, layouts: Layouts) -> None:
        content = {
            "shown": layouts.shown,
            "layouts": [_render_layout(layout) for layout in layouts.named],
            "background": [
                {"agentId": each.agent, "view": each.view.value, **_render_mark(each.mark)}
                for each in layouts.background
            ],
        }
        ensure_folder(self._state, mode=0o700)
        write_state(self._path, content, limit_bytes=MAX_LAYOUTS_BYTES)


def _render_layout(layout: Layout) -> Object:
    cells = [
        {"nodeId": cell.node_id, "agentId": cell.agent, "view": cell.view.value, **_render_mark(cell.mark)}
        for cell in layout.cells
    ]
    published = {} if layout.published is None else {"published": layout.published}
    return {"name": layout.name, "geometry": layout.geometry, "cells": cells, **published}


def _render_mark(mark: Mark) -> Object:
    started = {} if mark.started_at is None else {"startedAtMs": int(mark.started_at.timestamp() * 1000)}
    return {"agentWasRunning": mark.was_running, "conversationId": mark.conversation, **started}


def _parse(state: Object) -> Layouts:
    try:
        if "layouts" not in state:
            # As the first versions wrote it: one layout, without a name.
            layout = Layout(geometry=_text(state["geometry"]), cells=tuple(map(_cell, state["cells"])))
            return Layouts(named=(layout,))
        named = tuple(map(_layout, state["layouts"]))
        shown = _text(state["shown"])
        background = tuple(map(_background, state.get("background", ())))
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError, Invalid) as error:
        raise UnusableFile("a layout in it cannot be understood", "notOurs") from error
    if not _are_unique(layout.name for layout in named) or shown not in {layout.name for layout in named}:
        raise UnusableFile("it does not say which layout is meant", "notOurs")
    return Layouts(shown, named, background)


def _are_unique(names: Iterable[str]) -> bool:
    # As the first versions told names apart: what they wrote is not set aside.
    folded = [name.casefold() for name in names]
    return len(set(folded)) == len(folded)


def _layout(found: Any) -> Layout:
    published = found.get("published")
    return Layout(
        name=check_layout_name(_text(found["name"])),
        geometry=_text(found["geometry"]),
        cells=tuple(map(_cell, found["cells"])),
        published=None if published is None else _text(published),
    )


def _cell(found: Any) -> Cell:
    # The first versions said `agent`, and nothing of what ran.
    agent = found["agentId"] if "agentId" in found else found["agent"]
    return Cell(
        NodeId(_text(found["nodeId"])),
        None if agent is None else AgentId(_text(agent)),
        View(found["view"]),
        _mark(found),
    )


def _background(found: Any) -> Background:
    return Background(AgentId(_text(found["agentId"])), View(found["view"]), _mark(found))


def _mark(found: Any) -> Mark:
    """Absent keys say that nothing ran."""
    was_running, conversation, started = (
        found.get("agentWasRunning", False),
        found.get("conversationId"),
        found.get("startedAtMs"),
    )
    if not isinstance(was_running, bool):
        raise TypeError(was_running)
    mark = Mark(
        was_running,
        None if conversation is None else ConversationId(_text(conversation)),
        None if started is None else _at(started),
    )
    return NO_MARK if mark == NO_MARK else mark


def _at(found: Any) -> datetime:
    if isinstance(found, bool) or not isinstance(found, int):
        raise TypeError(found)
    seconds, ms = divmod(found, 1000)
    return datetime.fromtimestamp(seconds, UTC).replace(microsecond=ms * 1000)


def _text(found: Any) -> str:
    if not isinstance(found, str):
        raise TypeError(found)
    return found
