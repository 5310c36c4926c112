"""The stop of every process, when the keeper ends."""

from collections.abc import Callable
from functools import partial

from idea.keeper.child import Child


class Closing:
    def __init__(self, grace_s: float, *, on_progress: Callable[[], None]) -> None:
        self._grace_s = grace_s
        self._on_progress = on_progress
        self.waits_for: set[Child] = set()
        self.survivors: list[int] = []

    def stop(self, *children: Child) -> None:
        # All noted first: one that has stopped before answers at once, and is not the last.
        self.waits_for.update(children)
        for child in children:
            child.stop(self._grace_s, partial(self._stopped, child))

    def hurry(self, grace_s: float) -> None:
        self._grace_s = min(self._grace_s, grace_s)
        for child in tuple(self.waits_for):
            # What it says was asked for already.
            child.stop(grace_s, lambda survivors: None)

    def _stopped(self, child: Child, survivors: tuple[int, ...]) -> None:
        self.waits_for.discard(child)
        self.survivors.extend(survivors)
        self._on_progress()
