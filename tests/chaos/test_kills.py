"""Servers are killed at any moment; their agents, turns, asks and messages go on as if nothing had happened."""

import pytest

from tests.chaos.checks import faults, outcome_of
from tests.chaos.plan import plan
from tests.chaos.runs import SEED, end_all, new_storm

# One seed is part of the usual tests, for a minute of them; `scripts/soak chaos` runs any number.
pytestmark = pytest.mark.slow


# Five servers start, on a machine that may be busy.
@pytest.mark.timeout(300)
async def test_whatever_moment_a_server_is_killed_at_nothing_is_lost_or_done_twice() -> None:
    with new_storm() as storm:
        async with storm.finished(plan(SEED)) as api:
            found = faults(await outcome_of(api, storm.seen, storm.root))
            assert not found, "\n".join(found)
            await end_all(storm, api)
