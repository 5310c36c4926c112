"""The profiles of all layers, made from the bytes of their files: which there are, which are broken, whose they are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Final

from idea.adapters.profile_file import Table, UnusableProfile, build_profile, join, parse_table, read_content
from idea.domain.ids import is_slug
from idea.domain.profiles import Profile

MAX_FILES: Final = 500
"""In one folder; nobody has as many profiles, and each is read whenever one is asked for."""


@dataclass(frozen=True, slots=True)
class BrokenProfile:
    """A file that is no profile, and why; the others keep working."""

    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class ProfileFile:
    """What was found under a name; two are the same only if every byte is."""

    path: Path
    is_of_project: bool
    content: bytes = b""
    trouble: str | None = None
    """Why there is no content."""


@dataclass(frozen=True, slots=True)
class Loaded:
    profiles: Mapping[str, Profile]
    broken: tuple[BrokenProfile, ...]
    sources: Mapping[str, Mapping[Path, str]]
    """Of each profile the project's files that it was made of, with the SHA-256 of their bytes. Where there is one,
    the project defines or redefines the profile: nothing of it runs before a launch has asked for trust."""


Layer = tuple[ProfileFile, ...]


def read_layer(folder: Path | None, *, is_of_project: bool) -> Layer:
    """By name; a folder that is not there is an empty layer."""
    if folder is None or (is_of_project and _is_linked(folder)):
        return ()
    paths = sorted(islice(folder.glob("*.toml"), MAX_FILES + 1))
    files = tuple(_read(path, is_of_project=is_of_project) for path in paths[:MAX_FILES])
    if len(paths) > MAX_FILES:
        trouble = f"it holds more than {MAX_FILES} profiles; the rest is not read"
        files = (*files, ProfileFile(folder, is_of_project, trouble=trouble))
    return files


def build_layers(layers: Sequence[Layer]) -> Loaded:
    """A later layer goes over an earlier one."""
    tables: dict[str, Table] = {}
    profiles: dict[str, Profile] = {}
    sources: dict[str, Mapping[Path, str]] = {}
    broken: list[BrokenProfile] = []
    for layer in layers:
        waiting: dict[str, tuple[ProfileFile, Table]] = {}
        for file in layer:
            try:
                waiting[file.path.stem] = file, _parse(file)
            except UnusableProfile as error:
                broken.append(BrokenProfile(file.path, str(error)))
        for name, (file, table) in _parents_first(waiting):
            try:
                joined = _with_parent(name, table, tables)
                profiles[name] = build_profile(name, joined)
            except UnusableProfile as error:
                broken.append(BrokenProfile(file.path, str(error)))
                continue
            tables[name] = joined
            own = {file.path: sha256(file.content).hexdigest()} if file.is_of_project else {}
            sources[name] = {**sources.get(table.get("extends", ""), {}), **own}
    return Loaded(profiles, tuple(sorted(broken, key=lambda one: one.path)), sources)


def _is_linked(folder: Path) -> bool:
    # A linked folder would bring files that an approval of the project's content has not covered.
    return folder.is_symlink() or folder.parent.is_symlink()


def _read(path: Path, *, is_of_project: bool) -> ProfileFile:
    try:
        return ProfileFile(path, is_of_project, read_content(path, follow_links=not is_of_project))
    except UnusableProfile as error:
        return ProfileFile(path, is_of_project, trouble=str(error))


def _parse(file: ProfileFile) -> Table:
    if file.trouble is not None:
        raise UnusableProfile(file.trouble)
    if not is_slug(file.path.stem):
        raise UnusableProfile("its name is no id: lower-case letters, digits, - and _, at most 32")
    return parse_table(file.content)


def _parents_first(
    waiting: Mapping[str, tuple[ProfileFile, Table]],
) -> Sequence[tuple[str, tuple[ProfileFile, Table]]]:
    """Files of one layer may extend one another; what goes in a circle comes last and then lacks its parent."""
    ordered: dict[str, tuple[ProfileFile, Table]] = {}
    while len(ordered) < len(waiting):
        ready = [
            name
            for name, (_, table) in waiting.items()
            if name not in ordered and _awaited(name, table, waiting) <= ordered.keys()
        ]
        ordered.update((name, waiting[name]) for name in ready or waiting if name not in ordered)
    return list(ordered.items())


def _awaited(name: str, table: Table, waiting: Mapping[str, object]) -> set[str]:
    """A profile that extends its own id means the one of an earlier layer."""
    return {table["extends"]} & waiting.keys() - {name} if "extends" in table else set()


def _with_parent(name: str, table: Table, tables: Mapping[str, Table]) -> Table:
    parent = table.get("extends")
    if parent is None:
        return table
    if parent not in tables:
        raise UnusableProfile(f"extends: there is no usable profile {parent!r}. There are: {', '.join(sorted(tables))}")
    return join(tables[parent], table, keeps_name=parent == name)
