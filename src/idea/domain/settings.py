"""The settings of one project, with their defaults and bounds; `settings.toml` holds what differs."""

from dataclasses import dataclass
from typing import Final

from idea.domain.errors import Invalid

MAX_TURN_TIMEOUT_S: Final = 86_400
IN_PROCESS: Final = "in-process"
KEEPERS: Final = ("process", IN_PROCESS)
RESUMES: Final = ("offer", "auto")


@dataclass(frozen=True, slots=True)
class Settings:
    """Seconds where the name says `_s`."""

    turn_timeout_s: int = 300
    """How long one delegated turn may take before it is interrupted."""
    queue_wait_s: int = 900
    """How long an ask may wait for its turn."""
    permission_wait_s: int = 600
    """How long a permission request waits for a person before it is denied."""
    stalled_after_s: int = 360
    """A working agent that says nothing for so long is shown as stalled."""
    keeper: str = "process"
    """`process`: agents outlive the server; `in-process`: they end with it."""
    resume: str = "offer"
    """What becomes of agents that ran when the project was closed: `offer`, a person is asked; `auto`, they go on."""
    locale: str = "auto"
    """`auto` (the browser's), `en` or `fr`."""

    def __post_init__(self) -> None:
        for name in ("turn_timeout_s", "queue_wait_s", "permission_wait_s", "stalled_after_s"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MAX_TURN_TIMEOUT_S:
                raise Invalid(
                    f"The setting {name} must be a whole number of seconds, 1 to {MAX_TURN_TIMEOUT_S}.",
                    why="secondsOutOfRange",
                    limit=MAX_TURN_TIMEOUT_S,
                )
        if self.keeper not in KEEPERS:
            raise Invalid(
                f"The setting keeper must be process or in-process, not {self.keeper!r}.", why="keeperUnknown"
            )
        if self.resume not in RESUMES:
            raise Invalid(f"The setting resume must be offer or auto, not {self.resume!r}.", why="resumeUnknown")
        if self.locale not in ("auto", "en", "fr"):
            raise Invalid(f"The setting locale must be auto, en or fr, not {self.locale!r}.", why="localeUnknown")
