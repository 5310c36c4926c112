"""From the signs in a terminal to what its agent is at. Pure: the same signs give the same belief.

The order of trust: what the program says of itself (OSC 7501), its hooks, its title, its screen, its output. The first
that says anything counts; one that takes the program for idle is outdone only by what it has no word for.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, assert_never

from idea.domain.program_status import ProgramState, ProgramStatus
from idea.domain.readiness import BeliefSource, Readiness, ReadinessReason, ReadinessState
from idea.domain.terminal_signs import Hooks, HookWord, Patterns, RanHook, Sign, TerminalSigns

Matches = Callable[[str, str], bool]
"""Is the pattern found in the text? In a time that is bounded whatever both of them are."""

DETAIL_CHARS: Final = 300


class Output(StrEnum):
    """What the program's output alone tells."""

    NONE = "none"
    BUSY = "busy"
    RECENT = "recent"
    """Some came, too little to mean anything."""
    QUIET = "quiet"


@dataclass(frozen=True, slots=True)
class Signals:
    """Everything there is to go by at one moment."""

    status: ProgramStatus | None = None
    hook: HookWord | None = None
    title: str = ""
    is_title_newer: bool = False
    """It has changed since the hook ran: a hook tells of a moment, a title of now."""
    screen: str = ""
    """The part of it that `last_rows` gives."""
    output: Output = Output.NONE
    is_silent: bool = False
    """No output for longer than a working agent may be still."""
    has_spoken: bool = False
    """Something better than output has told what it is at, earlier in this session."""
    has_shown_prompt: bool = False
    """Its idle pattern was found on the screen, earlier in this session: it fits this program."""


@dataclass(frozen=True, slots=True)
class Belief:
    state: ReadinessState
    reason: ReadinessReason
    source: BeliefSource
    detail: str = ""


_BY_SIGN: Final[Mapping[Sign, tuple[ReadinessState, ReadinessReason]]] = {
    Sign.TRUST: (ReadinessState.WAITING_PERMISSION, ReadinessReason.TRUST_ASKED),
    Sign.SETUP: (ReadinessState.WAITING_PERMISSION, ReadinessReason.SETUP_ASKED),
    Sign.PERMISSION: (ReadinessState.WAITING_PERMISSION, ReadinessReason.PERMISSION_ASKED),
    Sign.QUESTION: (ReadinessState.WAITING_PERMISSION, ReadinessReason.QUESTION_ASKED),
    Sign.LIMITED: (ReadinessState.RATE_LIMITED, ReadinessReason.LIMIT_REPORTED),
    Sign.STARTING: (ReadinessState.STARTING, ReadinessReason.LAUNCHING),
    Sign.WORKING: (ReadinessState.WORKING, ReadinessReason.AT_WORK),
    Sign.IDLE: (ReadinessState.IDLE, ReadinessReason.AT_PROMPT),
}

_NO_WORD_FOR: Final[Mapping[BeliefSource, tuple[Sign, ...]]] = {
    BeliefSource.TERMINAL: (Sign.TRUST, Sign.SETUP, Sign.LIMITED),
    BeliefSource.HOOK: (Sign.TRUST, Sign.SETUP, Sign.LIMITED),
    # A title tells work from rest; a dialog looks like rest.
    BeliefSource.TITLE: (Sign.TRUST, Sign.SETUP, Sign.PERMISSION, Sign.QUESTION, Sign.LIMITED),
}


def belief_of(signals: Signals, signs: TerminalSigns, matches: Matches) -> Belief:
    belief = _spoken(signals, signs, matches) or _by_output(signals, signs)
    if signals.is_silent and may_stall(belief):
        return Belief(ReadinessState.STALLED, ReadinessReason.SILENT, BeliefSource.ACTIVITY)
    return belief


def word_of(ran: RanHook, hooks: Hooks, before: HookWord | None, matches: Matches) -> HookWord | None:
    """What counts now that this hook ran after the one whose word is `before`."""
    for rule in hooks.rules:
        fits = all(matches(pattern, ran.fields.get(name, "")) for name, pattern in rule.where.items())
        if rule.event == ran.event and fits:
            return None if rule.means is None else HookWord(rule.means, ran.fields.get(rule.detail, ""))
    return before


def last_words(screen: str, signs: TerminalSigns, matches: Matches) -> str:
    """Why the program ended, as it says itself in what `last_rows` gives; empty if it does not."""
    return _row_with(screen, signs.ended, matches)[:DETAIL_CHARS]


def may_stall(belief: Belief) -> bool:
    """It says that it is at something. What runs in a shell may be still for as long as it likes."""
    return belief.reason is ReadinessReason.AT_WORK or belief.state is ReadinessState.STARTING


def shows_start(before: Readiness, now: Readiness) -> bool:
    """Has a turn begun, if that is what is believed from the Enter on? By output alone nothing is shown."""
    if now.source in (BeliefSource.ACTIVITY, BeliefSource.KEEPER):
        return False
    if (before.state, before.reason) == (now.state, now.reason) or now.state is ReadinessState.STARTING:
        return False
    # That a prompt is believed again shows something only where text had hidden it.
    return (
        now.state is not ReadinessState.IDLE
        or before.state is not ReadinessState.IDLE
        or now.reason is ReadinessReason.TURN_FAILED
    )


def _spoken(signals: Signals, signs: TerminalSigns, matches: Matches) -> Belief | None:
    """What is told by more than output."""
    found = _by_status(signals.status) or _by_hook(signals, signs, matches) or _by_title(signals, signs, matches)
    if found is None:
        return _by_screen(signals, signs, matches, tuple(Sign))
    if found.reason is ReadinessReason.PERMISSION_ASKED and found.source is BeliefSource.TERMINAL:
        # That it is blocked is certain, and what it asks is to be seen.
        seen = _by_screen(signals, signs, matches, (Sign.TRUST, Sign.SETUP, Sign.QUESTION))
        return found if seen is None else replace(found, reason=seen.reason)
    if found.state is not ReadinessState.IDLE:
        return found
    beyond = _NO_WORD_FOR[found.source]
    hook = signals.hook
    if hook is not None and hook.sign in beyond and found.source is BeliefSource.TERMINAL:
        return _of_sign(hook.sign, BeliefSource.HOOK, hook.detail)
    return _by_screen(signals, signs, matches, beyond) or found


def _by_status(status: ProgramStatus | None) -> Belief | None:
    if status is None:
        return None
    detail = status.message or status.title
    match status.state:
        case ProgramState.CLEAR:
            return None
        case ProgramState.WORKING:
            return _of_sign(Sign.WORKING, BeliefSource.TERMINAL, detail)
        case ProgramState.BLOCKED:
            sign = Sign.PERMISSION if status.kind in ("", "permission") else Sign.QUESTION
            return _of_sign(sign, BeliefSource.TERMINAL, detail)
        case ProgramState.IDLE | ProgramState.DONE:
            return _of_sign(Sign.IDLE, BeliefSource.TERMINAL, detail)
        case ProgramState.ERROR:
            return Belief(ReadinessState.IDLE, ReadinessReason.TURN_FAILED, BeliefSource.TERMINAL, detail)
        case _:
            assert_never(status.state)


def _by_hook(signals: Signals, signs: TerminalSigns, matches: Matches) -> Belief | None:
    hook = signals.hook
    if hook is None:
        return None
    is_question = hook.sign in (Sign.PERMISSION, Sign.QUESTION)
    if is_question and signals.is_title_newer and _sign_in(signals.title, signs.title, matches) is Sign.WORKING:
        # No hook tells that the person has answered.
        return _of_sign(Sign.WORKING, BeliefSource.TITLE)
    return _of_sign(hook.sign, BeliefSource.HOOK, hook.detail)


def _by_title(signals: Signals, signs: TerminalSigns, matches: Matches) -> Belief | None:
    sign = _sign_in(signals.title, signs.title, matches) if signals.title else None
    return None if sign is None else _of_sign(sign, BeliefSource.TITLE)


def _by_screen(signals: Signals, signs: TerminalSigns, matches: Matches, among: tuple[Sign, ...]) -> Belief | None:
    wanted = {sign: patterns for sign, patterns in signs.screen.items() if sign in among}
    sign = _sign_in(signals.screen, wanted, matches)
    if sign is not None:
        detail = "" if sign in (Sign.IDLE, Sign.WORKING) else _row_with(signals.screen, wanted[sign], matches)
        return _of_sign(sign, BeliefSource.SCREEN, detail)
    if signals.has_shown_prompt and Sign.IDLE in among:
        return Belief(ReadinessState.WORKING, ReadinessReason.PROMPT_GONE, BeliefSource.SCREEN)
    return None


def _by_output(signals: Signals, signs: TerminalSigns) -> Belief:
    """The last resort: nothing that means anything was seen or heard."""
    is_known = not signs or signals.has_spoken
    if signals.output is Output.QUIET:
        return Belief(ReadinessState.IDLE, ReadinessReason.QUIET, BeliefSource.ACTIVITY)
    if signals.output is Output.BUSY and is_known:
        return Belief(ReadinessState.WORKING, ReadinessReason.OUTPUT_SEEN, BeliefSource.ACTIVITY)
    if is_known:
        # It runs, and more is not known.
        return Belief(ReadinessState.IDLE, ReadinessReason.READY, BeliefSource.KEEPER)
    return Belief(ReadinessState.STARTING, ReadinessReason.LAUNCHING, BeliefSource.KEEPER)


def _of_sign(sign: Sign, source: BeliefSource, detail: str = "") -> Belief:
    state, reason = _BY_SIGN[sign]
    return Belief(state, reason, source, detail[:DETAIL_CHARS])


def _sign_in(text: str, patterns: Patterns, matches: Matches) -> Sign | None:
    for sign in Sign:
        if any(matches(pattern, text) for pattern in patterns.get(sign, ())):
            return sign
    return None


def _row_with(text: str, patterns: tuple[str, ...], matches: Matches) -> str:
    """The first row that shows why; empty where only several together do."""
    rows = (row.strip() for row in text.split("\n"))
    return next((row for row in rows if row and any(matches(pattern, row) for pattern in patterns)), "")
