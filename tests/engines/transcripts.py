"""Recorded output of real CLIs: how a transcript is stored, replayed through an engine, and shown as plain values.

`output.jsonl` holds the CLI's lines as they came, and between them what we did: objects with a key `idea`.
"""

import itertools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

from idea.adapters.engines.claude import ClaudeEngine
from idea.adapters.engines.codex import CodexExecEngine
from idea.application.ports import Engine
from idea.domain.ids import ConversationId
from idea.domain.replies import Decision, EngineEvent, Heartbeat, TextDelta
from idea.domain.sessions import Exit

FOLDER = Path(__file__).parents[1] / "transcripts"


def new_ids() -> Callable[[], str]:
    """The ids of our messages in every transcript: counted, so that a replay makes the same."""
    numbers = itertools.count(1)
    return lambda: f"00000000-0000-4000-8000-{next(numbers):012}"


CONVERSATION = ConversationId("0b5d2c1e-6f0a-4a53-9d1c-0d9a5a3f7c11")
"""What we chose for Claude's."""
UNKNOWN = ConversationId("00000000-0000-4000-8000-000000000000")
"""A conversation that no CLI has."""


def conversation_of(folder: Path) -> ConversationId | None:
    """What the session of a situation was started with."""
    if folder.parent.name == "claude":
        return CONVERSATION
    return UNKNOWN if folder.name == "resume-refused" else None


def make_engine(name: str, conversation: ConversationId | None) -> Engine:
    if name == "claude":
        return ClaudeEngine(conversation=conversation, new_id=new_ids())
    return CodexExecEngine(conversation=conversation)


def replay(engine: Engine, lines: Sequence[str]) -> Iterator[EngineEvent]:
    # As they were given when it was recorded: one for each message and each interrupt.
    new_id = new_ids()
    for line in lines:
        said = json.loads(line)
        match said.get("idea"):
            case None:
                yield from engine.feed(line.encode())
            case "prompt":
                engine.prompt(said["text"], new_id())
            case "interrupt":
                new_id()
                engine.interrupt()
            case "answer":
                engine.answer(said["request"], Decision(said["decision"]))
            case "closed":
                yield from engine.closed(Exit(said["code"], said["signal"]), said["stderr"])


def shown(events: Sequence[EngineEvent]) -> list[Mapping[str, object]]:
    """As `expected.json` has them: streamed pieces joined, signs of life only where they say something."""
    kept = [event for event in events if event != Heartbeat()]
    joined: list[EngineEvent] = []
    for event in kept:
        if isinstance(event, TextDelta) and joined and isinstance(joined[-1], TextDelta):
            joined[-1] = TextDelta(joined[-1].text + event.text)
        else:
            joined.append(event)
    return [{"event": type(event).__name__, **_plain(asdict(event))} for event in joined]


def _plain(fields: Mapping[str, object]) -> dict[str, object]:
    return {key: value.isoformat() if isinstance(value, datetime) else value for key, value in fields.items()}
