"""What the tools promise to a model."""

import asyncio

import pytest

from idea.domain.delegation import Requester, Source
from idea.domain.errors import IdeaError, Invalid, TargetRateLimited, Timeout, TurnFailed
from idea.domain.ids import DelegationId
from idea.domain.outcomes import OUTCOMES
from idea.doors.mcp.tools import INSTRUCTIONS, TOOLS, ToolCaller, refusal
from tests.mcp.house import MAIN, NOON, QA, House, Message, ScriptedTeam
from tests.patience import PATIENCE_S

REQUESTER = Requester(Source.MCP, agent=MAIN)
TOOLS_BY_NAME = {tool.name: tool for tool in TOOLS}


async def call(house: House, tool: str, **arguments: object) -> Message:
    async with house.bridge() as bridge:
        await bridge.shake_hands()
        result: Message = (await bridge.call(1, "tools/call", name=tool, arguments=arguments))["result"]
        return result


async def test_the_list_shows_the_team_and_who_one_is(house: House) -> None:
    result = await call(house, "idea_list_agents")

    agents = result["structuredContent"]["agents"]
    assert [(agent["slug"], agent["isYou"]) for agent in agents] == [("main", True), ("qa", False)]


async def test_the_reply_is_the_only_text_of_an_ask(house: House) -> None:
    result = await call(house, "idea_ask_agent", agent="qa", message="Grüße, 你好")

    assert result["content"] == [{"type": "text", "text": "Grüße, 你好"}]
    assert result["structuredContent"]["agent"] == "QA"
    assert result["structuredContent"]["reply"] == "Grüße, 你好"
    assert result["structuredContent"]["ticketId"]
    assert result["structuredContent"]["cutFromChars"] is None


@pytest.mark.parametrize("letter", ["x", "é", "🙂", "\x01", '"'])
async def test_a_reply_that_is_too_long_comes_cut_and_says_where_the_rest_is(house: House, letter: str) -> None:
    house.team.replies["long"] = whole = letter * 5_000_000

    result = await call(house, "idea_ask_agent", agent="qa", message="long")

    structured = result["structuredContent"]
    reply, _, note = structured["reply"].partition("\n\n[Cut")
    assert not result.get("isError")
    assert result["content"] == [{"type": "text", "text": structured["reply"]}]
    assert structured["cutFromChars"] == len(whole)
    assert 500_000 < len(reply) < len(whole)
    assert set(reply) == {letter}
    assert f"{len(reply):,}" in note
    assert structured["ticketId"] in note


async def test_a_failure_is_told_in_bounds(house: House) -> None:
    house.team.raises["boom"] = TurnFailed("QA", "no " * 3_000_000)

    result = await call(house, "idea_ask_agent", agent="qa", message="boom")

    assert result["isError"]
    assert result["structuredContent"]["code"] == "TURN_FAILED"
    assert len(result["content"][0]["text"]) < 20_000


async def test_who_asks_is_stamped_from_the_connection(house: House) -> None:
    await call(house, "idea_ask_agent", agent="qa", message="hi", **{"from": QA, "sender": QA, "requester": QA})

    [(requester, ask)] = house.team.asked
    assert requester == Requester(Source.MCP, agent=MAIN, turn=house.turns[MAIN])
    assert (ask.agent, ask.message) == ("qa", "hi")


async def test_a_time_limit_is_passed_on(house: House) -> None:
    await call(house, "idea_ask_agent", agent="qa", message="hi", timeoutSeconds=90)

    assert house.team.asked[0][1].timeout_s == 90
    assert not house.team.asked[0][1].waits_for_limit


async def test_who_waits_for_the_end_of_a_limit_says_so(house: House) -> None:
    await call(house, "idea_ask_agent", agent="qa", message="hi", waitForLimit=True)

    assert house.team.asked[0][1].waits_for_limit


async def test_a_failure_is_a_result_with_what_to_do(house: House) -> None:
    result = await call(house, "idea_agent_status", agent="nobody")

    assert result["isError"] is True
    structured = result["structuredContent"]
    assert structured["code"] == "NOT_FOUND"
    assert structured["outcome"] == "NotFound"
    assert structured["fields"]["choices"] == ["main", "qa"]
    assert result["content"] == [{"type": "text", "text": f"{structured['message']} {structured['advice']}"}]


async def test_a_bug_is_a_result_too_and_the_connection_lives(house: House) -> None:
    house.team.raises["boom"] = ZeroDivisionError("secret detail")

    async with house.bridge() as bridge:
        await bridge.shake_hands()
        await bridge.ask(1, "boom")
        failed = await bridge.receive()
        await bridge.ask(2, "fine")
        answered = await bridge.receive()

    assert failed["result"]["structuredContent"]["code"] == "INTERNAL"
    assert "secret detail" not in str(failed)
    assert answered["result"]["content"][0]["text"] == "fine"


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"agent": "qa"},
        {"agent": "", "message": "x"},
        {"agent": "qa", "message": " \n"},
        {"agent": "qa", "message": 5},
        {"agent": "qa", "message": "x", "timeoutSeconds": 0},
        {"agent": "qa", "message": "x", "waitForLimit": "yes"},
        {"agent": "qa", "message": "x", "timeoutSeconds": True},
        {"agent": "qa", "message": "x", "timeoutSeconds": "5"},
        {"agent": "qa", "message": "x", "timeoutSeconds": 1e9},
        {"agent": ["qa"], "message": "x"},
        {"agent": "qa", "message": "\ud800"},
    ],
)
async def test_arguments_that_do_not_fit_are_invalid(arguments: dict[str, object]) -> None:
    team = ScriptedTeam()

    with pytest.raises(Invalid):
        await TOOLS_BY_NAME["idea_ask_agent"].call(ToolCaller(team, REQUESTER, "call"), arguments)

    assert team.asked == []


@pytest.mark.parametrize(
    "error",
    [
        TargetRateLimited("QA", NOON),
        Timeout("QA", DelegationId("d1"), limit_s=300, is_queued=False),
        IdeaError("half a sentence"),
    ],
)
def test_every_refusal_reads_as_sentences(error: IdeaError) -> None:
    answer = refusal(error)

    assert answer.is_error
    assert answer.text == f"{error}. {OUTCOMES[error.code].advice}".strip()
    assert answer.structured["fields"] == error.fields()


async def test_half_a_character_in_a_reply_does_not_break_the_answer() -> None:
    team = ScriptedTeam()
    team.replies["x"] = "odd \ud83d"

    answer = await TOOLS_BY_NAME["idea_ask_agent"].call(
        ToolCaller(team, REQUESTER, "call"), {"agent": "qa", "message": "x"}
    )

    assert answer.text == "odd ?"


def test_every_tool_is_described_for_a_model() -> None:
    for tool in TOOLS:
        assert tool.name in INSTRUCTIONS
        assert len(tool.description) > 80
        for schema in (tool.input_schema, tool.output_schema):
            assert schema["type"] == "object"
            assert "$ref" not in str(schema)
    assert "agent" in INSTRUCTIONS
    assert '// @exec: {"yield_time_ms": 120000}' in INSTRUCTIONS


async def test_a_tool_that_is_not_there_is_a_protocol_error(house: House) -> None:
    async with asyncio.timeout(PATIENCE_S), house.bridge() as bridge:
        await bridge.shake_hands()
        answer = await bridge.call(1, "tools/call", name="idea_rm_rf", arguments={})

    assert answer["error"]["code"] == -32602
