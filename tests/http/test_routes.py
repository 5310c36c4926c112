"""What each route asks of the application, and how it answers."""

import asyncio
from collections.abc import MutableMapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from idea.application import commands
from idea.domain.conversation import Item, ItemKind
from idea.domain.delegation import Delegation, Requester, Source
from idea.domain.events import QueuedTurn
from idea.domain.ids import ConversationId, DelegationId, NodeId, SessionId, TurnId
from idea.domain.layouts import View
from idea.domain.notices import NoticePosted
from idea.domain.replies import Decision
from idea.domain.sessions import Exit, Session, SessionKind, StopReport
from idea.domain.settings import MAX_TURN_TIMEOUT_S
from idea.doors.http.guard import control_door
from tests.fakes.clock import NOON
from tests.http.asgi import App, ask, call
from tests.http.fakes import MAIN, NO_FOLDER, QA, SECRET, WAIT, House
from tests.patience import PATIENCE_S

UI = Requester(Source.UI)
AGENTS = "/api/projects/p1/agents"
SESSION = Session(SessionId("s1"), QA.id, SessionKind.PTY, NodeId("n1"), ConversationId("k1"), NOON)
FIELDS = {"name": "Ada", "profile": "scripted"}
SETTINGS: Final = {
    "turnTimeoutS": 60,
    "queueWaitS": 60,
    "permissionWaitS": 60,
    "stalledAfterS": 60,
    "keeper": "process",
    "resume": "offer",
    "locale": "fr",
}


# --- coming in ------------------------------------------------------------------------------------------------


async def test_a_start_link_lets_one_browser_in_once(house: House, app: App) -> None:
    link = (await call(app, "POST", "/api/link")).json()
    address, _, code = link["url"].partition("#code=")

    first = await ask(app, "POST", "/api/session", body={"code": code, "label": "Firefox"})
    second = await ask(app, "POST", "/api/session", body={"code": code})
    state = await ask(app, "GET", "/api/state", headers=[("authorization", f"Bearer {first.json()['credential']}")])

    assert address == "http://127.0.0.1:4242/"
    assert (first.status, second.status, state.status) == (200, 401, 200)
    assert house.credentials.stored[first.json()["id"]].label == "Firefox"


async def test_credentials_are_listed_without_their_secrets_and_revoked(app: App) -> None:
    listed = await call(app, "GET", "/api/credentials")
    unknown = await call(app, "DELETE", "/api/credentials/nobody")
    revoked = await call(app, "DELETE", "/api/credentials/c1")
    after = await call(app, "GET", "/api/state")

    assert [(each["id"], each["isCurrent"]) for each in listed.json()] == [("c1", True)]
    assert SECRET not in listed.body.decode()
    assert (unknown.status, revoked.status, after.status) == (404, 204, 401)


async def test_the_description_of_the_api_is_served(app: App) -> None:
    document = (await call(app, "GET", "/api/openapi.json")).json()

    assert document["paths"]["/api/state"]["get"]["operationId"] == "getState"
    assert {"AnyEvent", "ServerFrame", "TerminalServerFrame"} <= document["components"]["schemas"].keys()


# --- projects -------------------------------------------------------------------------------------------------


async def test_the_state_is_everything_at_one_number(house: House, app: App) -> None:
    await house.project.layouts.save(house.project.state().layout, origin="tab")
    state = (await call(app, "GET", "/api/state")).json()

    assert (state["epoch"], state["seq"], state["version"]) == ("epoch-1", 1, "1.2.3")
    assert state["projects"][0]["trust"]["items"][0]["text"] == "touch /tmp/x"


async def test_projects_are_opened_and_closed(house: House, app: App, tmp_path: Path) -> None:
    opened = await call(app, "POST", "/api/projects", {"path": str(tmp_path)})
    refused = await call(app, "POST", "/api/projects", {"path": NO_FOLDER})
    closed = await call(app, "DELETE", f"/api/projects/{opened.json()['id']}")
    again = await call(app, "DELETE", f"/api/projects/{opened.json()['id']}")

    assert (opened.status, refused.status, closed.status, again.status) == (200, 422, 204, 404)
    assert refused.json()["code"] == "INVALID"
    assert NO_FOLDER in refused.json()["message"]
    assert [project.id for project in house.projects.list()] == ["p1"]


async def test_a_message_of_a_million_escaped_emoji_fits(house: House, app: App) -> None:
    house.project.answers[commands.SendMessage] = TurnId("t1")
    answer = await call(app, "POST", f"{AGENTS}/qa/messages", {"message": "\U0001f600" * 1_000_000})

    assert answer.status == 200


@pytest.mark.parametrize("seconds", [True, "5"])
async def test_only_a_number_is_a_number_of_seconds(house: House, app: App, seconds: object) -> None:
    settings = {**SETTINGS, "turnTimeoutS": seconds}
    asked = await call(app, "POST", f"{AGENTS}/qa/ask", {"message": "Well?", "timeoutSeconds": seconds})
    saved = await call(app, "PUT", "/api/projects/p1/settings", settings)

    assert (asked.status, saved.status) == (422, 422)
    assert house.project.dispatched == []


async def test_a_notice_is_part_of_the_state_until_it_is_dismissed(house: House, app: App) -> None:
    notices = (NoticePosted(house.project.id, "fileTrouble", "Look.", number=1),)
    house.project.show(replace(house.project.state(), notices=notices))

    shown = (await call(app, "GET", "/api/state")).json()["projects"][0]["notices"]
    dismissed = await call(app, "DELETE", "/api/projects/p1/notices/1")
    after = (await call(app, "GET", "/api/state")).json()["projects"][0]["notices"]

    assert shown == [{"number": 1, "code": "fileTrouble", "detail": "Look.", "slug": None, "fields": {}}]
    assert (dismissed.status, after) == (204, [])


async def test_turns_far_back_in_a_queue_are_listed_page_by_page(house: House, app: App) -> None:
    person = Requester(Source.UI)
    house.project.waiting_turns = [
        QueuedTurn(TurnId(f"t{number}"), number, person, "human", None, f"message {number}", NOON)
        for number in range(1, 61)
    ]

    behind = (await call(app, "GET", "/api/projects/p1/agents/qa/queue?after=50")).json()
    page = (await call(app, "GET", "/api/projects/p1/agents/qa/queue?limit=2")).json()
    nobody = await call(app, "GET", "/api/projects/p1/agents/nobody/queue")

    assert [turn["position"] for turn in behind] == list(range(51, 61))
    assert [turn["turnId"] for turn in page] == ["t1", "t2"]
    assert nobody.status == 404


async def test_settings_are_checked_by_the_domain(house: House, app: App) -> None:
    saved = await call(app, "PUT", "/api/projects/p1/settings", SETTINGS)
    refused = await call(app, "PUT", "/api/projects/p1/settings", {**SETTINGS, "turnTimeoutS": 0})

    assert saved.json() == SETTINGS
    assert refused.status == 422
    assert "turn_timeout_s" in refused.json()["message"]
    assert refused.json()["fields"] == {"why": "secondsOutOfRange", "limit": MAX_TURN_TIMEOUT_S}
    assert house.project.state().settings.turn_timeout_s == 60


async def test_a_layout_is_saved_with_whoever_saved_it(house: House, app: App) -> None:
    cells = [{"nodeId": "n1", "agentId": QA.id, "view": "terminal"}, {"nodeId": "n2", "agentId": None, "view": "chat"}]
    answer = await call(
        app,
        "PUT",
        "/api/projects/p1/layout",
        {"layout": {"name": "default", "geometry": "{}", "cells": cells}, "origin": "tab-1"},
    )

    assert (answer.status, list(answer.json())) == (200, ["version"])
    assert [(cell.node_id, cell.agent, cell.view) for cell in house.project.state().layout.cells] == [
        ("n1", QA.id, View.TERMINAL),
        ("n2", None, View.CHAT),
    ]


async def test_trust_is_approved_by_the_hash_that_was_shown(house: House, app: App) -> None:
    answer = await call(app, "POST", "/api/projects/p1/trust", {"hash": "h1"})

    assert answer.json() == {"isTrusted": True, "hash": "h1", "items": []}
    assert house.project.state().trust.is_trusted


async def test_profiles_say_which_views_they_have(app: App) -> None:
    profiles = {each["id"]: each for each in (await call(app, "GET", "/api/projects/p1/profiles")).json()}

    assert (profiles["scripted"]["canChat"], profiles["scripted"]["canTerminal"]) == (True, True)
    assert (profiles["chatless"]["canChat"], profiles["chatless"]["canTerminal"]) == (False, True)


# --- agents ---------------------------------------------------------------------------------------------------


async def test_agents_are_created_changed_and_deleted(house: House, app: App) -> None:
    created = await call(app, "POST", AGENTS, {**FIELDS, "instructions": "Be brief."})
    changed = await call(app, "PUT", f"{AGENTS}/ada", {**FIELDS, "name": "Ada L."})
    listed = await call(app, "GET", AGENTS)
    deleted = await call(app, "DELETE", f"{AGENTS}/ada")
    gone = await call(app, "GET", f"{AGENTS}/ada")

    assert (created.json()["slug"], created.json()["instructions"]) == ("ada", "Be brief.")
    assert changed.json()["name"] == "Ada L."
    assert [each["slug"] for each in listed.json()] == ["main", "qa", "ada"]
    assert (deleted.status, gone.status) == (204, 404)
    assert gone.json()["fields"]["choices"] == ["main", "qa"]


@pytest.mark.parametrize("name", [MAIN.id, MAIN.slug, MAIN.name])
async def test_an_agent_goes_by_id_slug_or_name(app: App, name: str) -> None:
    assert (await call(app, "GET", f"{AGENTS}/{name}")).json()["id"] == MAIN.id


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": "Ada"},
        {**FIELDS, "surprise": 1},
        {**FIELDS, "permissions": "sometimes"},
        {**FIELDS, "capabilities": ["\ud800"]},
        {**FIELDS, "instructions": "\ud800"},
        [],
    ],
)
async def test_a_request_that_does_not_fit_says_where(house: House, app: App, body: object) -> None:
    answer = await call(app, "POST", AGENTS, body)

    assert answer.status == 422
    assert answer.json()["code"] == "INVALID"
    assert "body" in answer.json()["message"]
    assert len(house.project.state().agents) == 2


async def test_launching_hands_on_the_cell_and_how(house: House, app: App) -> None:
    house.project.answers[commands.LaunchAgent] = SESSION
    body = {"nodeId": "n1", "view": "terminal", "isReattach": True}
    answer = await call(app, "POST", f"{AGENTS}/qa/launch", body)

    assert house.project.dispatched == [(UI, commands.LaunchAgent("qa", NodeId("n1"), View.TERMINAL, is_reattach=True))]
    assert answer.json() == {
        "id": "s1",
        "kind": "pty",
        "nodeId": "n1",
        "conversationId": "k1",
        "startedAtMs": 1_796_040_000_000,
    }


async def test_stopping_says_how_it_ended_and_what_survived(house: House, app: App) -> None:
    house.project.answers[commands.StopAgent] = StopReport(Exit(None, 15), (4711,))
    answer = await call(app, "POST", f"{AGENTS}/qa/stop")

    assert answer.json() == {"exitCode": None, "signal": 15, "survivors": [4711]}


@pytest.mark.parametrize(
    ("route", "body", "command"),
    [
        ("interrupt", {"turnId": "t1"}, commands.InterruptTurn("qa", TurnId("t1"))),
        ("detach", {"nodeId": "n1"}, commands.DetachCell(QA.id, NodeId("n1"))),
    ],
)
async def test_a_command_without_an_answer_is_carried_out(
    house: House, app: App, route: str, body: object, command: commands.Command[None]
) -> None:
    house.project.answers[type(command)] = None
    answer = await call(app, "POST", f"{AGENTS}/qa/{route}", body)

    assert answer.status == 204
    assert house.project.dispatched == [(UI, command)]


async def test_what_is_taken_out_of_the_queue_is_given_back(house: House, app: App) -> None:
    house.project.answers[commands.CancelQueued] = "Look at the rounding.\nAnd at the tests."
    answer = await call(app, "POST", f"{AGENTS}/qa/cancel", {"turnId": "t1"})

    assert answer.json() == {"message": "Look at the rounding.\nAnd at the tests."}
    assert house.project.dispatched == [(UI, commands.CancelQueued("qa", TurnId("t1")))]


# --- talking --------------------------------------------------------------------------------------------------


async def test_a_message_is_queued_and_its_turn_named(house: House, app: App) -> None:
    house.project.answers[commands.SendMessage] = TurnId("t7")
    answer = await call(app, "POST", f"{AGENTS}/main/messages", {"message": "hello"})

    assert answer.json() == {"turnId": "t7"}


async def test_the_record_is_read_page_by_page(house: House, app: App) -> None:
    house.project.items = [
        Item(seq, MAIN.id, TurnId("t"), ItemKind.ANSWER, f"n{seq}", NOON, MAIN.id) for seq in range(1, 6)
    ]
    newest = (await call(app, "GET", f"{AGENTS}/main/conversation?limit=2")).json()
    oldest = (await call(app, "GET", f"{AGENTS}/main/conversation?before=3&limit=9")).json()
    silly = await call(app, "GET", f"{AGENTS}/main/conversation?limit=100000")

    assert ([item["seq"] for item in newest["items"]], newest["hasMore"]) == ([4, 5], True)
    assert ([item["seq"] for item in oldest["items"]], oldest["hasMore"]) == ([1, 2], False)
    assert silly.status == 422


async def test_a_permission_is_decided_also_under_an_awkward_number(house: House, app: App) -> None:
    answer = await call(app, "POST", f"{AGENTS}/qa/permissions/call/7", {"decision": "allowOnce"})

    assert answer.status == 204
    assert house.project.decisions == [(QA.id, "call/7", Decision.ALLOW_ONCE)]


def answered() -> Delegation:
    asked = Delegation(DelegationId("d1"), 1, UI, "human", QA.id, "Qa", "Well?", 1, NOON)
    return asked.answer("All green.", at=NOON.replace(second=2))


async def test_an_ask_answers_with_the_final_message(house: House, app: App) -> None:
    house.project.answers[commands.AskAgent] = answered()
    answer = await call(app, "POST", f"{AGENTS}/qa/ask", {"message": "Well?", "timeoutSeconds": 5})

    assert answer.json() == {"outcome": "answered", "ticketId": "d1", "reply": "All green.", "durationMs": 2000}
    assert house.project.dispatched == [(UI, commands.AskAgent("qa", "Well?", 5.0))]


async def test_the_control_socket_asks_as_the_command_line(house: House, app: App) -> None:
    house.project.answers[commands.AskAgent] = answered()
    await call(control_door(app), "POST", f"{AGENTS}/qa/ask", {"message": "Well?"})

    assert [requester for requester, _ in house.project.dispatched] == [Requester(Source.CLI)]


async def test_an_ask_ends_with_the_credential_that_it_came_with(house: House, app: App) -> None:
    house.project.answers[commands.AskAgent] = WAIT

    async def patient(scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        sent: list[MutableMapping[str, Any]] = [await receive()]

        async def stay() -> MutableMapping[str, Any]:
            if sent:
                return sent.pop()
            await asyncio.Event().wait()
            raise AssertionError

        await app(scope, stay, send)

    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
        asking = tasks.create_task(call(patient, "POST", f"{AGENTS}/qa/ask", {"message": "Well?"}))
        await house.project.waiting.wait()
        assert (await call(app, "DELETE", "/api/credentials/c1")).status == 204
        await house.project.was_cancelled.wait()

    assert (asking.result().status, asking.result().json()["code"]) == (401, "UNAUTHENTICATED")


async def test_hanging_up_takes_the_ask_back(house: House, app: App) -> None:
    house.project.answers[commands.AskAgent] = WAIT
    hung_up = asyncio.Event()

    async def hanging(scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        async def receive_late() -> Any:
            message = await receive()
            if message["type"] == "http.disconnect":
                await hung_up.wait()
            return message

        await app(scope, receive_late, send)

    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
        asking = tasks.create_task(call(hanging, "POST", f"{AGENTS}/qa/ask", {"message": "Well?"}))
        await house.project.waiting.wait()
        assert not house.project.was_cancelled.is_set()
        hung_up.set()
        await house.project.was_cancelled.wait()

    assert asking.result().json()["code"] == "CANCELLED"
