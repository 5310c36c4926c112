"""One open project with everything that runs for it: keeper, workers, agents' door, watcher."""

import asyncio
from collections.abc import Callable
from typing import Final

from idea.adapters.keeper.in_process import InProcessKeeper
from idea.adapters.keeper.renewed import RenewedKeeper
from idea.adapters.storage.kept_files import KeptFile, KeptFiles
from idea.adapters.storage.watcher import Watcher
from idea.application.ports import Clock, NewId, ProjectPaths
from idea.application.projects.project import Project
from idea.application.supervisor import Supervisor
from idea.application.terminals.terminal_order import TerminalOrder
from idea.bootstrap.assemble import AssembledProject, assemble_project
from idea.bootstrap.control_place import CONTROL_SOCKET
from idea.bootstrap.followed_files import FollowedFiles
from idea.bootstrap.keeper_choice import choose_keeper
from idea.bootstrap.places import Places
from idea.bootstrap.project_adapters import ProjectAdapters
from idea.bootstrap.project_place import ProjectPlace
from idea.bootstrap.starting import first_of, start
from idea.domain.errors import IdeaError
from idea.domain.events import Event
from idea.doors.mcp.server import McpDoor

KEEPER_GRACE_S: Final = 3.0
"""What is left of agents gets so long to end by itself when a project closes."""
DOOR_S: Final = 5.0
"""The agents' door needs milliseconds to hang up on everybody."""


class RunningProject:
    """A `ProjectHost`: `run` owns every task of the project; `close` stops its agents and lets `run` return."""

    def __init__(
        self,
        paths: ProjectPaths,
        *,
        take_over: str | None,
        places: Places,
        is_demo: bool,
        clock: Clock,
        new_id: NewId,
        order: TerminalOrder,
        kept_files: KeptFiles,
        publish: Callable[[Event], None],
    ) -> None:
        """`paths` with the endpoint where the project's runtime folder is; `take_over` as in `ProjectLock.acquire`."""
        self._paths = paths
        self._take_over = take_over
        self._places = places
        self._is_demo = is_demo
        self._clock = clock
        self._new_id = new_id
        self._order = order
        self._kept_files = kept_files
        self._publish = publish
        self._supervisor = Supervisor(paths.root.name)
        self._adapters = ProjectAdapters(paths, places)
        self._place = ProjectPlace(paths, control=places.runtime / CONTROL_SOCKET)
        self._assembled: AssembledProject | None = None
        self._end = asyncio.Event()
        self._outlives = False
        self._is_leaving = False
        """At the end the agents are left alive."""
        self._closed = asyncio.Event()

    @property
    def project(self) -> Project:
        """Once `run` is ready."""
        return self._parts.project

    @property
    def _parts(self) -> AssembledProject:
        assert self._assembled is not None
        return self._assembled

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
            raise first_of(expected) from failures

    async def _run(self, ready: asyncio.Event) -> None:
        # Before anything is read: a second server must not get as far as touching the files.
        try:
            await asyncio.to_thread(self._place.lock, take_over=self._take_over)
            async with asyncio.TaskGroup() as tasks:
                supervising = await start(tasks, self._supervisor.run, "supervisor")
                troubles = await self._adapters.database.open()
                settings, _ = await self._adapters.settings.load()
                keeper = await choose_keeper(
                    settings.keeper,
                    self._paths,
                    is_throw_away=self._places.throw_away is not None,
                    on_lost=self._tell_keeper_lost,
                    on_held=self._hear_held,
                )
                self._outlives = keeper.outlives_server
                keeping = await start(tasks, keeper.run, "keeper")
                parts = self._assembled = self._assemble(keeper)
                for each in troubles:
                    parts.project.notices.tell(each)
                # What a server before left is taken up before anybody can reach us, and then the agents' bridges can.
                await self._load(parts)
                door = self._make_door(parts)
                listening = await start(tasks, door.run, "agents-door")
                self._keep_door(door, parts.project)
                parts.start.begin()
                files = self._follow(parts)
                watcher = Watcher(self._paths.ideai, on_change=files.changed, on_notice=parts.project.notices.tell)
                watching = await start(tasks, watcher.run, "watcher")
                following = tasks.create_task(files.run(), name="follow-files")
                self._tell_place(parts)
                ready.set()
                await self._end.wait()
                self._place.remove_control()
                self._kept_files.let_go(self._paths.endpoint)
                watching.cancel()
                following.cancel()
                if self._is_leaving:
                    door.leave()
                    listening.cancel()
                    # Before the workers end, or agents would read what that looks like as the answers to their asks.
                    await asyncio.wait({listening}, timeout=DOOR_S)
                    await self._adapters.database.aclose()
                self._supervisor.close()
                await supervising
                listening.cancel()
                if self._is_leaving and parts.end.live_agents():
                    await keeper.leave()
                else:
                    await keeper.stop_all(grace_s=KEEPER_GRACE_S)
                await keeping
        finally:
            self._kept_files.let_go(self._paths.endpoint)
            self._place.unlock()
            await self._adapters.database.aclose()
            self._closed.set()

    async def close(self) -> int:
        """Stop the agents, then everything else; how many sessions were ended."""
        ended = await self._parts.end.stop_agents()
        self._end.set()
        await self._closed.wait()
        return ended

    async def leave(self) -> int:
        """Let everything go but the agents, where their keeper outlives us; how many live on."""
        if not self._outlives:
            await self.close()
            return 0
        # Also with no agent alive: a message may wait for one that was about to start.
        living = await self._parts.end.leave()
        self._is_leaving = True
        self._end.set()
        await self._closed.wait()
        return living

    @property
    def can_be_left(self) -> bool:
        """Its agents may live on without us."""
        return self._outlives

    @property
    def outliving(self) -> int:
        """How many agents would live on if we left."""
        return len(self._parts.end.live_agents()) if self._outlives else 0

    def _hear_held(self, spawn_id: str, detail: str) -> None:
        if self._assembled is not None:
            self._assembled.held_output.hear(spawn_id, detail)

    def _tell_keeper_lost(self, failure: IdeaError | None) -> None:
        if self._assembled is not None:
            self._assembled.project.notices.tell_keeper_lost(failure)

    def _assemble(self, keeper: InProcessKeeper | RenewedKeeper) -> AssembledProject:
        return assemble_project(
            self._paths,
            self._adapters.ports(keeper, clock=self._clock, new_id=self._new_id),
            is_demo=self._is_demo,
            order=self._order,
            supervisor=self._supervisor,
            publish=self._publish,
        )

    async def _load(self, parts: AssembledProject) -> None:
        if self._is_demo:
            await self._adapters.write_demo()
        await parts.start.load()
        await asyncio.to_thread(self._adapters.secrets.restore, parts.end.live_sessions())

    def _follow(self, parts: AssembledProject) -> FollowedFiles:
        return FollowedFiles(
            self._paths,
            parts.files,
            place=self._place,
            database=self._adapters.database,
            notices=parts.project.notices,
        )

    def _tell_place(self, parts: AssembledProject) -> None:
        try:
            self._place.write_control()
        except IdeaError as error:
            # A full disk: whoever looks in the user's own folder finds us, and the agents have a server.
            parts.project.notices.complain(error)

    def _make_door(self, parts: AssembledProject) -> McpDoor:
        return McpDoor(
            project=self._paths.id,
            endpoint=self._paths.endpoint,
            dispatch=parts.project.dispatch,
            secrets=self._adapters.secrets,
            current_turn=parts.team.find_turn,
            find_wait=parts.team.find_wait,
            on_hook=parts.hooks.hear,
            on_arrival=parts.open_asks.take_back_others,
        )

    def _keep_door(self, door: McpDoor, project: Project) -> None:
        async def remake() -> None:
            door.renew()
            await asyncio.to_thread(self._adapters.secrets.write_again)

        endpoint = self._paths.endpoint
        self._kept_files.keep(KeptFile(endpoint, door.is_there, remake, project.notices.complain))
