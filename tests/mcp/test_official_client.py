"""The official SDK's client, through a real bridge."""

import asyncio
from contextlib import AbstractAsyncContextManager

import pytest
from mcp import Client, StdioServerParameters

from tests.mcp.house import MAIN, PATIENCE_S, House


def client(house: House, mode: str) -> AbstractAsyncContextManager[Client]:
    command, *args = house.command(MAIN)
    return Client(StdioServerParameters(command=command, args=args), mode=mode)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_both_protocol_eras_are_served(house: House, mode: str) -> None:
    async with asyncio.timeout(PATIENCE_S), client(house, mode) as session:
        tools = (await session.list_tools()).tools
        asked = await session.call_tool("idea_ask_agent", {"agent": "qa", "message": "hello"})
        team = await session.call_tool("idea_list_agents", {})
        status = await session.call_tool("idea_agent_status", {"agent": "qa"})

    hints = {tool.name: tool.annotations.read_only_hint for tool in tools if tool.annotations}
    assert hints == {"idea_list_agents": True, "idea_ask_agent": False, "idea_agent_status": True}
    assert asked.structured_content is not None
    assert asked.structured_content["reply"] == "hello"
    assert not team.is_error
    assert not status.is_error


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_progress_reaches_the_client(house: House, mode: str) -> None:
    heard = asyncio.Event()

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        heard.set()

    async with asyncio.timeout(PATIENCE_S), client(house, mode) as session, asyncio.TaskGroup() as tasks:
        asking = tasks.create_task(
            session.call_tool("idea_ask_agent", {"agent": "qa", "message": "hang"}, progress_callback=on_progress)
        )
        await heard.wait()
        asking.cancel()
        await house.team.cancelled.wait()
