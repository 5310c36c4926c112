"""Files that survive a crash and never lead elsewhere: the one place that opens, writes and renames by name.

Nothing here follows a symbolic link in the last folder or the name itself, waits on a FIFO or opens a device.
"""

import errno
import os
import secrets
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from idea.adapters.storage.unusable import UnusableFile, describe_kind, wrong_kind, wrong_kind_from
from idea.domain.errors import Conflict, IdeaError, Invalid, Refused

PRIVATE: Final = 0o600
SHARED: Final = 0o644
"""Files that a repository tracks; an existing file keeps the mode that it has."""

MAX_NAME_BYTES: Final = 255
MAX_PATH_BYTES: Final = 4096
STALE_TEMPORARY_S: Final = 600
"""A temporary file lives for milliseconds; one of this age was left by a killed writer."""

_PASSING: Final = (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EIO, errno.EINTR, errno.EAGAIN, errno.ESTALE)
_NOT_OURS: Final = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ELOOP, errno.ENOTDIR)


def safe_child(folder: Path, name: str) -> Path:
    """The path of `name` in `folder`; `name` is one plain path component.

    Raises:
        Invalid: it would lead elsewhere or cannot be a file's name.
    """
    is_plain = name not in ("", ".", "..") and not any(char in "/\\\0" for char in name)
    if not is_plain or len(os.fsencode(name)) > MAX_NAME_BYTES:
        raise Invalid(f"{name[:80]!r} cannot be a file's name.", why="nameUnusable", name=name[:80])
    return folder / name


def ensure_folder(path: Path, *, mode: int = 0o755) -> Path:
    """Create the folder if it is missing; its parent must exist. A private one (0700) is made private again.

    Raises:
        Refused: a link or a file stands in its place, or it cannot be created.
    """
    try:
        with suppress(FileExistsError):
            os.mkdir(path, mode)
        status = os.lstat(path)
        if stat.S_ISLNK(status.st_mode) or not stat.S_ISDIR(status.st_mode):
            raise Refused(
                f"{path} is not a folder of its own but {describe_kind(status.st_mode)}. Remove it first.",
                why="somethingInTheWay",
                path=str(path),
            )
        if mode == 0o700 and status.st_mode & 0o077:
            os.chmod(path, mode)
    except OSError as error:
        raise as_idea_error(error, path, "created") from error
    return path


def ensure_private_tree(path: Path) -> Path:
    """Create `path`, a folder of the user's own outside projects, 0700; missing parents too.

    Raises:
        Refused: it belongs to somebody else, or a link or a file stands in its place.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise as_idea_error(error, path.parent, "created") from error
    if path.is_dir() and path.lstat().st_uid != os.getuid():
        raise Refused(
            f"{path} belongs to another user. IdeA keeps nothing in it; name another folder.",
            why="folderOfAnother",
            path=str(path),
        )
    return ensure_folder(path, mode=0o700)


def read_file(path: Path, *, limit_bytes: int) -> bytes | None:
    """The content; None if there is nothing by that name.

    Raises:
        UnusableFile: no regular file, or larger than `limit_bytes`.
        Refused: it cannot be read by us, as it stands there.
        Conflict: nor can it just now (no descriptor is free, the disk fails …); later it may.
    """
    try:
        with _parent(path) as folder:
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
            descriptor = os.open(path.name, flags, dir_fd=folder)
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            # Before it is made a file object, which for a folder fails and leaves the descriptor open.
            os.close(descriptor)
            raise wrong_kind(mode)
        with open(descriptor, "rb") as file:
            content = file.read(limit_bytes + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise wrong_kind_from(error) or as_idea_error(error, path, "read") from error
    if len(content) > limit_bytes:
        raise UnusableFile(f"it is larger than {limit_bytes} bytes", "tooLarge", limit=str(limit_bytes))
    return content


def read_path(record: Path) -> Path | None:
    """The absolute path that a small file of ours holds; None if there is none, whatever is there instead.

    Raises:
        Conflict: it cannot be read just now.
    """
    try:
        text = (read_file(record, limit_bytes=MAX_PATH_BYTES) or b"").decode("utf-8").strip()
    except (UnusableFile, Refused, UnicodeDecodeError):
        return None
    return Path(text) if text.startswith("/") and "\0" not in text else None


def write_path(record: Path, path: Path) -> None:
    """What `read_path` reads. A folder in its place is set aside.

    Raises:
        Refused, Conflict: nothing can be recorded there.
    """
    if record.is_dir() and not record.is_symlink():
        set_aside(record)
    write_file(record, os.fsencode(path), mode=PRIVATE)


def write_file(path: Path, content: bytes, *, mode: int, is_new: bool = False) -> None:
    """Replace the whole file, or leave it as it was: a crash at any moment loses neither.

    Raises:
        Conflict: `is_new` and the name is taken; or the disk is full.
        Refused: not permitted here.
    """
    temporary = _temporary_name(path.name)
    try:
        with _parent(path) as folder:
            try:
                _write_synced(folder, temporary, content, mode=_mode_for(folder, path.name, mode))
                _put_in_place(folder, temporary, path.name, is_new=is_new)
            finally:
                with suppress(FileNotFoundError):
                    os.unlink(temporary, dir_fd=folder)
            os.fsync(folder)
    except FileExistsError as error:
        raise Conflict(f"{path} exists already. Choose another name.", why="nameTaken", path=str(path)) from error
    except OSError as error:
        raise as_idea_error(error, path, "written") from error


def remove_file(path: Path) -> None:
    """Idempotent. Removes a link, never what it leads to."""
    try:
        with _parent(path) as folder:
            os.unlink(path.name, dir_fd=folder)
            os.fsync(folder)
    except FileNotFoundError:
        return
    except OSError as error:
        raise as_idea_error(error, path, "removed") from error


def set_aside(path: Path, *, word: str = "broken") -> Path:
    """Rename what cannot be used to `<name>.<word>-<UTC time>`, so that nothing is lost; the new path."""
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    aside = path.with_name(f"{path.name}.{word}-{stamp}")
    number = 1
    while os.path.lexists(aside):
        number += 1
        aside = path.with_name(f"{path.name}.{word}-{stamp}-{number}")
    try:
        os.rename(path, aside)
    except OSError as error:
        raise as_idea_error(error, path, "renamed") from error
    return aside


def sweep_temporaries(folder: Path) -> None:
    """Remove what writers that were killed left behind."""
    now = time.time()
    for path in folder.glob(".*.tmp"):
        with suppress(OSError):
            status = path.lstat()
            if stat.S_ISREG(status.st_mode) and now - status.st_mtime > STALE_TEMPORARY_S:
                path.unlink()


def is_passing(error: OSError) -> bool:
    """Says something about this moment and nothing about the file."""
    return error.errno in _PASSING


def as_idea_error(error: OSError, path: Path, verb: str) -> IdeaError:
    """The failure that a caller may be told about: which file, why."""
    detail = error.strerror or str(error)
    sentence = f"{path} cannot be {verb}: {detail}."
    code = errno.errorcode.get(error.errno or 0, "")
    if error.errno in _NOT_OURS:
        advice = "Check who owns it and what its permissions are."
        return Refused(f"{sentence} {advice}", why="fileUnusable", path=str(path), detail=detail, errno=code)
    return Conflict(sentence, why="fileUnusable", path=str(path), detail=detail, errno=code)


@contextmanager
def _parent(path: Path) -> Iterator[int]:
    descriptor = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _temporary_name(name: str) -> str:
    # The name's beginning only helps a person who finds it; 100 characters leave room for the rest in 255 bytes.
    return f".{name.encode('ascii', 'replace').decode('ascii')[:100].replace('?', '_')}.{secrets.token_hex(8)}.tmp"


def _mode_for(folder: int, name: str, mode: int) -> int:
    if mode == PRIVATE:
        return mode
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return mode
    return stat.S_IMODE(status.st_mode) & 0o777 if stat.S_ISREG(status.st_mode) else mode


def _write_synced(folder: int, name: str, content: bytes, *, mode: int) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with open(os.open(name, flags, mode, dir_fd=folder), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _put_in_place(folder: int, temporary: str, name: str, *, is_new: bool) -> None:
    if is_new:
        try:
            # A rename would replace a file that came into being meanwhile; a link never does.
            os.link(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
        except FileExistsError:
            raise
        except OSError:
            # File systems without hard links: the look before the rename is the best there is.
            if _exists(folder, name):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        else:
            return
    os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)


def _exists(folder: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True
