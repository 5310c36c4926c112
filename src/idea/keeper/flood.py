"""Whether a stream's output is a flood: little output is handed on as it comes, a flood in few large pieces."""

AT_ONCE_BYTES = 32 * 1024
"""Since the last pause: an echo, or a whole screen drawn anew, waits for nothing. What goes on beyond it is a flood."""
PAUSE_S = 0.03
"""Without output for so long, a flood is over."""


class Flood:
    """Of one stream. All times are the monotonic clock's, in seconds."""

    def __init__(self) -> None:
        self._since_pause_bytes = 0
        self._wrote_at = 0.0

    def wrote(self, size: int, *, at: float) -> None:
        if at - self._wrote_at >= PAUSE_S:
            self._since_pause_bytes = 0
        self._since_pause_bytes += size
        self._wrote_at = at

    @property
    def is_on(self) -> bool:
        """As of the last output."""
        return self._since_pause_bytes > AT_ONCE_BYTES

    def typed(self) -> None:
        """What the program was given it will answer, and somebody waits for that."""
        self._since_pause_bytes = 0
