"""Ending a whole tree of processes: ask, wait, kill, verify."""

import signal
import time
from collections.abc import Callable

from idea.keeper.loop import Loop, Timer
from idea.keeper.tree import Tree

ORPHAN_GRACE_S = 1.0
"""What outlives the leader has lost whom it worked for; so long it may take to notice that."""
HANG_UP_S = 0.5
"""Interactive shells are deaf to SIGTERM; who lives in a terminal knows a second way of being told: it hangs up."""
KILLED_S = 1.0
"""After SIGKILL the kernel needs moments; whoever is still there then (stuck in a device) is reported."""
CHECK_S = (0.01, 0.02, 0.05, 0.1)
"""How often the tree is looked at while it ends; the last value repeats. Other processes' ends send no event."""


class Stopping:
    """One stop of one tree; begins once, answers all who ask."""

    def __init__(
        self, tree: Tree, *, loop: Loop, grace_s: float, has_terminal: bool, on_end: Callable[[], None]
    ) -> None:
        self._tree = tree
        self._loop = loop
        self._on_end = on_end
        self._tellers: list[Callable[[tuple[int, ...]], None]] = []
        self._survivors: tuple[int, ...] | None = None
        self._kill_at = time.monotonic() + grace_s
        self._hang_up_at = time.monotonic() + HANG_UP_S if has_terminal else float("inf")
        self._give_up_at = float("inf")
        self._has_leader = True
        self._checks = 0
        self._timer: Timer | None = None

    def begin(self, *, has_exited: bool) -> None:
        self._tree.signal(signal.SIGTERM)
        if has_exited:
            self.leader_exited()
        else:
            self._check()

    def hurry(self, grace_s: float) -> None:
        """A later stop may give less time than the first, never more."""
        self._kill_at = min(self._kill_at, time.monotonic() + grace_s)
        if self._survivors is None:
            self._check()

    def leader_exited(self) -> None:
        self._has_leader = False
        self._kill_at = min(self._kill_at, time.monotonic() + ORPHAN_GRACE_S)
        self._check()

    def tell(self, teller: Callable[[tuple[int, ...]], None]) -> None:
        """Call with the survivors, now if that is known."""
        if self._survivors is None:
            self._tellers.append(teller)
        else:
            teller(self._survivors)

    def _check(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        now = time.monotonic()
        living = self._tree.look()
        if (not living and not self._has_leader) or now >= self._give_up_at:
            self._end(living)
            return
        if now >= self._kill_at:
            self._give_up_at = min(self._give_up_at, now + KILLED_S)
            # Each time anew: a process may have been born between the look and the kill.
            self._tree.signal(signal.SIGKILL)
        elif now >= self._hang_up_at:
            self._hang_up_at = float("inf")
            self._tree.signal(signal.SIGHUP)
        nap_s = CHECK_S[min(self._checks, len(CHECK_S) - 1)]
        self._timer = self._loop.later(nap_s, self._check)
        self._checks += 1

    def _end(self, survivors: tuple[int, ...]) -> None:
        self._survivors = survivors
        self._on_end()
        for teller in self._tellers:
            teller(survivors)
        self._tellers.clear()
