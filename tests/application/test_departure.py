"""A server that leaves while its agents stay."""

import asyncio

from idea.application.commands import SendMessage
from idea.application.ports import EngineLifetime
from idea.application.structured.engine_output import SessionEvent
from idea.application.structured.resumption import Resumption
from idea.application.structured.structured_session import StructuredSession
from idea.domain.errors import Closed
from idea.domain.events import QueueChanged
from idea.domain.ids import ConversationId
from idea.domain.replies import ConversationIdentified
from idea.domain.sessions import SpawnSpec
from tests.desk import Desk
from tests.fakes.agents import make_agent
from tests.fakes.engines import FakeEngine
from tests.fakes.processes import FakeKeeper
from tests.patience import PATIENCE_S

QA = make_agent("qa")


async def test_a_person_who_sends_a_message_when_the_server_leaves_is_told_so() -> None:
    """Nothing comes on record any more: it would be waited for until the connection is cut."""
    desk = Desk(QA)
    async with desk.open():
        desk.records.may_write.clear()
        async with asyncio.TaskGroup() as tasks:
            sending = tasks.create_task(desk.outcome(SendMessage("qa", "look")))
            await desk.until(lambda: bool(desk.seen(QueueChanged)))
            await desk.end.leave()

        assert isinstance(sending.result(), Closed)
        assert isinstance(await desk.outcome(SendMessage("qa", "and this")), Closed)


async def test_what_fails_while_the_server_leaves_ends_no_agent() -> None:
    """A group of tasks that is cancelled raises what failed in it on the way, and not that it was cancelled."""
    keeper, is_telling = FakeKeeper(), asyncio.Event()

    async def tell(event: SessionEvent) -> None:
        if isinstance(event, ConversationIdentified):
            is_telling.set()
            try:
                await asyncio.get_running_loop().create_future()
            finally:
                raise Closed("The project")

    async def spec(spawn_id: str, conversation: ConversationId | None) -> SpawnSpec:
        return SpawnSpec(spawn_id, ("/bin/scripted", "qa"), "/", {}, None)

    session = StructuredSession(
        agent_name="QA",
        keeper=keeper,
        engine=FakeEngine(keeper.lexicon, EngineLifetime.SESSION),
        spawn_id="s1",
        spec=spec,
        resumption=Resumption(None),
        on_event=tell,
    )
    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as tasks:
        running = tasks.create_task(session.run(ready=asyncio.Event()))
        qa = await keeper.process("qa")
        qa.say(ConversationIdentified(ConversationId("c1")))
        await is_telling.wait()
        running.cancel()
        await asyncio.wait([running])

    assert running.cancelled()
    assert not qa.has_ended
