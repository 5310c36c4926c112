"""What looking for a CLI finds: real programs, also such as hang, fail or leave somebody behind."""

from pathlib import Path

import pytest

from idea.adapters import version_probe
from idea.adapters.profiles import ProfileFiles
from idea.domain.profiles import Face, Profile


@pytest.fixture
def catalog(tmp_path: Path) -> ProfileFiles:
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin", "HOME": str(tmp_path)}
    return ProfileFiles(user_dir=tmp_path / "profiles", environment=environment)


def program(folder: Path, script: str) -> Profile:
    """The program, and the user's own profile for it."""
    path = folder / "tool"
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    (folder / "profiles").mkdir()
    (folder / "profiles" / "tool.toml").write_text('name = "Tool"\ncommand = "tool"\n[terminal]\n', encoding="utf-8")
    return Profile("tool", "Tool", "tool", terminal=Face(), allow_structured_alongside_pty=False)


async def test_a_program_that_answers_can_be_launched(tmp_path: Path, catalog: ProfileFiles) -> None:
    profile = program(tmp_path, 'test "$1" = --version && echo "tool 1.2"; echo more; echo noise >&2')

    health = await catalog.health(profile)

    assert (health.executable, health.version, health.missing) == (str(tmp_path / "tool"), "1.2", None)


@pytest.mark.parametrize(
    ("answer", "version"),
    [
        ("2.1.34 (Claude Code)", "2.1.34"),
        ("codex-cli 0.98.0", "0.98.0"),
        ("v22.4.1", "22.4.1"),
        ("tool 1.4.0-beta.2+5114f85 (build 5114f85)", "1.4.0-beta.2"),
        ("GNU bash, version 5.2.15(1)-release", "5.2.15"),
        ("unreleased", "unreleased"),
    ],
)
def test_of_a_version_the_number_is_told(answer: str, version: str) -> None:
    assert version_probe.version_in(answer) == version


async def test_what_is_not_there_says_how_to_get_it(catalog: ProfileFiles) -> None:
    health = await catalog.health(Profile("x", "X", "absent", install_hint="Run: get absent."))

    assert health.executable is None
    assert "Run: get absent." in (health.missing or "")


async def test_a_program_that_fails_is_found_but_told(tmp_path: Path, catalog: ProfileFiles) -> None:
    health = await catalog.health(program(tmp_path, "exit 3"))

    assert health.version is None
    assert "code 3" in (health.missing or "")


async def test_a_program_that_never_answers_is_ended(
    tmp_path: Path, catalog: ProfileFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(version_probe, "PROBE_S", 0.2)

    health = await catalog.health(program(tmp_path, "sleep 60"))

    assert "did not tell" in (health.missing or "")


async def test_somebody_left_behind_with_the_pipe_delays_little_and_is_ended(
    tmp_path: Path, catalog: ProfileFiles
) -> None:
    health = await catalog.health(program(tmp_path, "sleep 60 & echo tool 2"))

    assert health.version == "tool 2"


async def test_a_program_that_cannot_be_started_is_told(tmp_path: Path, catalog: ProfileFiles) -> None:
    profile = program(tmp_path, "")
    (tmp_path / "tool").write_bytes(b"\x7fELF no program at all")

    assert "cannot be started" in ((await catalog.health(profile)).missing or "")


@pytest.fixture
def bringing(tmp_path: Path) -> ProfileFiles:
    """Of a project that brings a profile, whose program would leave a file behind."""
    folder = tmp_path / ".ideai" / "profiles"
    folder.mkdir(parents=True)
    program(tmp_path, f"touch {tmp_path}/ran; echo 1")
    (folder / "tool.toml").write_text('command = "tool"\n[terminal]\n', encoding="utf-8")
    return ProfileFiles(user_dir=None, project_dir=folder, environment={"PATH": f"{tmp_path}:/usr/bin:/bin"})


async def test_a_projects_own_profile_runs_nothing_before_it_is_trusted(tmp_path: Path, bringing: ProfileFiles) -> None:
    health = await bringing.health(bringing.get("tool"))

    assert (health.executable, health.version, health.missing) == (str(tmp_path / "tool"), None, None)
    assert not (tmp_path / "ran").exists()


async def test_a_projects_profile_runs_nothing_either_when_its_file_is_gone_again(
    tmp_path: Path, bringing: ProfileFiles
) -> None:
    theirs = bringing.get("tool")
    (tmp_path / ".ideai" / "profiles" / "tool.toml").unlink()

    health = await bringing.health(theirs)

    assert health.version is None
    assert not (tmp_path / "ran").exists()
