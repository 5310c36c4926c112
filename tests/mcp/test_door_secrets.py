"""Who is let in at the agents' door, and for how long."""

import asyncio

import pytest

from idea.domain.ids import TurnId
from idea.domain.sessions import SessionRole
from idea.doors.mcp.endpoint import secret_path
from tests.mcp.house import MAIN, PATIENCE_S, PROJECT, QA, House


async def test_a_wrong_secret_is_refused(house: House) -> None:
    secret_path(house.runtime, PROJECT, MAIN).write_text("wrong")

    async with house.bridge() as bridge:
        code, told = await bridge.end()

    assert code == 4
    assert "session has ended" in told


async def test_another_agents_secret_is_refused(house: House) -> None:
    secret_path(house.runtime, PROJECT, QA).write_text(secret_path(house.runtime, PROJECT, MAIN).read_text())

    async with house.bridge(QA) as bridge:
        code, _ = await bridge.end()

    assert code == 4


async def test_a_bridge_of_a_side_session_needs_a_secret_of_its_own(house: House) -> None:
    async with house.bridge(role=SessionRole.SIDE) as bridge:
        without, _ = await bridge.end()
    beside = secret_path(house.runtime, PROJECT, MAIN, SessionRole.SIDE)
    beside.write_text(secret_path(house.runtime, PROJECT, MAIN).read_text())
    beside.chmod(0o600)
    async with house.bridge(role=SessionRole.SIDE) as bridge:
        of_the_other, _ = await bridge.end()

    assert (without, of_the_other) == (4, 4)


async def test_what_is_asked_belongs_to_the_turn_of_the_session_that_asks(house: House) -> None:
    house.launch(MAIN, SessionRole.SIDE)
    house.side_turns[MAIN] = TurnId("beside")
    async with house.bridge() as main, house.bridge(role=SessionRole.SIDE) as side:
        for bridge in (main, side):
            await bridge.shake_hands()
        await side.ask(1, "from beside")
        await side.receive()
        house.turns.clear()
        await main.ask(2, "from the terminal")
        await main.receive()
        # What stands for one of them stands on when the other has ended.
        await asyncio.to_thread(house.secrets.remove, MAIN, SessionRole.SIDE)
        code, _ = await side.end()
        assert "result" in await main.call(3, "tools/list")

    assert [(asked.agent, asked.turn) for asked, _ in house.team.asked] == [(MAIN, "beside"), (MAIN, None)]
    assert code == 5


async def test_the_last_launchs_secret_is_refused(house: House) -> None:
    path = secret_path(house.runtime, PROJECT, MAIN)
    old = path.read_text()
    house.launch(MAIN)
    path.write_text(old)

    async with house.bridge() as bridge:
        code, _ = await bridge.end()

    assert code == 4


@pytest.mark.parametrize("how", ["its session ends", "it is launched anew"])
async def test_a_bridge_that_outlives_its_launch_is_cut_off_and_its_asks_are_taken_back(house: House, how: str) -> None:
    async with house.bridge() as bridge, house.bridge(QA) as other:
        await bridge.shake_hands()
        await other.shake_hands()
        await bridge.ask(1, "hang")
        async with asyncio.timeout(PATIENCE_S):
            await house.team.hanging.wait()
        retire = house.retire if how == "its session ends" else house.launch
        await asyncio.to_thread(retire, MAIN)
        code, _ = await bridge.end()
        async with asyncio.timeout(PATIENCE_S):
            await house.team.cancelled.wait()
        answer = await other.call(2, "tools/list")

    assert code == 5
    assert "result" in answer


async def test_nothing_stands_for_an_agent_whose_session_ended(house: House) -> None:
    house.retire(MAIN)
    house.retire(MAIN)

    async with house.bridge() as bridge:
        code, told = await bridge.end()

    assert code == 4
    assert "no session" in told


async def test_several_bridges_of_one_launch_are_let_in(house: House) -> None:
    async with house.bridge() as first, house.bridge() as second:
        answers = [await bridge.call(1, "ping") for bridge in (first, second)]

    assert [answer["result"] for answer in answers] == [{}, {}]
