"""What the real CLIs wrote, replayed: each situation gives exactly the events that its folder expects."""

import json
from pathlib import Path

import pytest

from idea.domain.replies import Announcement, Final, SpontaneousTurn
from tests.engines.transcripts import FOLDER, conversation_of, make_engine, replay, shown

SITUATIONS = sorted(path.parent for path in FOLDER.glob("*/*/output.jsonl"))


@pytest.mark.parametrize("folder", SITUATIONS, ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_a_recorded_situation_gives_the_expected_events(folder: Path) -> None:
    lines = (folder / "output.jsonl").read_text(encoding="utf-8").splitlines()
    engine = make_engine(folder.parent.name, conversation_of(folder))

    events = shown(list(replay(engine, lines)))

    assert json.loads(json.dumps(events)) == json.loads((folder / "expected.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("engine", ["claude", "codex"])
def test_the_conclusion_is_the_answer_and_the_preamble_is_not(engine: str) -> None:
    lines = (FOLDER / engine / "tools" / "output.jsonl").read_text(encoding="utf-8").splitlines()

    events = list(replay(make_engine(engine, None), lines))

    assert [event for event in events if isinstance(event, Final)] == [Final("CONCLUSION: QA is done.")]
    preamble = Announcement("PREAMBLE: I will look who is there.")
    assert next(event for event in events if isinstance(event, Announcement)) == preamble


def test_what_claude_does_by_itself_answers_nobody() -> None:
    lines = (FOLDER / "claude" / "woke-by-itself" / "output.jsonl").read_text(encoding="utf-8").splitlines()

    events = list(replay(make_engine("claude", None), lines))

    assert [event for event in events if isinstance(event, Final)] == [Final("It runs in the background.")]
    assert [event for event in events if isinstance(event, SpontaneousTurn)] == [SpontaneousTurn("I was woken.")]
    assert Announcement("I woke up.") not in events


def test_a_prompt_taken_up_in_a_turn_of_claudes_own_gets_that_turns_answer() -> None:
    lines = (FOLDER / "claude" / "joined-its-own-turn" / "output.jsonl").read_text(encoding="utf-8").splitlines()

    events = list(replay(make_engine("claude", None), lines))

    assert [event.text for event in events if isinstance(event, Final)] == ["It runs in the background.", "ours"]
    assert not any(isinstance(event, SpontaneousTurn) for event in events)
