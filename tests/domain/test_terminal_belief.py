"""What is believed of a terminal: which source counts, what outdoes an idle one, what silence means."""

import re
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idea.adapters.patterns import UnusablePattern, check_pattern, matches
from idea.domain.activity import BUSY_S, ECHO_S, QUIET_S, Activity
from idea.domain.program_status import ProgramState, ProgramStatus
from idea.domain.readiness import BeliefSource, Readiness, ReadinessReason, ReadinessState
from idea.domain.terminal_belief import Belief, Output, Signals, belief_of, shows_start
from idea.domain.terminal_signs import HookWord, Sign, TerminalSigns, last_rows

SIGNS = TerminalSigns(
    title={Sign.WORKING: ("^◐ ",), Sign.IDLE: ("^✳ ",)},
    screen={sign: (f"^<{sign}>",) for sign in Sign},
)
IDLE_STATUS = ProgramStatus(ProgramState.IDLE)

statuses = st.none() | st.builds(
    ProgramStatus, st.sampled_from(ProgramState), kind=st.sampled_from(["", "permission", "choice"]), message=st.text()
)
hooks = st.none() | st.builds(HookWord, st.sampled_from(Sign), st.text())
titles = st.sampled_from(["", "◐ Ada", "✳ Ada", "Ada"])
screens = st.lists(st.sampled_from([*(f"<{sign}> words" for sign in Sign), "words"])).map("\n".join)
signals = st.builds(
    Signals,
    status=statuses,
    hook=hooks,
    title=titles,
    is_title_newer=st.booleans(),
    screen=screens,
    output=st.sampled_from(Output),
    is_silent=st.booleans(),
    has_spoken=st.booleans(),
    has_shown_prompt=st.booleans(),
)


def believe(signals: Signals, signs: TerminalSigns = SIGNS) -> Belief:
    return belief_of(signals, signs, matches)


def state_and_source(signals: Signals) -> tuple[ReadinessState, BeliefSource]:
    belief = believe(signals)
    return belief.state, belief.source


@given(signals)
def test_there_is_always_one_belief_and_the_same_for_the_same_signs(signals: Signals) -> None:
    belief = believe(signals)

    assert belief == believe(signals)
    assert belief.state not in (ReadinessState.EXITED, ReadinessState.RESTARTING)
    assert len(belief.detail) <= 300


@given(signals)
def test_what_the_program_itself_says_of_work_and_questions_nothing_outdoes(signals: Signals) -> None:
    says = signals.status is not None and signals.status.state in (ProgramState.WORKING, ProgramState.BLOCKED)
    loud = replace(signals, status=signals.status if says else ProgramStatus(ProgramState.BLOCKED), is_silent=False)

    assert believe(loud).source is BeliefSource.TERMINAL


@given(signals)
def test_an_idle_program_is_outdone_only_by_what_it_has_no_word_for(signals: Signals) -> None:
    belief = believe(replace(signals, status=IDLE_STATUS))

    if belief.source is not BeliefSource.TERMINAL:
        assert belief.reason in (
            ReadinessReason.TRUST_ASKED,
            ReadinessReason.SETUP_ASKED,
            ReadinessReason.LIMIT_REPORTED,
        )


@given(signals)
def test_only_work_without_output_is_a_stall(signals: Signals) -> None:
    belief, loud = believe(replace(signals, is_silent=True)), believe(replace(signals, is_silent=False))

    if belief != loud:
        assert (belief.state, belief.reason) == (ReadinessState.STALLED, ReadinessReason.SILENT)
        assert loud.state in (ReadinessState.WORKING, ReadinessState.STARTING)


def test_each_source_counts_where_none_above_it_speaks() -> None:
    everything = Signals(
        status=ProgramStatus(ProgramState.BLOCKED, kind="permission", message="run it"),
        hook=HookWord(Sign.WORKING),
        title="◐ Ada",
        screen="<working>",
        output=Output.QUIET,
    )
    assert believe(everything) == Belief(
        ReadinessState.WAITING_PERMISSION, ReadinessReason.PERMISSION_ASKED, BeliefSource.TERMINAL, "run it"
    )
    hushed = replace(everything, status=ProgramStatus(ProgramState.CLEAR))
    assert state_and_source(hushed) == (ReadinessState.WORKING, BeliefSource.HOOK)
    no_hook = replace(hushed, hook=None)
    assert state_and_source(no_hook) == (ReadinessState.WORKING, BeliefSource.TITLE)
    no_title = replace(no_hook, title="Ada")
    assert state_and_source(no_title) == (ReadinessState.WORKING, BeliefSource.SCREEN)
    assert state_and_source(replace(no_title, screen="words")) == (ReadinessState.IDLE, BeliefSource.ACTIVITY)


def test_what_a_blocked_program_asks_is_seen_on_the_screen() -> None:
    blocked = Signals(status=ProgramStatus(ProgramState.BLOCKED, kind="permission", message="trust this folder"))

    assert believe(replace(blocked, screen="<trust>")) == Belief(
        ReadinessState.WAITING_PERMISSION, ReadinessReason.TRUST_ASKED, BeliefSource.TERMINAL, "trust this folder"
    )


def test_a_dialog_before_the_program_says_anything_is_told_by_the_screen() -> None:
    belief = believe(Signals(screen="some words\n<trust> this folder?\n", output=Output.QUIET))

    assert belief == Belief(
        ReadinessState.WAITING_PERMISSION, ReadinessReason.TRUST_ASKED, BeliefSource.SCREEN, "<trust> this folder?"
    )


def test_a_question_looks_idle_in_the_title_and_is_seen_on_the_screen() -> None:
    assert state_and_source(Signals(title="✳ Ada", screen="<permission>")) == (
        ReadinessState.WAITING_PERMISSION,
        BeliefSource.SCREEN,
    )


def test_a_text_that_looks_like_a_question_does_not_outdo_a_program_that_would_say_so() -> None:
    assert state_and_source(Signals(status=IDLE_STATUS, screen="<permission>")) == (
        ReadinessState.IDLE,
        BeliefSource.TERMINAL,
    )


def test_a_limit_that_a_hook_tells_outdoes_an_idle_status() -> None:
    limited = Signals(status=IDLE_STATUS, hook=HookWord(Sign.LIMITED, "rate_limit"))

    assert believe(limited) == Belief(
        ReadinessState.RATE_LIMITED, ReadinessReason.LIMIT_REPORTED, BeliefSource.HOOK, "rate_limit"
    )


def test_a_question_that_a_hook_told_of_is_over_when_the_title_turns() -> None:
    asked = Signals(hook=HookWord(Sign.PERMISSION), title="✳ Ada", is_title_newer=True)

    assert state_and_source(asked) == (ReadinessState.WAITING_PERMISSION, BeliefSource.HOOK)
    assert state_and_source(replace(asked, title="◐ Ada")) == (ReadinessState.WORKING, BeliefSource.TITLE)


def test_a_shell_works_while_its_prompt_is_gone_once_it_has_been_seen() -> None:
    running = Signals(screen="$ sleep 100\n", output=Output.QUIET)

    assert state_and_source(running) == (ReadinessState.IDLE, BeliefSource.ACTIVITY)
    seen = believe(replace(running, has_shown_prompt=True))
    assert (seen.state, seen.reason) == (ReadinessState.WORKING, ReadinessReason.PROMPT_GONE)


def test_output_alone_tells_of_a_program_that_has_started() -> None:
    noisy = Signals(output=Output.BUSY)

    assert believe(noisy).state is ReadinessState.STARTING
    assert believe(replace(noisy, has_spoken=True)).reason is ReadinessReason.OUTPUT_SEEN
    assert believe(noisy, TerminalSigns()).reason is ReadinessReason.OUTPUT_SEEN
    assert believe(Signals(), TerminalSigns()).reason is ReadinessReason.READY


def test_only_the_last_rows_of_the_screen_are_looked_at() -> None:
    assert last_rows("one\ntwo\nthree\n\n", 1, 2) == "two\nthree"
    # The cursor has gone on to a row of its own: what stands above it is no prompt any more.
    assert last_rows("$ make", 1, 5) == "$ make\n"
    assert last_rows("x" * 1_000, 0, 1) == "x" * 400


@given(st.text(), st.integers(0, 300), st.integers(1, 60))
def test_what_is_looked_at_is_bounded(text: str, cursor_row: int, rows: int) -> None:
    seen = last_rows(text, cursor_row, rows)

    assert len(seen) <= rows * 401
    assert seen.count("\n") < rows


def test_keys_and_their_echo_are_no_work() -> None:
    activity = Activity()
    for number in range(100):
        activity = activity.typed(number * 0.2).wrote(number * 0.2 + ECHO_S / 2)

    assert not activity.is_busy(20.0)
    assert activity.is_quiet(21.0 + QUIET_S)


def test_output_that_goes_on_is_work_until_it_has_ended() -> None:
    activity = Activity().wrote(10.0)
    assert not activity.is_busy(10.1)

    activity = activity.wrote(10.0 + BUSY_S)

    assert activity.is_busy(10.0 + BUSY_S)
    assert not activity.is_busy(10.0 + BUSY_S + QUIET_S)
    assert activity.is_silent(100.0, for_s=60.0)


@given(st.from_regex(re.compile(r"[a-c(|)*+?]{0,12}"), fullmatch=True))
def test_no_pattern_that_can_be_read_takes_long(pattern: str) -> None:
    with suppress(UnusablePattern):
        check_pattern(pattern)
        # With an engine that goes back, patterns like (a*)*c would not end here.
        matches(pattern, "a" * 24_000)


AT_PROMPT = (ReadinessState.IDLE, ReadinessReason.AT_PROMPT)
AT_WORK = (ReadinessState.WORKING, ReadinessReason.AT_WORK)
HIDDEN = (ReadinessState.WORKING, ReadinessReason.PROMPT_GONE)
ASKS = (ReadinessState.WAITING_PERMISSION, ReadinessReason.PERMISSION_ASKED)
FAILED = (ReadinessState.IDLE, ReadinessReason.TURN_FAILED)
Said = tuple[ReadinessState, ReadinessReason]


@pytest.mark.parametrize(
    ("before", "now", "is_start"),
    [
        (AT_PROMPT, AT_WORK, True),
        (AT_PROMPT, ASKS, True),
        (AT_PROMPT, HIDDEN, True),
        (AT_PROMPT, FAILED, True),
        (HIDDEN, AT_WORK, True),
        (HIDDEN, AT_PROMPT, True),
        (FAILED, AT_PROMPT, False),
        (AT_PROMPT, AT_PROMPT, False),
        (HIDDEN, HIDDEN, False),
        (AT_PROMPT, (ReadinessState.STARTING, ReadinessReason.LAUNCHING), False),
    ],
)
def test_a_start_is_shown_by_what_changes_from_the_enter_on(before: Said, now: Said, *, is_start: bool) -> None:
    def believed(said: Said, source: BeliefSource) -> Readiness:
        return Readiness(*said, source, datetime(2026, 1, 1, tzinfo=UTC))

    for source in BeliefSource:
        is_telling = source not in (BeliefSource.ACTIVITY, BeliefSource.KEEPER)
        assert shows_start(believed(before, BeliefSource.SCREEN), believed(now, source)) is (is_start and is_telling)
