"""Which files of a project change what runs, and what is in them: found without following a link unawares."""

import errno
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Final

from idea.adapters.storage.agent_file import MAX_AGENT_BYTES, explain_bad_workspace
from idea.adapters.storage.atomic import as_idea_error, is_passing, read_file
from idea.adapters.storage.front_matter import BrokenText, parse_document
from idea.adapters.storage.trust_items import Found, list_trust_items, trust_item
from idea.adapters.storage.trust_places import FILES, FOLDERS, find_users_own, is_users_own
from idea.adapters.storage.unusable import UnusableFile, describe_kind
from idea.domain.errors import Refused
from idea.domain.trust import TrustItem, TrustKind
from idea.domain.visible_text import visible_in_line

MAX_FILE_BYTES: Final = 4 * 1024 * 1024
"""Larger ones are hashed, but not taken apart."""
MAX_HASHED_BYTES: Final = 64 * 1024 * 1024
MAX_FILES: Final = 2_000
MAX_DEPTH: Final = 8
CHUNK_BYTES: Final = 1024 * 1024

AGENTS: Final = ".ideai/agents"
OWN: Final = ((AGENTS, ".md"), (".ideai/profiles", ".toml"), (".ideai/capabilities", ""))

LIBRARIES: Final = {"node_modules", ".git"}
"""Run only if something that is listed refers to them."""


@dataclass(frozen=True, slots=True)
class Subject:
    """One file that changes what runs."""

    file: str
    """Relative to the project root; above it with `..`."""
    digest: str
    """SHA-256 (hex) of its bytes, or of what stands for them where they cannot be had."""
    list_items: Callable[[], Sequence[TrustItem]]
    obstacle: str | None = None
    """Why nobody can approve it: a clause. Its content may be another whenever it is read."""
    workspace: str | None = None
    """Of an agent's file: where its CLI is started, relative to the root; None for the root itself."""

    @property
    def items(self) -> tuple[TrustItem, ...]:
        """Taken apart only now: every launch looks at every file, and most are approved as they are."""
        return tuple(self.list_items())


def scan(root: Path) -> Sequence[Subject]:
    """By file. Blocking; reads everything, at most `MAX_FILES` files."""
    found: dict[str, Subject] = {}
    seen: set[tuple[int, int]] = set()
    _look_at_all(_own_files(root, seen), root, found)
    # Where agents work is taken from the bytes that are judged: a second reading could say something else.
    bases = dict.fromkeys((root, *_above(root), *_workspaces(root, found)))
    _look_at_all(_foreign_files(bases, seen), root, found)
    return [found[file] for file in sorted(found)]


def _look_at_all(paths: Iterable[Path], root: Path, found: dict[str, Subject]) -> None:
    for path in paths:
        file = os.path.relpath(path, root)
        if len(found) >= MAX_FILES:
            text = f"more than {MAX_FILES} files that change what runs"
            many = Found(TrustKind.FILE, text, "tooManyFiles", {"limit": MAX_FILES})
            found[file] = _unapprovable(file, many, "IdeA does not look at so many; remove what is not needed")
            return
        found[file] = _look_at(path, file)


def _own_files(root: Path, seen: set[tuple[int, int]]) -> Iterator[Path]:
    for folder, ending in OWN:
        yield from (path for path in _files_in(root / folder, seen) if path.name.endswith(ending) or not path.is_file())


def _foreign_files(bases: Iterable[Path], seen: set[tuple[int, int]]) -> Iterator[Path]:
    own = find_users_own(os.environ)
    for base in bases:
        yield from (base / name for name in FILES if os.path.lexists(base / name))
        for cli in FOLDERS:
            takes = partial(cli.takes, is_users_own=is_users_own(base / cli.name, own))
            yield from _files_in(base / cli.name, seen, takes=takes)


def _files_in(
    folder: Path,
    seen: set[tuple[int, int]],
    depth: int = 0,
    *,
    within: str = "",
    takes: Callable[[str], bool] = lambda _: True,
) -> Iterator[Path]:
    """Everything below that is no folder, behind links too: the CLI would follow them. `seen` ends circles.

    `takes` judges paths relative to the folder that was asked for; `within` is how far below it this one is.
    """
    if not os.path.lexists(folder):
        return
    try:
        status = os.stat(folder)
        if not stat.S_ISDIR(status.st_mode) or depth > MAX_DEPTH:
            yield folder
            return
        if (status.st_dev, status.st_ino) in seen:
            return
        seen.add((status.st_dev, status.st_ino))
        names = sorted(os.listdir(folder))
    except OSError as error:
        _refuse_passing(error, folder)
        yield folder
        return
    for name in names:
        if name not in LIBRARIES and takes(within + name):
            yield from _files_in(folder / name, seen, depth + 1, within=f"{within}{name}/", takes=takes)


def _above(root: Path) -> Sequence[Path]:
    """CLIs look for configuration up to the repository's top, when a folder within it is opened."""
    home = Path(os.path.expanduser("~"))
    above: list[Path] = []
    if os.path.lexists(root / ".git"):
        return above
    for folder in root.parents:
        # The user's own configuration is not something that the project brought.
        if folder == home:
            return []
        above.append(folder)
        if os.path.lexists(folder / ".git"):
            return above
    return []


def _workspaces(root: Path, found: Mapping[str, Subject]) -> Iterator[Path]:
    """Where agents work elsewhere than in the root, their CLIs read the configuration there and on the way up."""
    for workspace in sorted({one.workspace for one in found.values() if one.workspace is not None}):
        folder = root / workspace
        yield from _between(root, folder)
        # A link on the way leads to a folder with other parents, and the CLI climbs those.
        real, real_root = folder.resolve(), root.resolve()
        if real.is_relative_to(real_root):
            yield from (root / one.relative_to(real_root) for one in _between(real_root, real))
        else:
            yield from (real, *_above(real))


def _between(root: Path, folder: Path) -> Sequence[Path]:
    """`folder` and its parents, without the root."""
    return [one for one in (folder, *folder.parents) if one != root and one.is_relative_to(root)]


@lru_cache(maxsize=256)
def _find_workspace(agent: bytes) -> str | None:
    """Remembered by the file's content, since reading YAML costs more than everything else of a look."""
    try:
        workspace = parse_document(agent).keys.get("workspace")
    except BrokenText:
        return None
    # An agent with a workspace that leads out of the project is broken, and never started.
    is_usable = isinstance(workspace, str) and explain_bad_workspace(workspace) is None
    return str(PurePosixPath(workspace)) if is_usable else None


def _look_at(path: Path, file: str) -> Subject:
    try:
        content = read_file(path, limit_bytes=MAX_FILE_BYTES)
    except UnusableFile as error:
        return _look_closer(path, file, str(error))
    except Refused:
        return _look_closer(path, file, "it cannot be opened")
    if content is None:
        return _stand_in(file, Found(TrustKind.FILE, "it went away just now", "gone"), "gone")
    is_agent = file.endswith(".md") and Path(file).parent == Path(AGENTS) and len(content) <= MAX_AGENT_BYTES
    workspace = _find_workspace(content) if is_agent else None
    return Subject(file, sha256(content).hexdigest(), partial(list_trust_items, file, content), workspace=workspace)


def _look_closer(path: Path, file: str, reason: str) -> Subject:
    """Something that is no plain readable file: it is named, and what can be hashed of it is."""
    try:
        status = os.stat(path)
    except OSError as error:
        _refuse_passing(error, path)
        # It cannot be read now; should it become readable, its content gives another digest.
        target = os.readlink(path) if path.is_symlink() else ""
        return _stand_in(file, _unreadable(f"{reason}: {error.strerror}", error), f"unreachable\0{target}")
    if not stat.S_ISREG(status.st_mode):
        kind = describe_kind(status.st_mode)
        odd = Found(TrustKind.FILE, f"{kind} where a CLI looks for its settings", "notAFile")
        return _unapprovable(file, odd, f"it is {kind}; remove it")
    if status.st_size > MAX_HASHED_BYTES:
        large = Found(TrustKind.FILE, f"{reason}; far too large to look at", "tooLarge")
        return _unapprovable(file, large, "it is too large to look at; remove it")
    try:
        digest = _digest_of(path)
    except OSError as error:
        _refuse_passing(error, path)
        return _stand_in(file, _unreadable(f"cannot be read: {error.strerror}", error), "unreadable")
    target = os.fspath(path.resolve())
    if path.is_symlink() or target != os.fspath(path):
        shown = Found(TrustKind.FILE, f"{reason}, it leads to {target}", "leadsElsewhere", {"path": target})
    else:
        # Readable by chunks, but not at once.
        shown = Found(TrustKind.FILE, reason, "tooLarge")
    return _stand_in(file, shown, f"{target}\0{digest}")


def _refuse_passing(error: OSError, path: Path) -> None:
    """Raises `Conflict` for a failure that is no finding: whoever looks is told of it, not that a file has changed."""
    if is_passing(error):
        raise as_idea_error(error, path, "read") from error


def _unreadable(text: str, error: OSError) -> Found:
    fields = {"detail": error.strerror, "errno": errno.errorcode.get(error.errno or 0, "")}
    return Found(TrustKind.FILE, text, "unreadable", fields)


def _digest_of(path: Path) -> str:
    """Follows links: what the CLI would read counts."""
    digest = sha256()
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()


def _stand_in(file: str, found: Found, mark: str) -> Subject:
    digest = sha256(f"not a plain file\0{mark}".encode("utf-8", "surrogateescape")).hexdigest()
    return Subject(file, digest, lambda: [trust_item(visible_in_line(file), found)])


def _unapprovable(file: str, found: Found, obstacle: str) -> Subject:
    digest = sha256(f"unapprovable\0{found.text}".encode("utf-8", "replace")).hexdigest()
    return Subject(file, digest, lambda: [trust_item(visible_in_line(file), found)], obstacle)
