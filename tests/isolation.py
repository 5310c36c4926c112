"""The folders and the environment of a test run, and what is still running in them. Counting processes needs Linux."""

import contextlib
import os
import shutil
import signal
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from scripts.engine_clis import CACHE_VARIABLE, cache

KEPT: Final = frozenset(
    {
        "PATH",
        "TMPDIR",
        "LANG",
        "LC_ALL",
        "TERM",
        "CI",
        "VIRTUAL_ENV",
        "LD_LIBRARY_PATH",
        "DISPLAY",
        "IDEA_CHROMIUM",
        "IDEA_ENGINES_CACHE",
        "IDEA_SOAK",
        "IDEA_SOAK_SEED",
    }
)
"""All else goes: keys of providers, proxies, settings of a CLI that runs these tests."""
KEPT_PREFIXES: Final = ("PYTHON", "PYTEST_", "COVERAGE_", "PLAYWRIGHT_", "HYPOTHESIS_")

GRACE_S: Final = 10.0
"""How long what a test stopped may take to be gone, on a machine that gives it no time."""
LAST_GRACE_S: Final = 5.0
"""The same at the end of the run, where whatever is there was left behind."""
_PROC: Final = Path("/proc")


@dataclass(frozen=True)
class Isolated:
    home: Path
    began_at: float


@dataclass(frozen=True)
class Running:
    children: frozenset[int]
    threads: frozenset[int]


def enter() -> Isolated:
    """Empty folders, and an environment that knows of no others."""
    # Directly under /tmp and short: socket paths end at 104 bytes.
    root = Path(tempfile.mkdtemp(prefix="idea-", dir="/tmp"))
    folders = {
        "HOME": "home",
        "XDG_RUNTIME_DIR": "run",
        "XDG_CONFIG_HOME": "config",
        "XDG_STATE_HOME": "state",
        "XDG_DATA_HOME": "data",
        "XDG_CACHE_HOME": "cache",
    }
    for folder in folders.values():
        (root / folder).mkdir(mode=0o700)
    kept = {name: value for name, value in os.environ.items() if name in KEPT or name.startswith(KEPT_PREFIXES)}
    # Users' programs have their output buffered, and what is lost in a buffer is lost in theirs.
    kept.pop("PYTHONUNBUFFERED", None)
    # `scripts/engines` looks for it in the user's environment, which is gone in a test.
    kept[CACHE_VARIABLE] = str(cache())
    os.environ.clear()
    os.environ.update(kept, TZ="UTC", GIT_CONFIG_NOSYSTEM="1")
    os.environ.update({name: str(root / folder) for name, folder in folders.items()})
    time.tzset()
    return Isolated(root / "home", time.time())


def heed_signals() -> None:
    """Undo what a run in the background (`&`, nohup) inherits, or no program under test would hear of Ctrl-C."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler if number is signal.SIGINT else signal.SIG_DFL)


def leave(isolated: Isolated) -> None:
    shutil.rmtree(isolated.home.parent, ignore_errors=True)


# --- what is running ------------------------------------------------------------------------------------------


def environment() -> dict[str, str]:
    """Without what pytest itself sets anew for each phase of a test."""
    return {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}


def running() -> Running:
    return Running(children(), frozenset(thread.ident or 0 for thread in _threads()))


def left_since(before: Running, *, grace_s: float = GRACE_S) -> list[str]:
    """What has started since and does not end within `grace_s`. Children are killed: no later test sees them."""
    deadline = time.monotonic() + grace_s
    while True:
        left = children() - before.children
        threads = [thread for thread in _threads() if thread.ident not in before.threads]
        if not left and not threads:
            return []
        if time.monotonic() > deadline:
            break
        time.sleep(0.02)  # the kernel tells nobody when a stranger's child is gone
    told = [f"process {pid} ({_command(pid)})" for pid in sorted(left)]
    for pid in left:
        _kill(pid)
    return told + [f"thread {thread.name}" for thread in threads]


def end_survivors(isolated: Isolated) -> list[str]:
    deadline = time.monotonic() + LAST_GRACE_S
    while (left := _survivors(isolated)) and time.monotonic() < deadline:
        time.sleep(0.02)
    told = [f"process {pid} ({_command(pid)})" for pid in left]
    for pid in left:
        _kill(pid)
    return told


def _survivors(isolated: Isolated) -> list[int]:
    mark = os.fsencode(isolated.home.parent) + b"/"
    pids = [int(entry.name) for entry in _PROC.iterdir() if entry.name.isdigit()] if _PROC.is_dir() else []
    return sorted(pid for pid in pids if pid != os.getpid() and (pid in children() or _mentions(pid, mark)))


def _mentions(pid: int, mark: bytes) -> bool:
    for part in ("environ", "cmdline"):
        with contextlib.suppress(OSError):
            if mark in (_PROC / str(pid) / part).read_bytes():
                return True
    return False


def children() -> frozenset[int]:
    """Of all our threads, zombies included: whoever starts a process has to fetch its exit status."""
    pids: set[int] = set()
    for task in (_PROC / "self" / "task").glob("*/children"):
        with contextlib.suppress(OSError):  # a thread that has just ended
            pids.update(map(int, task.read_text(encoding="ascii").split()))
    return frozenset(pids)


def _threads() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if not thread.daemon]


def _command(pid: int) -> str:
    with contextlib.suppress(OSError):
        command = (_PROC / str(pid) / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
        return command[:200] or "ended, its exit status never fetched"
    return "gone"


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)
