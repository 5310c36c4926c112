import fcntl
import os
import shutil
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from idea.adapters.storage.locks import PROJECT_LOCK, ProjectLock
from idea.adapters.storage.project_folder import find_project_id
from idea.adapters.storage.registry import REGISTRY_FILE, ProjectRegistry, find_known
from idea.domain.errors import Conflict, Invalid, Refused


@pytest.fixture
def registry(state_home: Path) -> ProjectRegistry:
    return ProjectRegistry(state_home, endpoint_of=lambda project: Path("/run") / project)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "проект 界 é"
    folder.mkdir()
    return folder


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_opening_a_folder_makes_it_a_project_and_opening_it_again_changes_nothing(
    registry: ProjectRegistry, folder: Path, state_home: Path
) -> None:
    paths, troubles = registry.open_project(folder)

    assert troubles == []
    assert paths.root == folder
    assert paths.endpoint == Path("/run") / paths.id
    assert registry.open_project(folder) == (paths, [])
    assert [_mode(path) for path in (paths.state, paths.run, state_home)] == [0o700] * 3
    assert _mode(state_home / "projects.json") == 0o600
    assert [project.path for project in find_known(state_home)] == [folder]


def test_git_sees_only_what_a_team_shares(registry: ProjectRegistry, folder: Path) -> None:
    registry.open_project(folder)
    ideai = folder / ".ideai"
    shared = ("settings.toml", "agents/a.md", "memory/m.md", "tickets/1.md", "profiles/p.toml", "capabilities/x/y.json")
    private = ("state/layouts.json", "run/a/mcp.json", "requests/r.json", "settings.toml.broken-1", "agents/.a.md.tmp")
    for name in (*shared, *private):
        (ideai / name).parent.mkdir(parents=True, exist_ok=True)
        (ideai / name).write_text("x")

    environment = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    git = ["git", "-C", str(folder)]
    subprocess.run([*git, "init", "-q"], check=True, env=environment, timeout=5)
    listed = subprocess.run(
        [*git, "ls-files", "-o", "--exclude-standard", "-z", ".ideai"],
        check=True,
        env=environment,
        capture_output=True,
        timeout=5,
    ).stdout.decode()

    assert sorted(filter(None, listed.split("\0"))) == sorted(f".ideai/{name}" for name in (".gitignore", *shared))


def test_a_project_that_moved_keeps_its_id(registry: ProjectRegistry, folder: Path, tmp_path: Path) -> None:
    paths, _ = registry.open_project(folder)
    folder.rename(tmp_path / "elsewhere")

    moved, troubles = registry.open_project(tmp_path / "elsewhere")

    assert (moved.id, moved.root, troubles) == (paths.id, tmp_path / "elsewhere", [])


def test_a_copy_gets_its_own_id_and_a_state_of_its_own(registry: ProjectRegistry, folder: Path, tmp_path: Path) -> None:
    paths, _ = registry.open_project(folder)
    (paths.state / "records.sqlite").write_text("conversations")
    shutil.copytree(folder, tmp_path / "copy")

    copy, troubles = registry.open_project(tmp_path / "copy")

    assert copy.id != paths.id
    assert [trouble.why for trouble in troubles] == ["stateCopied"]
    assert not (copy.state / "records.sqlite").exists()
    assert [path.read_text() for path in copy.ideai.glob("state.copied-*/records.sqlite")] == ["conversations"]
    assert registry.open_project(folder) == (paths, [])
    assert registry.open_project(tmp_path / "copy") == (copy, [])


def test_another_project_at_the_old_place_does_not_make_the_moved_one_a_copy(
    registry: ProjectRegistry, folder: Path, tmp_path: Path
) -> None:
    paths, _ = registry.open_project(folder)
    folder.rename(tmp_path / "elsewhere")
    folder.mkdir()

    other, _ = registry.open_project(folder)

    assert other.id != paths.id
    assert registry.open_project(tmp_path / "elsewhere")[0].id == paths.id


def test_the_same_folder_by_another_name_is_the_same_project(
    registry: ProjectRegistry, folder: Path, tmp_path: Path
) -> None:
    paths, _ = registry.open_project(folder)
    (tmp_path / "link").symlink_to(folder)

    assert registry.open_project(tmp_path / "link") == (paths, [])


@pytest.mark.parametrize("brought", [None, '{"version": 1, "id": "forged"}', "\0\0\0"])
def test_state_of_another_machine_is_set_aside_unread(
    registry: ProjectRegistry, folder: Path, brought: str | None
) -> None:
    state = folder / ".ideai" / "state"
    state.mkdir(parents=True)
    (state / "layouts.json").write_text("theirs")
    if brought is not None:
        (state / "project.json").write_text(brought)

    paths, troubles = registry.open_project(folder)

    assert paths.id != "forged"
    assert [trouble.why for trouble in troubles] == ["stateSetAside"]
    assert not (paths.state / "layouts.json").exists()
    assert [path.read_text() for path in paths.ideai.glob("state.unknown-*/layouts.json")] == ["theirs"]


def test_a_spoilt_project_file_is_told_as_what_it_is(registry: ProjectRegistry, folder: Path) -> None:
    registry.open_project(folder)
    (folder / ".ideai/state/project.json").write_bytes(b"\0" * 100)

    _, (notice,) = registry.open_project(folder)

    assert "project.json cannot be used" in notice.sentence
    assert "this machine" not in notice.sentence
    assert notice.fields()["why"] == "stateSetAside"


@pytest.mark.parametrize(("named", "error"), [("", Invalid), ("here", Invalid), ("/", Refused), ("/..", Refused)])
def test_only_a_folder_named_from_the_top_and_below_it_is_a_project(
    registry: ProjectRegistry, named: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        registry.open_project(Path(named))


@pytest.mark.parametrize("name", [".ideai", ".ideai/agents", ".ideai/state", ".ideai/run", ".ideai/requests"])
def test_a_folder_of_ours_that_is_a_link_is_refused_and_nothing_is_written_through(
    registry: ProjectRegistry, folder: Path, tmp_path: Path, name: str
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).symlink_to(outside)

    with pytest.raises(Refused):
        registry.open_project(folder)

    assert not list(outside.iterdir())


def _no_such(path: Path) -> Path:
    return path / "nothing"


def _file(path: Path) -> Path:
    (path / "file").write_text("x")
    return path / "file"


def _circle(path: Path) -> Path:
    (path / "circle").symlink_to(path / "circle")
    return path / "circle"


def _odd(path: Path) -> Path:
    odd = path / os.fsdecode(b"\xff")
    odd.mkdir()
    return odd


@pytest.mark.parametrize("make", [_no_such, _file, _circle, _odd])
def test_what_is_no_folder_is_said_plainly_and_leaves_nothing(
    registry: ProjectRegistry, tmp_path: Path, state_home: Path, make: Callable[[Path], Path]
) -> None:
    with pytest.raises(Invalid):
        registry.open_project(make(tmp_path))

    assert not state_home.exists()


def test_an_opening_that_fails_halfway_takes_back_what_it_made(registry: ProjectRegistry, folder: Path) -> None:
    # Something in the way of the last step, the state's own file.
    (folder / ".ideai").mkdir()
    (folder / ".ideai" / ".gitignore").mkdir()
    (folder / ".ideai" / "run").write_text("a file")

    with pytest.raises(Refused):
        registry.open_project(folder)

    assert not (folder / ".ideai" / "state").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_refused(registry: ProjectRegistry, folder: Path) -> None:
    folder.chmod(0o500)

    with pytest.raises(Refused):
        registry.open_project(folder)


@pytest.mark.parametrize(
    "content", ["\0" * 3000, "{}", "[]", "null", '{"version": 9}', '{"version": 1, "projects": 3}']
)
def test_a_broken_registry_is_set_aside_and_reported(
    registry: ProjectRegistry, folder: Path, state_home: Path, content: str
) -> None:
    state_home.mkdir()
    (state_home / "projects.json").write_text(content)

    _, troubles = registry.open_project(folder)

    assert [trouble.why for trouble in troubles] == ["projectsSetAside"]
    assert [path.read_text() for path in state_home.glob("projects.json.broken-*")] == [content]
    assert registry.open_project(folder)[1] == []


def test_a_project_that_is_at_work_elsewhere_is_left_alone(
    registry: ProjectRegistry, folder: Path, tmp_path: Path
) -> None:
    elsewhere = ProjectRegistry(tmp_path / "demo", endpoint_of=lambda project: Path("/run") / project)
    theirs, _ = elsewhere.open_project(folder)
    lock = ProjectLock(theirs.state)
    lock.acquire()

    with pytest.raises(Conflict) as refused:
        registry.open_project(folder)
    assert str(os.getpid()) in refused.value.reason
    assert find_project_id(folder) == theirs.id

    lock.release()
    ours, troubles = registry.open_project(folder)
    assert [trouble.why for trouble in troubles] == ["stateSetAside"]
    assert ours.id != theirs.id


def test_a_lock_that_is_none_of_ours_does_not_keep_a_project_closed(registry: ProjectRegistry, folder: Path) -> None:
    locks = folder / ".ideai" / "state" / "locks"
    locks.mkdir(parents=True)
    os.mkfifo(locks / PROJECT_LOCK)

    paths, _ = registry.open_project(folder)

    assert not (paths.state / "locks" / PROJECT_LOCK).exists()


def test_who_only_looks_at_the_list_makes_and_sets_aside_nothing(
    registry: ProjectRegistry, state_home: Path, folder: Path
) -> None:
    assert find_known(state_home / "nowhere") == []
    assert not (state_home / "nowhere").exists()

    registry.open_project(folder)
    assert [project.path for project in find_known(state_home)] == [folder]

    (state_home / REGISTRY_FILE).write_text("no JSON")
    before = sorted(os.listdir(state_home))
    assert find_known(state_home) == []
    assert sorted(os.listdir(state_home)) == before


def test_a_server_that_halts_while_it_has_the_list_halts_nobody_else(state_home: Path, folder: Path) -> None:
    registry = ProjectRegistry(state_home, endpoint_of=lambda project: Path("/run") / project, turn_s=0)
    registry.open_project(folder)
    with (state_home / f"{REGISTRY_FILE}.lock").open() as halted:
        fcntl.flock(halted, fcntl.LOCK_EX)
        with pytest.raises(Conflict):
            registry.open_project(folder)

    assert [project.path for project in find_known(state_home)] == [folder]
