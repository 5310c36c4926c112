"""Whatever a CLI writes, cut and mixed: an engine never raises, and each prompt ends exactly once."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idea.domain.ids import ConversationId
from idea.domain.replies import TERMINAL, Decision, PermissionRequested, Unreadable
from idea.domain.sessions import Exit
from tests.engines.transcripts import FOLDER, make_engine

Step = tuple[str, bytes]


def recorded(engine: str) -> list[dict[str, Any]]:
    files = sorted((FOLDER / engine).glob("*/output.jsonl"))
    lines = [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return [line for line in lines if "idea" not in line]


RECORDED = {engine: recorded(engine) for engine in ("claude", "codex")}
NONSENSE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@st.composite
def lines(draw: st.DrawFn, engine: str) -> bytes:
    """A recorded line: as it was, with a value somewhere replaced or missing, cut, or no line of theirs at all."""
    line = json.loads(json.dumps(draw(st.sampled_from(RECORDED[engine]))))
    match draw(st.sampled_from(["whole", "mutated", "cut", "bytes"])):
        case "mutated":
            _mutate(draw, line)
        case "cut":
            data = json.dumps(line).encode()
            return data[: draw(st.integers(0, len(data)))]
        case "bytes":
            return draw(st.binary(max_size=20))
    return json.dumps(line).encode()


def _mutate(draw: st.DrawFn, line: dict[str, Any]) -> None:
    """Walks in at random and spoils what it finds there."""
    place: Any = line
    while True:
        keys: Sequence[Any] = list(place) if isinstance(place, dict) else range(len(place))
        if not keys:
            return
        key = draw(st.sampled_from(keys))
        inner = place[key]
        if isinstance(inner, dict | list) and inner and draw(st.booleans()):
            place = inner
            continue
        if draw(st.booleans()):
            del place[key]
        else:
            place[key] = draw(NONSENSE)
        return


def steps(engine: str) -> st.SearchStrategy[list[Step]]:
    """Output, and in between what the session runner does."""
    act = st.sampled_from([("prompt", b""), ("interrupt", b""), ("answer", b"")])
    return st.lists(lines(engine).map(lambda line: ("line", line)) | act, max_size=40)


@pytest.mark.parametrize("engine", ["claude", "codex"])
@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_every_prompt_ends_exactly_once_whatever_is_read(engine: str, data: st.DataObject) -> None:
    speaking = make_engine(engine, ConversationId("c"))
    prompts = ends = 0
    asked = "nothing"
    for kind, line in data.draw(steps(engine)):
        match kind:
            case "prompt" if prompts == ends:
                speaking.prompt("hello", "m")
                prompts += 1
            case "interrupt":
                speaking.interrupt()
            case "answer":
                speaking.answer(asked, Decision.ALLOW_SESSION)
            case "line":
                events = speaking.feed(line)
                ends += sum(isinstance(event, TERMINAL) for event in events)
                asked = next((event.request_id for event in events if isinstance(event, PermissionRequested)), asked)
        assert ends <= prompts

    ends += sum(isinstance(event, TERMINAL) for event in speaking.closed(Exit(1, None), "No conversation found"))

    assert ends == prompts
    assert not any(isinstance(event, TERMINAL) for event in speaking.closed(Exit(1, None), ""))


@pytest.mark.parametrize("engine", ["claude", "codex"])
@pytest.mark.parametrize("line", [b"not json", b"[1]", b"null", b'{"no": "type"}', b"\xff\xfe", b"[" * 100_000])
def test_a_line_that_is_no_event_is_reported_and_does_no_harm(engine: str, line: bytes) -> None:
    [event] = make_engine(engine, None).feed(line)

    assert isinstance(event, Unreadable)
    assert event.reason


@pytest.mark.parametrize("engine", ["claude", "codex"])
@pytest.mark.parametrize("line", [b"", b"  ", b'{"type": "something_newer", "payload": [1, 2]}'])
def test_a_line_that_needs_no_attention_gives_nothing(engine: str, line: bytes) -> None:
    assert list(make_engine(engine, None).feed(line)) == []
