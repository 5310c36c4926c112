"""The projects that this server has open, by time of opening."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Protocol

from idea.application.ports import ProjectPaths
from idea.application.projects.project import Project
from idea.application.supervisor import Supervisor
from idea.domain.errors import Conflict, EngineFailed, IdeaError, NotFound
from idea.domain.events import Event, ProjectClosed, ProjectOpened
from idea.domain.file_trouble import FileTrouble
from idea.domain.ids import ProjectId
from idea.domain.notices import NoticePosted

OPEN_LIMIT_S: Final = 30.0
"""Opening reads files and a database; a slow disk may need seconds, a dead one must not hold a request for ever."""
CLOSE_LIMIT_S: Final = 30.0
"""Agents stop within 5 s each, and a project seldom has more than a handful that resist."""
END_LIMIT_S: Final = 10.0
"""A cancelled project still lets its processes and files go."""

_log = logging.getLogger(__name__)


class ProjectHost(Protocol):
    """A project together with what runs for it: its endpoint, watcher, keeper, workers."""

    @property
    def project(self) -> Project: ...

    async def run(self, *, ready: asyncio.Event) -> None:
        """Lives until `close`. Sets `ready` when doors may use the project."""
        ...

    @property
    def can_be_left(self) -> bool:
        """Its agents may live on without us."""
        ...

    @property
    def outliving(self) -> int:
        """How many agents would live on if we left."""
        ...

    async def close(self) -> int:
        """Stop the agents, then everything else; how many sessions were ended. Returns when `run` may return."""
        ...

    async def leave(self) -> int:
        """Let everything go but the agents that can outlive us; how many do."""
        ...


OpenFolder = Callable[[str], Awaitable[tuple[ProjectPaths, Sequence[FileTrouble]]]]
"""Which project a folder is, made one if it is none, and what had to be set aside.

Raises `Invalid` or `Refused`; nothing is half-created then.
"""


@dataclass(slots=True, eq=False)
class _Life:
    """One host from its start to the end of its `run`."""

    paths: ProjectPaths
    host: ProjectHost
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    """Set as well when it ended before it was ready."""
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None
    failure: IdeaError | None = None
    is_closing: bool = False


class OpenProjects:
    def __init__(
        self,
        *,
        open_folder: OpenFolder,
        host: Callable[[ProjectPaths, str | None], ProjectHost],
        supervisor: Supervisor,
        publish: Callable[[Event], None],
        open_limit_s: float = OPEN_LIMIT_S,
        close_limit_s: float = CLOSE_LIMIT_S,
    ) -> None:
        self._open_folder = open_folder
        self._host = host
        self._supervisor = supervisor
        self._publish = publish
        self._open_limit_s = open_limit_s
        self._close_limit_s = close_limit_s
        self._open: dict[ProjectId, _Life] = {}
        # Invariant: one host per project id, also when two browsers open the same folder at once.
        self._at_work = asyncio.Lock()

    def list(self) -> Sequence[Project]:
        return [life.host.project for life in self._open.values()]

    def get(self, project: str) -> Project:
        return self._find(project).host.project

    async def open(self, path: str, *, take_over: str | None = None) -> Project:
        """Idempotent. `take_over` is the `holder` of an `OpenElsewhere` that a person agreed to end.

        Raises:
            OpenElsewhere: another server has it open.
            Invalid, Refused, Conflict (also when it takes too long), EngineFailed: it cannot be opened.
        """
        async with self._at_work:
            try:
                async with asyncio.timeout(self._open_limit_s):
                    paths, troubles = await self._open_folder(path)
                    life = self._open.get(paths.id)
                    if life is None:
                        life = await self._start(paths, take_over)
            except TimeoutError as error:
                limit = f"{self._open_limit_s:g} s"
                raise Conflict(
                    f"{path} could not be opened within {limit}. See whether its disk answers.",
                    why="opensTooSlowly",
                    path=path,
                ) from error
            project = life.host.project
            for trouble in troubles:
                project.notices.tell(trouble)
            if project.id not in self._open:
                self._open[project.id] = life
                self._publish(ProjectOpened(project.id))
            return project

    async def close(self, project: str) -> int:
        """Stop its agents and let it go; how many sessions were ended.

        Raises:
            NotFound: it is not open.
            Conflict: it does not end; it is still taken for open.
        """
        async with self._at_work:
            life = self._find(project)
            life.is_closing = True
            running = sum(agent.session is not None for agent in life.host.project.state().agents)
            try:
                async with asyncio.timeout(self._close_limit_s):
                    running = await life.host.close()
                    await life.ended.wait()
            except TimeoutError as error:
                _log.warning("%s did not close within %g s and is ended", life.paths.root, self._close_limit_s)
                if not await self._end(life):
                    raise Conflict(
                        f"{life.paths.root} does not close. Stop the server, then its agents with `idea stop`.",
                        why="doesNotClose",
                        path=str(life.paths.root),
                    ) from error
            return running

    @property
    def can_be_left(self) -> bool:
        """One of them has agents that may live on without this server."""
        return any(life.host.can_be_left for life in self._open.values())

    @property
    def outliving(self) -> int:
        """How many agents would live on if this server left."""
        return sum(life.host.outliving for life in self._open.values())

    async def leave_all(self) -> int:
        """For the server's end: agents live on where they can; how many do."""
        living = 0
        async with self._at_work:
            for life in tuple(self._open.values()):
                life.is_closing = True
                try:
                    async with asyncio.timeout(self._close_limit_s):
                        living += await life.host.leave()
                        await life.ended.wait()
                except TimeoutError:
                    _log.warning("%s did not let go within %g s and is ended", life.paths.root, self._close_limit_s)
                    await self._end(life)
                except IdeaError:
                    # The others are to be let go of all the same.
                    _log.exception("%s could not be let go of", life.paths.root)
                    await self._end(life)
        return living

    async def close_all(self) -> int:
        """For the server's end."""
        ended = 0
        for project in self.list():
            try:
                ended += await self.close(project.id)
            except IdeaError:
                # The others' agents are to be stopped in order all the same.
                _log.exception("%s could not be closed", project.root)
        return ended

    async def _start(self, paths: ProjectPaths, take_over: str | None) -> _Life:
        """Raises what keeps it from being ready; whatever that is, nothing of it runs on."""
        life = _Life(paths, self._host(paths, take_over))
        life.task = self._supervisor.start(partial(self._live, life), name=f"project-{paths.root.name}")
        try:
            await life.ready.wait()
        except BaseException:
            # Nobody waits for it any more, and unseen it would keep its lock.
            await self._end(life)
            raise
        if life.ended.is_set():
            raise life.failure or EngineFailed(
                "The project", "it could not be opened; the log says why", why="doesNotOpen"
            )
        return life

    async def _live(self, life: _Life) -> None:
        """A project that cannot be opened says why to whoever opens it, instead of to the log."""
        ended: IdeaError | None = IdeaError("something went wrong inside IdeA; the log says why")
        try:
            await life.host.run(ready=life.ready)
        except asyncio.CancelledError:
            # The server ends, or nobody waits for it any more: no failure of the project's.
            ended = None
            raise
        except IdeaError as error:
            life.failure = ended = error
            if life.ready.is_set():
                raise
        finally:
            life.ended.set()
            life.ready.set()
            if self._open.get(life.paths.id) is life:
                # However it ended: what is shown as open can be used, and what is not can be opened again.
                del self._open[life.paths.id]
                if ended is not None and not life.is_closing:
                    self._publish(_tell_end(life.paths, ended))
                self._publish(ProjectClosed(life.paths.id))

    async def _end(self, life: _Life) -> bool:
        """Cancel it and wait, bounded; is it gone?"""
        assert life.task is not None
        life.task.cancel()
        await asyncio.wait({life.task}, timeout=END_LIMIT_S)
        return life.task.done()

    def _find(self, project: str) -> _Life:
        life = self._open.get(ProjectId(project))
        if life is None:
            raise NotFound("open project", project, choices=[str(each.root) for each in self.list()])
        return life


def _tell_end(paths: ProjectPaths, error: IdeaError) -> NoticePosted:
    sentence = f"{paths.root} was closed because it failed: {error}. Open it again."
    fields = {**error.fields(), "code": error.code, "project": str(paths.root)}
    return NoticePosted(paths.id, "projectEnded", sentence, fields=fields)
