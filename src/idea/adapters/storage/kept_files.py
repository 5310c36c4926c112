"""Files that must lie where others look for them (sockets, a lock), and are made again when somebody removes them.

A cleaner of temporary folders, or the end of the user's last login, takes a runtime folder away under a server that
goes on. The system tells of that, so nothing is looked at in between.
"""

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver, ObservedWatch

from idea.domain.errors import IdeaError

COALESCE_S: Final = 0.1
"""A folder is removed file by file; it is made again once, when it is gone."""
CLOSE_S: Final = 2.0
"""How long the observer's threads get to end; they are daemons."""
_CHANGES: Final = {"created", "deleted", "moved"}

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class KeptFile:
    path: Path
    is_there: Callable[[], bool]
    """The file at `path` is still the one that was made."""
    remake: Callable[[], Awaitable[None]]
    """Raises an `IdeaError` that says why it cannot be made; then it is tried at the next change."""
    on_trouble: Callable[[IdeaError], None]
    """Told once, until it was made again."""


class KeptFiles:
    """One for the server, which `run` keeps until it is cancelled."""

    def __init__(self, *, observers: Callable[[], BaseObserver] = Observer) -> None:
        self._observers = observers
        self._kept: dict[Path, KeptFile] = {}
        self._in_trouble: set[Path] = set()
        self._watched: dict[Path, tuple[tuple[int, int], ObservedWatch]] = {}
        """Folders, by what they were when their watch began: a watch belongs to a folder and not to its name."""
        self._removed: set[Path] = set()
        """Of those, what the system's watch ended with; the next folder of the name may get the same inode."""
        self._changed = asyncio.Event()

    def keep(self, file: KeptFile) -> None:
        """From now on. A later one of the same path takes its place."""
        self._kept[file.path] = file
        self._changed.set()

    def let_go(self, path: Path) -> None:
        """Idempotent."""
        self._kept.pop(path, None)
        self._in_trouble.discard(path)

    async def run(self, *, ready: asyncio.Event) -> None:
        """Ready at once: what is removed before the system watches is found when it does."""
        handler = _Handler(self._take, asyncio.get_running_loop(), self._changed)
        observer = self._observers()
        ready.set()
        try:
            await asyncio.to_thread(observer.start)
            while True:
                await self._changed.wait()
                await asyncio.sleep(COALESCE_S)
                self._changed.clear()
                is_watched_anew = await asyncio.to_thread(self._watch, observer, handler)
                if await self._remake() or is_watched_anew:
                    # Another look, with the watches as they are now: nothing falls between the two.
                    self._changed.set()
        except OSError as error:
            # The limit of watches: all else goes on, and a socket that is removed stays so until the next start.
            _log.warning("IdeA's sockets are not watched (%s)", error.strerror)
        finally:
            await asyncio.to_thread(_stop, observer)

    async def _remake(self) -> bool:
        """Was something made?"""
        is_made = False
        for file in tuple(self._kept.values()):
            if file.is_there():
                continue
            try:
                await file.remake()
                is_made = True
                self._in_trouble.discard(file.path)
                _log.warning("%s was removed, and is made again", file.path)
            except IdeaError as error:
                if file.path not in self._in_trouble:
                    self._in_trouble.add(file.path)
                    file.on_trouble(error)
        return is_made

    def _watch(self, observer: BaseObserver, handler: FileSystemEventHandler) -> bool:
        """Is there a watch that was not there before?"""
        is_new = False
        wanted = {folder: identity for file in tuple(self._kept.values()) for folder, identity in _nearest(file.path)}
        for folder, (identity, watch) in tuple(self._watched.items()):
            if wanted.get(folder) != identity or folder in self._removed:
                # The old folder is gone, and with it the system's watch.
                self._removed.discard(folder)
                with suppress(KeyError, OSError):
                    observer.unschedule(watch)
                del self._watched[folder]
        for folder, identity in wanted.items():
            if folder not in self._watched:
                # Gone in this moment: another look is on its way.
                with suppress(FileNotFoundError):
                    self._watched[folder] = identity, observer.schedule(handler, os.fspath(folder))
                    is_new = True
        return is_new

    def _take(self, path: Path, *, is_removed: bool) -> bool:
        """Does it concern us: is it one of the files, or a folder on the way to one? From the observer's threads."""
        if is_removed and path in self._watched:
            self._removed.add(path)
        return any(path == kept or path in kept.parents for kept in tuple(self._kept))


class _Take(Protocol):
    def __call__(self, path: Path, *, is_removed: bool) -> bool: ...


class _Handler(FileSystemEventHandler):
    """Called in the observer's threads."""

    def __init__(self, take: "_Take", loop: asyncio.AbstractEventLoop, told: asyncio.Event) -> None:
        self._take = take
        self._loop = loop
        self._told = told

    def on_any_event(self, event: FileSystemEvent) -> None:
        if event.event_type not in _CHANGES:
            return
        is_removed = event.event_type == "deleted"
        paths = [Path(os.fsdecode(path)) for path in (event.src_path, event.dest_path) if path]
        # All of them are looked at: each may be a folder that is watched.
        concerned = [path for path in paths if self._take(path, is_removed=is_removed)]
        if concerned:
            # A loop that is closed already has nobody to tell.
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._told.set)


def _nearest(path: Path) -> list[tuple[Path, tuple[int, int]]]:
    """The folder of the file, or what is left of the way to it."""
    for folder in path.parents:
        try:
            found = os.stat(folder)
        except OSError:
            continue
        return [(folder, (found.st_dev, found.st_ino))]
    return []


def _stop(observer: BaseObserver) -> None:
    observer.stop()
    # One that could not be started has no thread.
    with suppress(RuntimeError):
        observer.join(CLOSE_S)
