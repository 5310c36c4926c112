"""Runs named commands side by side and tells each one's outcome; what failed shows all that it said."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
STEP_LIMIT_S = 600
"""No check takes that long; a hang ends here."""
COLOURS = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;;.*?(?:\x1b\\|\x07)")
"""Colours and links, which some tools send into a pipe, too."""


@dataclass(frozen=True)
class Step:
    name: str
    argv: Sequence[str]


def run_lanes(*lanes: Sequence[Step]) -> bool:
    """Lanes run side by side, the steps of a lane in order. A failure stops nothing, so that all are told at once."""
    outcomes: list[bool] = []
    running: dict[int, Step] = {}
    threads = [threading.Thread(target=_run_lane, args=(lane, running, outcomes), daemon=True) for lane in lanes]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        # Only Ctrl-C finds any: the terminal does not reach them, as each has a session of its own.
        for pid in running.copy():
            _end_group(pid)
    return len(outcomes) == sum(map(len, lanes)) and all(outcomes)


def _run_lane(lane: Sequence[Step], running: dict[int, Step], outcomes: list[bool]) -> None:
    for step in lane:
        began = time.monotonic()
        code, said = _run(step, running)
        outcomes.append(code == 0)
        told = f"{'ok' if code == 0 else 'FAILED':6} {step.name:24} {time.monotonic() - began:5.1f} s\n"
        if code != 0:
            told += f"\n$ {' '.join(step.argv)}\n{said.strip()}\n\n"
        # One write, so that lanes do not cut into each other's lines.
        sys.stdout.write(told)
        sys.stdout.flush()


def _run(step: Step, running: dict[int, Step]) -> tuple[int, str]:
    process = subprocess.Popen(
        step.argv,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )
    running[process.pid] = step
    try:
        said, _ = process.communicate(timeout=STEP_LIMIT_S)
    except subprocess.TimeoutExpired:
        _end_group(process.pid)
        said, _ = process.communicate()
        said += f"\nstopped after {STEP_LIMIT_S} s"
    finally:
        del running[process.pid]
    return process.returncode, COLOURS.sub("", said)


def _end_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def python(*args: str) -> list[str]:
    return [sys.executable, "-m", *args]
