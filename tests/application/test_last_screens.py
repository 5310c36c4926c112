"""What terminals that ended leave to see, and how much of it is kept."""

import pytest

from idea.application.terminals.last_screens import ALL_BYTES, SCREEN_BYTES, LastScreen, LastScreens
from idea.application.terminals.terminal_client import Ended, Paint, Reset
from idea.domain.errors import Lost
from idea.domain.ids import AgentId, SessionId
from idea.domain.sessions import Exit, TerminalSize

SIZE = TerminalSize(80, 24)


def screen(session: str, *, length: int = 4) -> LastScreen:
    return LastScreen(SessionId(session), SIZE, b"x" * length, Exit(1, None))


async def test_a_client_gets_the_picture_and_the_end_and_can_change_neither() -> None:
    client = screen("s").attach(TerminalSize(10, 5))
    await client.resize(TerminalSize(20, 5))
    with pytest.raises(Lost):
        await client.write(b"x")

    assert [value async for value in client] == [Reset(80, 24), Paint(b"xxxx"), Ended(Exit(1, None))]
    client.detach()


def test_the_last_one_of_an_agent_is_kept_until_it_is_forgotten() -> None:
    screens, agent = LastScreens(), AgentId("a")
    screens.keep(agent, screen("first"))
    screens.keep(agent, screen("second"))
    assert screens.find(agent) == screen("second")

    screens.forget(agent)
    screens.forget(agent)
    assert screens.find(agent) is None


def test_the_oldest_go_when_it_is_too_much() -> None:
    screens = LastScreens()
    room = ALL_BYTES // SCREEN_BYTES
    agents = [AgentId(str(number)) for number in range(room + 1)]
    dropped = [screens.keep(agent, screen(agent, length=SCREEN_BYTES)) for agent in agents]

    assert dropped == [*[[]] * room, [agents[0]]]
    assert [agent for agent in agents if screens.find(agent) is None] == [agents[0]]
