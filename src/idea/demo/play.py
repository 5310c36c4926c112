"""How a turn is played: find the steps for the prompt, run them, and end with exactly one `result` or `error` line."""

from __future__ import annotations

import time

from idea.demo.script import unwrap
from idea.demo.session import Answered, Session, TurnFailed
from idea.demo.steps import Stage, run_steps
from idea.demo.turns import Interrupted, Turn


def play(session: Session, turn: Turn) -> None:
    """Never raises."""
    body, requester = unwrap(turn.prompt)
    session.memory.add("prompt", body)
    session.begin_turn()
    answer = ""
    try:
        _refuse_while_limited(session)
        steps, groups = session.script.find(session.options.agent, body)
        run_steps(steps, Stage(session, turn, {**_values(session, body, requester), **groups}))
    except Answered as answered:
        answer = str(answered)
    except Interrupted:
        session.emit("error", kind="interrupted", message="The turn was interrupted.")
        return
    except TurnFailed as failed:
        session.emit("error", kind=failed.kind, message=str(failed))
        return
    except Exception as error:  # noqa: BLE001 one bad step of a script must not end the agent
        session.emit("error", kind="engine", message=f"The script failed: {error!r}")
        return
    session.memory.add("answer", answer)
    session.report_usage(body, answer)
    session.emit("result", text=answer)


def _refuse_while_limited(session: Session) -> None:
    """Like a real limit, ours holds until its time, however often one asks."""
    until_ms = session.limited_until_ms
    if until_ms is not None and time.time() * 1000 < until_ms:
        raise session.refuse(until_ms)
    session.limited_until_ms = None


def _values(session: Session, body: str, requester: str) -> dict[str, str]:
    """What every text may name, beside the groups of its rule's match and the results of earlier steps."""
    return {
        "prompt": body,
        "agent": session.options.agent,
        "name": session.options.name,
        "model": session.options.model,
        "requester": requester,
        "conversation": session.memory.conversation,
        "first": session.memory.first_prompt,
        "turns": str(sum(role == "prompt" for role, _ in session.memory.entries)),
        "instructions": _read(session.options.context),
    }


def _read(path: str) -> str:
    if not path:
        return ""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().strip()
    except (OSError, ValueError):
        return ""
