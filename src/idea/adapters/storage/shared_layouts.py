"""The layouts that a team shares, each a file in `.ideai/layouts`: what a colleague published or edited by hand."""

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from idea.adapters.storage.atomic import SHARED, ensure_folder, remove_file, safe_child
from idea.adapters.storage.json_state import MAX_STATE_BYTES, read_state, write_state
from idea.adapters.storage.unusable import UnusableFile
from idea.domain.alike import reading
from idea.domain.errors import Invalid, Refused
from idea.domain.ids import AgentId, AgentSlug, NodeId, is_slug
from idea.domain.layouts import View, check_layout_name
from idea.domain.shared_layouts import BrokenLayout, SharedCell, SharedLayout
from idea.domain.unicode import without_lone_surrogates

SHARED_FOLDER: Final = "layouts"
SUFFIX: Final = ".json"
MAX_FILES: Final = 200
"""More files than that are no choice; the rest is not read."""


class SharedLayoutFiles:
    """A `ports.SharedLayoutStore`."""

    def __init__(self, ideai: Path) -> None:
        self._ideai = ideai
        self._folder = ideai / SHARED_FOLDER

    async def list(self) -> tuple[Sequence[SharedLayout], Sequence[BrokenLayout]]:
        """By name. Files that are no layouts are told apart, with the reason. Makes no folder. Raises `Conflict`."""
        return await asyncio.to_thread(self._list)

    async def save(self, layout: SharedLayout) -> None:
        """Raises `Invalid` for a name that no file can have, `Refused`, `Conflict` when it cannot be written."""
        await asyncio.to_thread(self._save, layout)

    async def delete(self, name: str) -> None:
        """Idempotent. Raises `Invalid`, `Refused`, `Conflict`."""
        await asyncio.to_thread(remove_file, self._path(name))

    def _list(self) -> tuple[Sequence[SharedLayout], Sequence[BrokenLayout]]:
        found: list[SharedLayout] = []
        broken: list[BrokenLayout] = []
        for path in self._files():
            try:
                layout = _read(path)
            except UnusableFile as error:
                broken.append(BrokenLayout(_shown(path), error.reason, "layoutUnusable", error.fields()))
            except Invalid:
                reason = "its file name cannot be a layout's name"
                broken.append(BrokenLayout(_shown(path), reason, "layoutFileName"))
            except Refused as error:
                reason = f"it cannot be read: {error.about['detail']}"
                broken.append(BrokenLayout(_shown(path), reason, "layoutUnreadable", error.about))
            else:
                if layout is not None and reading(layout.name) in {reading(each.name) for each in found}:
                    # Made where files are told apart by more than people see; elsewhere they are one name.
                    broken.append(
                        BrokenLayout(layout.name, "its name is taken", "layoutNameTaken", {"name": layout.name})
                    )
                elif layout is not None:
                    found.append(layout)
        return found, broken

    def _files(self) -> Sequence[Path]:
        try:
            if self._folder.is_symlink():
                # What it leads to is not ours to read.
                return ()
            names = [entry for entry in os.scandir(self._folder) if entry.name.endswith(SUFFIX)]
        except OSError:
            # No folder, no layouts; one that cannot be read says so when something is to be written into it.
            return ()
        return sorted(Path(entry.path) for entry in names if not entry.name.startswith("."))[:MAX_FILES]

    def _save(self, layout: SharedLayout) -> None:
        path = self._path(layout.name)
        cells = [
            {"nodeId": cell.node_id, "agentId": cell.agent, "agentSlug": cell.slug, "view": cell.view.value}
            for cell in layout.cells
        ]
        ensure_folder(self._ideai)
        ensure_folder(self._folder)
        write_state(path, {"geometry": layout.geometry, "cells": cells}, mode=SHARED)

    def _path(self, name: str) -> Path:
        return safe_child(self._folder, f"{check_layout_name(name)}{SUFFIX}")


def _read(path: Path) -> SharedLayout | None:
    """None: it went away just now. Raises `UnusableFile`, `Invalid` for its name, `Refused`, `Conflict`."""
    name = check_layout_name(path.name.removesuffix(SUFFIX))
    state = read_state(path, limit_bytes=MAX_STATE_BYTES)
    if state is None:
        return None
    try:
        geometry, cells = state["geometry"], state["cells"]
        if not isinstance(geometry, str) or not isinstance(cells, list):
            raise TypeError("no layout")
        return SharedLayout(name, geometry, tuple(map(_cell, cells)))
    except (KeyError, TypeError, ValueError) as error:
        raise UnusableFile("it holds no layout", "notOurs") from error


def _cell(found: Any) -> SharedCell:
    node, agent, slug, view = found["nodeId"], found["agentId"], found.get("agentSlug"), View(found["view"])
    if not isinstance(node, str) or not (agent is None or isinstance(agent, str)):
        raise TypeError(found)
    if not (slug is None or (isinstance(slug, str) and is_slug(slug))):
        raise ValueError(slug)
    known = None if slug is None else AgentSlug(slug)
    return SharedCell(NodeId(node), None if agent is None else AgentId(agent), known, view)


def _shown(path: Path) -> str:
    """A name that can be sent, whatever bytes it has on disk."""
    return without_lone_surrogates(path.name.removesuffix(SUFFIX))
