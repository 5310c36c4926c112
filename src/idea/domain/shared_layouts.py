"""Layouts as a team shares them: one file of the project each, published from one's own copy and taken over into it."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from hashlib import sha256

from idea.domain.ids import AgentId, AgentSlug, NodeId
from idea.domain.layouts import Cell, Layout, View
from idea.domain.why import Why


@dataclass(frozen=True, slots=True)
class SharedCell:
    """`slug` finds the agent where its file has another id."""

    node_id: NodeId
    agent: AgentId | None
    slug: AgentSlug | None
    view: View


@dataclass(frozen=True, slots=True)
class SharedLayout:
    name: str
    geometry: str
    cells: tuple[SharedCell, ...]


@dataclass(frozen=True, slots=True)
class BrokenLayout:
    """A file in `layouts/` that is no layout, with the reason; the others can be used."""

    name: str
    """The file's, without `.json`."""
    reason: str
    why: Why
    """The key that says the same as `reason`."""
    about: Mapping[str, object] = field(default_factory=dict, hash=False)

    def fields(self) -> dict[str, object]:
        return {"why": self.why, **self.about}


class Sharing(StrEnum):
    OWN = "own"
    """Only here."""
    SHARED = "shared"
    """There is a file that says the same."""
    CHANGED = "changed"
    """There is a file that says something else."""
    OFFERED = "offered"
    """Only a file: nobody here has shown it yet."""


@dataclass(frozen=True, slots=True)
class LayoutEntry:
    name: str
    sharing: Sharing


@dataclass(frozen=True, slots=True)
class LayoutList:
    """What can be shown, one's own in their order before those that are offered."""

    shown: str
    entries: tuple[LayoutEntry, ...]
    broken: tuple[BrokenLayout, ...] = ()


FindAgent = Callable[[AgentId, AgentSlug | None], AgentId]
"""Who is meant in this project: by id, else by slug, else the id as it stands."""


def publish(layout: Layout, slug_of: Callable[[AgentId], AgentSlug | None]) -> SharedLayout:
    cells = [
        SharedCell(cell.node_id, cell.agent, None if cell.agent is None else slug_of(cell.agent), cell.view)
        for cell in layout.cells
    ]
    return SharedLayout(layout.name, layout.geometry, tuple(cells))


def take_over(shared: SharedLayout, find: FindAgent) -> Layout:
    """An own copy that is as published."""
    cells = tuple(
        Cell(cell.node_id, None if cell.agent is None else find(cell.agent, cell.slug), cell.view)
        for cell in shared.cells
    )
    return as_published(Layout(shared.name, shared.geometry, cells))


def as_published(layout: Layout) -> Layout:
    """The same, remembering that the shared file says what it says now."""
    return replace(layout, published=content_hash(layout))


def content_hash(layout: Layout) -> str:
    """Of what a shared file would say; marks are nobody else's business."""
    cells = [(cell.node_id, cell.agent, cell.view) for cell in layout.cells]
    return sha256(json.dumps([layout.geometry, cells], ensure_ascii=True).encode()).hexdigest()


def is_as_published(layout: Layout) -> bool:
    return layout.published == content_hash(layout)


def list_layouts(
    shown: str, own: Sequence[Layout], shared: Mapping[str, Layout], broken: Sequence[BrokenLayout]
) -> LayoutList:
    """`shared` as they would be taken over, by name."""
    names = {layout.name for layout in own}
    entries = [LayoutEntry(layout.name, _sharing(layout, shared.get(layout.name))) for layout in own]
    entries += [LayoutEntry(name, Sharing.OFFERED) for name in sorted(shared) if name not in names]
    return LayoutList(shown, tuple(entries), tuple(broken))


def _sharing(own: Layout, shared: Layout | None) -> Sharing:
    if shared is None:
        return Sharing.OWN
    return Sharing.SHARED if content_hash(own) == content_hash(shared) else Sharing.CHANGED
