"""The projects that a server is started with: one whose keeper does not answer keeps no other from being served."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

from idea.application.ports import ProjectPaths
from idea.application.projects.projects import OpenFolder, OpenProjects
from idea.application.supervisor import Supervisor
from idea.domain.errors import IdeaError, KeeperSilent, OpenElsewhere
from idea.domain.events import Event
from idea.domain.notices import NoticePosted

AwaitKeeper = Callable[[ProjectPaths], Awaitable[None]]
"""Returns when the project's keeper answers or is gone. Whoever calls this bounds it: a halted process may stay so."""


@dataclass(frozen=True, slots=True)
class _Unopened:
    path: str
    paths: ProjectPaths
    failure: IdeaError

    @property
    def waits(self) -> bool:
        return isinstance(self.failure, KeeperSilent)

    def as_notice(self) -> NoticePosted:
        then = " It opens by itself as soon as that answers." if self.waits else ""
        fields = {**self.failure.fields(), "code": self.failure.code, "project": str(self.paths.root)}
        return NoticePosted(
            self.paths.id,
            "projectNotOpened",
            f"{self.paths.root} could not be opened. {str(self.failure).rstrip('.')}.{then}",
            fields=fields,
        )


class WantedProjects:
    """What could not be opened is told, and opened once the keeper that did not answer does."""

    def __init__(
        self,
        *,
        projects: OpenProjects,
        open_folder: OpenFolder,
        await_keeper: AwaitKeeper,
        supervisor: Supervisor,
        publish: Callable[[Event], None],
    ) -> None:
        self._projects = projects
        self._open_folder = open_folder
        self._await_keeper = await_keeper
        self._supervisor = supervisor
        self._publish = publish
        self._unopened: dict[str, _Unopened] = {}
        """By the path that was asked for."""

    async def open_all(self, paths: Sequence[str], *, takes_over: bool, on_taken_over: Callable[[str], None]) -> None:
        """`takes_over`: also from another server, which is ended; `on_taken_over` hears of those.

        Raises:
            IdeaError: why one cannot be opened, but for a keeper that may answer later.
        """
        for path in paths:
            try:
                await self._open(path, takes_over=takes_over, on_taken_over=on_taken_over)
            except KeeperSilent as failure:
                known, _ = await self._open_folder(path)
                self._unopened[path] = _Unopened(path, known, failure)
        for one in self._unopened.values():
            self._publish(one.as_notice())
            self._supervisor.start(partial(self._open_later, one), name="wanted-project")

    async def _open(self, path: str, *, takes_over: bool, on_taken_over: Callable[[str], None]) -> None:
        try:
            await self._projects.open(path)
        except OpenElsewhere as elsewhere:
            if not takes_over or elsewhere.holder is None:
                raise
            await self._projects.open(path, take_over=elsewhere.holder)
            on_taken_over(path)

    def list_unopened(self) -> Sequence[NoticePosted]:
        """What is still to be known of them, for whoever comes."""
        opened = {project.id for project in self._projects.list()}
        notices = [one.as_notice() for one in self._unopened.values()]
        return [notice for notice in notices if notice.project not in opened]

    async def _open_later(self, one: _Unopened) -> None:
        while True:
            # For as long as the keeper is halted: the server's end cancels this.
            await self._await_keeper(one.paths)
            try:
                await self._projects.open(one.path)
            except KeeperSilent:
                continue
            except IdeaError as failure:
                other = self._unopened[one.path] = _Unopened(one.path, one.paths, failure)
                self._publish(other.as_notice())
                return
            del self._unopened[one.path]
            return
