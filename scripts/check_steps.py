"""What `scripts/check` runs. Two lanes: Python's tools beside Node's."""

import sys
from pathlib import Path

from scripts.steps import Step, python, run_lanes

CHECKED = ["src", "tests", "bench", "scripts", "hatch_build.py"]
QUICK = "not slow and not browser and not engines and not soak"
SHARED = ("--numprocesses", "auto", "--maxprocesses", "4", "--dist", "loadfile", "--no-loadscope-reorder")
"""As in `scripts/test`: among processes, the tests of a file together."""
WATCHED = ("--override-ini", "asyncio_debug=true")
"""Loops that check their callers find what runs in the wrong thread, and take half as long again: here alone."""


def main() -> bool:
    return run_lanes(
        [
            Step("format", python("ruff", "format", "--check", "--quiet", ".")),
            Step("lint", python("ruff", "check", "--quiet", ".")),
            Step("arrows", [str(Path(sys.executable).with_name("lint-imports")), "--no-logo"]),
            Step("types", python("mypy", *CHECKED)),
            Step("unit tests", python("pytest", "-q", "-m", QUICK, *WATCHED, *SHARED)),
        ],
        [
            # First, because it generates into the page's sources and puts them back.
            Step("wire drift", python("scripts.wire", "check")),
            Step("page: types and lint", python("scripts.node", "web", "check")),
            Step("page: tests", python("scripts.node", "web", "test")),
        ],
    )


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
