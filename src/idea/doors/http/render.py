"""Domain values → wire shapes: pure, one function a shape. Events are in `render_events`."""

import logging
from collections.abc import Sequence
from datetime import datetime

from idea.application.event_log import EventLog
from idea.application.state import AgentState, ProjectState
from idea.domain.agents import Agent, BrokenAgent, PermissionMode
from idea.domain.earlier import EarlierConversation
from idea.domain.ids import AgentId
from idea.domain.notices import NoticePosted
from idea.domain.profiles import Profile, ProfileHealth
from idea.domain.readiness import Readiness
from idea.domain.sessions import Session
from idea.domain.settings import Settings
from idea.domain.trust import TrustVerdict
from idea.doors.http import wire
from idea.doors.http.render_layouts import render_layout, render_layouts, render_resumable
from idea.doors.http.render_turns import Names, render_delegation, render_live_turn, render_permission, render_queued
from idea.doors.http.services import OpenedProject, StoredCredential
from idea.doors.http.times import to_ms, to_ms_or_none

_log = logging.getLogger(__name__)

# --- agents ---------------------------------------------------------------------------------------------------


def render_readiness(readiness: Readiness) -> wire.WireReadiness:
    return wire.WireReadiness(
        state=readiness.state,
        reason=readiness.reason,
        detail=readiness.detail,
        fields=dict(readiness.fields),
        source=readiness.source,
        since_at_ms=to_ms(readiness.since),
        until_at_ms=to_ms_or_none(readiness.until),
        exit_code=readiness.exit_code,
    )


def render_conversation(known: EarlierConversation, owner: AgentId | None) -> wire.WireConversation:
    return wire.WireConversation(
        id=known.id,
        first_words=known.first_words,
        began_at_ms=to_ms(known.began_at),
        last_at_ms=to_ms(known.last_at),
        size_bytes=known.size_bytes,
        agent_id=owner,
    )


def render_session(session: Session) -> wire.WireSession:
    return wire.WireSession(
        id=session.id,
        kind=session.kind,
        node_id=session.node_id,
        conversation_id=session.conversation,
        started_at_ms=to_ms(session.started_at),
    )


def render_fields(agent: Agent) -> wire.AgentFields:
    return wire.AgentFields(
        name=agent.name,
        profile=agent.profile,
        model=agent.model,
        permissions=agent.permissions,
        capabilities=list(agent.capabilities),
        allow_structured_alongside_pty=agent.allow_structured_alongside_pty,
        workspace=agent.workspace,
        instructions=agent.instructions,
    )


def render_agent(state: AgentState, names: Names) -> wire.WireAgent:
    return wire.WireAgent(
        **dict(render_fields(state.agent)),
        id=state.agent.id,
        slug=state.agent.slug,
        version=state.agent.version,
        readiness=render_readiness(state.readiness),
        session=None if state.session is None else render_session(state.session),
        side_session=None if state.side_session is None else render_session(state.side_session),
        last_terminal_id=state.last_terminal,
        conversation_id=state.conversation,
        queue=[render_queued(turn) for turn in state.queue],
        queue_length=state.queue_length,
        live_turn=None if state.live_turn is None else render_live_turn(state.live_turn, names),
    )


def names_of(state: ProjectState) -> Names:
    return {each.agent.id: each.agent.name for each in state.agents}


def render_agents(state: ProjectState) -> list[wire.WireAgent]:
    names = names_of(state)
    return [render_agent(each, names) for each in state.agents]


def render_broken(broken: Sequence[BrokenAgent]) -> list[wire.WireBrokenAgent]:
    return [
        wire.WireBrokenAgent(slug=each.slug, line=each.line, reason=each.reason, fields=each.fields())
        for each in broken
    ]


def render_notice(notice: NoticePosted) -> wire.WireNotice:
    return wire.WireNotice(
        number=notice.number, code=notice.code, detail=notice.detail, slug=notice.slug, fields=dict(notice.fields)
    )


# --- projects -------------------------------------------------------------------------------------------------


def render_trust(verdict: TrustVerdict) -> wire.WireTrust:
    items = [
        wire.WireTrustItem(kind=item.kind, file=item.file, text=item.text, note=item.note, fields=dict(item.fields))
        for item in verdict.items
    ]
    return wire.WireTrust(is_trusted=verdict.is_trusted, hash=verdict.subject_hash, items=items)


def render_settings(settings: Settings) -> wire.WireSettings:
    return wire.WireSettings.model_validate(settings, from_attributes=True)


def render_project(project: OpenedProject) -> wire.WireProject:
    state = project.state()
    return wire.WireProject(
        id=project.id,
        path=str(project.root),
        name=project.name,
        is_demo=project.is_demo,
        agents_outlive_server=state.agents_outlive_server,
        trust=render_trust(state.trust),
        settings=render_settings(state.settings),
        layout=render_layout(state.layout),
        layouts=render_layouts(state.layouts),
        resumable=render_resumable(state.resumable),
        agents=render_agents(state),
        broken=render_broken(state.broken),
        delegations=[render_delegation(each) for each in state.delegations],
        permissions=[render_permission(each) for each in state.permissions],
        notices=[render_notice(each) for each in state.notices],
    )


def render_snapshot(
    projects: Sequence[OpenedProject],
    events: EventLog,
    *,
    unopened: Sequence[NoticePosted],
    version: str,
    now: datetime,
) -> wire.Snapshot:
    """Reads states and `seq` in one step of the loop, which is what makes them fit together."""
    return wire.Snapshot(
        epoch=events.epoch,
        seq=events.seq,
        version=version,
        now_ms=to_ms(now),
        projects=[shown for project in projects if (shown := _render_contained(project)) is not None],
        unopened=[wire.WireUnopened(project_id=each.project, notice=render_notice(each)) for each in unopened],
    )


def _render_contained(project: OpenedProject) -> wire.WireProject | None:
    try:
        return render_project(project)
    except Exception:  # noqa: BLE001 - whatever one project holds, the others are shown and can be used
        _log.exception("%s cannot be shown and is left out", project.root)
        return None


def _permissions(profile: Profile) -> list[wire.WireModeReach]:
    """The modes that at least one face of the profile knows flags for, in the order of their declaration."""
    faces = [face for face in (profile.structured, profile.terminal) if face is not None]
    return [
        wire.WireModeReach(
            mode=mode,
            chat=None if profile.structured is None else profile.structured.permission_reach.get(mode),
            terminal=None if profile.terminal is None else profile.terminal.permission_reach.get(mode),
        )
        for mode in PermissionMode
        if any(mode in face.permission_args for face in faces)
    ]


def render_profile(health: ProfileHealth) -> wire.WireProfile:
    profile = health.profile
    return wire.WireProfile(
        id=profile.id,
        name=profile.name,
        can_chat=profile.structured is not None and profile.engine is not None,
        can_terminal=profile.terminal is not None,
        has_conversations=bool(profile.conversations),
        shows_work=profile.signs.has_work,
        answers_beside=profile.allow_structured_alongside_pty,
        permissions=_permissions(profile),
        suggested_permissions=profile.suggested_permissions,
        executable=health.executable,
        version=health.version,
        missing=health.missing,
        install_hint=profile.install_hint,
    )


def render_credential(credential: StoredCredential, *, current: str | None) -> wire.WireCredential:
    return wire.WireCredential(
        id=credential.id,
        label=credential.label,
        created_at_ms=to_ms(credential.created_at),
        used_at_ms=to_ms(credential.used_at),
        is_current=credential.id == current,
    )
