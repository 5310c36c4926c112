"""Where the agents' door is: the one place that turns a project into the path of its socket and secrets.

Both live outside the project, in a folder that only the user can enter, under a short hashed name: a socket's path must
fit into 104 bytes wherever the project lies.
"""

import errno
import hashlib
import os
import socket
import stat
import tempfile
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from idea import bridge_endpoint
from idea.domain.errors import Conflict, IdeaError, Refused
from idea.domain.ids import AgentId, ProjectId
from idea.domain.sessions import SessionRole

MAX_SOCKET_PATH_BYTES: Final = 103
"""`sun_path` of macOS less its NUL; Linux has 4 more. A longer path would be cut off and name another file."""
_HASH_DIGITS: Final = 20
KEEPER_SUFFIX: Final = ".keeper"
BACKLOG: Final = 512
"""Agents of one project that may connect in the same instant."""
_MAX_SECRET_BYTES: Final = 1024
_PROBE_S: Final = 1.0
"""How long a socket that is already there gets to answer a connection."""


def runtime_dir(env: Mapping[str, str]) -> Path:
    """The user's runtime folder, made with mode 0700 if it is not there.

    Raises:
        Refused: something else is there, or it belongs to another user.
    """
    return ensure_private(_choose_runtime(env))


def find_runtime_dir(env: Mapping[str, str]) -> Path | None:
    """The user's runtime folder as it is, if it is there and private; nothing is made or changed."""
    folder = _choose_runtime(env)
    return folder if is_private(folder) else None


def _choose_runtime(env: Mapping[str, str]) -> Path:
    folder = Path(env.get("XDG_RUNTIME_DIR", "")) / "idea"
    return folder if _is_usable(folder) else Path(f"/tmp/idea-{os.geteuid()}")


def ensure_private(folder: Path) -> Path:
    """Make `folder`, or check that it is a real one and ours, with mode 0700. Raises `Refused`."""
    try:
        _make(folder)
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
            raise Refused(
                f"{folder} is not a folder of yours. Remove it, or set XDG_RUNTIME_DIR.",
                why="somethingInTheWay",
                path=str(folder),
            )
        if found.st_mode & 0o077:
            folder.chmod(0o700)
    except OSError as error:
        raise _unusable(folder, error) from error
    return folder


def _make(folder: Path) -> None:
    """With what is missing above it, all of it private: the user's own runtime folder may have been removed."""
    if not folder.parent.exists():
        _make(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)


def _unusable(folder: Path, error: OSError) -> Refused:
    return Refused(
        f"{folder} cannot be used as IdeA's runtime folder: {error.strerror}.",
        why="fileUnusable",
        path=str(folder),
        detail=error.strerror,
        errno=errno.errorcode.get(error.errno or 0, ""),
    )


def is_private(folder: Path) -> bool:
    """A real folder of ours that nobody else can enter, as it is; nothing is changed."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o077


def fits_socket(folder: Path) -> bool:
    """The paths of our sockets in it are short enough."""
    return len(os.fsencode(folder / ("0" * _HASH_DIGITS + KEEPER_SUFFIX))) <= MAX_SOCKET_PATH_BYTES


def endpoint_path(runtime: Path, project: ProjectId) -> Path:
    return runtime / f"{hashlib.sha256(project.encode()).hexdigest()[:_HASH_DIGITS]}.sock"


def keeper_socket(endpoint: Path) -> Path:
    """Where the keeper of the endpoint's project listens."""
    return endpoint.with_suffix(KEEPER_SUFFIX)


def secret_path(runtime: Path, project: ProjectId, agent: AgentId, role: SessionRole = SessionRole.MAIN) -> Path:
    if "/" in agent:
        raise Refused(f"{agent!r} is not an agent's id.")
    return Path(bridge_endpoint.secret_path(str(endpoint_path(runtime, project)), agent, role.value))


def write_secret(
    runtime: Path, project: ProjectId, agent: AgentId, secret: str, role: SessionRole = SessionRole.MAIN
) -> Path:
    """Store the secret of the session's new launch (0600), in place of the last one's at one stroke.

    Raises:
        Refused: it cannot be written; nothing is left of it.
    """
    path = secret_path(runtime, project, agent, role)
    try:
        file, draft = tempfile.mkstemp(dir=runtime, prefix=f".{path.name}.")
        try:
            with os.fdopen(file, "w", encoding="utf-8") as writer:
                writer.write(secret)
            os.replace(draft, path)
        except OSError:
            os.unlink(draft)
            raise
    except OSError as error:
        raise _unusable(runtime, error) from error
    return path


def remove_secret(runtime: Path, project: ProjectId, agent: AgentId, role: SessionRole = SessionRole.MAIN) -> None:
    """Idempotent."""
    secret_path(runtime, project, agent, role).unlink(missing_ok=True)


def find_secret(runtime: Path, project: ProjectId, agent: AgentId, role: SessionRole) -> str | None:
    """The secret of a launch that an earlier server made; None if there is none that is ours alone."""
    path = secret_path(runtime, project, agent, role)
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    with os.fdopen(file, "rb") as reader:
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
            return None
        return reader.read(_MAX_SECRET_BYTES).decode("utf-8", "replace").strip() or None


def sweep_secrets(runtime: Path, project: ProjectId, *, keep: Collection[tuple[AgentId, SessionRole]] = ()) -> None:
    """Remove what an earlier server left of the project's launches, but for those of the sessions that still run.

    Whoever calls this has the project alone.
    """
    name = endpoint_path(runtime, project).stem
    kept = {secret_path(runtime, project, agent, role) for agent, role in keep}
    for path in (*runtime.glob(f"{name}.*.secret"), *runtime.glob(f".{name}.*.secret.*")):
        if path not in kept:
            path.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class Listener:
    """The bound socket, and which file it is."""

    socket: socket.socket
    path: Path
    identity: tuple[int, int, int]

    def close(self) -> None:
        """Stop listening and remove the file, unless another server's is there by now. Idempotent."""
        self.socket.close()
        if self.is_there():
            self.path.unlink(missing_ok=True)

    def is_there(self) -> bool:
        """The file is still the one that was made."""
        try:
            return _identity(self.path) == self.identity
        except OSError:
            return False


def listen(endpoint: Path) -> Listener:
    """Bind the endpoint (0600). What a crashed server left there is replaced.

    Raises:
        Conflict: somebody answers there.
        Refused: what is there is not a socket of ours; it stays untouched.
    """
    ensure_private(endpoint.parent)
    if len(os.fsencode(endpoint)) > MAX_SOCKET_PATH_BYTES:
        raise Refused(
            f"The path {endpoint} is too long for a socket. Set XDG_RUNTIME_DIR to a shorter one.",
            why="socketPathTooLong",
            path=str(endpoint),
        )
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        _clear(endpoint)
        listener.bind(os.fspath(endpoint))
        endpoint.chmod(0o600)
        listener.listen(BACKLOG)
        identity = _identity(endpoint)
    except OSError as error:
        listener.close()
        raise Refused(
            f"IdeA cannot listen at {endpoint}: {error.strerror}.",
            why="cannotListen",
            path=str(endpoint),
            detail=error.strerror,
        ) from error
    except IdeaError:
        listener.close()
        raise
    listener.setblocking(False)
    return Listener(listener, endpoint, identity)


def _clear(endpoint: Path) -> None:
    """Remove a socket on which nobody answers."""
    try:
        found = endpoint.lstat()
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(found.st_mode) or found.st_uid != os.geteuid():
        raise Refused(
            f"{endpoint} is in the way and is not a socket of yours. Look at it, then remove it.",
            why="somethingInTheWay",
            path=str(endpoint),
        )
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(_PROBE_S)
        try:
            probe.connect(os.fspath(endpoint))
        except (ConnectionRefusedError, FileNotFoundError):
            endpoint.unlink(missing_ok=True)
            return
        except OSError:
            # A full queue or a slow answer: somebody lives there.
            pass
    raise Conflict(
        "Another IdeA server of yours has this project open. Use that one, or stop it first.", why="openElsewhere"
    )


def _identity(path: Path) -> tuple[int, int, int]:
    """With the time, because a file system gives a freed inode number to the next file."""
    found = path.lstat()
    return found.st_dev, found.st_ino, found.st_ctime_ns


def _is_usable(folder: Path) -> bool:
    """The parent is a folder of ours and socket names below fit."""
    try:
        parent = folder.parent.stat()
    except OSError:
        return False
    is_ours = stat.S_ISDIR(parent.st_mode) and parent.st_uid == os.geteuid()
    return folder.is_absolute() and is_ours and fits_socket(folder)
