"""The bridge when the server is killed and another one comes: real processes on both sides."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from idea.bridge_endpoint import DONE
from tests.mcp.house import PATIENCE_S, House


class ServerProcess:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def hear(self) -> str:
        assert self._process.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            return (await self._process.stdout.readline()).decode().strip()

    def release(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(b"\n")


@asynccontextmanager
async def serving(house: House, journal: Path) -> AsyncIterator[ServerProcess]:
    """Killed at the end."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.bridge.server_process",
        house.runtime,
        journal,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        cwd=Path(__file__).parents[2],
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    server = ServerProcess(process)
    try:
        assert await server.hear() == "ready"
        yield server
    finally:
        process.kill()
        assert process.stdin is not None
        process.stdin.close()
        await process.wait()


# Every server imports the MCP SDK.
@pytest.mark.slow
async def test_a_killed_servers_calls_go_on_in_the_next_ones_and_are_made_once(house: House, tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    async with AsyncExitStack() as stack:
        async with serving(house, journal) as server:
            bridge = await stack.enter_async_context(house.bridge())
            await bridge.shake_hands()
            await bridge.ask(1, "before")
            assert await server.hear() == "new before"
        await bridge.ask(2, "while away")
        async with serving(house, journal) as server:
            assert {await server.hear() for _ in range(2)} == {"begun before", "new while away"}
        async with serving(house, journal) as server:
            assert {await server.hear() for _ in range(2)} == {"begun before", "begun while away"}
            server.release()
            answers = [await bridge.receive() for _ in range(2)]
            code, rest = await bridge.finish()

    assert {answer["id"]: answer["result"]["content"][0]["text"] for answer in answers} == {
        1: "before",
        2: "while away",
    }
    assert (code, rest) == (DONE, [])
