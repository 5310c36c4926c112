"""What a profile says of its terminal's signs: read whole, each mistake named with its place."""

from pathlib import Path

import pytest

from idea.adapters.patterns import matches
from idea.adapters.profiles import ProfileFiles
from idea.domain.terminal_signs import HookRule, Sign, TerminalSigns, last_rows

SHELL = ProfileFiles(user_dir=None).get("shell").signs


def read(folder: Path, text: str) -> ProfileFiles:
    (folder / "mine.toml").write_text(f'command = "mine"\n[terminal]\nargs = []\n{text}', encoding="utf-8")
    return ProfileFiles(user_dir=folder)


def test_a_profile_without_signs_waits_for_none(tmp_path: Path) -> None:
    signs = read(tmp_path, "").get("mine").signs

    assert (signs, bool(signs)) == (TerminalSigns(), False)


def test_patterns_and_hooks_are_read(tmp_path: Path) -> None:
    signs = (
        read(
            tmp_path,
            """
[terminal.readiness]
rows = 5
ended = ['^Could not']
title.idle = ['^. ready']
screen.trust = ['trust', 'folder\\?']
[terminal.hooks]
args = ["--settings", "{hooks_file}"]
rules = [
    { event = "Note", means = "permission", where = { kind = "^ask" }, detail = "message" },
    { event = "Stop", means = "idle" },
    { event = "Note", means = "idle" },
]
""",
        )
        .get("mine")
        .signs
    )

    assert (signs.rows, signs.ended) == (5, ("^Could not",))
    assert (signs.title, signs.screen) == ({Sign.IDLE: ("^. ready",)}, {Sign.TRUST: ("trust", "folder\\?")})
    assert signs.hooks is not None
    assert signs.hooks.rules[0] == HookRule("Note", Sign.PERMISSION, {"kind": "^ask"}, "message")
    assert signs.hooks.events == ("Note", "Stop")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("readiness.screen.idle = ['(a']", "terminal.readiness.screen.idle.0: '(a' is no pattern that can be used: "),
        ("readiness.screen.idle = ['(?=a)']", "look-ahead"),
        ("readiness.title.busy = ['a']", "'working'"),
        ("readiness.rows = 61", "terminal.readiness.rows"),
        ("readiness.colour = 1", "is not a key that profiles have"),
        (
            "hooks = { args = ['--settings'], rules = [{ event = 'Stop', means = 'idle' }] }",
            "{hooks_file}",
        ),
        (
            "hooks = { args = ['{hooks_file}'], rules = [{ event = 'a b', means = 'idle' }] }",
            "terminal.hooks.rules.0.event",
        ),
    ],
)
def test_a_mistake_is_told_with_its_place(tmp_path: Path, text: str, reason: str) -> None:
    (broken,) = read(tmp_path, text).broken

    assert reason in broken.reason
    assert "\n" not in broken.reason


def is_at_prompt(screen: str) -> bool:
    text = last_rows(screen, screen.count("\n"), SHELL.rows)
    return any(matches(pattern, text) for pattern in SHELL.screen[Sign.IDLE])


@pytest.mark.parametrize(
    "screen",
    [
        "$ ",
        "# ",
        "ada@here:~/shop$ git status",
        "[ada@here shop]$ ",
        "(venv) ada@here:~/shop$ ls -la",
        "bash-5.2# make test",
        "here% ",
        "shop❯ ",
        "some output\n➜  shop git:(main) ✗ ",
        "line 1\n> and a second line",
    ],
)
def test_a_prompt_is_seen_with_what_is_typed_after_it(screen: str) -> None:
    assert is_at_prompt(screen)


@pytest.mark.parametrize(
    "screen", ["ada@here:~/shop$ make\n", "ada@here:~/shop$ make\ncompiling a.c", "  45%", "45% done", "Password: ", ""]
)
def test_a_command_that_runs_is_no_prompt(screen: str) -> None:
    assert not is_at_prompt(screen)
