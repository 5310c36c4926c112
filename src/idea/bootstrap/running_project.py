"""One open project with everything that runs for it: keeper, workers, agents' door, watcher."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Final, Protocol

from idea.adapters.engines.registry import EngineFactory
from idea.adapters.keeper.in_process import InProcessKeeper
from idea.adapters.profiles import ProfileFiles
from idea.adapters.screen.choice import AvailableScreens
from idea.adapters.storage.agents import AgentFiles
from idea.adapters.storage.atomic import write_path
from idea.adapters.storage.layouts import LayoutFile
from idea.adapters.storage.locks import AgentFileLocks, ProjectLock
from idea.adapters.storage.records import SqliteRecords
from idea.adapters.storage.run_directory import RunFolders
from idea.adapters.storage.settings import SettingsFile
from idea.adapters.storage.trust import ProjectTrust
from idea.adapters.storage.watcher import Watcher
from idea.adapters.storage.write_journal import WriteJournal
from idea.application.ports import Clock, NewId, ProjectPaths
from idea.application.project import Project
from idea.application.supervisor import Supervisor
from idea.bootstrap.assemble import ProjectPorts, assemble_project
from idea.bootstrap.places import Places
from idea.demo.project import write_demo_project
from idea.domain.errors import IdeaError
from idea.domain.events import Event
from idea.doors.mcp.command import bridge_command
from idea.doors.mcp.endpoint import sweep_secrets
from idea.doors.mcp.launch_secrets import LaunchSecrets
from idea.doors.mcp.server import McpDoor

CONTROL_FILE: Final = "control"
"""In the project's private folder: where the server that has it open can be reached."""


_log = logging.getLogger(__name__)


class RunningProject:
    """A `ProjectHost`: `run` owns every task of the project; `close` stops its agents and lets `run` return."""

    def __init__(
        self,
        paths: ProjectPaths,
        *,
        places: Places,
        is_demo: bool,
        clock: Clock,
        new_id: NewId,
        publish: Callable[[Event], None],
    ) -> None:
        """`paths` with the endpoint where the project's runtime folder is."""
        self._paths = paths
        self._places = places
        self._is_demo = is_demo
        self._supervisor = Supervisor(paths.root.name)
        self._keeper = InProcessKeeper()
        self._records = SqliteRecords(paths.state)
        self._lock = ProjectLock(paths.state)
        self._locks = AgentFileLocks(paths.state)
        self._journal = WriteJournal()
        self._trust = ProjectTrust(paths.root, paths.id, state_home=places.state, journal=self._journal)
        secrets = LaunchSecrets(paths.endpoint.parent, paths.id)
        profiles = ProfileFiles(user_dir=places.config / "profiles", project_dir=paths.ideai / "profiles")
        self.project: Project = assemble_project(
            paths,
            ProjectPorts(
                keeper=self._keeper,
                engines=EngineFactory(),
                screens=AvailableScreens(),
                profiles=profiles,
                trust=self._trust,
                run_directories=RunFolders(
                    paths,
                    environment=profiles.environment,
                    bridge_command=partial(bridge_command, paths.endpoint, paths.id),
                    write_secret=secrets.write,
                    remove_secret=secrets.remove,
                    user_servers=self._trust.approved_servers,
                ),
                locks=self._locks,
                records=self._records,
                agents=AgentFiles(paths.ideai, new_id=new_id, journal=self._journal),
                settings=SettingsFile(paths.ideai),
                layouts=LayoutFile(paths.state),
                clock=clock,
                new_id=new_id,
            ),
            is_demo=is_demo,
            supervisor=self._supervisor,
            publish=publish,
        )
        self._door = McpDoor(
            project=paths.id,
            endpoint=paths.endpoint,
            dispatch=self.project.dispatch,
            secrets=secrets,
            current_turn=self.project.find_turn,
            find_wait=self.project.find_wait,
        )
        self._closing = asyncio.Event()
        self._closed = asyncio.Event()
        self._changed = asyncio.Event()

    async def run(self, *, ready: asyncio.Event) -> None:
        """Lives until `close`.

        Raises:
            Conflict: another server has the project open.
            Refused: its runtime folder or its files cannot be used.
        """
        try:
            await self._run(ready)
        except ExceptionGroup as failures:
            expected = failures.subgroup(IdeaError)
            if expected is None:
                raise
            # Whoever opens the project is told the reason, not the shape of our tasks.
            raise _first(expected) from failures

    async def _run(self, ready: asyncio.Event) -> None:
        # Before anything is read: a second server must not get as far as touching the files.
        self._lock.acquire()
        try:
            await asyncio.to_thread(sweep_secrets, self._paths.endpoint.parent, self._paths.id)
            async with asyncio.TaskGroup() as tasks:
                supervising = await _start(tasks, self._supervisor.run, "supervisor")
                keeping = await _start(tasks, self._keeper.run, "keeper")
                listening = await _start(tasks, self._door.run, "agents-door")
                self.project.tell(await self._records.open())
                if self._is_demo:
                    await self._write_demo()
                await self.project.load()
                watcher = Watcher(
                    self._paths.ideai,
                    on_change=self._changed.set,
                    on_notice=self.project.tell,
                )
                watching = await _start(tasks, watcher.run, "watcher")
                following = tasks.create_task(self._follow_files(), name="follow-files")
                control = self._paths.state / CONTROL_FILE
                write_path(control, self._places.runtime / "control.sock")
                ready.set()
                await self._closing.wait()
                control.unlink(missing_ok=True)
                watching.cancel()
                following.cancel()
                self._supervisor.close()
                await supervising
                listening.cancel()
                await self._keeper.aclose()
                await keeping
        finally:
            self._locks.release_all()
            self._lock.release()
            await self._records.aclose()
            self._closed.set()

    async def close(self) -> int:
        """Stop the agents, then everything else; how many sessions were ended."""
        ended = await self.project.stop_agents()
        self._closing.set()
        await self._closed.wait()
        return ended

    async def _follow_files(self) -> None:
        """Take over what people and agents change in the files."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            try:
                await self.project.reload()
            except IdeaError as error:
                # The folder was replaced by something we refuse; the agents that run must not end for it.
                self.project.tell(str(error))
            except Exception:  # noqa: BLE001 - nor for a file of somebody else's over which our own code stumbles
                _log.exception("%s: the changed files could not be taken over", self._paths.root.name)
                self.project.tell("The project's changed files could not be taken over; the log says why.")

    async def _write_demo(self) -> None:
        for path in await asyncio.to_thread(write_demo_project, self._paths.root):
            self._journal.note(path, before=None, after=await asyncio.to_thread(path.read_bytes))
            await self._trust.record_own_write(path)


def _first(failures: BaseExceptionGroup[IdeaError]) -> IdeaError:
    failure = failures.exceptions[0]
    return _first(failure) if isinstance(failure, BaseExceptionGroup) else failure


class _Lasting(Protocol):
    """Something that runs until it is cancelled or closed, and says when callers may use it."""

    def __call__(self, *, ready: asyncio.Event) -> Coroutine[object, object, None]: ...


async def _start(tasks: asyncio.TaskGroup, run: _Lasting, name: str) -> "asyncio.Task[None]":
    """If it fails instead of getting ready, the task group cancels us."""
    ready = asyncio.Event()
    task = tasks.create_task(run(ready=ready), name=name)
    await ready.wait()
    return task
