"""Layouts as the page sees them, and what ran in them."""

from idea.domain.layouts import View
from idea.domain.shared_layouts import Sharing
from idea.doors.http.wire.shape import Wire


class WireCell(Wire):
    node_id: str
    agent_id: str | None
    view: View


class LayoutContent(Wire):
    """What a page arranges; `name` says which of the project's layouts."""

    name: str
    geometry: str
    cells: list[WireCell]


class WireLayout(LayoutContent):
    """`version` is of its content, whoever made it so."""

    version: str


class SavedLayout(Wire):
    version: str


class WireLayoutEntry(Wire):
    name: str
    sharing: Sharing


class WireBrokenLayout(Wire):
    name: str
    reason: str
    """English, for whom no catalogue words `fields`."""
    fields: dict[str, object]


class WireLayouts(Wire):
    """What can be shown; `current` is."""

    current: str
    entries: list[WireLayoutEntry]
    broken: list[WireBrokenLayout]


class WireResumable(Wire):
    """An agent that ran and does not any more. `reason` and `fields` say why it cannot be resumed; empty if it can."""

    agent_id: str
    conversation_id: str | None
    view: View
    node_id: str | None
    started_at_ms: int | None
    can_resume: bool
    reason: str
    """English, for whom no catalogue words `fields`."""
    fields: dict[str, object]
