"""Which profiles are there, which program does each run, and what of the environment does it see?

Three layers, a later one over an earlier one of the same id: built in, the user's own, the project's.
"""

import os
import re
import shutil
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from idea.adapters.profile_file import OWN_PLACES, Table, Unusable, build_profile, join, read_table
from idea.adapters.version_probe import ask_version
from idea.domain.errors import EngineFailed, NotFound
from idea.domain.ids import is_slug
from idea.domain.profiles import Profile, ProfileHealth, expand

BUILT_IN: Final = Path(OWN_PLACES["package"]) / "profiles"

COMMON_ENV: Final = (
    "HOME",
    "PATH",
    "LANG",
    "LC_*",
    "TERM",
    "SHELL",
    "USER",
    "LOGNAME",
    "TMPDIR",
    "TZ",
    "XDG_*",
    "SSH_AUTH_SOCK",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
)
"""What every CLI may see of the user's environment: where things are and how to reach the network."""

USER_VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")
"""`${NAME}`, or `${NAME:-what to take if it is not set}`."""


@dataclass(frozen=True, slots=True)
class BrokenProfile:
    """A file that is no profile, and why; the others keep working."""

    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class _Loaded:
    profiles: Mapping[str, Profile]
    broken: tuple[BrokenProfile, ...]
    brought: frozenset[str]
    """Ids that the project defines or redefines; nothing of theirs runs before a launch asks for trust."""


class ProfileCatalog:
    """Reads the files anew whenever one of them has changed."""

    def __init__(
        self, *, user_dir: Path | None, project_dir: Path | None = None, environment: Mapping[str, str] | None = None
    ) -> None:
        """`user_dir` and `project_dir` hold `*.toml`, need not exist; `environment` is the user's (None: ours)."""
        self._user_dir = user_dir
        self._project_dir = project_dir
        self._environment = os.environ if environment is None else environment
        self._seen: object = None
        self._loaded = _Loaded({}, (), frozenset())

    @property
    def broken(self) -> Sequence[BrokenProfile]:
        """By path, built-in ones never."""
        return self._load().broken

    def list(self) -> Sequence[Profile]:
        """By id."""
        return [profile for _, profile in sorted(self._load().profiles.items())]

    def get(self, profile: str) -> Profile:
        """Raises `NotFound`."""
        profiles = self._load().profiles
        if profile not in profiles:
            raise NotFound("profile", profile, choices=sorted(profiles))
        return profiles[profile]

    def executable(self, profile: Profile) -> str:
        """The absolute path of its program. Raises `EngineFailed` with how to get it."""
        command = self._fill(profile, "command", expand((profile.command,), OWN_PLACES)[0])
        found = command if os.path.isabs(command) and os.access(command, os.X_OK) else self._find_on_path(command)
        if found is None:
            hint = f" {profile.install_hint}" if profile.install_hint else ""
            raise EngineFailed(profile.name, f"the program {command!r} was not found on PATH.{hint}")
        return found

    def environment(self, profile: Profile) -> dict[str, str]:
        """The environment of its CLI: the common variables, those it may see, and its own, `${VAR}` filled in.

        Raises:
            EngineFailed: a value refers to a variable that the user has not set.
        """
        passed = {
            name: value
            for name, value in self._environment.items()
            if _allows(COMMON_ENV, name) or _allows(profile.pass_env, name)
        }
        return passed | {name: self._fill(profile, name, value) for name, value in profile.env.items()}

    async def health(self, profile: Profile) -> ProfileHealth:
        """Look for the CLI and ask its version (bounded)."""
        try:
            executable = self.executable(profile)
            environment = self.environment(profile)
        except EngineFailed as error:
            return ProfileHealth(profile, executable=None, version=None, missing=error.reason)
        if profile.id in self._load().brought or not profile.version_args:
            # Asking a version runs the program with the project's own arguments and variables.
            return ProfileHealth(profile, executable=executable, version=None, missing=None)
        version, trouble = await ask_version((executable, *profile.version_args), environment)
        return ProfileHealth(profile, executable=executable, version=version, missing=trouble)

    def _fill(self, profile: Profile, name: str, value: str) -> str:
        def look_up(found: re.Match[str]) -> str:
            value = self._environment.get(found[1]) or found[2]
            if value is None:
                raise EngineFailed(profile.name, f"its {name} needs ${found[1]}, which is not set.")
            return value

        return USER_VARIABLE.sub(look_up, value)

    def _find_on_path(self, command: str) -> str | None:
        if os.sep in command:
            # A relative path would depend on the folder we were started in, or name a file of the project.
            return None
        folders = [folder for folder in self._environment.get("PATH", "").split(os.pathsep) if os.path.isabs(folder)]
        return shutil.which(command, path=os.pathsep.join(folders))

    def _load(self) -> _Loaded:
        layers = [_files(BUILT_IN), _files(self._user_dir), _project_files(self._project_dir)]
        seen = [[_stamp(path) for path in layer] for layer in layers]
        if seen != self._seen:
            self._loaded, self._seen = _read_layers(layers), seen
        return self._loaded


def _allows(patterns: Sequence[str], name: str) -> bool:
    """The last pattern that fits decides; a leading `!` takes names out again."""
    fitting = [pattern for pattern in patterns if fnmatchcase(name, pattern.removeprefix("!"))]
    return bool(fitting) and not fitting[-1].startswith("!")


def _files(folder: Path | None) -> Sequence[Path]:
    return sorted(folder.glob("*.toml")) if folder is not None else []


def _project_files(folder: Path | None) -> Sequence[Path]:
    # A linked folder would bring files that an approval of the project's content has not covered.
    return [] if folder is None or folder.is_symlink() or folder.parent.is_symlink() else _files(folder)


def _stamp(path: Path) -> tuple[Path, int, int, int]:
    try:
        status = path.lstat() if path.is_symlink() and not path.exists() else path.stat()
    except OSError:
        return path, 0, 0, 0
    return path, status.st_mtime_ns, status.st_size, stat.S_IFMT(status.st_mode)


def _read_layers(layers: Sequence[Sequence[Path]]) -> _Loaded:
    tables: dict[str, Table] = {}
    profiles: dict[str, Profile] = {}
    broken: list[BrokenProfile] = []
    brought: set[str] = set()
    for depth, layer in enumerate(layers):
        is_project = depth == len(layers) - 1
        waiting: dict[str, tuple[Path, Table]] = {}
        for path in layer:
            try:
                if not is_slug(path.stem):
                    raise Unusable("its name is no id: lower-case letters, digits, - and _, at most 32")
                waiting[path.stem] = path, read_table(path, follow_links=not is_project)
            except Unusable as error:
                broken.append(BrokenProfile(path, str(error)))
        for name, (path, table) in _parents_first(waiting):
            try:
                joined = _with_parent(name, table, tables)
                profiles[name] = build_profile(name, joined)
            except Unusable as error:
                broken.append(BrokenProfile(path, str(error)))
                continue
            tables[name] = joined
            if is_project:
                brought.add(name)
    return _Loaded(profiles, tuple(sorted(broken, key=lambda one: one.path)), frozenset(brought))


def _parents_first(waiting: Mapping[str, tuple[Path, Table]]) -> Sequence[tuple[str, tuple[Path, Table]]]:
    """Files of one layer may extend one another; what goes in a circle comes last and then lacks its parent."""
    ordered: dict[str, tuple[Path, Table]] = {}
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
        raise Unusable(f"extends: there is no usable profile {parent!r}. There are: {', '.join(sorted(tables))}")
    return join(tables[parent], table, keeps_name=parent == name)
