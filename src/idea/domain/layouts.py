"""The named grids of a project: their geometry is the page's own (opaque here), their cells are ours."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Final

from idea.domain.alike import reading
from idea.domain.errors import Conflict, Invalid, NotFound
from idea.domain.ids import AgentId, ConversationId, NodeId

DEFAULT_LAYOUT: Final = "default"
"""The one that a project begins with."""
MAX_LAYOUT_NAME_CHARS: Final = 60
MAX_LAYOUTS: Final = 100
"""More than anybody can tell apart; each takes room in one file that is written as a whole."""

_FORBIDDEN: Final = frozenset('/\\:*?"<>|')
"""Some file system or other has no names with these, and a shared layout's name is its file's."""


class View(StrEnum):
    CHAT = "chat"
    TERMINAL = "terminal"


@dataclass(frozen=True, slots=True)
class Mark:
    """What the server knows of the life of an agent that a cell shows."""

    was_running: bool = False
    conversation: ConversationId | None = None
    started_at: datetime | None = None


NO_MARK: Final = Mark()


@dataclass(frozen=True, slots=True)
class Cell:
    node_id: NodeId
    agent: AgentId | None
    view: View
    mark: Mark = NO_MARK


@dataclass(frozen=True, slots=True)
class Layout:
    """`geometry` is JSON text as the page's grid library wrote it; empty for a grid that nobody has arranged."""

    name: str = DEFAULT_LAYOUT
    geometry: str = ""
    cells: tuple[Cell, ...] = ()
    published: str | None = None
    """What this names was the shared file's content when both were last the same; see `shared_layouts`."""


@dataclass(frozen=True, slots=True)
class Background:
    """An agent that ran without a cell."""

    agent: AgentId
    view: View
    mark: Mark


@dataclass(frozen=True, slots=True)
class Layouts:
    """All of a project, at least one; names are unique, whatever their case. `shown` is one of them."""

    shown: str = DEFAULT_LAYOUT
    named: tuple[Layout, ...] = field(default=(Layout(),))
    background: tuple[Background, ...] = ()

    @property
    def current(self) -> Layout:
        return self.get(self.shown)

    def find(self, name: str) -> Layout | None:
        return next((layout for layout in self.named if layout.name == name), None)

    def get(self, name: str) -> Layout:
        """Raises `NotFound`."""
        found = self.find(name)
        if found is None:
            raise NotFound("layout", name, choices=[layout.name for layout in self.named])
        return found

    def put(self, layout: Layout) -> "Layouts":
        """In the place of the one of its name, else behind all others.

        Raises:
            Conflict: there are too many, or one has a name that reads alike.
        """
        if self.find(layout.name) is not None:
            return self.change(layout.name, lambda _: layout)
        if reading(layout.name) in {reading(each.name) for each in self.named}:
            raise name_taken(layout.name)
        if len(self.named) >= MAX_LAYOUTS:
            raise Conflict(
                f"There are {MAX_LAYOUTS} layouts already. Delete one first.", why="layoutsFull", limit=MAX_LAYOUTS
            )
        return replace(self, named=(*self.named, layout))

    def change(self, name: str, change: Callable[[Layout], Layout]) -> "Layouts":
        """The same with another content for one of them."""
        return replace(self, named=tuple(change(each) if each.name == name else each for each in self.named))

    def show(self, name: str) -> "Layouts":
        """Raises `NotFound`."""
        return replace(self, shown=self.get(name).name)

    def rename(self, name: str, new: str) -> "Layouts":
        """Raises `NotFound`."""
        self.get(name)
        shown = new if self.shown == name else self.shown
        return replace(self.change(name, lambda layout: replace(layout, name=new)), shown=shown)

    def remove(self, name: str) -> "Layouts":
        """In place of the shown one its neighbour is shown. Raises `NotFound`, `Conflict` for the last one."""
        gone = self.named.index(self.get(name))
        left = self.named[:gone] + self.named[gone + 1 :]
        if not left:
            raise Conflict("A project has at least one layout; this is the last one.", why="lastLayout")
        shown = left[min(gone, len(left) - 1)].name if self.shown == name else self.shown
        return replace(self, shown=shown, named=left)


def name_taken(name: str) -> Conflict:
    return Conflict(f"There is a layout called {name} already.", why="layoutNameTaken", name=name)


def unmarked(layout: Layout) -> Layout:
    """A copy's cells host no marks: the original's do."""
    return replace(layout, cells=tuple(replace(cell, mark=NO_MARK) for cell in layout.cells))


def check_layout_name(name: str) -> str:
    """The name itself. Raises `Invalid` for what cannot be a file's name everywhere, or could lead elsewhere."""
    is_plain = name.isprintable() and not _FORBIDDEN & set(name) and name == name.strip()
    if not is_plain or not 1 <= len(name) <= MAX_LAYOUT_NAME_CHARS or name[0] == "." or name[-1] == ".":
        raise Invalid(
            f"{name[:MAX_LAYOUT_NAME_CHARS]!r} cannot be a layout's name: 1 to {MAX_LAYOUT_NAME_CHARS} characters, "
            'none of / \\ : * ? " < > |, and no dot at its ends.',
            why="layoutNameInvalid",
            limit=MAX_LAYOUT_NAME_CHARS,
        )
    return name
