"""What a process and those that it descends from were started with, as far as the system says."""

import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from idea.keeper.tree import parent_of

DEPTH: Final = 64
"""From a program to the first process there are a dozen at most."""


def inherited(pid: int, variable: str) -> tuple[str, ...]:
    """What this variable says in the environment of the process and of its ancestors: its own first, each once.

    Only Linux tells, and of our own user's processes alone; elsewhere nothing is found.
    """
    found: dict[str, None] = {}
    named = f"{variable}=".encode()
    for _ in range(DEPTH if sys.platform == "linux" else 0):
        # Gone meanwhile, or another user's: its parent may be ours all the same.
        with suppress(OSError):
            for entry in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
                if entry.startswith(named):
                    found.setdefault(entry.removeprefix(named).decode("utf-8", "replace"))
        parent = parent_of(pid)
        if parent is None or parent <= 1:
            break
        pid = parent
    return tuple(found)
