"""Processes that agents left without a parent. On Linux they come to the keeper, which buries them when they end."""

import os
import sys
from collections.abc import Callable

from idea.keeper.loop import Loop
from idea.keeper.tree import children_of

AGAIN_S = 0.05
"""One of our own ended as well, and who waits for it has not come to its turn: the rest of the dead lie behind it."""
_SUBREAPER = 36


def adopt_orphans() -> None:
    """Become the parent of every orphan among our descendants; nothing where the system cannot do that."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)


class Orphans:
    def __init__(self, loop: Loop, *, is_own: Callable[[int], bool]) -> None:
        """`is_own` tells the children whose exit somebody here waits for."""
        self._loop = loop
        self._is_own = is_own

    def bury(self) -> None:
        """Collect the exit status of those that ended."""
        while True:
            try:
                dead = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            except ChildProcessError:
                return
            if dead is None:
                return
            if self._is_own(dead.si_pid):
                self._loop.later(AGAIN_S, self.bury)
                return
            os.waitpid(dead.si_pid, os.WNOHANG)

    def find(self) -> tuple[int, ...]:
        """Those that live."""
        return tuple(pid for pid in children_of(os.getpid()) if not self._is_own(pid))


def has_children() -> bool:
    """Of any kind; whatever an agent started and is still alive has one of them above it."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True
