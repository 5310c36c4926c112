"""The demo engine: lines in, events out, one terminal event per prompt whatever the lines are."""

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import idea.demo
from idea.adapters.engines.demo import DemoEngine
from idea.adapters.profiles import ProfileFiles
from idea.application.ports import EngineLifetime
from idea.domain.ids import ConversationId, RequestId
from idea.domain.replies import (
    TERMINAL,
    Announcement,
    ConversationIdentified,
    Decision,
    EngineEvent,
    EngineReady,
    Failed,
    FailureKind,
    Final,
    Heartbeat,
    PermissionRequested,
    RateLimited,
    ResumeRefused,
    SpontaneousTurn,
    TextDelta,
    ToolActivity,
    ToolPhase,
    Unreadable,
    UsageReported,
)
from idea.domain.sessions import Exit

STARTED = {"type": "turn", "state": "started"}
CHOICES = (Decision.ALLOW_ONCE, Decision.ALLOW_SESSION, Decision.DENY)


def _feed(engine: DemoEngine, *lines: object) -> list[EngineEvent]:
    return [event for line in lines for event in engine.feed(json.dumps(line).encode())]


def _in_a_turn(*lines: object) -> list[EngineEvent]:
    engine = DemoEngine()
    engine.prompt("go", "m")
    return _feed(engine, STARTED, *lines)


@pytest.mark.parametrize(
    ("line", "event"),
    [
        ({"type": "delta", "text": "He"}, TextDelta("He")),
        ({"type": "message", "text": "I'll ask."}, Announcement("I'll ask.")),
        (
            {"type": "tool", "id": "t", "name": "Bash", "summary": "ls", "phase": "ended", "detail": "x"},
            ToolActivity("t", "Bash", "ls", ToolPhase.ENDED, "x"),
        ),
        ({"type": "heartbeat"}, Heartbeat()),
        (
            {"type": "permission", "id": "p", "tool": "Bash", "title": "Run", "detail": "rm"},
            PermissionRequested(RequestId("p"), "Bash", "Run", "rm", CHOICES),
        ),
        ({"type": "usage", "inputTokens": 3, "outputTokens": 4}, UsageReported(3, 4)),
        ({"type": "limit", "untilMs": 1_000}, RateLimited(datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC))),
        ({"type": "limit", "untilMs": None}, RateLimited(None)),
        ({"type": "result", "text": "Done."}, Final("Done.")),
        ({"type": "result", "text": ""}, Final("")),
        ({"type": "error", "kind": "engine", "message": "no"}, Failed(FailureKind.ENGINE, "no")),
        ({"type": "error", "kind": "interrupted", "message": "no"}, Failed(FailureKind.INTERRUPTED, "no")),
        ({"type": "spontaneous", "text": "Woke up."}, SpontaneousTurn("Woke up.")),
    ],
)
def test_each_line_is_one_event(line: object, event: EngineEvent) -> None:
    assert _in_a_turn(line) == [event]


def test_only_the_conclusion_is_the_answer() -> None:
    events = _in_a_turn(
        {"type": "message", "text": "I'll ask QA."},
        {"type": "delta", "text": "All "},
        {"type": "delta", "text": "green."},
        {"type": "result", "text": "All green."},
    )

    assert [event for event in events if isinstance(event, TERMINAL)] == [Final("All green.")]


def test_a_limit_is_told_before_the_failure_even_if_the_agent_forgets_to() -> None:
    limit, failure = {"type": "limit", "untilMs": None}, {"type": "error", "kind": "limited", "message": "wait"}
    expected = [RateLimited(None), Failed(FailureKind.LIMITED, "wait")]

    assert _in_a_turn(limit, failure) == expected
    assert _in_a_turn(failure) == expected


@pytest.mark.parametrize("line", [{"type": "result"}, {"type": "result", "text": 3}, {"type": "error"}])
def test_a_broken_last_line_still_ends_the_turn(line: object) -> None:
    (event,) = _in_a_turn(line)

    assert isinstance(event, Failed)
    assert event.kind is FailureKind.ENGINE


def test_the_session_is_ready_and_names_its_conversation() -> None:
    engine = DemoEngine()

    assert engine.lifetime is EngineLifetime.SESSION
    assert engine.opened() == b""
    assert _feed(engine, {"type": "ready", "conversation": "c-1"}) == [
        ConversationIdentified(ConversationId("c-1")),
        EngineReady(),
    ]


def test_a_refused_resume_says_which_conversation() -> None:
    engine = DemoEngine(conversation=ConversationId("c-9"))
    refusal = {"type": "error", "kind": "resume", "message": "No conversation found"}

    assert _feed(engine, refusal) == [ResumeRefused(ConversationId("c-9"), "No conversation found")]


def test_what_comes_between_turns_belongs_to_nobody() -> None:
    engine = DemoEngine()
    engine.prompt("one", "m")
    _feed(engine, STARTED, {"type": "result", "text": "one"})
    late = [{"type": "delta", "text": "x"}, {"type": "message", "text": "x"}, {"type": "result", "text": "again"}]

    assert _feed(engine, *late) == []
    engine.prompt("two", "m")
    assert _feed(engine, *late) == []
    assert _feed(engine, STARTED, {"type": "result", "text": "two"}) == [Final("two")]


def test_a_turn_that_nobody_prompted_is_never_an_answer() -> None:
    assert _feed(DemoEngine(), STARTED, {"type": "result", "text": "x"}) == []


def test_death_ends_the_open_turn_once_and_says_what_stderr_said() -> None:
    engine = DemoEngine()
    engine.prompt("go", "m")
    _feed(engine, STARTED)

    (event,) = engine.closed(Exit(code=None, signal=9), "Traceback\nboom\n")
    assert isinstance(event, Failed)
    assert event.kind is FailureKind.DIED
    assert "signal 9" in event.reason
    assert "boom" in event.reason
    assert engine.closed(Exit(code=None, signal=9), "") == []
    assert _feed(engine, {"type": "result", "text": "late"}) == []


def test_a_permission_is_answered_once_and_only_while_its_turn_runs() -> None:
    engine = DemoEngine()
    engine.prompt("go", "m")
    asked = [{"type": "permission", "id": name, "tool": "B", "title": "t", "detail": "d"} for name in ("p", "q")]
    _feed(engine, STARTED, *asked)

    assert json.loads(engine.answer("p", Decision.ALLOW_SESSION)) == {
        "type": "permission",
        "id": "p",
        "decision": "allowSession",
    }
    assert engine.answer("p", Decision.DENY) == b""
    assert engine.answer("unknown", Decision.DENY) == b""
    _feed(engine, {"type": "result", "text": ""})
    assert engine.answer("q", Decision.ALLOW_ONCE) == b""


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"no json",
        b"\xff\xfe",
        b"[1]",
        b"null",
        b'{"type":"delta"}',
        b'{"type":"tool","id":"t","name":"n","summary":"s","phase":"no phase"}',
        b'{"type":"limit","untilMs":1e999}',
        b'{"type":"limit","untilMs":99999999999999999999}',
        b'{"type":["delta"]}',
        b'{"type":"unknown"}',
        b"[" * 100_000,
    ],
)
def test_garbage_is_unreadable_and_harmless(line: bytes) -> None:
    engine = DemoEngine()
    engine.prompt("go", "m")
    _feed(engine, STARTED)

    (event,) = engine.feed(line)
    assert isinstance(event, Unreadable)
    assert _feed(engine, {"type": "result", "text": "fine"}) == [Final("fine")]


LINES = st.sampled_from(
    [
        STARTED,
        {"type": "ready", "conversation": "c"},
        {"type": "delta", "text": "x"},
        {"type": "message", "text": "x"},
        {"type": "permission", "id": "p", "tool": "t", "title": "t", "detail": "d"},
        {"type": "limit", "untilMs": 5},
        {"type": "result", "text": "x"},
        {"type": "result"},
        {"type": "error", "kind": "interrupted", "message": "x"},
        {"type": "error", "kind": "limited"},
        {"type": "error", "kind": "resume", "message": "x"},
        {"type": "spontaneous", "text": "x"},
        3,
    ]
)


@given(st.lists(st.one_of(LINES, st.just("prompt")), max_size=40))
def test_any_lines_give_at_most_one_terminal_event_per_prompt_and_death_gives_the_rest(steps: list[object]) -> None:
    engine = DemoEngine()
    prompts, ended = 0, 0
    for step in steps:
        if step == "prompt":
            engine.prompt("go", "m")
            prompts += 1
        else:
            ended += sum(isinstance(event, TERMINAL) for event in _feed(engine, step))
        assert ended <= prompts
    ended += len(engine.closed(Exit(code=0, signal=None), ""))

    assert ended == prompts


@given(st.binary(max_size=80))
def test_any_bytes_are_survived(line: bytes) -> None:
    engine = DemoEngine()
    engine.prompt("go", "m")
    engine.feed(line)

    assert len(engine.closed(Exit(code=0, signal=None), "")) == 1


@pytest.mark.slow
def test_a_real_agent_is_understood() -> None:
    engine = DemoEngine()
    written = engine.opened() + engine.prompt("hello", "m") + engine.prompt("crash", "m")
    agent = str(Path(idea.demo.__file__).parent / "agent.py")
    process = subprocess.run(
        [sys.executable, "-I", "-S", agent, "--agent", "someone", "--name", "Ada"],
        input=written,
        capture_output=True,
        env={"IDEA_DEMO_PACE": "0"},
        timeout=20,  # two interpreters may have to wait for one of two busy cores
        check=False,
    )
    events = [event for line in process.stdout.splitlines() for event in engine.feed(line)]
    events += engine.closed(Exit(code=None, signal=-process.returncode), process.stderr.decode())

    assert isinstance(events[1], EngineReady)
    assert not any(isinstance(event, Unreadable) for event in events)
    final, died = [event for event in events if isinstance(event, TERMINAL)]
    assert isinstance(final, Final)
    assert "Ada" in final.text
    assert isinstance(died, Failed)
    assert died.kind is FailureKind.DIED


def test_the_built_in_profile_starts_this_agent() -> None:
    profile = ProfileFiles(user_dir=None).get("demo")

    assert profile.engine == "demo"
    for face in (profile.structured, profile.terminal):
        assert face is not None
        assert Path(face.args[2]) == Path(idea.demo.__file__).parent / "agent.py"
        assert face.resume_args
        assert len(face.permission_args) == 4
