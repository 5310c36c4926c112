"""The built-in script: a question travels Main → Architect → QA, and the conclusions travel back."""

import json
import sys
from pathlib import Path

import pytest

from tests.demo.agents import COMMAND, chat_agent

pytestmark = pytest.mark.slow


def _declare_relay(folder: Path) -> str:
    path = folder / "mcp.json"
    arguments = ["-I", "-S", str(Path(__file__).parent / "mcp_relay.py"), str(path), *COMMAND]
    path.write_text(json.dumps({"mcpServers": {"idea": {"command": sys.executable, "args": arguments}}}))
    return str(path)


def test_main_announces_asks_and_concludes_from_the_conclusions(tmp_path: Path) -> None:
    with chat_agent("--agent", "main", "--name", "Main", "--mcp", _declare_relay(tmp_path)) as agent:
        lines = agent.turn("Is the invoice page ready?")

    announced = [line["text"] for line in lines if line["type"] == "message"]
    asked = [line["phase"] for line in lines if line["type"] == "tool"]
    conclusion = str(lines[-1]["text"])
    assert announced == ["I'll ask Architect about the design."]
    assert asked == ["started", "ended"]
    assert "it can go out" in conclusion
    assert "The design holds" in conclusion
    assert "212 of 212 tests pass" in conclusion
    for preamble in ("I'll ask", "Running 212 tests"):
        assert preamble not in conclusion


def test_an_agent_that_cannot_ask_says_so(tmp_path: Path) -> None:
    declaration = tmp_path / "mcp.json"
    declaration.write_text(json.dumps({"mcpServers": {"idea": {"command": "/nowhere/idea"}}}))
    with chat_agent("--agent", "main", "--mcp", str(declaration)) as agent:
        assert "could not get Architect's view" in str(agent.turn("Is it ready?")[-1]["text"])
