"""How a route says that it cannot do what is asked."""

from dataclasses import replace

import pytest
from starlette.exceptions import HTTPException

from idea.application import commands
from idea.domain.errors import AgentAlreadyRunning, Closed, DelegationCycle, IdeaError, NotFound, Timeout
from idea.domain.ids import DelegationId, NodeId
from idea.domain.outcomes import OUTCOMES
from idea.doors.http.app import create_routes
from tests.http.asgi import App, ask, call
from tests.http.fakes import QA, House

AGENTS = "/api/projects/p1/agents"


async def test_a_path_without_end_is_refused_and_not_repeated(app: App) -> None:
    answer = await call(app, "POST", "/api/projects", {"path": "/" + "a" * 4096})

    assert (answer.status, answer.json()["fields"]["names"]) == (422, "path")
    assert len(answer.body) < 1000


async def test_a_geometry_without_end_is_refused(house: House, app: App) -> None:
    layout = {"name": "default", "geometry": "g" * 1_000_001, "cells": []}
    answer = await call(app, "PUT", "/api/projects/p1/layout", {"layout": layout, "origin": "tab-1"})

    assert (answer.status, answer.json()["fields"]["names"]) == (422, "layout")


@pytest.mark.parametrize(
    "error",
    [
        DelegationCycle(["Main", "Qa", "Main"]),
        AgentAlreadyRunning(QA.id, "Qa", NodeId("n1")),
        Timeout("Qa", DelegationId("d1"), limit_s=5, is_queued=False),
        Closed("Qa", is_deleted=True),
        NotFound("profile", "p"),
    ],
    ids=lambda error: error.code,
)
async def test_a_failure_has_the_status_and_words_of_the_outcome_table(
    house: House, app: App, error: IdeaError
) -> None:
    house.project.answers[commands.AskAgent] = error
    answer = await call(app, "POST", f"{AGENTS}/qa/ask", {"message": "Well?"})

    row = OUTCOMES[error.code]
    assert answer.status == row.http_status
    assert answer.json() == {
        "code": row.code,
        "outcome": row.name,
        "message": str(error),
        "advice": row.advice if error.advice is None else error.advice,
        "fields": error.fields(),
    }


async def test_a_path_that_leads_nowhere_is_told_with_a_credential_only(app: App) -> None:
    assert (await call(app, "GET", "/api/nowhere")).status == 404
    assert (await call(app, "GET", "/api/state/")).status == 404
    assert (await ask(app, "GET", "/api/nowhere")).status == 401


async def test_an_unknown_address_is_told_where_the_addresses_stand(app: App) -> None:
    answer = await call(app, "GET", "/api/nowhere")

    assert (answer.json()["code"], answer.json()["fields"]["kind"]) == ("NOT_FOUND", "address")
    assert "/api/openapi.json" in answer.json()["advice"]


@pytest.mark.parametrize(
    "raw",
    [b'{"path": ', b'{"path": "\xff\xfe"}', b"[" * 100_000, b'{"path": ' + b"9" * 5_000 + b"}", b"\0"],
    ids=["cut off", "no UTF-8", "deep", "long number", "NUL"],
)
async def test_a_body_that_cannot_be_read_is_told_as_that(house: House, app: App, raw: bytes) -> None:
    headers = [*house.headers.items(), ("content-type", "application/json"), ("content-length", str(len(raw)))]
    answer = await ask(app, "POST", "/api/projects", headers=headers, raw=[raw])

    assert (answer.status, answer.json()["code"]) == (422, "INVALID")
    assert answer.json()["message"] == "The request does not fit: the body is not valid JSON."


@pytest.mark.parametrize("status", [401, 403, 415, 500, 503])
async def test_a_status_of_the_framework_that_nobody_foresaw_is_no_missing_address(
    house: House, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    routes = create_routes(house.services)

    async def refuse() -> None:
        raise HTTPException(status)

    routes.add_api_route("/api/refuse", refuse)
    answer = await ask(routes, "GET", "/api/refuse")

    assert (answer.status, answer.json()["code"]) == (500, "INTERNAL")
    assert str(status) in caplog.text


async def test_an_unknown_project_is_not_found(house: House, app: App) -> None:
    house.project.show(replace(house.project.state(), agents=()))
    for method, path in (("GET", "/api/projects/p9/agents"), ("POST", "/api/projects/p9/agents/main/stop")):
        assert (await call(app, method, path)).status == 404
