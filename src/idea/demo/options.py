"""The demo agent's command line and the variables it reads. By hand, since argparse doubles the start-up time."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

USAGE = """\
usage: agent.py --face chat|tui --agent SLUG --name NAME [--mcp FILE] [--mcp-server NAME]
                [--script FILE] [--state-dir DIR]
                [--conversation ID | --new-conversation ID] [--permissions ask|edit|plan|full]
                [--model NAME] [--context FILE] [PROMPT]
       agent.py --version
"""
BUILT_IN_SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "scripts", "team.json")


class UsageError(Exception):
    """The command line cannot be understood; the text says why."""


class Options:
    """How this agent was started."""

    face = "chat"
    agent = "agent"
    name = ""
    mcp = ""
    """Path of the declaration; empty means no MCP server."""
    mcp_server = "idea"
    """Which of the declared servers is IdeA's."""
    script = BUILT_IN_SCRIPT
    state_dir = ""
    """Where conversations are kept; empty keeps them in memory only."""
    conversation = ""
    """The conversation to go on with."""
    new_conversation = ""
    """The id that a new conversation shall have; empty lets the agent choose."""
    permissions = "ask"
    model = "demo"
    context = ""
    """Path of the standing instructions."""
    prompt = ""
    """The first prompt, as if typed."""
    pace = 1.0
    """Factor on every scripted pause."""


_VALUES = {
    "--face": "face",
    "--agent": "agent",
    "--name": "name",
    "--mcp": "mcp",
    "--mcp-server": "mcp_server",
    "--script": "script",
    "--state-dir": "state_dir",
    "--conversation": "conversation",
    "--new-conversation": "new_conversation",
    "--permissions": "permissions",
    "--model": "model",
    "--context": "context",
}
_CHOICES = {"face": ("chat", "tui"), "permissions": ("ask", "edit", "plan", "full")}


def parse_options(arguments: Sequence[str], environ: Mapping[str, str]) -> Options:
    """Raises `UsageError`. `IDEA_DEMO_PACE` and `IDEA_DEMO_SCRIPT` come from `environ`, flags outrank them."""
    options = Options()
    options.script = environ.get("IDEA_DEMO_SCRIPT") or BUILT_IN_SCRIPT
    try:
        options.pace = max(0.0, float(environ.get("IDEA_DEMO_PACE") or 1))
    except ValueError as error:
        raise UsageError(f"IDEA_DEMO_PACE must be a number, not {environ['IDEA_DEMO_PACE']!r}") from error
    rest = list(arguments)
    while rest:
        flag, *rest = rest
        if not flag.startswith("--"):
            options.prompt = flag
            continue
        attribute = _VALUES.get(flag)
        if attribute is None:
            raise UsageError(f"unknown option {flag}")
        if not rest:
            raise UsageError(f"{flag} needs a value")
        value, *rest = rest
        if value not in _CHOICES.get(attribute, (value,)):
            raise UsageError(f"{flag} must be one of {', '.join(_CHOICES[attribute])}, not {value!r}")
        setattr(options, attribute, value)
    if options.conversation and options.new_conversation:
        raise UsageError("--conversation and --new-conversation exclude each other")
    options.name = options.name or options.agent
    return options
