"""Tells when somebody edits the agent files, the settings, or what the CLIs read in the project's folder.

Watches the folders that hold them and nothing below: a launch looks at everything anew.
"""

import asyncio
import errno
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver, ObservedWatch
from watchdog.observers.polling import PollingObserver

from idea.adapters.storage.atomic import as_idea_error
from idea.adapters.storage.settings import SETTINGS_FILE
from idea.adapters.storage.trust_places import FILES, FOLDERS, find_users_own, is_users_own
from idea.domain.file_trouble import FileTrouble

COALESCE_S: Final = 0.1
"""An editor writes, renames and sets times in one go; one look is enough for all of it."""
POLL_S: Final = 2.0
CLOSE_S: Final = 2.0
"""How long the observer's threads get to end; they are daemons."""

_CHANGES: Final = {"created", "modified", "moved", "deleted", "closed"}
"""Not `opened` and `closed_no_write`: our own reading would wake us again."""

_LIMITS: Final = (errno.ENOSPC, errno.EMFILE, errno.ENFILE)

Observers = Callable[[], BaseObserver]


@dataclass(frozen=True, slots=True)
class _Watched:
    """A folder as it was when its watch began."""

    identity: tuple[int, int]
    watch: ObservedWatch


class Watcher:
    """Run it for as long as the project is open."""

    def __init__(
        self,
        ideai: Path,
        *,
        on_change: Callable[[], None],
        on_notice: Callable[[FileTrouble], None],
        observers: Observers = Observer,
    ) -> None:
        """Both callbacks are called in the loop. `on_notice` learns that watching is slower than usual, or ended."""
        self._ideai = ideai
        self._folders = _come_and_go(ideai)
        self._on_change = on_change
        self._on_notice = on_notice
        self._observers = observers
        self._observer: BaseObserver | None = None
        self._watched: dict[Path, _Watched] = {}

    async def run(self, *, ready: asyncio.Event) -> None:
        """Until cancelled; `ready` when no later change is missed. Raises `Refused`, `Conflict`."""
        wake = asyncio.Event()
        handler = _Handler(self._ideai, asyncio.get_running_loop(), wake)
        try:
            await asyncio.to_thread(self._start, handler)
        except OSError as error:
            if error.errno not in _LIMITS:
                raise as_idea_error(error, self._ideai, "watched") from error
            self._on_notice(_used_up(error))
            self._observers = lambda: PollingObserver(timeout=POLL_S)
            await asyncio.to_thread(self._start, handler)
        try:
            ready.set()
            while True:
                await wake.wait()
                await asyncio.sleep(COALESCE_S)
                wake.clear()
                try:
                    await asyncio.to_thread(self._follow_folders, handler)
                except OSError as error:
                    # The folder that came in place of a watched one; the agents that run must not end for it.
                    self._on_notice(_unwatched(Path(error.filename or self._ideai), error))
                self._on_change()
        finally:
            await asyncio.to_thread(self._stop)

    def _start(self, handler: FileSystemEventHandler) -> None:
        observer = self._observers()
        try:
            observer.schedule(handler, os.fspath(self._ideai))
            observer.schedule(handler, os.fspath(self._ideai.parent))
            observer.start()
            self._observer = observer
            self._follow_folders(handler)
        except OSError:
            self._observer = None
            self._watched.clear()
            with suppress(RuntimeError):
                observer.stop()
                observer.join(CLOSE_S)
            raise

    def _follow_folders(self, handler: FileSystemEventHandler) -> None:
        for folder in self._folders:
            self._follow(folder, handler)

    def _follow(self, folder: Path, handler: FileSystemEventHandler) -> None:
        """A watch belongs to a folder, not to its name: git may remove `agents` and make it anew."""
        found, known = _identity(folder), self._watched.get(folder)
        if self._observer is None or found == (known.identity if known else None):
            return
        if known is not None:
            # The old folder is gone, and with it the system's watch.
            with suppress(KeyError, OSError):
                self._observer.unschedule(known.watch)
            del self._watched[folder]
        if found is not None:
            self._watched[folder] = _Watched(found, self._observer.schedule(handler, os.fspath(folder)))

    def _stop(self) -> None:
        if self._observer is not None:
            self._observer.stop()
            self._observer.join(CLOSE_S)


class _Handler(FileSystemEventHandler):
    """Called in the observer's threads."""

    def __init__(self, ideai: Path, loop: asyncio.AbstractEventLoop, wake: asyncio.Event) -> None:
        self._agents = ideai / "agents"
        self._folders = frozenset(_come_and_go(ideai))
        own = find_users_own(os.environ)
        folders = [(ideai.parent / cli.name, cli) for cli in FOLDERS]
        self._takes = {at: partial(cli.takes, is_users_own=is_users_own(at, own)) for at, cli in folders}
        self._files = frozenset({ideai / SETTINGS_FILE, ideai / "state", *(ideai.parent / name for name in FILES)})
        self._loop = loop
        self._wake = wake

    def on_any_event(self, event: FileSystemEvent) -> None:
        paths = [Path(os.fsdecode(path)) for path in (event.src_path, event.dest_path) if path]
        if event.event_type in _CHANGES and any(map(self._concerns_us, paths)):
            # A loop that is closed already has nobody to tell.
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._wake.set)

    def _concerns_us(self, path: Path) -> bool:
        if path in self._folders or path in self._files:
            return True
        # Temporary files, ours as well, begin with a dot.
        if path.parent not in self._folders or path.name.startswith("."):
            return False
        takes = self._takes.get(path.parent)
        # In the user's own folder a CLI at work writes to its databases all the time.
        return takes(path.name) if takes is not None else path.suffix == ".md" or path.parent != self._agents


def _used_up(error: OSError) -> FileTrouble:
    sentence = (
        f"The system's limit of watched files is reached ({error.strerror}), so changes by hand show after "
        f"{POLL_S:g} s. Raise fs.inotify.max_user_watches or max_user_instances."
    )
    return FileTrouble(sentence, "watchesUsedUp", {"seconds": f"{POLL_S:g}"})


def _unwatched(folder: Path, error: OSError) -> FileTrouble:
    sentence = f"{folder} can no longer be watched: {error.strerror}. Open the project anew."
    code = errno.errorcode.get(error.errno or 0, "")
    return FileTrouble(
        sentence, "folderUnwatched", {"path": os.fspath(folder), "detail": error.strerror or "", "errno": code}
    )


def _come_and_go(ideai: Path) -> Sequence[Path]:
    """What is watched for as long as it is there."""
    return ideai / "agents", ideai / "profiles", ideai / "layouts", *(ideai.parent / cli.name for cli in FOLDERS)


def _identity(folder: Path) -> tuple[int, int] | None:
    """None if there is no such folder; a link in its place is not followed."""
    try:
        status = os.lstat(folder)
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if folder.is_dir() and not folder.is_symlink() else None
