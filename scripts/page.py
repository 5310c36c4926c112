"""The built page in `src/idea/static`: is it current, and how is it built? Used by `make` and by the wheel's hook."""

import fcntl
import hashlib
import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scripts.node import Node

NOT_INPUTS = frozenset({"node_modules", "dist", "coverage", "test-results", "__screenshots__"})
INSTALL_LIMIT_S = 600
"""npm on a slow line; a hang ends here."""
BUILD_LIMIT_S = 300


class PageNotBuilt(Exception):
    """The message is meant for a person and ends with what the tool said."""


def is_page_current(root: Path) -> bool:
    stamp = _stamp(root)
    if not stamp.is_file() or not (stamp.parent / "index.html").is_file():
        return False
    return stamp.read_text(encoding="utf-8") == inputs_digest(root / "web")


def ensure_page(root: Path, node: Node, *, say: Callable[[str], None]) -> None:
    """Build the page unless it is current.

    Raises:
        PageNotBuilt: a step failed; the next call tries again.
    """
    with _only_one(root):
        if is_page_current(root):
            return
        ensure_node_modules(root, node, say=say)
        digest = inputs_digest(root / "web")
        stamp = _stamp(root)
        stamp.unlink(missing_ok=True)
        say("building")
        _npm(node, ["run", "build"], cwd=root / "web", timeout_s=BUILD_LIMIT_S)
        if not (stamp.parent / "index.html").is_file():
            raise PageNotBuilt(f"The page's build ended well but left no {stamp.parent / 'index.html'}.")
        # Last, so that a build that was interrupted is never taken for a whole one.
        stamp.write_text(digest, encoding="utf-8")


def ensure_node_modules(root: Path, node: Node, *, say: Callable[[str], None]) -> None:
    """Install what `web/package-lock.json` says unless it is there. Raises `PageNotBuilt`."""
    web = root / "web"
    if not (web / "package-lock.json").is_file():
        raise PageNotBuilt(f"{web} holds no page: package-lock.json is missing.")
    if not _are_node_modules_current(web):
        say("installing what it is built with")
        _npm(node, ["ci", "--no-audit", "--no-fund", "--loglevel=error"], cwd=web, timeout_s=INSTALL_LIMIT_S)


def inputs_digest(web: Path) -> str:
    """A hash of every file that the built page depends on."""
    digest = hashlib.sha256()
    for path in sorted(_inputs(web)):
        digest.update(f"{path.relative_to(web).as_posix()}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _inputs(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.name in NOT_INPUTS or path.name.startswith(".") or ".test." in path.name:
            continue
        if path.is_dir():
            yield from _inputs(path)
        else:
            yield path


def _are_node_modules_current(web: Path) -> bool:
    """npm keeps a list of what it installed in the same form as the lock, so the two can be compared."""
    try:
        wanted, installed = (
            _packages(web / "package-lock.json"),
            _packages(web / "node_modules" / ".package-lock.json"),
        )
    except (OSError, ValueError):
        return False
    wanted.pop("", None)
    for place, package in wanted.items():
        if place not in installed:
            # Optional packages are those of other platforms.
            if not (package.get("optional") or package.get("devOptional")):
                return False
        elif installed[place].get("integrity") != package.get("integrity"):
            return False
    return installed.keys() <= wanted.keys()


def _packages(lock: Path) -> dict[str, Any]:
    packages: dict[str, Any] = json.loads(lock.read_text(encoding="utf-8"))["packages"]
    return packages


def _npm(node: Node, args: list[str], *, cwd: Path, timeout_s: float) -> None:
    try:
        ended = node.run_npm(args, cwd=cwd, timeout_s=timeout_s)
    except subprocess.TimeoutExpired as late:
        raise PageNotBuilt(f"`npm {' '.join(args)}` was stopped after {timeout_s:.0f} s.") from late
    if ended.returncode != 0:
        raise PageNotBuilt(f"`npm {' '.join(args)}` failed in {cwd}:\n{ended.stdout[-4000:].strip()}")


def _stamp(root: Path) -> Path:
    return root / "src" / "idea" / "static" / ".inputs"


@contextmanager
def _only_one(root: Path) -> Iterator[None]:
    """Two builds at once (`make run` beside `pip install .`) would empty each other's output."""
    folder = root / ".cache"
    folder.mkdir(exist_ok=True)
    with (folder / "page.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
