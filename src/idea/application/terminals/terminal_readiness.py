"""What one terminal's agent is believed to be at: gathers the signs as they come, and asks the domain what they mean.

Nothing is looked at while nothing happens: output, a key, a hook and one timer are the only occasions.
"""

import asyncio
from dataclasses import replace
from typing import Protocol

from idea.application.beliefs import Beliefs
from idea.application.terminals.terminal_activity import ShownTerminal
from idea.domain.activity import QUIET_S, Activity
from idea.domain.ids import AgentId
from idea.domain.passing_words import PassingWord
from idea.domain.readiness import BeliefSource, ReadinessState
from idea.domain.terminal_belief import Belief, Matches, Output, Signals, belief_of, last_words, may_stall, word_of
from idea.domain.terminal_signs import RanHook, TerminalSigns, last_rows


class StalledAfter(Protocol):
    """As the settings have it now, in seconds."""

    def __call__(self) -> float: ...


class TerminalReadiness:
    """A `TerminalWatcher` of one session."""

    def __init__(
        self,
        agent: AgentId,
        signs: TerminalSigns,
        *,
        beliefs: Beliefs,
        matches: Matches,
        stalled_after_s: StalledAfter,
        is_taken_over: bool = False,
    ) -> None:
        """`is_taken_over`: the program has been running, and its output so far says nothing of now."""
        self._agent = agent
        self._signs = signs
        self._beliefs = beliefs
        self._matches = matches
        self._stalled_after_s = stalled_after_s
        self._begun_at = asyncio.get_running_loop().time()
        self._activity = Activity(output_at=self._begun_at - QUIET_S) if is_taken_over else Activity()
        self._signals = Signals(has_spoken=is_taken_over)
        self._timer: asyncio.TimerHandle | None = None
        self._is_over = False

    def on_output(self, terminal: ShownTerminal) -> None:
        self._activity = self._activity.wrote(self._now())
        status, title = terminal.status(), terminal.title()
        if (status, title) != (self._signals.status, self._signals.title):
            is_title_newer = self._signals.is_title_newer or title != self._signals.title
            self._signals = replace(self._signals, status=status, title=title, is_title_newer=is_title_newer)
            self._believe()

    def on_rest(self, terminal: ShownTerminal) -> None:
        self._signals = replace(
            self._signals,
            status=terminal.status(),
            title=terminal.title(),
            screen=last_rows(terminal.text(), terminal.cursor_row(), self._signs.rows),
        )
        self._believe()

    def on_word(self, word: PassingWord) -> None:
        """The program said it in its output, and may have said another since."""
        status = self._signals.status if word.status is None else word.status
        title = self._signals.title if word.title is None else word.title
        is_title_newer = self._signals.is_title_newer or title != self._signals.title
        self._signals = replace(self._signals, status=status, title=title, is_title_newer=is_title_newer)
        self._believe()

    def on_hook(self, ran: RanHook) -> None:
        """The CLI ran one of the profile's hooks."""
        if self._signs.hooks is None:
            return
        word = word_of(ran, self._signs.hooks, self._signals.hook, self._matches)
        if word is not self._signals.hook:
            self._signals = replace(self._signals, hook=word, is_title_newer=False)
            self._believe()

    def on_typed(self) -> None:
        self._activity = self._activity.typed(self._now())

    def last_words(self, terminal: ShownTerminal) -> str:
        """Why the program ended, as it says itself; empty if it does not."""
        seen = last_rows(terminal.text(), terminal.cursor_row(), self._signs.rows)
        return last_words(seen, self._signs, self._matches)

    def on_end(self) -> None:
        """Its end is believed elsewhere, and nothing of it changes that."""
        self._is_over = True
        if self._timer is not None:
            self._timer.cancel()

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    def _believe(self) -> None:
        if self._is_over:
            return
        self._signals = replace(self._signals, output=self._output(), is_silent=self._is_silent())
        belief = belief_of(self._signals, self._signs, self._matches)
        is_spoken = belief.source not in (BeliefSource.ACTIVITY, BeliefSource.KEEPER)
        self._signals = replace(
            self._signals,
            has_spoken=self._signals.has_spoken or is_spoken,
            has_shown_prompt=self._signals.has_shown_prompt
            or (belief.source is BeliefSource.SCREEN and belief.state is ReadinessState.IDLE),
        )
        self._beliefs.believe(self._agent, belief.state, belief.reason, belief.source, detail=belief.detail)
        self._look_again(belief)

    def _output(self) -> Output:
        now = self._now()
        if self._activity.output_at is None:
            return Output.NONE
        if self._activity.is_busy(now):
            return Output.BUSY
        return Output.QUIET if self._activity.is_quiet(now) else Output.RECENT

    def _is_silent(self) -> bool:
        return self._now() - self._last_sign_at() >= self._stalled_after_s()

    def _last_sign_at(self) -> float:
        return max(self._begun_at, self._activity.output_at or self._begun_at)

    def _look_again(self, belief: Belief) -> None:
        """When silence would change what is believed. A timer that rings earlier stays: output must not cost one."""
        if belief.source in (BeliefSource.ACTIVITY, BeliefSource.KEEPER) and self._signals.output in (
            Output.BUSY,
            Output.RECENT,
        ):
            at = self._last_sign_at() + QUIET_S
        elif may_stall(belief):
            at = self._last_sign_at() + self._stalled_after_s()
        else:
            return
        if self._timer is not None:
            if self._timer.when() <= at:
                return
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_at(at, self._on_time)

    def _on_time(self) -> None:
        self._timer = None
        self._believe()
