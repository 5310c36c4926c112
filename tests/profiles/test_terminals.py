"""What the built-in profiles make of what real CLIs wrote: by every source together, and by the weaker ones alone."""

from dataclasses import replace

import pytest

from idea.adapters.patterns import matches
from idea.adapters.profiles import ProfileFiles
from idea.adapters.screen.ghostty import GhosttyScreens
from idea.domain.program_status import parse_program_status
from idea.domain.readiness import BeliefSource, ReadinessReason, ReadinessState
from idea.domain.sessions import TerminalSize
from idea.domain.terminal_belief import Signals, belief_of, last_words
from idea.domain.terminal_signs import TerminalSigns, last_rows
from tests.profiles.terminals import Mark, MarkedOutput, all_outputs

OUTPUTS = all_outputs()
MARKS = [
    pytest.param(output, mark, id=f"{output.name}-{number}-{mark.situation}")
    for output in OUTPUTS
    for number, mark in enumerate(output.marks)
]
PROFILES = ProfileFiles(user_dir=None)
MEANING = {
    "trust": (ReadinessState.WAITING_PERMISSION, ReadinessReason.TRUST_ASKED),
    "setup": (ReadinessState.WAITING_PERMISSION, ReadinessReason.SETUP_ASKED),
    "permission": (ReadinessState.WAITING_PERMISSION, ReadinessReason.PERMISSION_ASKED),
    "limited": (ReadinessState.RATE_LIMITED, ReadinessReason.LIMIT_REPORTED),
    "working": (ReadinessState.WORKING, ReadinessReason.AT_WORK),
    "idle": (ReadinessState.IDLE, ReadinessReason.AT_PROMPT),
}
SIZE = TerminalSize(80, 24)


def signs_of(output: MarkedOutput) -> TerminalSigns:
    return PROFILES.get(output.profile).signs


def signals_at(output: MarkedOutput, mark: Mark) -> Signals:
    screen = GhosttyScreens().create(SIZE)
    screen.feed(output.output[: mark.offset])
    return Signals(
        status=parse_program_status(screen.program_status()),
        title=screen.title(),
        screen=last_rows(screen.text(), screen.cursor_row(), signs_of(output).rows),
    )


@pytest.mark.parametrize(("output", "mark"), MARKS)
def test_a_cli_is_believed_to_be_at_what_it_is_at(output: MarkedOutput, mark: Mark) -> None:
    signals = signals_at(output, mark)

    belief = belief_of(signals, signs_of(output), matches)

    assert (belief.state, belief.reason) == MEANING[mark.situation], signals
    is_told = "status" in output.name and (signals.status is not None or mark.situation != "trust")
    assert (belief.source is BeliefSource.TERMINAL) == is_told


@pytest.mark.parametrize(("output", "mark"), MARKS)
def test_its_screen_alone_tells_as_much(output: MarkedOutput, mark: Mark) -> None:
    signals = replace(signals_at(output, mark), status=None, title="")

    belief = belief_of(signals, signs_of(output), matches)

    # Codex draws nothing by which its work could be told from a composer that waits.
    if (output.profile, mark.situation) != ("codex", "working"):
        assert (belief.state, belief.reason) == MEANING[mark.situation], signals.screen
        assert belief.source is BeliefSource.SCREEN


def test_claude_says_why_it_did_not_start() -> None:
    screen = " Enter to confirm\n\nClaude Code didn't start because this folder isn't trusted.\nRun claude again."

    assert last_words(screen, PROFILES.get("claude").signs, matches).endswith("isn't trusted.")
    assert last_words(screen, PROFILES.get("shell").signs, matches) == ""


def test_every_profile_with_a_face_of_its_own_is_recorded() -> None:
    assert {output.profile for output in OUTPUTS} == {"claude", "codex", "demo"}
    assert {mark.situation for output in OUTPUTS for mark in output.marks} == MEANING.keys()
