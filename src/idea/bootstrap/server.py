"""One server from its lock to its last agent: what runs, in which order, and how it ends."""

import asyncio
import logging
import os
import resource
import shlex
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import idea
from idea.adapters.clock import SystemClock
from idea.adapters.ids import UuidV7
from idea.adapters.keeper.earlier_keepers import end_earlier_keepers
from idea.adapters.keeper.greeting import wait_answering
from idea.adapters.storage.atomic import ensure_private_tree
from idea.adapters.storage.credentials import CredentialsFile, MemoryStartCodes
from idea.adapters.storage.kept_files import KeptFile, KeptFiles
from idea.adapters.storage.locks import end_holders
from idea.adapters.storage.port import KeptPort
from idea.adapters.storage.registry import ProjectRegistry, find_known
from idea.application.event_log import EventLog
from idea.application.ports import ProjectPaths
from idea.application.projects.projects import OpenProjects
from idea.application.projects.wanted_projects import WantedProjects
from idea.application.supervisor import Supervisor
from idea.application.terminals.terminal_order import TerminalOrder
from idea.bootstrap.agents_processes import AgentsProcesses
from idea.bootstrap.control_place import ControlPlace
from idea.bootstrap.places import Places, demo_places, keep_runtime, project_folder, user_places
from idea.bootstrap.running_project import RunningProject
from idea.bootstrap.starting import start
from idea.bootstrap.stopping import Stopping
from idea.domain.counted import counted
from idea.domain.errors import IdeaError
from idea.domain.events import Event
from idea.domain.file_trouble import FileTrouble
from idea.domain.notices import NoticePosted
from idea.doors.http.app import create_app
from idea.doors.http.listening import bind_web
from idea.doors.http.server import Server
from idea.doors.http.services import Services, WebAddress
from idea.doors.http.start_link import start_link
from idea.doors.mcp.endpoint import endpoint_path, keeper_socket
from idea.keeper.peer_uid import peer_uid
from idea.settings import ReadyLine, ReadyProject, ServeOptions

_log = logging.getLogger(__name__)

SECOND_THOUGHT_S: Final = 3.0
"""For a second Ctrl-C, which ends the agents too."""
DESCRIPTORS: Final = 8_192
TOLD: Final = {"fileTrouble", "keeperLost", "projectEnded", "projectNotOpened"}
"""The notices that are about the project itself; others belong to an agent's cell."""
STATIC: Final = Path(idea.__file__).parent / "static"


async def run_server(
    options: ServeOptions, *, on_ready: Callable[[ReadyLine], None], say: Callable[[str], None]
) -> None:
    """Serve until a stop signal; then stop the agents, and say so.

    Raises:
        Conflict: another server of this user runs.
        Refused, Invalid: the port or a project cannot be used; nothing is left behind.
    """
    stopping = Stopping(say)
    # From the first step on: a signal during the start must still remove what the start made.
    with stopping.heard(), ExitStack() as stack:
        _allow_many_descriptors()
        if options.is_demo:
            places = stack.enter_context(demo_places(os.environ, is_throw_away=not options.projects))
        else:
            places = user_places(os.environ)
        await _Server(options, places, stopping, on_ready=on_ready, say=say).run()


def _allow_many_descriptors() -> None:
    """Each agent and each browser takes a few; the usual soft limit of 1,024 is for programs that use `select`."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(DESCRIPTORS, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


class _Server:
    def __init__(
        self,
        options: ServeOptions,
        places: Places,
        stopping: Stopping,
        *,
        on_ready: Callable[[ReadyLine], None],
        say: Callable[[str], None],
    ) -> None:
        self._options = options
        self._places = places
        self._on_ready = on_ready
        self._say = say
        self._clock = SystemClock()
        self._new_id = UuidV7()
        self._events = EventLog(self._new_id())
        self._supervisor = Supervisor("server")
        self._order = TerminalOrder()
        self._kept_files = KeptFiles()
        registry = ProjectRegistry(places.state, endpoint_of=lambda project: endpoint_path(places.runtime, project))
        self._projects = OpenProjects(
            open_folder=lambda path: self._open_folder(registry, path),
            host=self._make_host,
            supervisor=self._supervisor,
            publish=self._publish,
        )
        self._wanted = WantedProjects(
            projects=self._projects,
            open_folder=lambda path: self._open_folder(registry, path),
            await_keeper=lambda paths: wait_answering(keeper_socket(paths.endpoint)),
            supervisor=self._supervisor,
            publish=self._publish,
        )
        self._stopping = stopping
        self._demo_folders: frozenset[Path] = frozenset()
        """Only these get the demo's agents: a person may open a project of their own beside it."""

    def _make_host(self, paths: ProjectPaths, take_over: str | None) -> RunningProject:
        return RunningProject(
            paths,
            take_over=take_over,
            places=self._places,
            is_demo=paths.root in self._demo_folders,
            clock=self._clock,
            new_id=self._new_id,
            order=self._order,
            kept_files=self._kept_files,
            publish=self._publish,
        )

    async def _open_folder(self, registry: ProjectRegistry, path: str) -> tuple[ProjectPaths, Sequence[FileTrouble]]:
        paths, troubles = await asyncio.to_thread(registry.open_project, Path(path))
        runtime = await asyncio.to_thread(keep_runtime, paths.state, self._places.runtime)
        known = await asyncio.to_thread(find_known, self._places.state)
        earlier = [one.id for one in known if one.path == paths.root and one.id != paths.id]
        folders = dict.fromkeys((runtime, self._places.runtime))
        sockets = [keeper_socket(endpoint_path(folder, project)) for folder in folders for project in earlier]
        ended = await end_earlier_keepers(paths.root, sockets)
        return replace(paths, endpoint=runtime / paths.endpoint.name), [*troubles, *ended]

    def _tell_unreachable(self, error: IdeaError) -> None:
        self._say(f"Commands cannot reach this server any more: {error} Start it again.")

    def _publish(self, event: Event) -> None:
        if isinstance(event, NoticePosted) and event.code in TOLD:
            # Also to whoever started the server: there may be no page, and the project may be the one that ended.
            self._say(event.detail)
        self._events.publish(event)

    async def run(self) -> None:
        places, options = self._places, self._options
        ensure_private_tree(places.state)
        control = ControlPlace(places.runtime)
        if options.takes_over:
            states = [folder.resolve() / ".ideai" / "state" for folder in options.projects]
            for pid in await asyncio.to_thread(end_holders, places.runtime, states):
                self._say(f"What process {pid} had open was taken over from another server.")
        control.lock()
        with ExitStack() as stack:
            stack.callback(control.close)
            kept_port = KeptPort(places.state)
            web = stack.enter_context(self._bind(kept_port))
            address = WebAddress(port=web.getsockname()[1], host=options.host, allow_hosts=options.allow_hosts)
            credentials = await asyncio.to_thread(CredentialsFile, places.state, clock=self._clock, new_id=self._new_id)
            for notice in filter(None, (kept_port.notice, credentials.notice)):
                self._say(notice)
            codes = MemoryStartCodes(clock=self._clock)
            app = create_app(
                Services(
                    projects=self._projects,
                    list_unopened=self._wanted.list_unopened,
                    events=self._events,
                    credentials=credentials,
                    start_codes=codes,
                    clock=self._clock,
                    address=address,
                    version=idea.__version__,
                    page=STATIC,
                )
            )
            is_agents = AgentsProcesses(self._projects).includes
            server = Server(app, web=web, control=control.listen(), peer_uid=peer_uid, is_agents=is_agents)
            async with asyncio.TaskGroup() as tasks:
                supervising = asyncio.Event()
                tasks.create_task(self._supervisor.run(ready=supervising), name="projects")
                await supervising.wait()
                keeping = await start(tasks, self._kept_files.run, "kept-files")
                await self._open_projects()
                serving = asyncio.Event()
                tasks.create_task(server.run(ready=serving), name="http")
                await serving.wait()
                renew = partial(control.renew, server)
                self._kept_files.keep(KeptFile(control.path, control.is_there, renew, self._tell_unreachable))
                token = await credentials.issue("command line")

                def new_url() -> str:
                    return start_link(address, codes.issue().code)

                self._on_ready(self._ready_line(new_url, token.secret, control.path))
                await self._stopping.asked.wait()
                keeping.cancel()
                await self._stop(server)
                await credentials.aclose()

    @contextmanager
    def _bind(self, kept: KeptPort) -> Iterator[socket.socket]:
        """The port that was asked for, else the user's own, which is chosen once."""
        wanted = self._options.port
        remembered = kept.find() if wanted is None else None
        bound = bind_web(self._options.host, wanted if wanted is not None else remembered or 0)
        try:
            if wanted is None and remembered is None:
                kept.keep(bound.getsockname()[1])
            yield bound
        finally:
            bound.close()

    async def _open_projects(self) -> None:
        folders = self._options.projects
        if self._options.is_demo:
            folders = folders or (project_folder(self._places),)
            self._demo_folders = frozenset(folder.resolve() for folder in folders)
        await self._wanted.open_all(
            [str(folder) for folder in folders],
            takes_over=self._options.takes_over,
            on_taken_over=lambda folder: self._say(f"{folder} was taken over from another server."),
        )

    def _ready_line(self, new_url: Callable[[], str], token: str, control: Path) -> ReadyLine:
        return ReadyLine(
            url=new_url(),
            token=token,
            pid=os.getpid(),
            version=idea.__version__,
            projects=tuple(ReadyProject(project.id, str(project.root)) for project in self._projects.list()),
            control=str(control),
            new_url=new_url,
        )

    async def _stop(self, server: Server) -> None:
        """Pages first learn that the server goes, then the projects let go, then the rest."""
        if self._stopping.is_by_hand and (outliving := self._projects.outliving):
            them = "it" if outliving == 1 else "them"
            self._say(f"{_agents(outliving)} on without the server. Press Ctrl-C again within 3 s to stop {them} too.")
            with suppress(TimeoutError):
                async with asyncio.timeout(SECOND_THOUGHT_S):
                    await self._stopping.insisted.wait()
        self._stopping.decide()
        server.close()
        if self._projects.can_be_left and not self._stopping.insisted.is_set():
            if living := await self._projects.leave_all():
                again = self._same_again()
                end = f"{self._options.command} stop --all"
                them = "it" if living == 1 else "them"
                self._say(f"{_agents(living)} on. `{again}` takes {them} up again, `{end}` ends {them}.")
        else:
            await self._stop_agents()
        self._supervisor.close()

    def _same_again(self) -> str:
        """The command that finds them: the demo has a server and folders of its own."""
        command = self._options.command
        return f"{command} demo {shlex.join(map(str, self._options.projects))}" if self._options.is_demo else command

    async def _stop_agents(self) -> None:
        agents = [agent for project in self._projects.list() for agent in project.state().agents if agent.session]
        is_kept = self._places.throw_away is None and any(agent.conversation for agent in agents)
        ended = await self._projects.close_all()
        if ended:
            what = counted(ended, "running agent")
            self._say(f"Stopped {what}. Conversations go on at the next start." if is_kept else f"Stopped {what}.")


def _agents(number: int) -> str:
    return counted(number, "agent goes", "agents go")
