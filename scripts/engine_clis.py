"""The real CLIs at the versions that were verified, installed outside the checkout, from npm, by hash.

`scripts/engines_lock` pins them. None of their install scripts runs, and no Node is needed to run them: each package
holds a program for the platform, which `find` names. Half a gigabyte, so nothing but these commands fetches it.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from scripts.node import find_node

ROOT: Final = Path(__file__).parents[1]
LOCK: Final = ROOT / "scripts" / "engines_lock"
CACHE_VARIABLE: Final = "IDEA_ENGINES_CACHE"
PROGRAMS: Final[Mapping[str, str]] = {
    "claude": "node_modules/@anthropic-ai/claude-code-*/claude",
    "codex": "node_modules/@openai/codex-*/vendor/*/bin/codex",
}
COMPLETE: Final = "complete"
"""Written last, so that an interrupted installation is done again."""
INSTALL_LIMIT_S: Final = 1800
VERSION_LIMIT_S: Final = 20


def cache() -> Path:
    """Where everything lies; each lock has a folder of its own in it."""
    named = os.environ.get(CACHE_VARIABLE)
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "idea-engines"


def folder() -> Path:
    """What today's lock installs."""
    return cache() / hashlib.sha256((LOCK / "package-lock.json").read_bytes()).hexdigest()[:16]


def find(name: str) -> Path | None:
    """The CLI's program, if it is installed."""
    if not (folder() / COMPLETE).exists():
        return None
    return next(iter(sorted(folder().glob(PROGRAMS[name]))), None)


def install() -> int:
    """Does nothing when all is there."""
    if all(find(name) for name in PROGRAMS):
        return 0
    node = find_node()
    if node is None:
        return _fail("npm is missing; `scripts/install check` fetches one.")
    shutil.rmtree(folder(), ignore_errors=True)
    folder().mkdir(parents=True)
    for file in ("package.json", "package-lock.json"):
        shutil.copy(LOCK / file, folder())
    done = node.run_npm(["ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=folder(), timeout_s=INSTALL_LIMIT_S)
    if done.returncode != 0:
        return _fail(f"npm could not install the CLIs:\n{done.stdout}")
    (folder() / COMPLETE).touch()
    missing = [name for name in PROGRAMS if find(name) is None]
    return _fail(f"There is no program for this platform: {', '.join(missing)}") if missing else 0


def path(name: str) -> int:
    found = find(name) if name in PROGRAMS else None
    if found is None:
        return _fail(f"{name} is not installed. `scripts/engines install` has: {', '.join(PROGRAMS)}.")
    print(found)
    return 0


def versions() -> int:
    for name in PROGRAMS:
        found = find(name)
        said = "not installed"
        if found is not None:
            # Some write into their home even when only asked this.
            environment = {"PATH": os.defpath, "HOME": str(folder())}
            argv = [str(found), "--version"]
            asked = subprocess.run(
                argv, env=environment, capture_output=True, text=True, timeout=VERSION_LIMIT_S, check=False
            )
            said = asked.stdout.strip() or f"ended with code {asked.returncode}"
        print(f"{name:8} {said}")
    return 0


def test(*arguments: str) -> int:
    failed = install()
    if failed:
        return failed
    environment = {**os.environ, CACHE_VARIABLE: str(cache())}
    argv = [sys.executable, "-m", "pytest", "-m", "engines", *arguments]
    return subprocess.run(argv, cwd=ROOT, env=environment, check=False).returncode


def main(arguments: Sequence[str]) -> int:
    match arguments:
        case ["install"]:
            return install()
        case ["path", name]:
            return path(name)
        case ["versions"]:
            return versions()
        case ["test", *rest]:
            return test(*rest)
        case _:
            return _fail("usage: scripts/engines install | path NAME | versions | test [pytest's arguments]")


def _fail(reason: str) -> int:
    print(reason, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
