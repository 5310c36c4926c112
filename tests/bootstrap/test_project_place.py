"""Who has a project open, said in its folder: also when that is made again at a bad moment."""

import shutil
import threading
from pathlib import Path

import pytest

from idea.adapters.storage.project_folder import create_layout
from idea.application.ports import ProjectPaths
from idea.bootstrap import project_place
from idea.bootstrap.project_place import CONTROL_FILE, ProjectPlace
from idea.domain.ids import ProjectId


def test_a_folder_that_is_made_again_while_the_project_closes_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ideai = tmp_path / ".ideai"
    paths = ProjectPaths(
        ProjectId("0190-1"), tmp_path, ideai, run=ideai / "run", state=ideai / "state", endpoint=tmp_path / "e.sock"
    )
    create_layout(tmp_path, paths.id)
    place = ProjectPlace(paths, control=tmp_path / "c.sock")
    place.lock(take_over=None)
    shutil.rmtree(paths.ideai)
    is_begun, may_go_on = threading.Event(), threading.Event()

    def slow(root: Path, project: ProjectId) -> None:
        is_begun.set()
        may_go_on.wait()
        create_layout(root, project)

    monkeypatch.setattr(project_place, "create_layout", slow)
    again = threading.Thread(target=place.make_again)
    again.start()
    is_begun.wait()
    place.unlock()
    may_go_on.set()
    again.join()

    assert not (paths.state / CONTROL_FILE).exists()
    following = ProjectPlace(paths, control=tmp_path / "d.sock")
    following.lock(take_over=None)
    following.unlock()
