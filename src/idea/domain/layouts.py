"""The grid of cells: its geometry is the page's own (opaque here), its cells are ours."""

from dataclasses import dataclass
from enum import StrEnum

from idea.domain.ids import AgentId, NodeId


class View(StrEnum):
    CHAT = "chat"
    TERMINAL = "terminal"


@dataclass(frozen=True, slots=True)
class Cell:
    node_id: NodeId
    agent: AgentId | None
    view: View


@dataclass(frozen=True, slots=True)
class Layout:
    """`geometry` is JSON text as the page's grid library wrote it; empty for a fresh project."""

    geometry: str = ""
    cells: tuple[Cell, ...] = ()
