"""The browser of the browser tests: found, else fetched by Playwright, else from Debian when root.

`python -m scripts.browser` prints which one it is.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
ON_PATH = (
    # Without windows, as Playwright's own: it draws the same for two thirds of the processor time.
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
DEBIANS = ("chromium-headless-shell", "chromium")
"""Packages; not every Debian and Ubuntu has the first."""
ELSEWHERE = (
    Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
    Path("/Applications/Chromium.app/Contents/MacOS/Chromium"),
)
PLAYWRIGHTS_NAMES = ("chrome", "chrome-headless-shell", "headless_shell", "Chromium", "Google Chrome for Testing")

START_LIMIT_S = 30
PLAYWRIGHT_LIMIT_S = 180
"""A download of 150 MB, or a network that never answers."""
APT_LIMIT_S = 600


class BrowserMissing(Exception):
    """The message is meant for a person and says what to install."""


def find_browser(root: Path = ROOT) -> Path | None:
    """Raises `BrowserMissing` if IDEA_CHROMIUM names one that does not start."""
    named = os.environ.get("IDEA_CHROMIUM")
    if named:
        if not _starts(Path(named)):
            raise BrowserMissing(f"IDEA_CHROMIUM names {named}, which does not start as a browser.")
        return Path(named)
    return next((browser for browser in _candidates(root) if _starts(browser)), None)


def ensure_browser(root: Path, *, say: Callable[[str], None]) -> Path:
    """Raises `BrowserMissing`."""
    for fetch in (None, _from_playwright, _from_debian):
        if fetch is not None:
            fetch(root, say)
        found = find_browser(root)
        if found is not None:
            return found
    raise BrowserMissing(
        "The browser tests need Chromium: install `chromium` or Google Chrome, or name one with IDEA_CHROMIUM=/path."
    )


def _candidates(root: Path) -> Iterator[Path]:
    for name in ON_PATH:
        found = shutil.which(name)
        if found is not None:
            yield Path(found)
    yield from (path for path in ELSEWHERE if path.exists())
    for name in PLAYWRIGHTS_NAMES:
        yield from sorted(_playwrights_folder(root).glob(f"chromium*/**/{name}"))


def _from_playwright(root: Path, say: Callable[[str], None]) -> None:
    say("none found, asking Playwright for its own")
    _try(
        [str(root / ".venv" / "bin" / "python"), "-m", "playwright", "install", "--only-shell", "chromium"],
        env={**os.environ, "PLAYWRIGHT_BROWSERS_PATH": str(_playwrights_folder(root))},
        limit_s=PLAYWRIGHT_LIMIT_S,
    )


def _from_debian(root: Path, say: Callable[[str], None]) -> None:
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return
    say("installing Debian's chromium")
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = ("apt-get", "-qq", "install", "-y", "--no-install-recommends")
    _try(["apt-get", "-qq", "update"], env=quiet, limit_s=APT_LIMIT_S)
    for package in DEBIANS:
        if _try([*install, package], env=quiet, limit_s=APT_LIMIT_S):
            return


def _playwrights_folder(root: Path) -> Path:
    return root / ".cache" / "browsers"


def _starts(browser: Path) -> bool:
    try:
        said = subprocess.run([browser, "--version"], capture_output=True, timeout=START_LIMIT_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return said.returncode == 0


def _try(argv: Sequence[str], *, env: dict[str, str], limit_s: float) -> bool:
    """Whether it went well; a failure here only leads to the next way."""
    try:
        tried = subprocess.run(
            argv, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=limit_s, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as why:
        print(f"         {argv[0]}: {why}", file=sys.stderr)
        return False
    if tried.returncode != 0:
        said = (tried.stderr or tried.stdout).decode(errors="replace").splitlines()
        reason = next((line.strip() for line in said if "rror" in line), "failed")
        print(f"         {' '.join(argv[:4])}: {reason}", file=sys.stderr)
    return tried.returncode == 0


if __name__ == "__main__":
    try:
        browser = find_browser()
    except BrowserMissing as why:
        sys.exit(str(why))
    if browser is None:
        sys.exit("No browser for the tests; `scripts/install test` fetches one.")
    print(browser)
