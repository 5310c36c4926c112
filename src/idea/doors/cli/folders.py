"""Which folder a command means, and where the server that has it open can be reached."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from idea.domain.errors import IdeaError, Invalid
from idea.doors.mcp.endpoint import runtime_dir

_RECORD: Final = Path(".ideai", "state", "control")
"""In an open project: the path of its server's control socket."""
_MAX_RECORD_BYTES: Final = 4096


def existing_folder(path: Path) -> Path:
    """The folder itself, absolute and without links. Raises `Invalid`."""
    try:
        found = path.expanduser().resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise Invalid(f"There is no folder {path}. Create it first, or name another one.") from error
    if not found.is_dir():
        raise Invalid(f"{path} is a file, not a folder. Name the folder of the project.")
    return found


def control_sockets(start: Path) -> Iterator[Path]:
    """Where a server may be reached, the likeliest first: those that `start` or a folder above it records, then
    the user's own. None is tried here."""
    for folder in (start, *start.parents):
        recorded = _read_record(folder / _RECORD)
        if recorded is not None and _is_private(recorded.parent):
            yield recorded
    try:
        yield runtime_dir(os.environ) / "control.sock"
    except IdeaError:
        # Without a runtime folder there is no server of ours in it.
        return


def _read_record(path: Path) -> Path | None:
    """A project may come from anywhere, so that the record is neither followed nor waited for."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            return None
        text = os.read(file, _MAX_RECORD_BYTES).decode("utf-8", errors="replace").strip()
    except OSError:
        return None
    finally:
        os.close(file)
    recorded = Path(text)
    return recorded if text and "\0" not in text and recorded.is_absolute() else None


def _is_private(folder: Path) -> bool:
    try:
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o077
