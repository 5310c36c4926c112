"""Which folders of the user a server works with; the demo has its own beside them."""

import os
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import platformdirs

from idea.adapters.storage.atomic import read_path, write_path
from idea.adapters.storage.demo_folders import DEMO_RUNTIME, demo_folders, make_demo_folder
from idea.adapters.storage.locks import SERVER_LOCK, find_holder
from idea.adapters.storage.project_folder import RUNTIME_RECORD
from idea.domain.errors import IdeaError
from idea.doors.mcp.endpoint import ensure_private, fits_socket, is_private, runtime_dir

STALE_DEMO_S: Final = 600
"""A demo makes its lock file within seconds of its folder, but its machine may be asleep in between."""
STALE_LOCK_S: Final = 2
"""It locks that file in the step after it made it."""


@dataclass(frozen=True, slots=True)
class Places:
    """`runtime` holds sockets and locks, `state` what outlives a server, `config` what the user writes."""

    config: Path
    state: Path
    runtime: Path
    throw_away: Path | None = None
    """A folder that goes with the server: the demo's, unless it was given one."""


def user_places(env: Mapping[str, str]) -> Places:
    return Places(
        config=platformdirs.user_config_path("idea"),
        state=platformdirs.user_state_path("idea"),
        runtime=runtime_dir(env),
    )


@contextmanager
def demo_places(env: Mapping[str, str], *, is_throw_away: bool) -> Iterator[Places]:
    """Folders of its own, so that a demo never meets the user's servers; removed at the end if nothing is kept."""
    mine = user_places(env)
    if not is_throw_away:
        yield Places(mine.config / "demo", mine.state / "demo", ensure_private(mine.runtime / "demo"))
        return
    _sweep_demos()
    folder = make_demo_folder()
    try:
        yield Places(folder / "config", folder / "state", ensure_private(folder / DEMO_RUNTIME), throw_away=folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _sweep_demos() -> None:
    """Remove the folders of throw-away demos that were killed; one that runs holds its server's lock."""
    for folder in demo_folders():
        try:
            if is_private(folder) and _is_stale(folder) and find_holder(folder / DEMO_RUNTIME) is None:
                shutil.rmtree(folder, ignore_errors=True)
        except (OSError, IdeaError):
            # Another's, or no longer there: this demo begins all the same.
            continue


def _is_stale(folder: Path) -> bool:
    """Old enough that a demo at work in it would hold its lock."""
    try:
        return time.time() - (folder / DEMO_RUNTIME / SERVER_LOCK).lstat().st_mtime > STALE_LOCK_S
    except FileNotFoundError:
        return time.time() - folder.lstat().st_mtime > STALE_DEMO_S


def project_folder(places: Places) -> Path:
    """Where a throw-away demo's project lies."""
    assert places.throw_away is not None
    folder = places.throw_away / "demo"
    os.makedirs(folder, exist_ok=True)
    return folder


def keep_runtime(state: Path, runtime: Path) -> Path:
    """The runtime folder of one project: the first server's choice, recorded beside the project's locks; blocking.

    `$XDG_RUNTIME_DIR` differs between a desktop, ssh and cron; an agent's declaration must stay true for all of them.
    A record that is none, or a recorded folder that is gone or not private to us, is replaced by the present one.

    Raises:
        Refused, Conflict: nothing can be recorded there.
    """
    record = state / RUNTIME_RECORD
    kept = read_path(record)
    # Looked at only: the record may name anything, and nothing is made or changed at its word.
    if kept is not None and is_private(kept) and fits_socket(kept):
        return kept
    write_path(record, runtime)
    return runtime
