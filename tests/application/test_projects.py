"""What is shown as open can be used, and what is not can be opened again, however a project ends."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from idea.application.ports import ProjectPaths
from idea.application.projects.project import Project
from idea.application.projects.projects import CLOSE_LIMIT_S, OPEN_LIMIT_S, OpenProjects
from idea.application.supervisor import Supervisor
from idea.domain.errors import Conflict, EngineFailed, NotFound, Refused
from idea.domain.events import Event, ProjectClosed, ProjectOpened
from idea.domain.file_trouble import FileTrouble
from idea.domain.ids import ProjectId
from idea.domain.notices import NoticePosted
from tests.desk import Desk
from tests.patience import PATIENCE_S

SOON_S = 0.05
"""A limit that is meant to pass. Every other one is never reached, however busy the machine."""


class Host:
    """A project on fakes; `live` decides how its run goes once it is ready, `close` sets `closing`."""

    def __init__(self, live: "Callable[[Host], Coroutine[object, object, None]]", *, is_ready: bool = True) -> None:
        self.project: Project = Desk().project
        self.closing = asyncio.Event()
        self.ended = asyncio.Event()
        self._live = live
        self._is_ready = is_ready

    async def run(self, *, ready: asyncio.Event) -> None:
        try:
            if self._is_ready:
                ready.set()
            await self._live(self)
        finally:
            self.ended.set()

    @property
    def can_be_left(self) -> bool:
        return False

    @property
    def outliving(self) -> int:
        return 0

    async def leave(self) -> int:
        return await self.close()

    async def close(self) -> int:
        self.closing.set()
        await self.ended.wait()
        return 3


async def live_well(host: Host) -> None:
    await host.closing.wait()


async def hang(host: Host) -> None:
    await asyncio.Event().wait()


async def die(host: Host) -> None:
    # After whoever opened it was answered.
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    raise KeyError("a surprise")


class Server:
    def __init__(self, *hosts: Host, open_limit_s: float = OPEN_LIMIT_S, close_limit_s: float = CLOSE_LIMIT_S) -> None:
        self.hosts = list(hosts)
        self.events: list[Event] = []
        self.troubles: Sequence[FileTrouble] = ()
        self.happened = asyncio.Event()
        self.supervisor = Supervisor("server")
        self.projects = OpenProjects(
            open_folder=self._open_folder,
            host=lambda *_: self.hosts.pop(0),
            supervisor=self.supervisor,
            publish=self._publish,
            open_limit_s=open_limit_s,
            close_limit_s=close_limit_s,
        )

    async def _open_folder(self, path: str) -> tuple[ProjectPaths, Sequence[FileTrouble]]:
        root = Path(path)
        return ProjectPaths(ProjectId("p"), root, root, root, root, root / "sock"), self.troubles

    def _publish(self, event: Event) -> None:
        self.events.append(event)
        self.happened.set()

    async def until_closed(self) -> None:
        while not any(isinstance(event, ProjectClosed) for event in self.events):
            self.happened.clear()
            await self.happened.wait()

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        ready = asyncio.Event()
        async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
            tasks.create_task(self.supervisor.run(ready=ready), name="server")
            await ready.wait()
            try:
                yield
            finally:
                self.supervisor.close()


async def test_a_project_that_died_is_closed_with_a_reason_and_can_be_opened_again() -> None:
    server = Server(Host(die), Host(live_well))
    async with server.run():
        await server.projects.open("/shop")
        await server.until_closed()
        assert server.projects.list() == []
        with pytest.raises(NotFound):
            server.projects.get("p")
        again = await server.projects.open("/shop")
        assert server.projects.list() == [again]

    opened, notice, closed, opened_again = server.events[:4]
    assert isinstance(notice, NoticePosted)
    assert (notice.code, "/shop" in notice.detail, notice.fields["project"]) == ("projectEnded", True, "/shop")
    assert [opened, closed, opened_again] == [
        ProjectOpened(ProjectId("p")),
        ProjectClosed(ProjectId("p")),
        ProjectOpened(ProjectId("p")),
    ]


async def test_a_closed_project_is_told_once_and_without_a_notice() -> None:
    server = Server(Host(live_well))
    async with server.run():
        await server.projects.open("/shop")
        assert await server.projects.close("p") == 3
        assert server.projects.list() == []

    assert server.events == [ProjectOpened(ProjectId("p")), ProjectClosed(ProjectId("p"))]


async def test_a_project_that_does_not_get_ready_is_a_conflict_and_does_not_run_on() -> None:
    slow = Host(hang, is_ready=False)
    server = Server(slow, open_limit_s=SOON_S)
    async with server.run():
        with pytest.raises(Conflict):
            await server.projects.open("/shop")
        assert slow.ended.is_set()
        assert server.projects.list() == []

    assert server.events == []


async def test_whoever_stops_waiting_for_a_project_leaves_nothing_running() -> None:
    slow = Host(hang, is_ready=False)
    server = Server(slow)
    async with server.run(), asyncio.TaskGroup() as tasks:
        opening = tasks.create_task(server.projects.open("/shop"))
        await asyncio.sleep(0)
        opening.cancel()
        await slow.ended.wait()

    assert server.events == []


async def test_a_project_that_ends_with_its_server_is_not_said_to_have_failed() -> None:
    server = Server(Host(hang))
    async with server.run():
        await server.projects.open("/shop")

    assert server.events == [ProjectOpened(ProjectId("p")), ProjectClosed(ProjectId("p"))]


async def test_a_project_that_does_not_close_is_ended() -> None:
    server = Server(Host(hang), close_limit_s=SOON_S)
    async with server.run():
        await server.projects.open("/shop")
        assert await server.projects.close("p") == 0
        assert server.projects.list() == []

    assert server.events[-1] == ProjectClosed(ProjectId("p"))


async def test_one_that_cannot_be_let_go_of_is_ended_and_does_not_stop_the_servers_end() -> None:
    class Stubborn(Host):
        async def leave(self) -> int:
            raise Refused("Not now.")

    stubborn = Stubborn(hang)
    server = Server(stubborn)
    async with server.run():
        await server.projects.open("/shop")

        assert await server.projects.leave_all() == 0
        assert stubborn.ended.is_set()


async def test_why_a_project_could_not_be_opened_is_told_to_whoever_opens_it() -> None:
    async def refuse(host: Host) -> None:
        raise Refused("Not here.")

    async def stumble(host: Host) -> None:
        raise KeyError("a surprise")

    server = Server(Host(refuse, is_ready=False), Host(stumble, is_ready=False))
    async with server.run():
        with pytest.raises(Refused):
            await server.projects.open("/shop")
        with pytest.raises(EngineFailed):
            await server.projects.open("/shop")

    assert server.events == []


async def test_what_was_set_aside_at_the_opening_is_part_of_the_project() -> None:
    server = Server(Host(live_well))
    server.troubles = [FileTrouble("A list was renamed.", "projectsSetAside")]
    async with server.run():
        project = await server.projects.open("/shop")

    assert [notice.detail for notice in project.state().notices] == ["A list was renamed."]
