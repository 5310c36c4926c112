"""What lives in keepers: found by their sockets, so that no server is needed, and nothing is made by looking."""

import asyncio
import json
import os
import socket
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

import platformdirs

from idea.adapters.keeper.keeper_program import KeeperReport, look
from idea.adapters.keeper.lock_holder import LockHolder, find_lock_holder
from idea.adapters.storage.atomic import read_path
from idea.adapters.storage.project_folder import RUNTIME_RECORD
from idea.adapters.storage.registry import KnownProject, find_known
from idea.domain.errors import IdeaError, Lost
from idea.domain.sessions import Exit, KeptChild
from idea.doors.cli.folders import DEMO
from idea.doors.cli.own_command import own_command
from idea.doors.mcp.endpoint import KEEPER_SUFFIX, endpoint_path, find_runtime_dir, is_private
from idea.keeper.peer_uid import peer_pid

CONNECT_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class KeptAgent:
    """One process that a keeper has, as the server that started it called it."""

    spawn_id: str
    id: str
    slug: str
    name: str
    kind: str
    """`pty` or `structured`; empty if nobody said."""
    role: str
    """`side` for what answers others beside the agent's terminal; else `main`."""
    pid: int
    exit: Exit | None
    """None while it runs."""
    put_by_bytes: int
    """Of its output, which no server has taken over yet."""

    @classmethod
    def parse(cls, child: KeptChild) -> Self:
        said = _said(child.note)
        put_by = sum(stream.end - stream.acknowledged for stream in child.streams.values())
        slug = said.get("agent", "")
        name = said.get("name") or slug or f"process {child.pid}"
        kind, role = said.get("kind", ""), said.get("role", "main")
        return cls(child.spawn_id, said.get("id", ""), slug, name, kind, role, child.pid, child.exit, put_by)


@dataclass(frozen=True, slots=True)
class FoundKeeper:
    """A keeper that lives. `report` None: it does not answer."""

    socket: Path
    project: KnownProject | None
    pid: int | None
    """None only if even the system does not say."""
    report: KeeperReport | None
    agents: tuple[KeptAgent, ...] = ()
    holder: LockHolder | None = None
    """Set where its socket is gone: it was found by the locks that it holds."""

    @property
    def running(self) -> tuple[KeptAgent, ...]:
        """Every process of an agent that runs."""
        return tuple(agent for agent in self.agents if agent.exit is None)

    @property
    def running_agents(self) -> tuple[KeptAgent, ...]:
        """Each agent once, though it may run beside its terminal too."""
        return tuple({agent.id or agent.spawn_id: agent for agent in self.running}.values())

    @property
    def where(self) -> str:
        return str(self.project.path) if self.project is not None else f"an unknown project, at {self.socket}"

    @property
    def reopening(self) -> str:
        """The command whose server takes its agents up again: the demo has a server and folders of its own."""
        if self.socket.parent.name == DEMO and self.project is not None:
            return own_command("demo", self.project.path)
        return own_command()

    @property
    def process(self) -> str:
        return "process unknown" if self.pid is None else f"process {self.pid}"


def find_keepers() -> Sequence[FoundKeeper]:
    """Every keeper of this user's that lives, the demo's too, by the paths of their projects."""
    projects = known_projects()
    found = [*asyncio.run(_look_at_all(_sockets(projects)))]
    found += _find_unreachable(projects, {keeper.pid for keeper in found})
    return sorted(found, key=lambda keeper: (keeper.project is None, keeper.where))


def known_projects() -> Sequence[KnownProject]:
    """All that were ever opened on this machine, in the demo too."""
    home = platformdirs.user_state_path("idea")
    known: list[KnownProject] = []
    for folder in (home, home / DEMO):
        try:
            known += find_known(folder)
        except IdeaError:
            # Its keepers are still found in the user's own runtime folder, though not by name.
            continue
    return known


def runtime_dirs(projects: Iterable[KnownProject]) -> Sequence[Path]:
    """Where sockets may lie: the user's runtime folder and the demo's, and those that the projects recorded."""
    return list(dict.fromkeys(folder for folder in _likely_dirs(projects) if is_private(folder)))


def _likely_dirs(projects: Iterable[KnownProject]) -> Iterator[Path]:
    own = find_runtime_dir(os.environ)
    if own is not None:
        yield from (own, own / DEMO)
    for project in projects:
        try:
            recorded = read_path(project.path / ".ideai" / "state" / RUNTIME_RECORD)
        except IdeaError:
            continue
        if recorded is not None:
            yield recorded


def _sockets(projects: Sequence[KnownProject]) -> Mapping[Path, KnownProject | None]:
    found: dict[Path, KnownProject | None] = {}
    for folder in runtime_dirs(projects):
        by_name = {endpoint_path(folder, project.id).stem: project for project in projects}
        found.update({path: by_name.get(path.stem) for path in folder.glob(f"*{KEEPER_SUFFIX}")})
    return found


def _find_unreachable(projects: Sequence[KnownProject], known: Collection[int | None]) -> Iterator[FoundKeeper]:
    for project in projects:
        holder = find_lock_holder(project.path / ".ideai" / "state")
        if holder is not None and holder.pid not in known:
            yield FoundKeeper(holder.socket, project, holder.pid, None, holder=holder)


async def _look_at_all(sockets: Mapping[Path, KnownProject | None]) -> Sequence[FoundKeeper]:
    async with asyncio.TaskGroup() as tasks:
        looking = [tasks.create_task(_look_at(*found), name="look-at-keeper") for found in sockets.items()]
    return [keeper for keeper in (task.result() for task in looking) if keeper is not None]


async def _look_at(path: Path, project: KnownProject | None) -> FoundKeeper | None:
    try:
        report = await look(path)
    except Lost:
        return FoundKeeper(path, project, _listener(path), None)
    if report is None:
        return None
    return FoundKeeper(path, project, report.pid, report, tuple(map(KeptAgent.parse, report.children)))


def _listener(path: Path) -> int | None:
    """The pid of who listens there, as the system says: it does not have to answer for that."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(CONNECT_S)
        try:
            connection.connect(os.fspath(path))
            return peer_pid(connection)
        except OSError:
            return None


def _said(note: str) -> Mapping[str, str]:
    """What the server noted; a later version may say something else."""
    try:
        said = json.loads(note)
    except ValueError:
        return {}
    return {key: value for key, value in said.items() if isinstance(value, str)} if isinstance(said, dict) else {}
