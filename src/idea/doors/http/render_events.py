"""Domain events → wire events: one registered function an event, and a test that none is missing.

A few events name only what changed while the wire carries the whole; those look at the project as it is now.
What they then show may be newer than the event: later events say the same again, which the page bears.
"""

from datetime import UTC, datetime
from functools import singledispatch
from typing import Final

from idea.application.state import AgentState, ProjectState
from idea.domain import events, notices
from idea.domain.errors import NotFound
from idea.domain.ids import ProjectId
from idea.domain.readiness import BeliefSource, Readiness, ReadinessReason, ReadinessState
from idea.doors.http import render, render_layouts, render_turns, wire
from idea.doors.http.services import Projects
from idea.doors.http.times import to_ms

_GONE: Final = Readiness(
    ReadinessState.EXITED,
    ReadinessReason.NEVER_LAUNCHED,
    BeliefSource.KEEPER,
    since=datetime.fromtimestamp(0, UTC),
)


def _find_state(projects: Projects, project: ProjectId) -> ProjectState | None:
    """None when the project was closed since; its `projectClosed` follows."""
    try:
        return projects.get(project).state()
    except NotFound:
        return None


@singledispatch
def render_event(event: object, seq: int, projects: Projects) -> wire.AnyEvent:
    """Raises `NotFound` for a `ProjectOpened` whose project was closed since."""
    raise TypeError(f"no rendering for {type(event).__name__}")


@render_event.register
def _(event: events.ProjectOpened, seq: int, projects: Projects) -> wire.ProjectOpened:
    project = render.render_project(projects.get(event.project))
    return wire.ProjectOpened(seq=seq, project_id=event.project, type="projectOpened", project=project)


@render_event.register
def _(event: events.ProjectClosed, seq: int, projects: Projects) -> wire.ProjectClosed:
    return wire.ProjectClosed(seq=seq, project_id=event.project, type="projectClosed")


@render_event.register
def _(event: events.TrustChanged, seq: int, projects: Projects) -> wire.TrustChanged:
    trust = render.render_trust(event.verdict)
    return wire.TrustChanged(seq=seq, project_id=event.project, type="trustChanged", trust=trust)


@render_event.register
def _(event: events.SettingsChanged, seq: int, projects: Projects) -> wire.SettingsChanged:
    settings = render.render_settings(event.settings)
    return wire.SettingsChanged(seq=seq, project_id=event.project, type="settingsChanged", settings=settings)


@render_event.register
def _(event: events.LayoutChanged, seq: int, projects: Projects) -> wire.LayoutChanged:
    return wire.LayoutChanged(
        seq=seq,
        project_id=event.project,
        type="layoutChanged",
        layout=render_layouts.render_layout(event.layout),
        origin=event.origin,
    )


@render_event.register
def _(event: events.LayoutsChanged, seq: int, projects: Projects) -> wire.LayoutsChanged:
    return wire.LayoutsChanged(
        seq=seq,
        project_id=event.project,
        type="layoutsChanged",
        layouts=render_layouts.render_layouts(event.layouts),
        layout=render_layouts.render_layout(event.layout),
        origin=event.origin,
    )


@render_event.register
def _(event: events.ResumableChanged, seq: int, projects: Projects) -> wire.ResumableChanged:
    resumable = render_layouts.render_resumable(event.resumable)
    return wire.ResumableChanged(seq=seq, project_id=event.project, type="resumableChanged", resumable=resumable)


@render_event.register
def _(event: events.AgentSaved, seq: int, projects: Projects) -> wire.AgentSaved:
    state = _find_state(projects, event.project)
    known = None if state is None else state.find_agent(event.agent.id)
    if state is None or known is None:
        # Removed since; its `agentRemoved` follows.
        agent = render.render_agent(AgentState(event.agent, _GONE), {})
    else:
        agent = render.render_agent(known, render.names_of(state))
    return wire.AgentSaved(seq=seq, project_id=event.project, type="agentSaved", agent=agent)


@render_event.register
def _(event: events.AgentRemoved, seq: int, projects: Projects) -> wire.AgentRemoved:
    return wire.AgentRemoved(seq=seq, project_id=event.project, type="agentRemoved", agent_id=event.agent)


@render_event.register
def _(event: events.AgentFilesBroken, seq: int, projects: Projects) -> wire.AgentFilesBroken:
    broken = render.render_broken(event.broken)
    return wire.AgentFilesBroken(seq=seq, project_id=event.project, type="agentFilesBroken", broken=broken)


@render_event.register
def _(event: events.AgentReadinessChanged, seq: int, projects: Projects) -> wire.AgentReadinessChanged:
    return wire.AgentReadinessChanged(
        seq=seq,
        project_id=event.project,
        type="agentReadinessChanged",
        agent_id=event.agent,
        readiness=render.render_readiness(event.readiness),
    )


@render_event.register
def _(event: events.SessionChanged, seq: int, projects: Projects) -> wire.SessionChanged:
    state = _find_state(projects, event.project)
    known = None if state is None else state.find_agent(event.agent)
    resumable = known.conversation if known is not None else None
    named = event.session.conversation if event.session is not None else None
    return wire.SessionChanged(
        seq=seq,
        project_id=event.project,
        type="sessionChanged",
        agent_id=event.agent,
        session=None if event.session is None else render.render_session(event.session),
        side_session=None if event.side is None else render.render_session(event.side),
        last_terminal_id=event.last_terminal,
        conversation_id=named or resumable,
    )


@render_event.register
def _(event: events.QueueChanged, seq: int, projects: Projects) -> wire.QueueChanged:
    return wire.QueueChanged(
        seq=seq,
        project_id=event.project,
        type="queueChanged",
        agent_id=event.agent,
        queue=[render_turns.render_queued(turn) for turn in event.waiting],
        queue_length=event.length,
    )


@render_event.register
def _(event: events.TurnStarted, seq: int, projects: Projects) -> wire.TurnStarted:
    return wire.TurnStarted(
        seq=seq,
        project_id=event.project,
        type="turnStarted",
        agent_id=event.agent,
        turn_id=event.turn,
        requester=render_turns.render_requester(event.requester, event.requester_name),
        ticket_id=event.delegation,
        at_ms=to_ms(event.at),
    )


@render_event.register
def _(event: events.TurnTextStreamed, seq: int, projects: Projects) -> wire.TurnTextStreamed:
    return wire.TurnTextStreamed(
        seq=seq,
        project_id=event.project,
        type="turnTextStreamed",
        agent_id=event.agent,
        turn_id=event.turn,
        offset=event.offset,
        text=event.text,
    )


@render_event.register
def _(event: events.TurnToolChanged, seq: int, projects: Projects) -> wire.TurnToolChanged:
    return wire.TurnToolChanged(
        seq=seq,
        project_id=event.project,
        type="turnToolChanged",
        agent_id=event.agent,
        turn_id=event.turn,
        tool=render_turns.render_tool(event.tool),
    )


@render_event.register
def _(event: events.AgentAnnouncement, seq: int, projects: Projects) -> wire.AgentAnnouncement:
    return wire.AgentAnnouncement(
        seq=seq,
        project_id=event.project,
        type="agentAnnouncement",
        requester=event.requester,
        target=event.target,
        turn_id=event.turn,
        ticket_id=event.delegation,
        text=event.text,
        at_ms=to_ms(event.at),
    )


@render_event.register
def _(event: events.TurnEnded, seq: int, projects: Projects) -> wire.TurnEnded:
    return wire.TurnEnded(
        seq=seq,
        project_id=event.project,
        type="turnEnded",
        agent_id=event.agent,
        turn_id=event.turn,
        outcome=event.outcome,
        at_ms=to_ms(event.at),
    )


@render_event.register
def _(event: events.ConversationAppended, seq: int, projects: Projects) -> wire.ConversationAppended:
    item = render_turns.render_item(event.item)
    return wire.ConversationAppended(seq=seq, project_id=event.project, type="conversationAppended", item=item)


@render_event.register
def _(event: events.DelegationChanged, seq: int, projects: Projects) -> wire.DelegationChanged:
    delegation = render_turns.render_delegation(event.delegation)
    return wire.DelegationChanged(seq=seq, project_id=event.project, type="delegationChanged", delegation=delegation)


@render_event.register
def _(event: events.PermissionAsked, seq: int, projects: Projects) -> wire.PermissionAsked:
    permission = render_turns.render_permission(event)
    return wire.PermissionAsked(seq=seq, project_id=event.project, type="permissionAsked", permission=permission)


@render_event.register
def _(event: events.PermissionSettled, seq: int, projects: Projects) -> wire.PermissionSettled:
    return wire.PermissionSettled(
        seq=seq,
        project_id=event.project,
        type="permissionSettled",
        agent_id=event.agent,
        request_id=event.request,
        decision=event.decision,
        by=event.by,
    )


@render_event.register
def _(event: events.OrchestratorRequestProcessed, seq: int, projects: Projects) -> wire.OrchestratorRequestProcessed:
    return wire.OrchestratorRequestProcessed(
        seq=seq,
        project_id=event.project,
        type="orchestratorRequestProcessed",
        requester_id=event.requester.id,
        source=event.requester.source,
        command=event.command,
        outcome=event.outcome,
        ticket_id=event.delegation,
        at_ms=to_ms(event.at),
        duration_ms=event.duration_ms,
    )


@render_event.register
def _(event: notices.NoticePosted, seq: int, projects: Projects) -> wire.NoticePosted:
    return wire.NoticePosted(
        seq=seq,
        project_id=event.project,
        type="noticePosted",
        number=event.number,
        code=event.code,
        detail=event.detail,
        slug=event.slug,
        fields=dict(event.fields),
    )


@render_event.register
def _(event: notices.NoticeDismissed, seq: int, projects: Projects) -> wire.NoticeDismissed:
    return wire.NoticeDismissed(seq=seq, project_id=event.project, type="noticeDismissed", number=event.number)
