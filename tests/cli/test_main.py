"""The command line before any command runs: help, names, imports."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

from idea import __version__
from idea.doors.cli.main import COMMANDS


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


@pytest.mark.slow
def test_a_full_disk_under_the_output_is_told() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "idea", "--help"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=20,
            check=False,
        )

    assert (done.returncode, done.stderr) == (1, "idea: The output cannot be written: the disk is full.\n")


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
