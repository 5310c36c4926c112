"""Several that start at once share one server."""

import os
import select
import signal
import subprocess
import time

import pytest

from tests.system.client import Api, ok
from tests.system.house import IDEA, START_S, STOP_S, House, Server, new_house

pytestmark = pytest.mark.slow


def test_projects_opened_in_the_same_moment_are_all_open_in_one_server(house: House) -> None:
    folders = [house.folder(name) for name in ("one", "two", "three")]
    opening = [
        subprocess.Popen(
            [*IDEA, str(folder), "--no-browser", "--json"],
            env=house.env,
            cwd=house.root,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for folder in folders
    ]
    try:
        ended = _wait_for_ends(opening, 2)
        told = house.run("status").out
    finally:
        for process in opening:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        said = [process.communicate(timeout=STOP_S) for process in opening]

    assert [process.returncode for process in ended] == [0, 0], said
    assert all('"url"' in out for out, _ in said)
    assert [str(folder) in told for folder in folders] == [True, True, True]


def _wait_for_ends(processes: list["subprocess.Popen[str]"], number: int) -> list["subprocess.Popen[str]"]:
    """The first that end; the kernel tells when."""
    watched = {os.pidfd_open(process.pid): process for process in processes}
    ended: list[subprocess.Popen[str]] = []
    deadline = time.monotonic() + START_S
    try:
        while len(ended) < number:
            waiting = [descriptor for descriptor, process in watched.items() if process not in ended]
            readable, _, _ = select.select(waiting, [], [], max(0.0, deadline - time.monotonic()))
            assert readable, "they did not end"
            ended += [watched[descriptor] for descriptor in readable]
    finally:
        for descriptor in watched:
            os.close(descriptor)
    for process in ended:
        process.wait(STOP_S)
    return ended


async def test_only_an_agent_makes_the_server_load_what_speaks_with_it() -> None:
    """It costs half a second of a core and tens of megabytes, which a project that is only looked at does not need."""
    with new_house(PYTHONPROFILEIMPORTTIME="1") as house, house.serving("demo", str(house.folder("shop"))) as server:
        before = _imported(server)
        ok(await Api(server).ask("qa", "list"))
        since = _imported(server) - before

    assert "idea.bootstrap.server" in before
    assert "mcp.server" not in before
    assert "mcp.server" in since


def _imported(server: Server) -> set[str]:
    return {line.rpartition("|")[2].strip() for line in server.said().splitlines() if line.startswith("import time:")}
