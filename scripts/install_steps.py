"""Installs into the checkout what running, checking or testing needs: steps that do nothing when all is there.

Runs before anything is installed, under any Python ≥ 3.11, so it uses the standard library alone.
"""

import fcntl
import hashlib
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from scripts.browser import BrowserMissing, ensure_browser
from scripts.node import Node, find_node
from scripts.page import PageNotBuilt, ensure_node_modules, ensure_page

ROOT = Path(__file__).parents[1]
VENV = ROOT / ".venv"
LOCKS = ROOT / "requirements"
PIP_LIMIT_S = 900
"""A slow line with a hundred megabytes to fetch."""


class NotInstalled(Exception):
    """The message is meant for a person: what is missing and what to do."""


def main(purpose: str) -> None:
    """`run`: the server and its page; `check`: the tools as well; `test`: a browser as well."""
    ensure_venv()
    ensure_locks("runtime", "build", *([] if purpose == "run" else ["dev"]))
    ensure_editable()
    node = ensure_node()
    if purpose != "run":
        # An unchanged page is not built, but its checks and tests need these.
        ensure_node_modules(ROOT, node, say=lambda text: say("page", text))
    if purpose != "check":
        ensure_page(ROOT, node, say=lambda text: say("page", text))
    if purpose == "test":
        ensure_browser(ROOT, say=lambda text: say("browser", text))


def say(what: str, text: str) -> None:
    print(f"{what:8} {text}", flush=True)


# --- Python ---------------------------------------------------------------------------------------------------


def ensure_venv() -> None:
    python = VENV / "bin" / "python"
    if python.exists() and _works([str(python), "-m", "pip", "--version"]) and not _was_moved():
        return
    say("python", f"creating .venv with Python {sys.version_info.major}.{sys.version_info.minor}")
    _run(
        [sys.executable, "-m", "venv", "--clear", str(VENV)],
        failed="Python cannot make a virtual environment; on Debian and Ubuntu: apt-get install python3-venv",
    )


def ensure_locks(*names: str) -> None:
    """Compares what is in the environment with the locks, so that no stamp can lie about it."""
    installed = _installed()
    for name in names:
        wanted = _pins(LOCKS / f"{name}.lock")
        missing = wanted - installed
        if missing:
            say("python", f"installing {len(missing)} packages ({name})")
            pip("install", "--require-hashes", "--no-deps", "--requirement", str(LOCKS / f"{name}.lock"))


def ensure_editable() -> None:
    """The commands `idea` and `ideai` in `.venv/bin`, running from `src/`."""
    stamp, wanted = VENV / ".idea-editable", _editable_stamp()
    if (VENV / "bin" / "idea").exists() and stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        return
    say("python", "installing idea itself, in place")
    pip("install", "--no-deps", "--no-build-isolation", "--editable", str(ROOT))
    stamp.write_text(wanted, encoding="utf-8")


def pip(*args: str) -> None:
    _run(
        [str(VENV / "bin" / "python"), "-m", "pip", "--quiet", "--no-input", "--disable-pip-version-check", *args],
        failed="pip could not install what IdeA needs; is the package index reachable?",
    )


def _installed() -> set[tuple[str, str]]:
    """(name, version) of what is whole: pip writes RECORD last."""
    return {
        (_normalized(record.parent.name.removesuffix(".dist-info").rpartition("-")[0]), version)
        for record in VENV.glob("lib/python3.*/site-packages/*.dist-info/RECORD")
        for version in [record.parent.name.removesuffix(".dist-info").rpartition("-")[2]]
    }


def _pins(lock: Path) -> set[tuple[str, str]]:
    pins = re.findall(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", lock.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {(_normalized(name), version) for name, version in pins}


def _normalized(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _editable_stamp() -> str:
    """The environment's scripts hold its path, and its metadata what pyproject.toml says."""
    return f"{ROOT}\n{hashlib.sha256((ROOT / 'pyproject.toml').read_bytes()).hexdigest()}\n"


def _was_moved() -> bool:
    stamp = VENV / ".idea-editable"
    return stamp.is_file() and stamp.read_text(encoding="utf-8").partition("\n")[0] != str(ROOT)


# --- Node -----------------------------------------------------------------------------------------------------


def ensure_node() -> Node:
    """Raises `NotInstalled`."""
    found = _find_node()
    if found is None:
        say("node", "none that is new enough on the PATH, installing one into .venv")
        pip("install", "--require-hashes", "--no-deps", "--requirement", str(LOCKS / "node.lock"))
        found = _find_node()
    if found is None:
        raise NotInstalled("Node was installed into .venv but is not where it should be; remove .venv and try again.")
    return found


def _find_node() -> Node | None:
    found = next(iter(VENV.glob("lib/python3.*/site-packages")), None)
    return find_node(found)


# --- running --------------------------------------------------------------------------------------------------


def _works(argv: Sequence[str]) -> bool:
    try:
        return subprocess.run(argv, capture_output=True, timeout=60, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _run(argv: Sequence[str], *, failed: str) -> None:
    try:
        ended = subprocess.run(
            argv,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            timeout=PIP_LIMIT_S,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        raise NotInstalled(f"{failed}\n`{' '.join(argv)}` was stopped after {PIP_LIMIT_S} s.") from late
    if ended.returncode != 0:
        raise NotInstalled(f"{failed}\n{ended.stdout[-4000:].strip()}")


if __name__ == "__main__":
    if sys.argv[1:] not in (["run"], ["check"], ["test"]):
        sys.exit("usage: scripts/install run|check|test")
    (ROOT / ".cache").mkdir(exist_ok=True)
    with (ROOT / ".cache" / "install.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two `make` at once
        try:
            main(sys.argv[1])
        except (NotInstalled, PageNotBuilt, BrowserMissing) as why:
            sys.exit(f"\n{why}")
