"""Domain values → wire shapes, of what is said: messages that wait, the running turn, asks and what became of them."""

from collections.abc import Mapping

from idea.domain.conversation import Item, LiveTurn
from idea.domain.delegation import Delegation, Requester, shorten
from idea.domain.events import PermissionAsked, QueuedTurn
from idea.domain.ids import AgentId
from idea.domain.replies import ToolActivity
from idea.doors.http import wire
from idea.doors.http.times import to_ms, to_ms_or_none

Names = Mapping[AgentId, str]
"""Agent id → the name people call it by."""


def render_requester(requester: Requester, name: str) -> wire.WireRequester:
    return wire.WireRequester(id=requester.id, name=name, source=requester.source)


def _named(requester: Requester, names: Names) -> wire.WireRequester:
    """For requesters that were recorded without their name; a deleted agent goes by its id."""
    name = requester.id if requester.agent is None else names.get(requester.agent, requester.id)
    return render_requester(requester, name)


def render_queued(turn: QueuedTurn) -> wire.WireQueuedTurn:
    return wire.WireQueuedTurn(
        turn_id=turn.turn,
        position=turn.position,
        requester=render_requester(turn.requester, turn.requester_name),
        ticket_id=turn.delegation,
        preview=turn.preview,
        since_at_ms=to_ms(turn.since),
    )


def render_tool(tool: ToolActivity) -> wire.WireTool:
    return wire.WireTool(
        call_id=tool.call_id, tool=tool.tool, summary=tool.summary, phase=tool.phase, detail=tool.detail
    )


def render_live_turn(turn: LiveTurn, names: Names) -> wire.WireLiveTurn:
    return wire.WireLiveTurn(
        turn_id=turn.id,
        requester=_named(turn.requester, names),
        ticket_id=turn.delegation,
        started_at_ms=to_ms(turn.started_at),
        text=turn.text,
        tools=[render_tool(tool) for tool in turn.tools.values()],
        announcements=[wire.WireAnnouncement(text=text, at_ms=to_ms(at)) for at, text in turn.announcements],
    )


def render_delegation(delegation: Delegation) -> wire.WireDelegation:
    return wire.WireDelegation(
        ticket_id=delegation.id,
        number=delegation.number,
        requester=render_requester(delegation.requester, delegation.requester_name),
        requester_turn_id=delegation.requester.turn,
        target_id=delegation.target,
        target_name=delegation.target_name,
        message=shorten(delegation.message),
        depth=delegation.depth,
        state=delegation.state,
        turn_id=delegation.turn,
        asked_at_ms=to_ms(delegation.asked_at),
        started_at_ms=to_ms_or_none(delegation.started_at),
        settled_at_ms=to_ms_or_none(delegation.settled_at),
        reply=None if delegation.reply is None else shorten(delegation.reply),
        outcome=delegation.outcome,
        explanation=delegation.explanation,
        fields=dict(delegation.fields),
    )


def render_item(item: Item) -> wire.WireItem:
    return wire.WireItem(
        seq=item.seq,
        agent_id=item.agent,
        turn_id=item.turn,
        kind=item.kind,
        text=item.text,
        at_ms=to_ms(item.at),
        author=item.author,
        ticket_id=item.delegation,
        tool=None if item.tool is None else render_tool(item.tool),
        outcome=item.outcome,
        fields=dict(item.fields),
    )


def render_permission(asked: PermissionAsked) -> wire.WirePermission:
    return wire.WirePermission(
        request_id=asked.request.request_id,
        agent_id=asked.agent,
        turn_id=asked.turn,
        tool=asked.request.tool,
        title=asked.request.title,
        detail=asked.request.detail,
        choices=list(asked.request.choices),
        asked_at_ms=to_ms(asked.at),
        expires_at_ms=to_ms(asked.expires_at),
    )
