"""The demo agent's MCP client against a real server process."""

import json
import os
from pathlib import Path

import pytest

from tests.demo.agents import ChatAgent, Line, chat_agent, declare, write_script

pytestmark = pytest.mark.slow

ASK = {"ask": {"agent": "{prompt}", "message": "is it ready?", "as": "reply"}}
RULES: list[dict[str, object]] = [
    {"match": "^list", "steps": [{"list": {"as": "team"}}, {"answer": "{team}"}]},
    {"match": "^tools", "steps": [{"tools": {"as": "names"}}, {"answer": "{names}"}]},
    {"match": "", "steps": [ASK, {"answer": "they say {reply}"}]},
]


def _messages(log: Path) -> list[Line]:
    return [json.loads(line) for line in log.read_text().splitlines()]


def _methods(log: Path) -> list[object]:
    return [message.get("method", "answer") for message in _messages(log)]


def _end(agent: ChatAgent) -> None:
    agent.end_input()
    assert agent.wait() == 0


def test_it_shakes_hands_asks_and_gets_the_reply(tmp_path: Path) -> None:
    declaration, log = declare(tmp_path)
    with chat_agent("--mcp", declaration, "--script", write_script(tmp_path, *RULES)) as agent:
        agent.until("ready")
        lines = agent.turn("echo")
        _end(agent)

    assert lines[-1]["text"] == "they say echo: is it ready?"
    assert [line["phase"] for line in lines if line["type"] == "tool"] == ["started", "ended"]
    assert _methods(log)[:4] == ["initialize", "notifications/initialized", "tools/list", "tools/call"]
    initialize, *_, call = _messages(log)[:4]
    assert initialize["params"]["protocolVersion"] == "2025-11-25"  # type: ignore[index] # JSON
    assert call["params"]["arguments"] == {"agent": "echo", "message": "is it ready?"}  # type: ignore[index] # JSON
    assert call["params"]["_meta"]["progressToken"]  # type: ignore[index] # JSON
    assert _methods(log)[-1] == "end of input"


def test_it_lists_agents_and_tools(tmp_path: Path) -> None:
    declaration, _ = declare(tmp_path)
    with chat_agent("--mcp", declaration, "--script", write_script(tmp_path, *RULES)) as agent:
        team = "- **Main** (me), demo: working\n- **QA**, claude: not running, busy for Main, 2 waiting"
        assert agent.turn("list")[-1]["text"] == team
        assert agent.turn("tools")[-1]["text"] == "idea_ask_agent"


@pytest.mark.parametrize(
    ("target", "reply"),
    [
        ("nobody", "they say No agent nobody."),
        ("protocol", "they say MCP error -32602: Bad params"),
        ("dying", "they say MCP error -32000: Connection closed"),
    ],
)
def test_a_failed_call_is_a_text_to_act_on(tmp_path: Path, target: str, reply: str) -> None:
    declaration, _ = declare(tmp_path)
    with chat_agent("--mcp", declaration, "--script", write_script(tmp_path, *RULES)) as agent:
        lines = agent.turn(target)

    assert lines[-1]["text"] == reply
    assert [line["phase"] for line in lines if line["type"] == "tool"] == ["started", "failed"]


def test_a_dead_server_is_started_again_by_the_next_call(tmp_path: Path) -> None:
    declaration, log = declare(tmp_path)
    with chat_agent("--mcp", declaration, "--script", write_script(tmp_path, *RULES)) as agent:
        agent.turn("dying")
        after = agent.turn("echo")[-1]

    assert after["text"] == "they say echo: is it ready?"
    assert _methods(log).count("initialize") == 2


def test_progress_is_a_heartbeat_and_the_servers_own_requests_are_answered(tmp_path: Path) -> None:
    declaration, log = declare(tmp_path)
    with chat_agent("--mcp", declaration, "--script", write_script(tmp_path, *RULES)) as agent:
        lines = agent.turn("progress")
        _end(agent)

    assert "heartbeat" in [line["type"] for line in lines]
    assert lines[-1]["text"] == "they say after progress"
    answers = {message["id"]: message for message in _messages(log) if "method" not in message}
    assert answers["p1"]["result"] == {}
    assert "error" in answers["p2"]
    assert _methods(log).count("tools/list") == 2


def test_an_interrupted_ask_is_cancelled_at_the_server(tmp_path: Path) -> None:
    declaration, log = declare(tmp_path)
    with chat_agent("--mcp", declaration, "--script", write_script(tmp_path, *RULES)) as agent:
        agent.turn("echo")
        agent.prompt("silent")
        agent.until("tool")
        agent.send(type="interrupt")
        lines = agent.until("error")
        assert agent.turn("echo")[-1]["text"] == "they say echo: is it ready?"
        _end(agent)

    assert lines[-1]["kind"] == "interrupted"
    calls = [message for message in _messages(log) if message.get("method") == "tools/call"]
    cancelled = [message for message in _messages(log) if message.get("method") == "notifications/cancelled"]
    assert [message["params"]["requestId"] for message in cancelled] == [calls[1]["id"]]  # type: ignore[index] # JSON


def test_a_server_that_cannot_be_started_is_told_in_the_call(tmp_path: Path) -> None:
    declaration = tmp_path / "mcp.json"
    declaration.write_text(json.dumps({"mcpServers": {"idea": {"command": "/nowhere/idea", "args": []}}}))
    with chat_agent("--mcp", str(declaration), "--script", write_script(tmp_path, *RULES)) as agent:
        assert "could not be started" in str(agent.turn("echo")[-1]["text"])


def test_a_killed_agent_leaves_no_server_behind(tmp_path: Path) -> None:
    declaration, log = declare(tmp_path)
    with chat_agent("--mcp", declaration, "--script", write_script(tmp_path, *RULES)) as agent:
        agent.turn("echo")
        agent.process.kill()
        agent.wait()
        # The server inherited this pipe, so its end is the server's end.
        agent.stderr()

    assert _methods(log)[-1] == "end of input"


def test_twenty_start_at_once_and_all_ask(tmp_path: Path) -> None:
    agents = []
    try:
        for number in range(20):
            folder = tmp_path / str(number)
            folder.mkdir()
            declaration, _ = declare(folder)
            agents.append(ChatAgent("--mcp", declaration, "--script", write_script(folder, *RULES)))
        for agent in agents:
            agent.prompt("echo")
        answers = {agent.until("result")[-1]["text"] for agent in agents}
    finally:
        for agent in agents:
            agent.close()

    assert answers == {"they say echo: is it ready?"}
    assert len({agent.process.pid for agent in agents}) == 20
    with pytest.raises(ProcessLookupError):
        os.kill(agents[0].process.pid, 0)
