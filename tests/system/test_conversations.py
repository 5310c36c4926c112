"""Earlier conversations from the command line: listed, attached, and gone on with."""

import json

import pytest

from tests.system.client import Api, ok
from tests.system.house import Server, Told

pytestmark = pytest.mark.slow

FIRST = "what did I say first?"


def run(server: Server, *arguments: str) -> Told:
    return server.house.run("conversations", *arguments, "--project", str(server.root))


async def test_a_conversation_of_before_is_listed_and_gone_on_with(api: Api) -> None:
    agent = await api.create(profile="demo")
    slug = agent["slug"]
    await api.ask(slug, "list")
    (before,) = json.loads(run(api.server, slug, "--json").out)
    ok(await api.agent("POST", slug, "/stop"))
    ok(await api.agent("POST", slug, "/launch", {"opening": "empty"}))

    shown = run(api.server, slug)
    attached = run(api.server, slug, "--attach", before["id"])
    reply = ok(await api.ask(slug, FIRST))["reply"]
    (owned,) = [one for one in json.loads(run(api.server, slug, "--json").out) if one["agentId"] == agent["id"]]

    assert before["firstWords"] == "list"
    assert shown.code == 0
    assert before["id"] in shown.out
    assert f"goes on with {before['id']}" in attached.out
    assert "list" in reply
    assert owned["id"] == before["id"]


async def test_what_is_not_there_cannot_be_attached(api: Api) -> None:
    agent = await api.create(profile="demo")

    missing = run(api.server, agent["slug"], "--attach", "../../etc/passwd")
    shell = await api.create(profile="shell")
    unknown = run(api.server, shell["slug"])

    assert missing.code == 3
    assert "There is no conversation named" in missing.err
    assert unknown.code == 4
    assert "does not know where Shell keeps its conversations" in unknown.err
