"""An agent whose CLI is limited: refused with the time, waited for by who says so, and idle again after it."""

import asyncio

import pytest

from tests.system.client import Api, ok, refused, texts
from tests.system.house import House

pytestmark = pytest.mark.slow


async def test_who_waits_for_a_limit_is_answered_when_it_is_over(house: House) -> None:
    folder = house.folder("shop")
    with house.serving("serve", "--project", str(folder)) as server:
        api = Api(server)
        await api.create("QA")
        first = refused(await api.ask("qa", "limit 6"), 429, "TARGET_RATE_LIMITED")
        async with asyncio.TaskGroup() as tasks, api.follow() as events:
            over_http = tasks.create_task(
                api.agent("POST", "qa", "/ask", {"message": "list over HTTP", "waitForLimit": True})
            )
            at_a_terminal = tasks.create_task(
                house.run_beside("ask", "qa", "list there", "--wait-for-limit", "--project", str(folder))
            )
            impatient = refused(await api.ask("qa", "list now"), 429, "TARGET_RATE_LIMITED")
            await events.until("agentReadinessChanged", lambda one: one["readiness"]["state"] == "idle")
        items = await api.items("qa")

    assert first["untilMs"] == impatient["untilMs"]
    assert "QA" in ok(over_http.result())["reply"]
    assert (at_a_terminal.result().code, "QA" in at_a_terminal.result().out) == (0, True)
    assert len(texts(items, "answer")) == 2
