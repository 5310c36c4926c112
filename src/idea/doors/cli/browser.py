"""Opening the person's browser without telling other users of the machine the start code."""

import os
import secrets
import sys
import threading
import time
from pathlib import Path
from typing import Final

from idea.doors.mcp.endpoint import runtime_dir

_PREFIX: Final = "open-"
_LIFE_S: Final = 60.0
"""After that the start code is worth nothing either."""

_PAGE: Final = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>IdeA</title>
<meta http-equiv="refresh" content="0; url={url}">
<p>Opening IdeA: <a href="{url}">go on</a></p></html>
"""


def has_browser() -> bool:
    """Whether a browser with a window can be expected; a text browser would take over the terminal."""
    return sys.platform == "darwin" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))


def open_browser(url: str) -> threading.Thread:
    """Returns at once; the thread ends when the browser has been told.

    A browser is told its address on its command line, which everyone on the machine can read. So it is sent to a file
    of ours that only this user can read, and that leads on to `url`.
    """
    import webbrowser

    folder = runtime_dir(os.environ)
    _remove_old(folder)
    path = folder / f"{_PREFIX}{secrets.token_hex(8)}.html"
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(_PAGE.format(url=url))
    # Some browsers keep the caller waiting until they close.
    telling = threading.Thread(target=webbrowser.open, args=(path.as_uri(),), name="browser", daemon=True)
    telling.start()
    return telling


def _remove_old(folder: Path) -> None:
    for path in folder.glob(f"{_PREFIX}*.html"):
        if time.time() - path.lstat().st_mtime > _LIFE_S:
            path.unlink(missing_ok=True)
