"""Which folder a command means, and where the server that has it open can be reached."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from idea.adapters.storage.atomic import read_path
from idea.adapters.storage.demo_folders import DEMO_RUNTIME, demo_folders
from idea.domain.errors import IdeaError, Invalid
from idea.doors.mcp.endpoint import find_runtime_dir, is_private

CONTROL_SOCKET: Final = "control.sock"
"""In a runtime folder."""
DEMO: Final = "demo"
"""The lasting demo's folders lie in the user's."""
_RECORD: Final = Path(".ideai", "state", "control")
"""In an open project: the path of its server's control socket."""


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
        recorded = recorded_control(folder)
        if recorded is not None:
            yield recorded
    yield from user_socket()


def user_socket() -> Iterator[Path]:
    """Where the user's own server may be reached, if a login has a place for it."""
    runtime = find_runtime_dir(os.environ)
    if runtime is not None:
        yield runtime / CONTROL_SOCKET


def demo_sockets() -> Iterator[Path]:
    """Where demos of ours may be reached, the lasting one and those in throw-away folders. None is tried here."""
    runtime = find_runtime_dir(os.environ)
    throw_away = (folder / DEMO_RUNTIME for folder in demo_folders() if is_private(folder))
    for folder in (*(() if runtime is None else (runtime / DEMO,)), *throw_away):
        if is_private(folder):
            yield folder / CONTROL_SOCKET


def recorded_control(folder: Path) -> Path | None:
    """What a project in `folder` says of the server that has it open; it may lead nowhere."""
    # A project may come from anywhere, so that the record is neither followed nor waited for.
    try:
        recorded = read_path(folder / _RECORD)
    except IdeaError:
        return None
    return recorded if recorded is not None and is_private(recorded.parent) else None
