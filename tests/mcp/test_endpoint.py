import os
import socket
from pathlib import Path

import pytest

from idea import bridge_endpoint
from idea.domain.errors import Conflict, Refused
from idea.domain.ids import AgentId, ProjectId
from idea.domain.sessions import SessionRole
from idea.doors.mcp import endpoint
from idea.doors.mcp.launch_secrets import LaunchSecrets
from tests.mcp.house import MAIN, PROJECT, QA

LONG = "d" * 120


def test_the_runtime_folder_is_made_private(short_path: Path) -> None:
    folder = endpoint.runtime_dir({"XDG_RUNTIME_DIR": str(short_path)})

    assert folder == short_path / "idea"
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_runtime_folder_that_others_can_enter_is_closed_to_them(short_path: Path) -> None:
    (short_path / "idea").mkdir(mode=0o755)

    folder = endpoint.runtime_dir({"XDG_RUNTIME_DIR": str(short_path)})

    assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("value", ["", "relative", "/nowhere/at/all", "{tmp}/" + LONG])
def test_an_unusable_variable_leads_to_the_users_folder_below_tmp(tmp_path: Path, value: str) -> None:
    (tmp_path / LONG).mkdir()

    folder = endpoint.runtime_dir({"XDG_RUNTIME_DIR": value.format(tmp=tmp_path)})

    assert folder == Path(f"/tmp/idea-{os.geteuid()}")


def test_who_only_looks_for_the_runtime_folder_makes_and_changes_nothing(short_path: Path) -> None:
    env = {"XDG_RUNTIME_DIR": str(short_path)}
    assert endpoint.find_runtime_dir(env) is None
    assert list(short_path.iterdir()) == []

    (short_path / "idea").mkdir(mode=0o755)
    assert endpoint.find_runtime_dir(env) is None
    assert (short_path / "idea").stat().st_mode & 0o777 == 0o755

    made = endpoint.runtime_dir(env)
    assert endpoint.find_runtime_dir(env) == made


def test_a_symlink_in_place_of_the_runtime_folder_is_refused(short_path: Path) -> None:
    (short_path / "elsewhere").mkdir(mode=0o700)
    (short_path / "idea").symlink_to(short_path / "elsewhere")

    with pytest.raises(Refused):
        endpoint.runtime_dir({"XDG_RUNTIME_DIR": str(short_path)})


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_another_users_folder_is_refused(short_path: Path) -> None:
    (short_path / "idea").mkdir(mode=0o700)
    os.chown(short_path / "idea", 65534, 65534)

    with pytest.raises(Refused):
        endpoint.runtime_dir({"XDG_RUNTIME_DIR": str(short_path)})


def test_two_projects_never_share_a_socket_and_paths_stay_short(runtime: Path) -> None:
    paths = {endpoint.endpoint_path(runtime, ProjectId(f"project-{number}")) for number in range(100)}

    assert len(paths) == 100
    assert {len(path.name) for path in paths} == {25}


def test_the_bridge_finds_the_secret_where_the_server_writes_it(runtime: Path) -> None:
    written = endpoint.write_secret(runtime, PROJECT, MAIN, "s3cret")

    assert str(written) == bridge_endpoint.secret_path(str(endpoint.endpoint_path(runtime, PROJECT)), MAIN, "main")
    assert written.read_text() == "s3cret"
    assert written.stat().st_mode & 0o777 == 0o600


def test_a_new_secret_replaces_the_old_one_and_leaves_no_draft(runtime: Path) -> None:
    endpoint.write_secret(runtime, PROJECT, MAIN, "old")
    endpoint.write_secret(runtime, PROJECT, MAIN, "new")
    endpoint.write_secret(runtime, PROJECT, QA, "other")
    endpoint.remove_secret(runtime, PROJECT, QA)
    endpoint.remove_secret(runtime, PROJECT, QA)

    assert [file.read_text() for file in runtime.iterdir()] == ["new"]


def test_the_secrets_of_agents_that_still_run_are_good_again_and_no_others(runtime: Path) -> None:
    killed = LaunchSecrets(runtime, runtime / "lasting", PROJECT)
    killed.write(MAIN, SessionRole.MAIN, "running")
    killed.write(MAIN, SessionRole.SIDE, "ended too")
    killed.write(QA, SessionRole.MAIN, "ended")
    killed.write(QA, SessionRole.SIDE, "beside")
    following = LaunchSecrets(runtime, runtime / "lasting", PROJECT)

    following.restore([(MAIN, SessionRole.MAIN), (QA, SessionRole.SIDE), (AgentId("never-launched"), SessionRole.MAIN)])

    assert following.authenticate(MAIN, SessionRole.MAIN, "running")
    assert following.authenticate(QA, SessionRole.SIDE, "beside")
    assert not following.authenticate(QA, SessionRole.MAIN, "ended")
    assert not following.authenticate(MAIN, SessionRole.SIDE, "ended too")
    assert not following.authenticate(MAIN, SessionRole.SIDE, "running")
    kept = {endpoint.secret_path(runtime, PROJECT, MAIN), endpoint.secret_path(runtime, PROJECT, QA, SessionRole.SIDE)}
    assert set(runtime.glob("*.secret")) == kept
    assert {path.name for path in (runtime / "lasting").iterdir()} == {path.name for path in kept}


def test_a_secret_that_went_with_the_runtime_folder_is_written_again(runtime: Path) -> None:
    killed = LaunchSecrets(runtime, runtime / "lasting", PROJECT)
    killed.write(MAIN, SessionRole.MAIN, "running")
    killed.write(QA, SessionRole.MAIN, "leaked")
    endpoint.remove_secret(runtime, PROJECT, MAIN)
    endpoint.secret_path(runtime, PROJECT, QA).chmod(0o644)
    following = LaunchSecrets(runtime, runtime / "lasting", PROJECT)

    following.restore([(MAIN, SessionRole.MAIN), (QA, SessionRole.MAIN)])

    assert following.authenticate(MAIN, SessionRole.MAIN, "running")
    assert endpoint.find_secret(runtime, PROJECT, MAIN, SessionRole.MAIN) == "running"
    assert not following.authenticate(QA, SessionRole.MAIN, "leaked")
    assert len([*runtime.rglob("*.secret")]) == 2


@pytest.mark.parametrize("harm", ["readable", "symlink", "empty"])
def test_a_secret_that_is_not_ours_alone_is_not_taken_over(runtime: Path, tmp_path: Path, harm: str) -> None:
    path = endpoint.write_secret(runtime, PROJECT, MAIN, "" if harm == "empty" else "secret")
    if harm == "readable":
        path.chmod(0o644)
    elif harm == "symlink":
        path.rename(tmp_path / "elsewhere")
        path.symlink_to(tmp_path / "elsewhere")

    following = LaunchSecrets(runtime, runtime / "lasting", PROJECT)
    following.restore([(MAIN, SessionRole.MAIN)])

    assert not following.authenticate(MAIN, SessionRole.MAIN, "secret")
    assert not following.authenticate(MAIN, SessionRole.MAIN, "")
    assert not os.path.lexists(path)


@pytest.mark.parametrize("obstacle", ["no folder", "a folder in its place"])
def test_a_secret_that_cannot_be_written_is_told_and_leaves_nothing(runtime: Path, obstacle: str) -> None:
    if obstacle == "no folder":
        runtime.rmdir()
    else:
        (endpoint.secret_path(runtime, PROJECT, MAIN) / "x").mkdir(parents=True)
    before = list(runtime.glob("*"))

    with pytest.raises(Refused) as refused:
        endpoint.write_secret(runtime, PROJECT, MAIN, "s3cret")

    assert refused.value.why == "fileUnusable"
    assert list(runtime.glob("*")) == before


def test_an_agent_id_cannot_leave_the_folder(runtime: Path) -> None:
    with pytest.raises(Refused):
        endpoint.write_secret(runtime, PROJECT, AgentId("../x"), "s3cret")


def test_the_socket_is_private_and_gone_after_closing(runtime: Path) -> None:
    path = endpoint.endpoint_path(runtime, PROJECT)

    listener = endpoint.listen(path)
    mode = path.stat().st_mode & 0o777
    listener.close()
    listener.close()

    assert mode == 0o600
    assert not path.exists()


def test_a_crashed_servers_socket_is_replaced(runtime: Path) -> None:
    path = endpoint.endpoint_path(runtime, PROJECT)
    with socket.socket(socket.AF_UNIX) as crashed:
        crashed.bind(str(path))

    listener = endpoint.listen(path)

    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))
    listener.close()


def test_a_living_servers_socket_is_left_alone(runtime: Path) -> None:
    path = endpoint.endpoint_path(runtime, PROJECT)
    first = endpoint.listen(path)

    with pytest.raises(Conflict):
        endpoint.listen(path)

    assert path.exists()
    first.close()


def test_closing_late_leaves_the_next_servers_socket_alone(runtime: Path) -> None:
    path = endpoint.endpoint_path(runtime, PROJECT)
    first = endpoint.listen(path)
    first.socket.close()
    second = endpoint.listen(path)

    first.close()

    assert path.exists()
    second.close()


@pytest.mark.parametrize("kind", ["file", "symlink", "folder"])
def test_what_is_no_socket_is_refused_and_kept(runtime: Path, kind: str) -> None:
    path = endpoint.endpoint_path(runtime, PROJECT)
    if kind == "file":
        path.write_text("precious")
    elif kind == "symlink":
        path.symlink_to(runtime / "target")
    else:
        path.mkdir()

    with pytest.raises(Refused):
        endpoint.listen(path)

    assert path.is_symlink() or path.exists()


def test_a_path_that_would_be_cut_off_is_refused(tmp_path: Path) -> None:
    (tmp_path / LONG).mkdir(mode=0o700)

    with pytest.raises(Refused):
        endpoint.listen(tmp_path / LONG / "name.sock")
