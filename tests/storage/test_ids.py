import threading
import uuid

from idea.adapters.clock import SystemClock
from idea.adapters.ids import UuidV7


def test_ids_are_version_7_and_sort_as_they_were_made() -> None:
    new_id = UuidV7()

    ids = [new_id() for _ in range(20_000)]

    assert {uuid.UUID(one).version for one in ids} == {7}
    assert {uuid.UUID(one).variant for one in ids} == {uuid.RFC_4122}
    assert ids == sorted(set(ids))


def test_a_clock_that_stands_still_or_goes_back_does_not_matter() -> None:
    times = iter([1_000_000] * 9_000 + [5] * 1_000)
    new_id = UuidV7(lambda: next(times))

    ids = [new_id() for _ in range(10_000)]

    assert ids == sorted(set(ids))


def test_threads_never_get_the_same_id() -> None:
    new_id = UuidV7(lambda: 1)
    made: list[str] = []
    threads = [threading.Thread(target=lambda: made.extend(new_id() for _ in range(2_000))) for _ in range(4)]

    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(5)

    assert len(set(made)) == 8_000


async def test_the_clock_is_aware_and_in_utc() -> None:
    clock = SystemClock()

    await clock.sleep(0)

    assert clock.now().utcoffset() is not None
    assert not clock.now().utcoffset()
