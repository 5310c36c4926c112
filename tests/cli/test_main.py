"""The command line before any command runs: help, names, imports."""

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

from idea import __version__
from idea.doors.cli.main import COMMANDS
from idea.doors.cli.output import BROKEN_PIPE


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_goes_by_its_name_and_says_what_it_does(name: str) -> None:
    command = import_module(f"idea.doors.cli.{COMMANDS[name].module}").command

    assert isinstance(command, click.Command)
    assert command.name == name
    assert command.help
    assert COMMANDS[name].help


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "idea", *arguments], capture_output=True, text=True, timeout=20, check=False
    )


@pytest.mark.slow
def test_help_names_every_command() -> None:
    shown = run("--help")

    assert shown.returncode == 0
    assert [line.split()[0] for line in shown.stdout.partition("Commands:\n")[2].splitlines()] == list(COMMANDS)


@pytest.mark.slow
def test_the_version_is_told() -> None:
    assert run("--version").stdout == f"idea {__version__}\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ("ask",),
        ("ask", "qa"),
        ("serve", "--port", "x"),
        ("agents", "--nonsense"),
        ("ask", "qa", "x", "--timeout", "nan"),
    ],
)
def test_a_wrong_command_line_ends_with_2(arguments: tuple[str, ...]) -> None:
    refused = run(*arguments)

    assert (refused.returncode, refused.stdout) == (2, "")
    assert "Usage" in refused.stderr


SERVE = ("serve", "--port", "0", "--no-browser")


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [("--help",), SERVE])
def test_a_full_disk_under_the_output_is_told(arguments: tuple[str, ...], tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = run_into(full.fileno(), *arguments, home=tmp_path)

    assert (done.returncode, done.stderr) == (1, "idea: The output cannot be written: the disk is full.\n")


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [SERVE, ("profiles",)])
def test_a_reader_that_has_gone_is_told_nothing(arguments: tuple[str, ...], tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = run_into(writer, *arguments, home=tmp_path)
    finally:
        os.close(writer)

    assert (done.returncode, done.stderr) == (BROKEN_PIPE, "")


@pytest.mark.slow
def test_closed_outputs_are_no_failure_and_a_lost_complaint_leaves_the_exit_code(tmp_path: Path) -> None:
    closed = subprocess.run(
        ["sh", "-c", '"$0" -m idea --version >&-; echo $?; "$0" -m idea ask 2>/dev/full; echo $?', sys.executable],
        capture_output=True,
        env=home_env(tmp_path),
        text=True,
        timeout=20,
        check=False,
    )

    assert (closed.stdout, closed.stderr) == ("0\n2\n", "")


def run_into(stdout: int, *arguments: str, home: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "idea", *arguments]
    return subprocess.run(
        command, stdout=stdout, stderr=subprocess.PIPE, env=home_env(home), text=True, timeout=20, check=False
    )


def home_env(home: Path) -> dict[str, str]:
    """With nothing of the person's."""
    xdg = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CONFIG", "STATE", "CACHE", "DATA")}
    runtime = home / "run"
    runtime.mkdir(mode=0o700, exist_ok=True)
    return {**os.environ, **xdg, "HOME": str(home), "XDG_RUNTIME_DIR": str(runtime)}


@pytest.mark.slow
def test_help_imports_no_command_and_talking_to_the_server_no_server() -> None:
    others = {"serve", "demo", "open", "doctor", "profiles"}
    light = [entry.module for name, entry in COMMANDS.items() if name not in others]
    # The last ones, since they talk to keepers too, and several at once.
    light.sort(key=lambda module: module in ("status", "stop"))
    script = (
        "import sys\n"
        "from importlib import import_module\n"
        "from idea.doors.cli.main import cli\n"
        "cli.main(['--help'], standalone_mode=False)\n"
        f"assert not [name for name in sys.modules if name in {[f'idea.doors.cli.{each}' for each in light]}]\n"
        "heavy = {'fastapi', 'uvicorn', 'pydantic', 'mcp', 'idea.bootstrap'}\n"
        f"for each in {light}:\n"
        "    import_module('idea.doors.cli.' + each)\n"
        "    unwanted = heavy if each in ('status', 'stop') else heavy | {'asyncio'}\n"
        "    assert not unwanted & set(sys.modules), (each, unwanted & set(sys.modules))\n"
    )

    subprocess.run([sys.executable, "-c", script], check=True, timeout=20, capture_output=True)
