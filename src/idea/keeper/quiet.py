"""When nothing runs any more and nobody is attached, the keeper ends; not at once, since a server may be on its way."""

from collections.abc import Callable

from idea.keeper.loop import Loop, Timer


class Quiet:
    """`look` whenever something may have changed."""

    def __init__(
        self,
        loop: Loop,
        *,
        idle_s: float,
        kept_s: float,
        is_busy: Callable[[], bool],
        has_kept: Callable[[], bool],
        on_end: Callable[[], None],
    ) -> None:
        """After `idle_s`; after `kept_s` if there are exits and output that nobody has taken over."""
        self._loop = loop
        self._idle_s = idle_s
        self._kept_s = kept_s
        self._is_busy = is_busy
        self._has_kept = has_kept
        self._on_end = on_end
        self._timer: Timer | None = None

    def look(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if not self._is_busy():
            self._timer = self._loop.later(self._kept_s if self._has_kept() else self._idle_s, self._end)

    def _end(self) -> None:
        self._timer = None
        if not self._is_busy():
            self._on_end()
