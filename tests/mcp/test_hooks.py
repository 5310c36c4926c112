"""The program that a CLI runs as its hooks: the door hears it, and whatever goes wrong, the CLI never notices."""

import asyncio
import json
import os
import socket
from pathlib import Path

import pytest

from idea.adapters.storage.hook_files import LAST_FILE, find_last_hook
from idea.domain.ids import AgentId
from idea.domain.terminal_signs import FIELD_CHARS, RanHook
from idea.doors.mcp.hooks import hook_command
from tests.mcp.house import MAIN, PATIENCE_S, PROJECT, House

STOP = {"hook_event_name": "Stop", "session_id": "s1", "last_assistant_message": "All done.", "background_tasks": []}


@pytest.fixture
def run_dir(tmp_path: Path) -> Path:
    return tmp_path


async def run_hook(house: House, run_dir: Path, told: object, *, agent: AgentId = MAIN) -> None:
    """As a CLI does: it is silent, and well, whatever becomes of it."""
    argv = hook_command(house.endpoint, PROJECT, agent, kept=run_dir / LAST_FILE, fields=("last_assistant_message",))
    process = await asyncio.create_subprocess_exec(
        *argv,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env={"PATH": os.defpath},
    )
    data = told if isinstance(told, bytes) else json.dumps(told).encode()
    async with asyncio.timeout(PATIENCE_S):
        said, _ = await process.communicate(data)
    assert (process.returncode, said) == (0, b"")


async def test_the_door_hears_whose_hook_ran_and_the_fields_that_were_wanted(house: House, run_dir: Path) -> None:
    await run_hook(house, run_dir, STOP)

    ran = RanHook("Stop", {"last_assistant_message": "All done."})
    assert await house.heard(1) == [(MAIN, ran)]
    assert find_last_hook(run_dir) == ran
    assert os.stat(run_dir / LAST_FILE).st_mode & 0o777 == 0o600
    assert os.listdir(run_dir) == [LAST_FILE]


async def test_hooks_are_heard_in_the_order_in_which_they_ran(house: House, run_dir: Path) -> None:
    names = [f"Event{number}" for number in range(5)]
    for name in names:
        await run_hook(house, run_dir, {"hook_event_name": name})

    assert [ran.event for _, ran in await house.heard(len(names))] == names


async def test_while_the_server_is_away_the_last_word_is_kept_for_the_next_one(house: House, run_dir: Path) -> None:
    await house.close(is_leaving=True)

    await run_hook(house, run_dir, STOP)

    assert find_last_hook(run_dir) == RanHook("Stop", {"last_assistant_message": "All done."})


async def test_a_server_that_does_not_answer_holds_the_cli_up_for_a_moment_only(house: House, run_dir: Path) -> None:
    await house.close(is_leaving=True)
    with socket.socket(socket.AF_UNIX) as deaf:
        deaf.bind(str(house.endpoint))
        deaf.listen()
        await run_hook(house, run_dir, STOP)

    assert find_last_hook(run_dir) is not None


async def test_a_hook_without_a_launch_is_not_heard(house: House, run_dir: Path) -> None:
    await run_hook(house, run_dir, STOP, agent=AgentId("nobody"))

    assert house.hooks == []


async def test_half_an_emoji_in_what_a_hook_tells_can_still_be_sent_on(house: House, run_dir: Path) -> None:
    await run_hook(house, run_dir, {**STOP, "hook_event_name": "St\ud83dop", "last_assistant_message": "Done \ud83d"})

    ran = RanHook("St?op", {"last_assistant_message": "Done ?"})
    assert await house.heard(1) == [(MAIN, ran)]
    assert find_last_hook(run_dir) == ran


@pytest.mark.parametrize(
    "told", [b"", b"no JSON", b"\xff\x00", [], {"event": "Stop"}, {"hook_event_name": ["Stop"] * 100}]
)
async def test_what_is_no_hook_harms_nobody(house: House, run_dir: Path, told: object) -> None:
    await run_hook(house, run_dir, told)
    await run_hook(house, run_dir, {**STOP, "last_assistant_message": "x" * 2_000_000})

    assert await house.heard(1) == [(MAIN, RanHook("Stop", {"last_assistant_message": "x" * FIELD_CHARS}))]


async def test_without_its_arguments_it_is_as_silent(house: House, run_dir: Path) -> None:
    argv = hook_command(house.endpoint, PROJECT, MAIN, kept=run_dir / LAST_FILE, fields=())[:4]
    process = await asyncio.create_subprocess_exec(
        *argv, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    said, _ = await process.communicate()

    assert (process.returncode, said) == (0, b"")


@pytest.mark.parametrize("content", [b"", b"{}", b"[", b'{"event": 1, "fields": {}}', b"\xff" * 10])
def test_a_spoilt_last_word_is_none(run_dir: Path, content: bytes) -> None:
    (run_dir / LAST_FILE).write_bytes(content)

    assert find_last_hook(run_dir) is None
