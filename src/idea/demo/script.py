"""What a demo agent does on which prompt: the JSON file of rules, and texts with values filled in."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

Step = dict[str, object]
"""One step: its name is the key that `STEP_NAMES` knows, e.g. `{"say": "…"}` or `{"ask": {…}}`."""

STEP_NAMES = frozenset(
    {
        *("say", "stream", "answer", "spontaneous", "usage", "heartbeat", "colors", "size"),
        *("ask", "list", "call", "tools", "tool", "permission"),
        *("wait", "hang", "flood", "limit", "fail", "exit", "crash", "spawn_grandchild", "stderr", "garbage"),
    }
)
"""Checked when a script is loaded; `steps` has one function for each."""
_FRAMED = re.compile(
    r"\A\[IdeA\] A request from (?:agent )?(?P<requester>[^\n]*?), delivered by IdeA.*?"
    r"^={24} (?P<id>\S+) begin\n(?P<body>.*)\n={24} (?P=id) end",
    re.DOTALL | re.MULTILINE,
)
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


class ScriptError(Exception):
    """The script file cannot be used; the text says where and why."""


class Rule:
    """Steps for the prompts of one agent (None: any) in which `pattern` is found."""

    __slots__ = ("agent", "pattern", "steps")

    def __init__(self, agent: str | None, pattern: re.Pattern[str], steps: list[Step]) -> None:
        self.agent = agent
        self.pattern = pattern
        self.steps = steps


class Script:
    """The rules in their order; the first that fits wins."""

    def __init__(self, rules: list[Rule]) -> None:
        self._rules = rules

    def find(self, agent: str, prompt: str) -> tuple[list[Step], dict[str, str]]:
        """The steps for `prompt` and the named groups of the match; no steps if no rule fits."""
        for rule in self._rules:
            if rule.agent in (None, agent) and (match := rule.pattern.search(prompt)):
                return rule.steps, {key: value or "" for key, value in match.groupdict().items()}
        return [], {}


def unwrap(prompt: str) -> tuple[str, str]:
    """The body of a prompt that IdeA framed and who asked, or the prompt as it is and nobody.

    Rules see the body only: the frame's own words ("permission") would match otherwise.
    """
    match = _FRAMED.search(prompt)
    return (match["body"], match["requester"]) if match else (prompt, "")


def fill(text: str, values: Mapping[str, str]) -> str:
    """`{name}` becomes its value; an unknown one stays, since the text may be code."""
    return _PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), text)


def load_script(path: str) -> Script:
    """Raises `ScriptError`."""
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
    except (OSError, ValueError) as error:
        raise ScriptError(f"{path}: {error}") from error
    rules = content.get("rules") if isinstance(content, dict) else None
    if not isinstance(rules, list):
        raise ScriptError(f'{path}: expected an object {{"rules": […]}}')
    return Script([_parse_rule(rule, f"{path}: rule {number}") for number, rule in enumerate(rules, 1)])


def _parse_rule(rule: object, where: str) -> Rule:
    if not isinstance(rule, dict):
        raise ScriptError(f"{where} is no object")
    agent, pattern = rule.get("agent"), rule.get("match", "")
    if not isinstance(agent, str | None) or not isinstance(pattern, str):
        raise ScriptError(f"{where}: agent and match must be strings")
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise ScriptError(f"{where}: {pattern!r} is no regular expression: {error}") from error
    return Rule(agent, compiled, parse_steps(rule.get("steps"), where))


def parse_steps(steps: object, where: str) -> list[Step]:
    """Check the names of steps, also of nested ones, so that a typo shows at the start and not in a turn."""
    if not isinstance(steps, list):
        raise ScriptError(f"{where}: steps must be a list")
    for number, step in enumerate(steps, 1):
        name = step_name(step)
        if name is None:
            raise ScriptError(f"{where}, step {number}: exactly one step name expected, got {step!r}")
        argument = step[name]
        if isinstance(argument, dict):
            for branch in ("allowed", "denied", "failed"):
                if branch in argument:
                    parse_steps(argument[branch], f"{where}, step {number}, {branch}")
    return steps


def step_name(step: object) -> str | None:
    """The one key of a step, if that is a step's name."""
    if not isinstance(step, dict) or len(step) != 1:
        return None
    name = next(iter(step))
    return name if name in STEP_NAMES else None
