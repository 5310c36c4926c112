"""The command line of a launch: whose hooks are named, and where."""

from pathlib import Path

import pytest

from idea.application.ports import LaunchFiles
from idea.application.sessions.launch_plan import LaunchPlan
from idea.domain.profiles import Face
from idea.domain.sessions import TerminalSize
from tests.fakes.agents import make_agent

FILES = LaunchFiles(Path("/run"), {"hooks_file": "/run/hooks.json"}, ("--mcp", "m"), ("--settings", "{hooks_file}"), {})


def argv(*args: str, terminal: TerminalSize | None) -> tuple[str, ...]:
    face = Face(args=args, fresh_args=("--new",))
    plan = LaunchPlan(make_agent("qa"), face, "/bin/cli", FILES, "/", terminal, lock=None, note="")
    return plan.spec("s1", None, is_resume=False).argv


def test_a_terminal_is_told_of_our_hooks_before_what_names_the_conversation() -> None:
    assert argv(terminal=TerminalSize()) == ("/bin/cli", "--mcp", "m", "--settings", "/run/hooks.json", "--new")


def test_headless_there_is_an_engine_to_tell_everything() -> None:
    assert argv(terminal=None) == ("/bin/cli", "--mcp", "m", "--new")


@pytest.mark.parametrize("own", [("--settings", "mine.json"), ("--settings=mine.json",)])
def test_settings_of_the_persons_own_are_not_put_out_of_force(own: tuple[str, ...]) -> None:
    assert argv(*own, terminal=TerminalSize()) == ("/bin/cli", *own, "--mcp", "m", "--new")
