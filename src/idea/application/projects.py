"""The projects that this server has open, by time of opening."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final, Protocol

from idea.application.ports import ProjectPaths
from idea.application.project import Project
from idea.application.supervisor import Supervisor
from idea.domain.errors import EngineFailed, IdeaError, NotFound
from idea.domain.events import Event, NoticePosted, ProjectClosed, ProjectOpened
from idea.domain.ids import ProjectId

OPEN_LIMIT_S: Final = 30.0
"""Opening reads files and a database; a slow disk may need seconds, a dead one must not hold a request for ever."""
CLOSE_LIMIT_S: Final = 30.0
"""Agents stop within 5 s each, and a project seldom has more than a handful that resist."""


class ProjectHost(Protocol):
    """A project together with what runs for it: its endpoint, watcher, keeper, workers."""

    @property
    def project(self) -> Project: ...

    async def run(self, *, ready: asyncio.Event) -> None:
        """Lives until `close`. Sets `ready` when doors may use the project."""
        ...

    async def close(self) -> int:
        """Stop the agents, then everything else; how many sessions were ended. Returns when `run` may return."""
        ...


OpenFolder = Callable[[str], Awaitable[tuple[ProjectPaths, str | None]]]
"""Which project a folder is, made one if it is none, and a sentence if something had to be set aside.

Raises `Invalid` or `Refused`; nothing is half-created then.
"""


class Projects:
    def __init__(
        self,
        *,
        open_folder: OpenFolder,
        host: Callable[[ProjectPaths], ProjectHost],
        supervisor: Supervisor,
        publish: Callable[[Event], None],
    ) -> None:
        self._open_folder = open_folder
        self._host = host
        self._supervisor = supervisor
        self._publish = publish
        self._open: dict[ProjectId, ProjectHost] = {}
        # Invariant: one host per project id, also when two browsers open the same folder at once.
        self._at_work = asyncio.Lock()

    def list(self) -> Sequence[Project]:
        return [host.project for host in self._open.values()]

    def get(self, project: str) -> Project:
        return self._find(project).project

    async def open(self, path: str) -> Project:
        """Idempotent. Raises `Invalid`, `Refused`, `Conflict`."""
        async with self._at_work:
            paths, notice = await self._open_folder(path)
            known = self._open.get(paths.id)
            if known is not None:
                return known.project
            host = self._host(paths)
            ready = asyncio.Event()
            failures: list[IdeaError] = []
            self._supervisor.start(partial(_run, host, ready, failures), name=f"project-{paths.root.name}")
            async with asyncio.timeout(OPEN_LIMIT_S):
                await ready.wait()
            if failures:
                raise failures[0]
            self._open[paths.id] = host
            self._publish(ProjectOpened(paths.id))
            if notice is not None:
                self._publish(NoticePosted(paths.id, "fileTrouble", notice))
            return host.project

    async def close(self, project: str) -> int:
        """Stop its agents and let it go; how many sessions were ended. Raises `NotFound`."""
        async with self._at_work:
            host = self._find(project)
            async with asyncio.timeout(CLOSE_LIMIT_S):
                ended = await host.close()
            del self._open[host.project.id]
            self._publish(ProjectClosed(host.project.id))
            return ended

    async def close_all(self) -> int:
        """For the server's end."""
        return sum([await self.close(project.id) for project in self.list()])

    def _find(self, project: str) -> ProjectHost:
        host = self._open.get(ProjectId(project))
        if host is None:
            raise NotFound("open project", project, choices=[str(each.root) for each in self.list()])
        return host


async def _run(host: ProjectHost, ready: asyncio.Event, failures: list[IdeaError]) -> None:
    """A project that cannot be opened says why to whoever opens it, instead of to the log."""
    try:
        await host.run(ready=ready)
    except IdeaError as error:
        failures.append(error)
        if ready.is_set():
            raise
    finally:
        if not ready.is_set() and not failures:
            failures.append(EngineFailed("The project", "it could not be opened; the log says why"))
        ready.set()
