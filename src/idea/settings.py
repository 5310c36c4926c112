"""Settings of the server itself (not of a project): what can be chosen at start, and the defaults."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

LOOPBACK: Final = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """What a person asked for on the command line. A project can set none of these."""

    projects: tuple[Path, ...] = ()
    """Folders to open, absolute."""
    port: int | None = None
    """None: the user's own port, chosen once and kept, since the page's storage belongs to it; 0: any free one."""
    host: str = LOOPBACK
    """Another address is reachable by others; only an explicit flag sets it."""
    allow_hosts: tuple[str, ...] = ()
    """More `Host` names to answer to, `name` or `name:port`, for a forwarded port."""
    takes_over: bool = False
    """A project that another server has open is taken from it, and that server ended."""
    is_demo: bool = False
    """The demo: its own runtime and state folders, its own project (`projects` names its folder, if any)."""
    command: str = "idea"
    """The words by which a shell calls this program, for what is printed to be typed."""


@dataclass(frozen=True, slots=True)
class ReadyProject:
    id: str
    path: str


@dataclass(frozen=True, slots=True)
class ReadyLine:
    """The server answers from now on."""

    url: str
    """The start link: works once, for 60 s."""
    token: str
    """A Bearer credential for programs."""
    pid: int
    version: str
    projects: tuple[ReadyProject, ...]
    control: str
    """Path of the control socket; not printed."""
    new_url: Callable[[], str]
    """Makes another start link."""
