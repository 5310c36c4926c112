"""An agent in a terminal, beside which asks are answered."""

from idea.application.commands import LaunchAgent
from idea.domain.ids import ConversationId, NodeId
from idea.domain.layouts import View
from idea.domain.sessions import SessionRole
from tests.desk import HUMAN, Desk
from tests.fakes.agents import make_agent
from tests.fakes.processes import FakeProcess

QA, MAIN = make_agent("qa"), make_agent("main", profile="finding")
PER_TURN = make_agent("qa", profile="per-turn")
CELL = NodeId("left")
C1, C2 = ConversationId("c1"), ConversationId("c2")
IN_TERMINAL = LaunchAgent("qa", CELL, View.TERMINAL)
SIDE = SessionRole.SIDE


async def open_terminal(desk: Desk) -> FakeProcess:
    await desk.dispatch(HUMAN, IN_TERMINAL)
    return await desk.keeper.process("qa")


async def is_alone(desk: Desk) -> None:
    await desk.until(lambda: desk.look("qa").side_session is None)
