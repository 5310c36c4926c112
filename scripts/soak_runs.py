"""Runs a test once a seed, each time in a process of its own, and shows all of a run that failed."""

import argparse
import os
import subprocess
import sys
import time
from typing import Final

from scripts.steps import ROOT, python

SUITES: Final = {"chaos": "tests/chaos", "page": "tests/browser/test_kills.py"}
SEED: Final = "IDEA_SOAK_SEED"
RUN_LIMIT_S: Final = 600
"""No run takes that long; a hang ends here."""


def main() -> bool:
    wanted = _parse()
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


def _run(tests: str, seed: int) -> tuple[int, str]:
    argv = python(
        "pytest", "-q", "-m", "not engines", "--show-capture=stdout", "--tb=short", "-p", "no:cacheprovider", tests
    )
    try:
        done = subprocess.run(
            argv,
            cwd=ROOT,
            env={**os.environ, SEED: str(seed)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            timeout=RUN_LIMIT_S,
            check=False,
        )
    except subprocess.TimeoutExpired as hung:
        return 1, f"{hung.stdout!r}\nstopped after {RUN_LIMIT_S} s"
    return done.returncode, done.stdout


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
