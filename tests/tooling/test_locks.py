"""Do the locks say exactly what is installed, and nothing of where it comes from?"""

import json
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOCKS = sorted((ROOT / "requirements").glob("*.lock"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

# None of these matches itself, since this file is searched as well.
HOSTS = re.compile(r"pypi\.org|pythonhosted\.org|npmjs\.(org|com)|yarnpkg\.com|npm[m]irror")


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_every_pin_has_a_version_and_hashes_and_no_address(lock: Path) -> None:
    text = lock.read_text(encoding="utf-8")
    pins = re.split(r"(?<!\\)\n", re.sub(r"#.*\n", "", text).strip())

    assert all(re.match(r"[A-Za-z0-9._-]+==[^ ]+ ", pin) for pin in pins)
    assert all("--hash=sha256:" in pin for pin in pins)
    assert "://" not in text
    assert "--index" not in text


@pytest.mark.parametrize(
    ("lock", "requirements"),
    [
        ("runtime", PROJECT["project"]["dependencies"]),
        *((group, PROJECT["dependency-groups"][group]) for group in ("build", "dev", "node")),
    ],
)
def test_what_the_project_asks_for_is_locked(lock: str, requirements: list[str]) -> None:
    locked = _names((ROOT / "requirements" / f"{lock}.lock").read_text(encoding="utf-8").splitlines())

    assert _names(requirements) <= locked


def test_the_lock_of_the_page_names_no_place_to_download_from() -> None:
    packages = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))["packages"]

    assert [name for name, package in packages.items() if "resolved" in package] == []
    assert [name for name, package in packages.items() if name and "integrity" not in package] == []


@pytest.mark.parametrize("folder", [ROOT, ROOT / "web"], ids=["the root", "the page"])
def test_npm_is_told_to_keep_it_so(folder: Path) -> None:
    assert "omit-lockfile-registry-resolved=true" in (folder / ".npmrc").read_text(encoding="utf-8").splitlines()


def test_no_committed_file_names_a_registry() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, timeout=5, check=False)
    if listed.returncode != 0:
        pytest.skip("no git checkout")
    paths = [ROOT / name for name in listed.stdout.decode().split("\0") if name]

    assert [str(path) for path in paths if path.is_file() and HOSTS.search(_text(path))] == []


def _names(requirements: list[str]) -> set[str]:
    found = (re.match(r"[A-Za-z0-9._-]+", requirement) for requirement in requirements)
    return {re.sub(r"[-_.]+", "-", name[0]).lower() for name in found if name}


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", errors="replace")
