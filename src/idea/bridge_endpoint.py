"""The bridge's way to the project's endpoint: is it ours, is a server to be expected, and who do we say we are?

Loaded with every bridge: see there what it must not import.
"""

import os
import stat
import time
from _socket import AF_UNIX, SOCK_STREAM, socket

from idea.bridge_lines import HANDSHAKE_VERSION

DONE, USAGE, NO_ENDPOINT, REFUSED, LOST = 0, 2, 3, 4, 5

CONNECT_TRIES = 75
"""For a server whose queue of new connections is full; CLIs must hear of a failure within 2 s."""
_CONNECT_PAUSE_S = 0.02
"""Nobody tells when a queue has room again."""


class End(Exception):
    """The bridge does not go on: its exit code, and a sentence for the CLI's log."""

    def __init__(self, code: int, sentence: str) -> None:
        super().__init__(sentence)
        self.code, self.sentence = code, sentence


def secret_path(endpoint: str, agent: str, role: str) -> str:
    """`role` is `main` or `side`: what stands for one session of the agent does not for the other."""
    return f"{endpoint.removesuffix('.sock')}.{agent}{'' if role == 'main' else '.' + role}.secret"


def connect(endpoint: str, tries: int) -> socket:
    """A non-blocking connection. Raises `End` unless the endpoint is ours alone and somebody listens."""
    missing = End(NO_ENDPOINT, f"IdeA does not listen at {endpoint}. Open the project in IdeA, then start this again.")
    try:
        folder, file = os.lstat(os.path.dirname(endpoint) or "."), os.lstat(endpoint)
    except OSError as error:
        raise missing from error
    is_ours = folder.st_uid == file.st_uid == os.geteuid() and not folder.st_mode & 0o077
    if not is_ours or not stat.S_ISDIR(folder.st_mode) or not stat.S_ISSOCK(file.st_mode):
        raise End(REFUSED, f"{endpoint} must be your socket, in a real folder that only you can enter (mode 0700).")
    connection = socket(AF_UNIX, SOCK_STREAM)
    connection.setblocking(False)
    for left in range(tries, 0, -1):
        try:
            connection.connect(endpoint)
            return connection
        except BlockingIOError:
            if left > 1:
                time.sleep(_CONNECT_PAUSE_S)
        except OSError:
            break
    connection.close()
    raise missing


def is_awaited(endpoint: str) -> bool:
    """A server that was killed left its socket, and may be started again; one that starts now holds the lock."""
    if os.path.lexists(endpoint):
        return True
    import fcntl  # here, since a start with a server goes without it

    try:
        file = os.open(
            os.path.join(os.path.dirname(endpoint), "server.lock"), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC
        )
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(file)
    return False


def first_connection(endpoint: str) -> socket | None:
    """None while there is no server, but one is to be expected. Raises `End` otherwise."""
    try:
        return connect(endpoint, CONNECT_TRIES)
    except End as end:
        if end.code != NO_ENDPOINT or not is_awaited(endpoint):
            raise
        return None


def greeting(endpoint: str, project: str, agent: str, role: str = "main") -> bytes:
    """The handshake, with the launch secret, but for its end. Raises `End` if there is none that only we can read."""
    path = secret_path(endpoint, os.path.basename(agent), role)
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise End(REFUSED, "This agent has no session in IdeA (any more). Start it from IdeA.") from error
    with os.fdopen(file, "rb") as reader:
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
            raise End(REFUSED, f"{path} must be a file that only you can read (mode 0600).")
        values = (project, agent, str(reader.read(1024), "utf-8", "replace").strip(), os.urandom(16).hex())
    if not all(value.replace("-", "").replace("_", "").isalnum() for value in values):
        raise End(REFUSED, "The project, the agent or its secret is no name that IdeA gave.")
    line = '{{"idea": {}, "project": "{}", "requester": "{}", "secret": "{}", "instance": "{}", "role": "{}"'
    return line.format(HANDSHAKE_VERSION, *values, role).encode()
