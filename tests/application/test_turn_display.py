"""What a turn says on the way, and when: also where it is read again after a restart."""

from datetime import timedelta

from idea.application.record.transcript import Transcript
from idea.application.turns.turn_display import TurnDisplay
from idea.domain.conversation import LiveTurn
from idea.domain.delegation import Requester, Source
from idea.domain.events import AgentAnnouncement, Event
from idea.domain.ids import AgentId, ProjectId, TurnId
from idea.domain.replies import ASK_TOOL, ToolActivity, ToolPhase
from tests.fakes.clock import NOON, FakeClock
from tests.fakes.records import FakeRecords

PROJECT, MAIN = ProjectId("p"), AgentId("main")


async def test_what_is_read_again_stands_before_the_ask_that_followed_it() -> None:
    clock, events = FakeClock(), list[Event]()
    first, second = NOON - timedelta(minutes=2), NOON - timedelta(minutes=1)
    display = TurnDisplay(
        PROJECT,
        LiveTurn(TurnId("t"), MAIN, Requester(Source.UI), None, started_at=first),
        transcript=Transcript(PROJECT, records=FakeRecords(), clock=clock, publish=events.append),
        clock=clock,
        publish=events.append,
        asks_on_record=(first, second),
    )

    display.announce("I ask Architect.")
    await display.use_tool(ToolActivity("a", ASK_TOOL, "→ Architect", ToolPhase.STARTED))
    display.announce("Now QA.")
    await display.use_tool(ToolActivity("b", "Bash", "ls", ToolPhase.STARTED))
    await display.use_tool(ToolActivity("c", ASK_TOOL, "→ QA", ToolPhase.STARTED))
    display.announce("Both have answered.")

    assert [event.at for event in events if isinstance(event, AgentAnnouncement)] == [first, second, NOON]
