"""What each step of a script does. A step waits only through its turn, so that an interrupt ends it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence

from idea.demo.mcp_client import CallResult
from idea.demo.script import Step, fill
from idea.demo.session import Answered, Session, TurnFailed
from idea.demo.team import describe_team
from idea.demo.turns import Interrupted, Turn

STREAM_DELAY_MS = 9.0
"""Between two pieces of streamed text, before the pace: about the speed at which CLIs write."""
_PIECES = re.compile(r"\s*\S+\s*")


class Stage:
    """One turn's steps at work: the session, the turn, and the values that texts may name."""

    def __init__(self, session: Session, turn: Turn, values: dict[str, str]) -> None:
        self.session = session
        self.turn = turn
        self.values = values

    def text(self, argument: object, key: str, default: str = "") -> str:
        """The step's text with values filled in; a step may be just its text."""
        if isinstance(argument, dict):
            argument = argument.get(key, default)
        return fill(str(argument), self.values) if isinstance(argument, str | int | float) else default

    def number(self, argument: object, key: str, default: float = 0.0) -> float:
        """A number, or a text that becomes one when filled; anything else is the default."""
        try:
            return float(self.text(argument, key))
        except ValueError:
            return default

    def sleep(self, seconds: float) -> None:
        self.turn.sleep(seconds * self.session.options.pace)

    def keep(self, argument: object, default: str, value: str) -> None:
        self.values[self.text(argument, "as", default) if isinstance(argument, dict) else default] = value

    def branch(self, argument: object, key: str) -> None:
        """Run the steps that the step has under `key`, if any."""
        if isinstance(argument, dict) and isinstance(argument.get(key), list):
            run_steps(argument[key], self)


def run_steps(steps: Sequence[Step], stage: Stage) -> None:
    """Raises `Answered`, `TurnFailed`, `Interrupted`; returns when the steps are at their end."""
    for step in steps:
        for name, argument in step.items():
            STEPS[name](stage, argument)


# --- words ----------------------------------------------------------------------------------------------------


def _say(stage: Stage, argument: object) -> None:
    stage.session.emit("message", text=stage.text(argument, "text"))


def _stream(stage: Stage, argument: object) -> None:
    text = stage.text(argument, "text")
    delay_s = stage.number(argument, "delay_ms", STREAM_DELAY_MS) / 1000
    for piece in _PIECES.findall(text) or [text]:
        stage.session.emit("delta", text=piece)
        stage.sleep(delay_s)


def _answer(stage: Stage, argument: object) -> None:
    if isinstance(argument, dict) and argument.get("stream"):
        _stream(stage, argument)
    raise Answered(stage.text(argument, "text"))


def _spontaneous(stage: Stage, argument: object) -> None:
    text = stage.text(argument, "text")
    seconds = stage.number(argument, "seconds") * stage.session.options.pace
    if seconds:
        stage.session.later(seconds, "spontaneous", text=text)
    else:
        stage.session.emit("spontaneous", text=text)


# --- other agents and tools -----------------------------------------------------------------------------------


def _ask(stage: Stage, argument: object) -> None:
    agent, message = stage.text(argument, "agent"), stage.text(argument, "message")
    arguments: dict[str, object] = {"agent": agent, "message": message}
    if seconds := stage.number(argument, "timeout_s"):
        arguments["timeoutSeconds"] = seconds
    result = _call(stage, "idea_ask_agent", arguments, f"{agent}: {message}")
    reply = result.structured.get("reply")
    _settle(stage, argument, "reply", reply if isinstance(reply, str) else result.text, result)


def _list(stage: Stage, argument: object) -> None:
    result = _call(stage, "idea_list_agents", {}, "List the team")
    team = None if result.is_error else describe_team(result.structured)
    _settle(stage, argument, "agents", result.text if team is None else team, result)


def _call_tool(stage: Stage, argument: object) -> None:
    given = argument.get("arguments", {}) if isinstance(argument, dict) else {}
    arguments = {key: fill(value, stage.values) if isinstance(value, str) else value for key, value in given.items()}
    name = stage.text(argument, "name")
    result = _call(stage, name, arguments, stage.text(argument, "summary", name))
    _settle(stage, argument, "result", result.text, result)


def _tools(stage: Stage, argument: object) -> None:
    mcp = stage.session.mcp
    stage.keep(argument, "tools", ", ".join(mcp.tools) if mcp else "")


def _settle(stage: Stage, argument: object, default: str, value: str, result: CallResult) -> None:
    """Keep what came; after an error the value is what went wrong, and the `failed` steps run."""
    stage.keep(argument, default, result.trouble if result.is_error else value)
    if result.is_error:
        stage.values["error"] = result.trouble
        stage.branch(argument, "failed")


def _call(stage: Stage, tool: str, arguments: dict[str, object], summary: str) -> CallResult:
    session = stage.session
    shown: Mapping[str, object] = {"id": session.next_id("tool"), "name": tool, "summary": summary}
    session.emit("tool", **shown, phase="started", detail="")
    if session.mcp is None:
        result = CallResult("This agent was started without an MCP server.", {}, is_error=True)
    else:
        try:
            result = session.mcp.call(tool, arguments, stage.turn, lambda: session.emit("heartbeat"))
        except Interrupted:
            session.emit("tool", **shown, phase="failed", detail="interrupted")
            raise
    session.emit("tool", **shown, phase="failed" if result.is_error else "ended", detail=result.text)
    return result


def _tool(stage: Stage, argument: object) -> None:
    session = stage.session
    shown: Mapping[str, object] = {
        "id": session.next_id("tool"),
        "name": stage.text(argument, "name", "Bash"),
        "summary": stage.text(argument, "summary"),
    }
    session.emit("tool", **shown, phase="started", detail="")
    try:
        stage.sleep(stage.number(argument, "seconds"))
    except Interrupted:
        session.emit("tool", **shown, phase="failed", detail="interrupted")
        raise
    phase = "failed" if isinstance(argument, dict) and argument.get("is_error") else "ended"
    session.emit("tool", **shown, phase=phase, detail=stage.text(argument, "detail"))


def _permission(stage: Stage, argument: object) -> None:
    session = stage.session
    tool, title = stage.text(argument, "tool", "Bash"), stage.text(argument, "title")
    mode = session.options.permissions
    if mode == "full" or (mode == "edit" and tool == "Edit") or title in session.allowed:
        decision = "allowOnce"
    elif mode == "plan":
        decision = "deny"
    else:
        decision = _ask_person(stage, tool=tool, title=title, detail=stage.text(argument, "detail"))
    if decision == "allowSession":
        session.allowed.add(title)
    stage.branch(argument, "allowed" if decision in ("allowOnce", "allowSession") else "denied")


def _ask_person(stage: Stage, *, tool: str, title: str, detail: str) -> str:
    request = stage.session.next_id("permission")
    stage.session.emit("permission", id=request, tool=tool, title=title, detail=detail)
    note = stage.turn.receive(request, needs_person=True)
    return str(note[2]) if note else "deny"


# --- trouble --------------------------------------------------------------------------------------------------


def _wait(stage: Stage, argument: object) -> None:
    stage.sleep(stage.number(argument, "seconds", 1.0))


def _hang(stage: Stage, _argument: object) -> None:
    stage.turn.hang()


def _flood(stage: Stage, argument: object) -> None:
    width = max(1, int(stage.number(argument, "bytes", 80)))
    for number in range(int(stage.number(argument, "lines", 1000))):
        stage.session.emit("delta", text=f"{number:>8} ".ljust(width, "·")[: width - 1] + "\n")
        # Every line, since a flood that cannot be interrupted is a hang.
        stage.turn.sleep(0)


def _limit(stage: Stage, argument: object) -> None:
    """Not scaled by the pace: the time is a promise to the reader of the line."""
    seconds = stage.number(argument, "seconds")
    until_ms = int((time.time() + seconds) * 1000) if seconds else None
    stage.session.limited_until_ms = until_ms
    raise stage.session.refuse(until_ms)


def _fail(stage: Stage, argument: object) -> None:
    raise TurnFailed("engine", stage.text(argument, "message", "The model could not be reached."))


def _exit(stage: Stage, argument: object) -> None:
    stage.session.end(int(stage.number(argument, "code")))


def _crash(_stage: Stage, _argument: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _spawn_grandchild(stage: Stage, argument: object) -> None:
    """A child that inherits our stdout and outlives us, in a session of its own if `detached`."""
    seconds = stage.number(argument, "seconds", 60.0)
    child = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", f"import time; time.sleep({seconds})"],
        stdin=subprocess.DEVNULL,
        start_new_session=isinstance(argument, dict) and bool(argument.get("detached")),
    )
    stage.values["pid"] = str(child.pid)


def _stderr(stage: Stage, argument: object) -> None:
    left = int(stage.number(argument, "bytes", 80))
    line = b"a warning that nobody asked for, again and again and again and again and again\n"
    while left > 0:
        left -= os.write(2, line[:left])


def _garbage(stage: Stage, argument: object) -> None:
    stage.session.emit("garbage", line=stage.text(argument, "text", '\x1b[31m{"type": not json'))


def _usage(stage: Stage, _argument: object) -> None:
    stage.session.report_usage(stage.turn.prompt)


def _heartbeat(stage: Stage, _argument: object) -> None:
    stage.session.emit("heartbeat")


def _show(kind: str) -> Callable[[Stage, object], None]:
    return lambda stage, _argument: stage.session.emit(kind)


STEPS: Mapping[str, Callable[[Stage, object], None]] = {
    "say": _say,
    "stream": _stream,
    "answer": _answer,
    "spontaneous": _spontaneous,
    "ask": _ask,
    "list": _list,
    "call": _call_tool,
    "tools": _tools,
    "tool": _tool,
    "permission": _permission,
    "wait": _wait,
    "hang": _hang,
    "flood": _flood,
    "limit": _limit,
    "fail": _fail,
    "exit": _exit,
    "crash": _crash,
    "spawn_grandchild": _spawn_grandchild,
    "stderr": _stderr,
    "garbage": _garbage,
    "usage": _usage,
    "heartbeat": _heartbeat,
    "colors": _show("colors"),
    "size": _show("size"),
}
