"""Turns the dependencies of pyproject.toml into lock files. `scripts/lock` calls it beside pip-tools."""

import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCKS = ROOT / "requirements"
HEADER = "# Made by scripts/lock from pyproject.toml. Installed with `pip install --require-hashes --no-deps`.\n"


def main(extra: Sequence[str]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = project["dependency-groups"]
    _lock("runtime", project["project"]["dependencies"], after=[], extra=extra)
    # What two locks share has one version, whichever is installed first.
    _lock("build", groups["build"], after=["runtime"], extra=extra)
    _lock("dev", groups["dev"], after=["runtime", "build"], extra=extra)
    _lock("node", groups["node"], after=[], extra=extra)


def _lock(name: str, requirements: Sequence[str], *, after: Sequence[str], extra: Sequence[str]) -> None:
    lock = LOCKS / f"{name}.lock"
    with tempfile.TemporaryDirectory() as folder:
        wanted = Path(folder, f"{name}.in")
        constraints = [f"-c {LOCKS / earlier}.lock" for earlier in after]
        wanted.write_text("\n".join([*constraints, *requirements, ""]), encoding="utf-8")
        subprocess.run(
            [
                *(sys.executable, "-m", "piptools", "compile", "--quiet", "--allow-unsafe", "--strip-extras"),
                *("--generate-hashes", "--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links"),
                *("--no-emit-trusted-host", "--no-emit-options", "--output-file", str(lock), *extra, str(wanted)),
            ],
            cwd=ROOT,
            check=True,
        )
    pins = "".join(
        line
        for line in lock.read_text(encoding="utf-8").splitlines(keepends=True)
        if line.strip() and not line.startswith("#")
    )
    lock.write_text(HEADER + pins, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
