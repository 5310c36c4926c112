"""Whose turn is it: does Claude Code answer our prompt, or work by itself? And which of its texts is the answer?"""

import re
from dataclasses import dataclass

COMMAND_OUTPUT = re.compile(r"<local-command-stdout>(.*)</local-command-stdout>", re.DOTALL)
COMMAND = re.compile(r"/[\w:-]+(?=\s|$)")


def command_of(prompt: str) -> str:
    """`/compact keep the plan` → `/compact`; empty for a message that is none."""
    found = COMMAND.match(prompt)
    return "" if found is None else found[0]


@dataclass(slots=True)
class PromptedTurn:
    """The prompt that awaits its terminal event."""

    message_id: str
    command: str = ""
    """`/clear` and the like: Claude may carry it out without asking its model."""
    is_taken: bool = False
    """Claude said that it works on this very message."""
    is_interrupted: bool = False
    is_limited: bool = False


class ClaudeTurns:
    def __init__(self) -> None:
        self.prompted: PromptedTurn | None = None
        self.is_unprompted = False
        """A turn runs that we did not start: a background task ended, a peer's message came."""
        self._held: str | None = None
        """The last complete text, until it is known whether the turn goes on after it."""

    @property
    def is_ours(self) -> bool:
        return self.prompted is not None and (self.prompted.is_taken or not self.is_unprompted)

    @property
    def is_interrupted(self) -> bool:
        return self.prompted is not None and self.prompted.is_interrupted

    def note_work(self) -> None:
        """Claude works; without a prompt of ours it does so by itself."""
        if self.prompted is None:
            self.is_unprompted = True

    def move(self, message_id: str, state: str) -> None:
        """Where a message of ours stands. One that came while Claude worked by itself may join that very turn."""
        if self.prompted is None or message_id != self.prompted.message_id:
            return
        if state == "queued":
            self.is_unprompted = True
        elif state == "started":
            self.prompted.is_taken = True
            self._held = None

    def hold(self, text: str) -> None:
        self._held = text

    def hold_output(self, content: str) -> None:
        """What a command wrote, if that is what this is."""
        told = COMMAND_OUTPUT.fullmatch(content)
        if told is not None and self.is_ours:
            self.hold(told[1])

    def release(self) -> str:
        """The text held back was not the last one, so it was an announcement; empty if it was none of our turn."""
        held, self._held = self._held, None
        return held if held and held.strip() and self.is_ours else ""

    def is_answered_by(self, origin: str) -> bool:
        """Does a result that came about by `origin` (empty: not said) end the prompted turn?"""
        return self.prompted is not None and (origin in ("", "human") or self.prompted.is_taken)

    def take_answer(self, text: str) -> None:
        """The result repeats the text held back, which is then no announcement."""
        if self._held == text:
            self._held = None

    def answer_of_command(self) -> str:
        """What a command said that did its work without the model; a tick if it had nothing to say."""
        said, self._held = (self._held or "").strip(), None
        command = "" if self.prompted is None else self.prompted.command
        return said or (f"\u2713 {command}" if command else "")

    def end_unprompted(self) -> None:
        self.is_unprompted, self._held = False, None

    def end(self) -> None:
        self.prompted = None
        self.end_unprompted()
