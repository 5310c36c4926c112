"""Output as a sign of life: whether a program that says nothing of itself is at something."""

from dataclasses import dataclass, replace
from typing import Final, Self

ECHO_S: Final = 0.5
"""Output that comes so soon after a key is its echo."""
BUSY_S: Final = 1.0
"""Output that goes on for so long is work; a prompt is drawn in less."""
QUIET_S: Final = 5.0
"""After so long without output the program is taken for idle, if nothing better is known."""


@dataclass(frozen=True, slots=True)
class Activity:
    """All times in seconds of one clock."""

    output_at: float | None = None
    """The last output of any kind; None: there was none yet."""
    busy_from: float | None = None
    """The first output since the last quiet that no key explains."""
    busy_to: float | None = None
    """The last of those."""
    typed_at: float | None = None

    def wrote(self, now: float) -> Self:
        """The program did."""
        written = replace(self, output_at=now)
        if self.typed_at is not None and now - self.typed_at < ECHO_S:
            return written
        goes_on = self.busy_to is not None and now - self.busy_to < QUIET_S
        return replace(written, busy_from=self.busy_from if goes_on else now, busy_to=now)

    def typed(self, now: float) -> Self:
        """The person did."""
        return replace(self, typed_at=now)

    def is_busy(self, now: float) -> bool:
        if self.busy_from is None or self.busy_to is None:
            return False
        return now - self.busy_to < QUIET_S and self.busy_to - self.busy_from >= BUSY_S

    def is_quiet(self, now: float) -> bool:
        """There was output, and it is over."""
        return self.output_at is not None and now - self.output_at >= QUIET_S

    def is_silent(self, now: float, *, for_s: float) -> bool:
        return self.output_at is not None and now - self.output_at >= for_s
