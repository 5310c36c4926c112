"""Which profiles are there, which program does each run, and what of the environment does it see?

Three layers, a later one over an earlier one of the same id: built in, the user's own, the project's.
"""

import os
import re
import shutil
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from idea.adapters.profile_file import OWN_PLACES
from idea.adapters.profile_layers import BrokenProfile, Layer, Loaded, build_layers, read_layer
from idea.adapters.version_probe import ask_version
from idea.application.ports import FromFiles
from idea.domain.errors import EngineFailed, NotFound
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


class ProfileFiles:
    """A `ports.ProfileCatalog`. Looks at the files whenever asked; nothing is served that they no longer say."""

    def __init__(
        self, *, user_dir: Path | None, project_dir: Path | None = None, environment: Mapping[str, str] | None = None
    ) -> None:
        """`user_dir` and `project_dir` hold `*.toml`, need not exist; `environment` is the user's (None: ours)."""
        self._user_dir = user_dir
        self._project_dir = project_dir
        self._environment = os.environ if environment is None else environment
        self._seen: tuple[Layer, ...] = ()
        self._loaded = Loaded({}, (), {})

    @property
    def broken(self) -> Sequence[BrokenProfile]:
        """By path, built-in ones never."""
        return self._load().broken

    def list(self) -> Sequence[Profile]:
        """By id."""
        return [profile for _, profile in sorted(self._load().profiles.items())]

    def get(self, profile: str) -> Profile:
        """Raises `NotFound`."""
        return self.read(profile).value

    def read(self, profile: str) -> FromFiles[Profile]:
        """As its files say now, with those of the project that it was made of. Raises `NotFound`."""
        loaded = self._load()
        if profile not in loaded.profiles:
            raise NotFound("profile", profile, choices=sorted(loaded.profiles))
        return FromFiles(loaded.profiles[profile], loaded.sources[profile])

    def executable(self, profile: Profile) -> str:
        """The absolute path of its program. Raises `EngineFailed` with how to get it."""
        command = self._fill(profile, "command", expand((profile.command,), OWN_PLACES)[0])
        found = command if os.path.isabs(command) and os.access(command, os.X_OK) else self._find_on_path(command)
        if found is None:
            hint = f" {profile.install_hint}" if profile.install_hint else ""
            raise EngineFailed(
                profile.name, f"the program {command!r} was not found on PATH.{hint}", why="notOnPath", program=command
            )
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
        if self._may_be_the_projects(profile) or not profile.version_args:
            # Asking a version runs the program with the project's own arguments and variables.
            return ProfileHealth(profile, executable=executable, version=None, missing=None)
        version, trouble = await ask_version((executable, *profile.version_args), environment)
        return ProfileHealth(profile, executable=executable, version=version, missing=trouble)

    def _may_be_the_projects(self, profile: Profile) -> bool:
        """Also one that is gone or another by now: the file that it came from may have been the project's."""
        loaded = self._load()
        return loaded.profiles.get(profile.id) != profile or bool(loaded.sources[profile.id])

    def _fill(self, profile: Profile, name: str, value: str) -> str:
        def look_up(found: re.Match[str]) -> str:
            value = self._environment.get(found[1]) or found[2]
            if value is None:
                raise EngineFailed(
                    profile.name,
                    f"its {name} needs ${found[1]}, which is not set.",
                    why="variableMissing",
                    variable=found[1],
                )
            return value

        return USER_VARIABLE.sub(look_up, value)

    def _find_on_path(self, command: str) -> str | None:
        if os.sep in command:
            # A relative path would depend on the folder we were started in, or name a file of the project.
            return None
        folders = [folder for folder in self._environment.get("PATH", "").split(os.pathsep) if os.path.isabs(folder)]
        return shutil.which(command, path=os.pathsep.join(folders))

    def _load(self) -> Loaded:
        layers = (
            read_layer(BUILT_IN, is_of_project=False),
            read_layer(self._user_dir, is_of_project=False),
            read_layer(self._project_dir, is_of_project=True),
        )
        # By every byte: a time and a size can be made to look as if nothing had changed, and these files run.
        if layers != self._seen:
            self._loaded, self._seen = build_layers(layers), layers
        return self._loaded


def _allows(patterns: Sequence[str], name: str) -> bool:
    """The last pattern that fits decides; a leading `!` takes names out again."""
    fitting = [pattern for pattern in patterns if fnmatchcase(name, pattern.removeprefix("!"))]
    return bool(fitting) and not fitting[-1].startswith("!")
