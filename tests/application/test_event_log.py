"""A listener misses nothing that is still kept, and is told when it must begin anew."""

import asyncio

import pytest

from idea.application.event_log import (
    KEPT_CHARS,
    KEPT_EVENTS,
    SUBSCRIBER_CHARS,
    SUBSCRIBER_QUEUE,
    EventLog,
    Subscription,
    TooOld,
    TooSlow,
)
from idea.domain.events import ProjectClosed, TurnTextStreamed
from idea.domain.ids import AgentId, ProjectId, TurnId
from tests.patience import PATIENCE_S

FACT = ProjectClosed(ProjectId("p"))


async def _take(subscription: Subscription, count: int) -> list[int]:
    taken: list[int] = []
    async with asyncio.timeout(PATIENCE_S):
        async for seq, _ in subscription:
            taken.append(seq)
            if len(taken) == count:
                break
    return taken


async def test_events_are_numbered_and_come_in_order() -> None:
    log = EventLog("e")
    subscription = log.subscribe(None)
    for _ in range(3):
        log.publish(FACT)

    assert await _take(subscription, 3) == [1, 2, 3]


async def test_a_returning_listener_gets_what_it_missed() -> None:
    log = EventLog("e")
    for _ in range(5):
        log.publish(FACT)
    subscription = log.subscribe(3)
    log.publish(FACT)

    assert await _take(subscription, 3) == [4, 5, 6]


@pytest.mark.parametrize("since", [0, KEPT_EVENTS * 2])
async def test_what_is_no_longer_kept_asks_for_a_snapshot(since: int) -> None:
    log = EventLog("e")
    for _ in range(KEPT_EVENTS + 1):
        log.publish(FACT)

    with pytest.raises(TooOld):
        log.subscribe(since)


async def test_long_texts_are_kept_up_to_a_bound_of_their_own() -> None:
    log = EventLog("e")
    for _ in range(20):
        log.publish(TurnTextStreamed(ProjectId("p"), AgentId("a"), TurnId("t"), 0, "x" * (KEPT_CHARS // 10)))

    assert await _take(log.subscribe(10), 10) == list(range(11, 21))
    with pytest.raises(TooOld):
        log.subscribe(9)


async def test_a_listener_that_does_not_read_long_texts_is_cut_off() -> None:
    log = EventLog("e")
    slow = log.subscribe(None)
    for _ in range(25):
        log.publish(TurnTextStreamed(ProjectId("p"), AgentId("a"), TurnId("t"), 0, "x" * (SUBSCRIBER_CHARS // 20)))

    with pytest.raises(TooSlow):
        await _take(slow, 25)


async def test_a_listener_that_does_not_read_is_cut_off_and_the_others_go_on() -> None:
    log = EventLog("e")
    slow, quick = log.subscribe(None), log.subscribe(None)
    for seq in range(1, SUBSCRIBER_QUEUE + 2):
        log.publish(FACT)
        assert await _take(quick, 1) == [seq]

    with pytest.raises(TooSlow):
        await _take(slow, SUBSCRIBER_QUEUE + 1)


async def test_a_closed_subscription_gets_nothing_more() -> None:
    log = EventLog("e")
    subscription = log.subscribe(None)
    subscription.close()
    subscription.close()
    log.publish(FACT)

    assert log.subscribe(0) is not subscription
