"""What fails for this moment only: every file stays where and what it is, and is used again when the moment is over."""

import os
import resource
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from idea.adapters.ids import UuidV7
from idea.adapters.storage.agents import AgentFiles
from idea.adapters.storage.credentials import CredentialsFile
from idea.adapters.storage.layouts import LayoutFile
from idea.adapters.storage.port import KeptPort
from idea.adapters.storage.registry import ProjectRegistry
from idea.adapters.storage.settings import SettingsFile
from idea.adapters.storage.trust import ProjectTrust
from idea.domain.agents import AgentDraft
from idea.domain.errors import Conflict
from idea.domain.layouts import Layout, Layouts
from idea.domain.settings import Settings
from tests.fakes.clock import FakeClock

Use = Callable[[Path, Path], Awaitable[object]]
"""Of a project's folder and the user's state folder; the same result whenever all is well."""
MORE = "# more\n"


async def _load_settings(root: Path, state_home: Path) -> object:
    return await SettingsFile(root / ".ideai").load()


async def _save_settings(root: Path, state_home: Path) -> object:
    await SettingsFile(root / ".ideai").save(Settings(locale="fr"))
    return await _load_settings(root, state_home)


async def _load_layout(root: Path, state_home: Path) -> object:
    return await LayoutFile(root / ".ideai" / "state").load()


async def _list_credentials(root: Path, state_home: Path) -> object:
    store = CredentialsFile(state_home, clock=FakeClock(), new_id=UuidV7())
    return store.list(), store.notice


async def _find_port(root: Path, state_home: Path) -> object:
    kept = KeptPort(state_home)
    return kept.find(), kept.notice


async def _open_again(root: Path, state_home: Path) -> object:
    return _registry(state_home).open_project(root)


def _registry(state_home: Path) -> ProjectRegistry:
    return ProjectRegistry(state_home, endpoint_of=lambda project: Path(f"/run/{project}.sock"))


USES = (_load_settings, _save_settings, _load_layout, _list_credentials, _find_port, _open_again)


@pytest.fixture
async def house(tmp_path: Path) -> tuple[Path, Path]:
    root, state_home = tmp_path / "project", tmp_path / "state-home"
    root.mkdir()
    _registry(state_home).open_project(root)
    await SettingsFile(root / ".ideai").save(Settings(locale="fr"))
    await LayoutFile(root / ".ideai" / "state").save(Layouts(named=(Layout(geometry="{}"),)))
    await CredentialsFile(state_home, clock=FakeClock(), new_id=UuidV7()).issue("browser")
    KeptPort(state_home).keep(4242)
    return root, state_home


@contextmanager
def descriptors_left(number: int) -> Iterator[None]:
    """As in a process that is at its limit: only `number` more can be opened."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    taken: list[int] = []
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(map(int, os.listdir("/dev/fd"))) + number + 8, hard))
    try:
        with suppress(OSError):
            while True:
                taken.append(os.dup(0))
        for _ in range(number):
            os.close(taken.pop())
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for descriptor in taken:
            os.close(descriptor)


def _files(*folders: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for folder in folders for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("left", range(5))
async def test_without_a_free_descriptor_nothing_is_set_aside(house: tuple[Path, Path], use: Use, left: int) -> None:
    expected, before = await use(*house), _files(*house)

    with descriptors_left(left), suppress(Conflict):
        assert await use(*house) == expected

    assert _files(*house) == before
    assert await use(*house) == expected


@pytest.mark.parametrize("left", range(3))
async def test_an_agent_is_not_broken_for_lack_of_a_descriptor(
    agent_files: AgentFiles, trust: ProjectTrust, left: int
) -> None:
    agent = await agent_files.create(AgentDraft(name="Ben", profile="demo"))
    await trust.approve((await trust.look()).subject_hash)
    with descriptors_left(left):
        with suppress(Conflict):
            assert await agent_files.list() == ([agent], [])
        with suppress(Conflict):
            assert (await trust.look()).is_trusted
        with suppress(Conflict):
            await agent_files.save(agent)

    assert await agent_files.list() == ([agent], [])
    assert (await trust.look()).is_trusted
