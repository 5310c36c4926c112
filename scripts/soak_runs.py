"""Runs a test once a seed, each time in a process of its own, and shows all of a run that failed."""

import argparse
import os
import signal
import subprocess
import sys
import time
from types import FrameType
from typing import Final, NamedTuple

from scripts.steps import ROOT, python


class Suite(NamedTuple):
    marks: str
    """Which of the tests, as pytest's `-m` takes it."""
    paths: tuple[str, ...]


SUITES: Final = {
    "chaos": Suite("not engines", ("tests/chaos",)),
    "page": Suite("not engines", ("tests/browser/test_kills.py",)),
    "counts": Suite("soak", ("tests/bridge", "tests/keeper", "tests/mcp")),
}
SEED: Final = "IDEA_SOAK_SEED"
RUN_LIMIT_S: Final = 600
"""No run takes that long; a hang ends here."""
END_S: Final = 30
"""A run that is told to end takes its servers and agents along first."""


def main() -> bool:
    wanted = _parse()
    # Else it would end us alone, and the run would go on without anybody who waits for it.
    signal.signal(signal.SIGTERM, _end)
    failed = []
    for seed in range(wanted.seed, wanted.seed + wanted.runs):
        began = time.monotonic()
        code, said = _run(SUITES[wanted.suite], seed)
        if code != 0:
            failed.append(seed)
            print(said, flush=True)
        print(f"{'ok' if code == 0 else 'FAILED':6} seed {seed:<6} {time.monotonic() - began:5.1f} s", flush=True)
    print(f"{wanted.runs - len(failed)} of {wanted.runs} runs passed.")
    for seed in failed:
        print(f"again: scripts/soak {wanted.suite} --seed {seed}")
    return not failed


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/soak", description=__doc__)
    parser.add_argument("suite", choices=sorted(SUITES))
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1, help="of the first run; each further one counts up")
    return parser.parse_args()


def _run(suite: Suite, seed: int) -> tuple[int, str]:
    quiet = ("--show-capture=stdout", "--tb=short", "-p", "no:cacheprovider")
    running = subprocess.Popen(
        python("pytest", "-q", "-m", suite.marks, *quiet, *suite.paths),
        cwd=ROOT,
        env={**os.environ, SEED: str(seed)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
    try:
        said, _ = running.communicate(timeout=RUN_LIMIT_S)
    except subprocess.TimeoutExpired:
        return 1, f"{_stop(running)}\nstopped after {RUN_LIMIT_S} s"
    except BaseException:
        _stop(running)
        raise
    return running.returncode, said


def _stop(running: "subprocess.Popen[str]") -> str:
    """What it said; pytest, interrupted, takes apart what its tests built."""
    running.send_signal(signal.SIGINT)
    try:
        return running.communicate(timeout=END_S)[0]
    except subprocess.TimeoutExpired:
        running.kill()
        return running.communicate()[0]


def _end(number: int, frame: FrameType | None) -> None:
    sys.exit(128 + number)


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
