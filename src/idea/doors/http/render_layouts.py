"""Layouts, and what ran in them, as wire shapes."""

from collections.abc import Sequence

from idea.domain.layouts import Layout
from idea.domain.resumable import Resumable
from idea.domain.shared_layouts import LayoutList, content_hash
from idea.doors.http import wire
from idea.doors.http.times import to_ms_or_none


def render_layout(layout: Layout) -> wire.WireLayout:
    cells = [wire.WireCell(node_id=cell.node_id, agent_id=cell.agent, view=cell.view) for cell in layout.cells]
    return wire.WireLayout(name=layout.name, geometry=layout.geometry, cells=cells, version=content_hash(layout))


def render_layouts(layouts: LayoutList) -> wire.WireLayouts:
    return wire.WireLayouts(
        current=layouts.shown,
        entries=[wire.WireLayoutEntry(name=entry.name, sharing=entry.sharing) for entry in layouts.entries],
        broken=[
            wire.WireBrokenLayout(name=each.name, reason=each.reason, fields=each.fields()) for each in layouts.broken
        ],
    )


def render_resumable(resumable: Sequence[Resumable]) -> list[wire.WireResumable]:
    return [
        wire.WireResumable(
            agent_id=each.agent,
            conversation_id=each.conversation,
            view=each.ran.view,
            node_id=each.ran.node_id,
            started_at_ms=to_ms_or_none(each.ran.started_at),
            can_resume=each.can_resume,
            reason=each.reason,
            fields=each.fields(),
        )
        for each in resumable
    ]
