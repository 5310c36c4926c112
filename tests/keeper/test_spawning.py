"""What a process is born with, and what a failed birth leaves behind: nothing."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from idea.adapters.keeper.linked import LinkedKeeper
from idea.application.ports import Keeper
from idea.domain.errors import EngineFailed
from idea.domain.sessions import Exit, OutputStream, SpawnSpec, TerminalSize
from tests.isolation import children
from tests.keeper.reading import exit_of, open_descriptors, read_all
from tests.keeper.running import in_process

SpecOf = Callable[..., SpawnSpec]


def test_it_is_a_keeper(keeper: LinkedKeeper) -> None:
    port: Keeper = keeper
    assert port is keeper


@pytest.mark.parametrize(
    "env", [{}, {"LC_CTYPE": "C", "A": "ü"}, {"LC_ALL": "C", "PYTHONHOME": "/nowhere"}], ids=["empty", "C", "python"]
)
async def test_the_environment_is_the_given_one_and_nothing_else(
    keeper: LinkedKeeper, spec_of: SpecOf, env: dict[str, str]
) -> None:
    process = await keeper.spawn(spec_of("/usr/bin/env", env=env))

    lines = (await read_all(process, OutputStream.STDOUT)).decode().splitlines()

    assert sorted(lines) == sorted(f"{name}={text}" for name, text in env.items())


async def test_a_process_with_pipes_leads_a_session_of_its_own_and_inherits_no_descriptor(
    keeper: LinkedKeeper, spec_of: SpecOf
) -> None:
    seen = "import os; print(os.getsid(0) == os.getpid(), sorted(os.listdir('/dev/fd'))[:4], os.getcwd())"
    spec = spec_of(python=seen)

    process = await keeper.spawn(spec)

    # The fourth is the listing's own.
    expected = f"True ['0', '1', '2', '3'] {spec.cwd}\n"
    assert (await read_all(process, OutputStream.STDOUT)).decode() == expected


async def test_a_terminal_is_the_controlling_one_and_has_the_size(keeper: LinkedKeeper, spec_of: SpecOf) -> None:
    seen = (
        "import os; os.write(os.open('/dev/tty', os.O_RDWR), b'tty '); "
        "print(os.isatty(0), tuple(os.get_terminal_size(0)), os.tcgetpgrp(0) == os.getpid())"
    )

    process = await keeper.spawn(spec_of(python=seen, terminal=TerminalSize(132, 41)))

    assert await read_all(process, OutputStream.TERMINAL) == b"tty True (132, 41) True\r\n"


async def test_signals_ignored_by_python_are_not_ignored_by_the_agent(keeper: LinkedKeeper, spec_of: SpecOf) -> None:
    process = await keeper.spawn(spec_of("/bin/sh", "-c", "kill -PIPE $$; exit 9"))

    assert await exit_of(process) == Exit(code=None, signal=13)


async def test_a_repeated_spawn_returns_the_same_process(keeper: LinkedKeeper, spec_of: SpecOf) -> None:
    spec = spec_of("/bin/sh", "-c", "exit 3")
    first = await keeper.spawn(spec)
    assert await exit_of(first) == Exit(code=3, signal=None)

    again = await keeper.spawn(spec)

    assert again.pid == first.pid
    assert await exit_of(again) == Exit(code=3, signal=None)


@pytest.mark.parametrize("terminal", [None, TerminalSize()], ids=["pipes", "terminal"])
async def test_what_cannot_be_started_says_why(
    keeper: LinkedKeeper, spec_of: SpecOf, tmp_path: Path, terminal: TerminalSize | None
) -> None:
    (tmp_path / "text").write_text("no program")
    good = spec_of("/bin/true", terminal=terminal)
    bad = [
        replace(good, spawn_id="a", argv=("/nowhere/claude",)),
        replace(good, spawn_id="b", argv=(str(tmp_path / "text"),)),
        replace(good, spawn_id="c", cwd=str(tmp_path / "gone")),
        replace(good, spawn_id="d", cwd=str(tmp_path / "text")),
        replace(good, spawn_id="e", argv=("true",)),
        replace(good, spawn_id="f", argv=()),
        replace(good, spawn_id="g", argv=("/bin/true", "a\0b")),
    ]

    reasons = []
    for spec in bad:
        with pytest.raises(EngineFailed) as failed:
            await keeper.spawn(spec)
        reasons.append(failed.value.reason)

    assert "/nowhere/claude" in reasons[0]
    assert os.strerror(2) in reasons[0]
    assert os.strerror(13) in reasons[1]
    assert str(tmp_path / "gone") in reasons[2]
    assert os.strerror(20) in reasons[3]


@pytest.mark.slow
async def test_failed_spawns_leave_no_descriptor_and_no_child(spec_of: SpecOf) -> None:
    async with in_process() as keeper:
        before = open_descriptors(), children()
        # Each costs a real fork, exec and launcher: some 10 ms.
        for number in range(100):
            terminal = TerminalSize() if number % 2 else None
            with pytest.raises(EngineFailed):
                await keeper.spawn(spec_of("/nowhere/claude", terminal=terminal))
        for _ in range(400):
            with pytest.raises(EngineFailed):
                await keeper.spawn(replace(spec_of("/bin/true"), cwd="/nowhere"))

        assert (open_descriptors(), children()) == before


async def test_a_lock_is_for_one_living_process_whoever_asks(
    keeper: LinkedKeeper, spec_of: SpecOf, tmp_path: Path
) -> None:
    lock = tmp_path / "lock"
    await keeper.lock(lock, "Ada")
    first = await keeper.spawn(replace(spec_of("/bin/sleep", "60"), spawn_id="first", lock=str(lock)))

    with pytest.raises(EngineFailed) as refused:
        await keeper.spawn(replace(spec_of("/bin/sleep", "60"), spawn_id="second", lock=str(lock)))
    await first.stop(grace_s=0.5)
    again = await keeper.spawn(replace(spec_of("/bin/true"), spawn_id="third", lock=str(lock)))

    assert str(first.pid) in refused.value.reason
    assert (await exit_of(again)).code == 0
