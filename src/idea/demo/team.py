"""The answer of `idea_list_agents` as people read it: one line an agent."""

from __future__ import annotations

from collections.abc import Mapping

_STATES = {
    "waitingPermission": "waits for a permission",
    "rateLimited": "limited by its CLI",
    "exited": "not running",
}
"""Where the state's own name is no word; the others are."""


def describe_team(answer: Mapping[str, object]) -> str | None:
    """None for an answer of another shape."""
    agents = answer.get("agents")
    if not isinstance(agents, list) or not all(isinstance(agent, dict) for agent in agents):
        return None
    return "\n".join(_describe(agent) for agent in agents)


def _describe(agent: Mapping[str, object]) -> str:
    readiness, queue, busy_for = agent.get("readiness"), agent.get("queue"), agent.get("busyFor")
    state = str(readiness.get("state", "")) if isinstance(readiness, dict) else ""
    facts = [
        _STATES.get(state, state),
        f"busy for {busy_for}" if isinstance(busy_for, str) else "",
        f"{queue} waiting" if isinstance(queue, int) and queue > 0 else "",
    ]
    name = " ".join(str(agent.get("name", "")).split())
    you = " (me)" if agent.get("isYou") is True else ""
    return f"- **{name}**{you}, {agent.get('profile')}: {', '.join(filter(None, facts))}"
