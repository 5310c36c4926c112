"""Every fact of the domain has a shape on the wire, and that shape is one the page knows."""

from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import TypeAdapter

from idea.application.state import AgentState
from idea.domain import events, notices
from idea.domain.agents import Agent, BrokenAgent
from idea.domain.conversation import Item, ItemKind, LiveTurn
from idea.domain.delegation import Delegation, DelegationState, Requester, Source
from idea.domain.ids import (
    AgentId,
    AgentSlug,
    ConversationId,
    DelegationId,
    NodeId,
    ProjectId,
    RequestId,
    SessionId,
    TurnId,
)
from idea.domain.layouts import Cell, Layout, View
from idea.domain.marks import Ran
from idea.domain.replies import Decision, PermissionRequested, ToolActivity, ToolPhase
from idea.domain.resumable import Resumable
from idea.domain.sessions import Session, SessionKind
from idea.domain.settings import Settings
from idea.domain.shared_layouts import BrokenLayout, LayoutEntry, LayoutList, Sharing
from idea.doors.http import render, render_turns, wire
from idea.doors.http.render_events import render_event
from tests.fakes.clock import NOON
from tests.http.fakes import IDLE, MAIN, QA, VERDICT, FakeProject, House

P = ProjectId("p1")
TURN = TurnId("t1")
TICKET = DelegationId("d1")
NOON_MS = 1_796_040_000_000
FROM_MAIN = Requester(Source.MCP, MAIN.id, TurnId("t0"))
TOOL = ToolActivity("c1", "Bash", "make test", ToolPhase.ENDED, "ok")
SESSION = Session(SessionId("s1"), QA.id, SessionKind.STRUCTURED, NodeId("n1"), ConversationId("k1"), NOON)
QUEUED = events.QueuedTurn(TURN, 1, FROM_MAIN, "Main", TICKET, "Run the tests", NOON)
ASKED = events.PermissionAsked(P, QA.id, TURN, PermissionRequested(RequestId("r1"), "Bash", "Run", "rm x"), NOON, NOON)
DELEGATION = Delegation(TICKET, 7, FROM_MAIN, "Main", QA.id, "Qa", "Run the tests", 1, NOON).answer("ok", at=NOON)
LAYOUT = Layout("default", "{}", (Cell(NodeId("n1"), QA.id, View.CHAT),))
LAYOUTS = LayoutList(
    "default", (LayoutEntry("default", Sharing.OWN),), (BrokenLayout("bad", "it is empty", "layoutUnusable"),)
)
RAN = Ran(QA.id, View.TERMINAL, NodeId("n1"), ConversationId("k1"), NOON)

EVENTS: tuple[events.Event, ...] = (
    events.ProjectOpened(P),
    events.ProjectClosed(P),
    events.TrustChanged(P, VERDICT),
    events.SettingsChanged(P, Settings()),
    events.LayoutChanged(P, LAYOUT, "tab-1"),
    events.LayoutsChanged(P, LAYOUTS, LAYOUT, "tab-1"),
    events.ResumableChanged(P, (Resumable(RAN, None, "cannotResume", "it is a shell", {"profile": "Shell"}),)),
    events.AgentSaved(P, QA),
    events.AgentRemoved(P, QA.id),
    events.AgentFilesBroken(P, (BrokenAgent(AgentSlug("bad"), 3, "no name", "agentKeyMissing"),)),
    events.AgentReadinessChanged(P, QA.id, IDLE),
    events.SessionChanged(P, QA.id, SESSION),
    events.QueueChanged(P, QA.id, (QUEUED,), 1),
    events.TurnStarted(P, QA.id, TURN, FROM_MAIN, "Main", TICKET, NOON),
    events.TurnTextStreamed(P, QA.id, TURN, 4, "more"),
    events.TurnToolChanged(P, QA.id, TURN, TOOL),
    events.AgentAnnouncement(P, MAIN.id, QA.id, TURN, TICKET, "Running 212 tests…", NOON),
    events.TurnEnded(P, QA.id, TURN, "ANSWERED", NOON),
    events.ConversationAppended(P, Item(1, QA.id, TURN, ItemKind.TOOL, "", NOON, QA.id, TICKET, TOOL)),
    events.DelegationChanged(P, DELEGATION),
    ASKED,
    events.PermissionSettled(P, QA.id, RequestId("r1"), Decision.DENY, "human"),
    events.OrchestratorRequestProcessed(P, FROM_MAIN, "AskAgent", "ANSWERED", TICKET, NOON, 12),
    notices.NoticePosted(P, "fileTrouble", "settings.toml", AgentSlug("qa")),
    notices.NoticeDismissed(P, 3),
)


def test_the_list_below_holds_every_event() -> None:
    assert {type(event) for event in EVENTS} == set(get_args(events.Event))


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_an_event_arrives_as_the_shape_that_its_type_names(house: House, event: events.Event) -> None:
    rendered = render_event(event, 9, house.projects)

    name = type(event).__name__
    sent = rendered.model_dump_json(by_alias=True)
    assert rendered.type == name[0].lower() + name[1:]
    assert (rendered.seq, rendered.project_id) == (9, P)
    assert TypeAdapter[wire.AnyEvent](wire.AnyEvent).validate_json(sent) == rendered


@pytest.mark.parametrize("shape", [wire.Snapshot, wire.AnyEvent, wire.Items])
def test_what_is_shown_has_no_limits_that_a_file_or_a_cli_could_exceed(shape: Any) -> None:
    schema = TypeAdapter[Any](shape).json_schema(mode="serialization")

    limits = {"maxLength", "minLength", "maxItems", "minItems", "pattern", "maximum", "minimum"}
    assert limits & set(_keys(schema)) == set()


def _keys(node: object) -> list[str]:
    if isinstance(node, dict):
        return [*node, *(key for child in node.values() for key in _keys(child))]
    return [key for child in node for key in _keys(child)] if isinstance(node, list) else []


@pytest.mark.parametrize("agent", [replace(QA, name="n" * 80), replace(QA, instructions="i" * 262_000)])
def test_the_largest_agent_that_a_file_may_hold_is_shown(house: House, agent: Agent) -> None:
    assert render_event(events.AgentSaved(P, agent), 9, house.projects).model_dump_json()


def test_a_project_that_cannot_be_shown_does_not_hide_the_others(
    house: House, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    spoilt = FakeProject(house.events, tmp_path / "spoilt")
    spoilt.show(replace(spoilt.state(), agents=(AgentState(replace(QA, capabilities=("\ud800",)), IDLE),)))

    shown = render.render_snapshot([spoilt, house.project], house.events, unopened=[], version="1", now=NOON)

    assert [project.path for project in shown.projects] == [str(house.project.root)]
    assert shown.model_dump_json()
    assert str(spoilt.root) in caplog.text


def test_texts_without_end_are_cut_where_an_ask_is_shown() -> None:
    asked = replace(DELEGATION, message="m" * 1_000_000, reply="r" * 99_999)

    shown = render_turns.render_delegation(asked)

    assert len(shown.message) < 101_000
    assert shown.message.endswith("(1,000,000 characters)")
    assert shown.reply == "r" * 99_999


def test_an_announcement_carries_exactly_what_the_page_filters_by(house: House) -> None:
    rendered = render_event(
        next(event for event in EVENTS if isinstance(event, events.AgentAnnouncement)), 9, house.projects
    )

    assert rendered.model_dump(mode="json", by_alias=True) == {
        "type": "agentAnnouncement",
        "seq": 9,
        "projectId": "p1",
        "requester": MAIN.id,
        "target": QA.id,
        "turnId": "t1",
        "ticketId": "d1",
        "text": "Running 212 tests…",
        "atMs": NOON_MS,
    }


def test_an_agent_that_was_removed_meanwhile_can_still_be_told_of(house: House) -> None:
    gone = replace(QA, id=AgentId("gone"))
    rendered = render_event(events.AgentSaved(P, gone), 9, house.projects)
    elsewhere = render_event(events.AgentSaved(ProjectId("closed"), gone), 9, house.projects)

    assert isinstance(rendered, wire.AgentSaved)
    assert isinstance(elsewhere, wire.AgentSaved)
    assert rendered.agent.id == elsewhere.agent.id == "gone"


def test_a_session_that_ended_leaves_what_a_launch_would_resume(house: House) -> None:
    state = house.project.state()
    with_memory = replace(state.agents[1], conversation=ConversationId("k9"))
    house.project.show(replace(state, agents=(state.agents[0], with_memory)))

    ended = render_event(events.SessionChanged(P, QA.id, None), 9, house.projects)
    unnamed = replace(SESSION, conversation=None)
    live = render_event(events.SessionChanged(P, QA.id, unnamed), 9, house.projects)

    assert isinstance(ended, wire.SessionChanged)
    assert isinstance(live, wire.SessionChanged)
    assert (ended.session, ended.conversation_id) == (None, "k9")
    assert live.conversation_id == "k9"


def test_a_running_turn_is_shown_with_its_requester_by_name(house: House) -> None:
    live = LiveTurn(TURN, QA.id, FROM_MAIN, TICKET, NOON, text="so far", announcements=[(NOON, "first")])
    shown = render_turns.render_live_turn(live, {MAIN.id: "Main"})
    orphaned = render_turns.render_live_turn(live, {})

    assert (shown.requester.name, shown.text, shown.announcements[0].text) == ("Main", "so far", "first")
    assert orphaned.requester.name == MAIN.id


def test_a_delegation_says_what_became_of_it() -> None:
    failed = replace(DELEGATION, state=DelegationState.QUEUED).fail(
        "TIMEOUT", "Too slow", at=NOON, fields={"queued": True}
    )
    shown = render_turns.render_delegation(failed)

    assert (shown.state, shown.outcome, shown.explanation, shown.fields, shown.settled_at_ms) == (
        DelegationState.FAILED,
        "TIMEOUT",
        "Too slow",
        {"queued": True},
        NOON_MS,
    )


def test_a_turn_that_failed_is_told_by_its_code() -> None:
    item = Item(1, QA.id, TURN, ItemKind.FAILURE, "Qa is limited", NOON, QA.id)

    shown = render_turns.render_item(replace(item, outcome="TARGET_RATE_LIMITED", fields={"untilMs": NOON_MS}))

    assert (shown.outcome, shown.fields) == ("TARGET_RATE_LIMITED", {"untilMs": NOON_MS})
    assert (render_turns.render_item(item).outcome, render_turns.render_item(item).fields) == (None, {})
